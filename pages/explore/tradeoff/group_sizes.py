"""How large the groups of a question are: exact where that may be shown, else as somebody typed, else all alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from dpengine.accuracy.by_group import Group, exact_groups, guessed_groups, sizes_question
from dpengine.errors import RefusedQueryError
from dpengine.queries import Query
from dpengine.queries.forms import CountForm, RatioForm, SumForm, over_the_same_rows
from pages import session
from pages.phrasing import wording
from pages.question.question_view import QuestionView

Unsaid = Literal["", "sizes", "rows", "answer"]
EXACT, TYPED, ALIKE = "exact", "typed", "alike"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The groups, and how their sizes came to be known: exact, typed or alike.

    `unsaid` is what somebody has yet to say before the noise of each can be compared with anything: how large the
    groups are, how many rows there are in all, how large an answer may be, or nothing.
    """

    groups: tuple[Group, ...]
    known: str
    unsaid: Unsaid = ""


def of_question(question: QuestionView) -> Sizes:
    """The groups of a question; where exact values are hidden, with a box for the sizes that one expects."""
    query = question.planned.query
    labels = question.planned.parts(question.plan.schema, question.plan.neighbors)[0].labels
    if session.exact_shown():
        sizes = session.exact_guess(sizes_question(query))
        return Sizes(groups=exact_groups(labels, sizes=sizes, answers=question.guess), known=EXACT)
    typed = None if over_the_same_rows(query) else _typed(len(labels))
    groups = guessed_groups(query, labels, question.guess, sizes=typed)
    return Sizes(groups=groups, known=TYPED if typed else ALIKE, unsaid=_unsaid(question, typed))


def _unsaid(question: QuestionView, typed: tuple[float, ...] | None) -> Unsaid:
    """Of the rows in all follows only what equal groups would have of them, where every row is in one of them."""
    query, sized = question.planned.query, bool(typed) or question.size == "said"
    if isinstance(query, SumForm | RatioForm):
        if not question.guessed:
            return "answer"
        if over_the_same_rows(query):
            return "rows" if question.unsaid else ""
        return "" if sized or isinstance(query, SumForm) else "sizes"
    shared = query.where is None and not (isinstance(query, CountForm) and query.overlapping)
    return "" if typed or question.guessed or (sized and shared) else "sizes"


def source(sizes: Sizes, query: Query) -> str:
    """Where the sizes come from; nothing to say of shares of the same rows, which have no sizes of their own."""
    if over_the_same_rows(query):
        return ""
    if sizes.known == EXACT:
        return f"Sizes: exact, {wording.whose_eyes()}."
    if sizes.known == TYPED:
        return "Sizes: as you typed them."
    return f"Exact sizes are hidden, so every {query.cell} is taken to be equally large. Type below what you expect."


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
