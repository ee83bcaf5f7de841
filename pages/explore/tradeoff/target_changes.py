"""What to change where no epsilon meets both targets: a short list, each line enough by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpengine.feasible import Feasible
from dpengine.formatting import amount, at_most, error_in, number_in, tiny, upper_of_100
from dpengine.mechanisms.released import PURE_NOISE
from dpengine.queries.forms import ByGroup, is_of_people
from pages import session
from pages.question import choices, consequences
from pages.question.question_view import QuestionView


def show(question: QuestionView, feasible: Feasible) -> None:
    """Every change that would do, with a button where this page can make it."""
    st.markdown("Any one of these is enough:")
    _error(question, feasible)
    _belief(feasible)
    if feasible.changes.laplace:
        other = question.planned.noise.label
        line = f"Choose **{PURE_NOISE.label} noise**, which needs no delta, instead of {other} noise."
        _offered(
            line,
            f"Choose {PURE_NOISE.label}",
            key="target_laplace",
            change=partial(session.move, choices.MECHANISM, PURE_NOISE.name),
        )
    for line in _without_button(question, feasible):
        st.markdown(f"- {line}")


def _error(question: QuestionView, feasible: Feasible) -> None:
    error = feasible.changes.error
    if error is None:
        return
    times = question.measure.times
    digits = 2 if session.shows_real_people() else 3
    shown, instead = at_most(times * error, digits), amount(times * (feasible.targets.error or 0.0))
    line = f"Accept an error of **{error_in(question.measure, error)}** instead of {instead}."
    accept = partial(session.set_widget, session.error_key(session.question_mark()), number_in(shown))
    _offered(line, f"Accept {shown}", key="target_accept", change=accept)


def _belief(feasible: Feasible) -> None:
    belief = feasible.changes.belief
    if belief is None:
        return
    shown = upper_of_100(belief)
    line = f"Tolerate a belief of **{shown} out of 100** instead of {amount(100 * (feasible.targets.belief or 0), 4)}."
    if number_in(shown) > choices.HIGHEST_OF_100:
        st.markdown(f"- {line}")
    else:
        tolerate = partial(session.set_widget, session.BELIEF, number_in(shown))
        _offered(line, f"Tolerate {shown}", key="target_tolerate", change=tolerate)


def _offered(line: str, label: str, *, key: str, change: Callable[[], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"offer_{key}"):
        st.markdown(f"- {line}", width="content")
        st.button(label, key=key, on_click=change)


def _without_button(question: QuestionView, feasible: Feasible) -> list[str]:
    lines = [_records(question, feasible), _times(question, feasible), _groups(question, feasible), _delta(feasible)]
    return [line for line in lines if line]


def _records(question: QuestionView, feasible: Feasible) -> str:
    records = feasible.changes.records
    if records is None:
        return ""
    now = f"{amount(question.asked.records, 6)}{consequences.from_rows(question)}"
    about = "in all groups together, " if isinstance(question.planned.query, ByGroup) else ""
    return (
        f"Ask about more {_rows(question)}: **{at_most(records, 4)}** {about}instead of {now}, if everything "
        "else stays as it is."
    )


def _times(question: QuestionView, feasible: Feasible) -> str:
    """More people do not shrink the noise of a count or a sum; they make the same noise matter less."""
    factor = feasible.changes.times_as_large
    if factor is None:
        return ""
    sought = feasible.targets.error or 0.0
    accepted, now = (error_in(question.measure, error) for error in (factor * sought, sought))
    return (
        f"In a table **{at_most(factor)} times as large**, an error of {accepted} matters as little as {now} does here."
    )


def _groups(question: QuestionView, feasible: Feasible) -> str:
    if question.coordinates == 1 or feasible.changes.error is None or question.choice:
        return ""
    groups, named = feasible.changes.groups, question.planned.query.cell
    if groups is None:
        return (
            f":gray[A coarser question would not help: even a single {named} has noise as large as that. In a larger "
            f"{named} it matters less: see **Who pays** below.]"
        )
    many = f"{groups} {named}{'s' if groups > 1 else ''}"
    return f"Ask a coarser question: **at most {many}** of equal size instead of {question.coordinates}."


def _delta(feasible: Feasible) -> str:
    delta = feasible.changes.delta
    return "" if delta is None else f"Promise a smaller delta: **{tiny(delta)}**."


def _rows(question: QuestionView) -> str:
    people = question.plan.schema.one_row_each or is_of_people(question.planned.query)
    return "people" if people else "rows"
