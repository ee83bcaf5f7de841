"""How large the groups of a question are: exact where that may be shown, else as somebody typed, else all alike."""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st

from dpengine.accuracy.by_group import Group, exact_groups, guessed_groups, sizes_question
from dpengine.errors import RefusedQueryError
from pages.ui import session, wording
from pages.ui.subject import Subject

EXACT, TYPED, ALIKE = "exact", "typed", "alike"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The groups, and how their sizes came to be known: exact, typed or alike."""

    groups: tuple[Group, ...]
    known: str


def of_question(subject: Subject) -> Sizes:
    """The groups of a question; where exact values are hidden, with a box for the sizes that one expects."""
    query = subject.planned.query
    labels = subject.planned.parts(subject.plan.schema, subject.plan.neighbors)[0].labels
    if session.exact_shown():
        sizes = session.exact_guess(sizes_question(query))
        return Sizes(groups=exact_groups(labels, sizes=sizes, answers=subject.guess), known=EXACT)
    typed = _typed(len(labels))
    groups = guessed_groups(query, labels, subject.guess, sizes=typed)
    return Sizes(groups=groups, known=TYPED if typed else ALIKE)


def source(sizes: Sizes, cell: str) -> str:
    """Where the sizes come from."""
    if sizes.known == EXACT:
        return f"Sizes: exact, {wording.whose_eyes()}."
    if sizes.known == TYPED:
        return "Sizes: as you typed them."
    return f"Exact sizes are hidden, so every {cell} is taken to be equally large. Type below what you expect."


def _typed(many: int) -> tuple[float, ...] | None:
    text = st.text_input(
        f"Expected sizes of the {many}, in order, with commas between",
        key=f"who_pays_sizes_{session.question_mark()}",
        placeholder="all alike",
        persist_state="session",
    )
    words = [word for word in re.split(r"[\s,;]+", text or "") if word]
    if not words:
        return None
    try:
        return tuple(float(word) for word in words)
    except ValueError as problem:
        raise RefusedQueryError(f"The sizes must be numbers; {problem}.") from problem
