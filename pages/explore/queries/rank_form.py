"""The form of a median or another quantile: which rank, and among which public candidates."""

from __future__ import annotations

import streamlit as st

from dpengine.data import NumberColumn
from dpengine.errors import RefusedQueryError
from dpengine.queries import QuantileQuery, Query
from pages.question.condition_form import TypedCondition
from pages.widgets import number_box, number_lists

MEDIAN, FEW_CANDIDATES = 50.0, 21
_HINT = (
    "Chosen without looking at the rows. Where values are whole numbers, choose among equally spaced ones: anything "
    "between two of them would have about the same rank."
)
_WAYS = {"any": "any value between the bounds", "equal": "equally spaced values", "typed": "values that you type"}


def quantile(column: NumberColumn, where: TypedCondition) -> Query:
    """A quantile among the candidates that were chosen; raises RefusedQueryError while something is missing."""
    below = number_box.kept(
        st.container(),
        "Share of values below it, % (50: the middle value, the median)",
        key="query_rank",
        start=MEDIAN,
        step=None,
        format="%.4g",
        persist_state="session",
    )
    if _whole(column):
        st.markdown(":gray[The bounds are whole numbers: if the values are, too, choose among equally spaced ones.]")
    chosen = number_lists.way("The answer is chosen among", _WAYS, key="query_candidates_how", hint=_HINT)
    return QuantileQuery(
        column.name, quantile=round(below / 100.0, 9), candidates=_candidates(column, chosen), where=where.finished()
    )


def _candidates(column: NumberColumn, chosen: str) -> tuple[float, ...] | None:
    if chosen == "any":
        return None
    if chosen == "equal":
        key, start = f"query_candidates_of_{column.name}", _one_a_step(column)
        count = number_lists.counted("Number of candidates", key=key, called="candidates", start=start)
        return number_lists.equal(column, count)
    found = number_lists.typed("Candidates", column, key="query_candidates", called="candidates")
    if not found:
        raise RefusedQueryError("Type the values among which the answer is chosen, such as 0, 18, 40, 65.")
    return found


def _one_a_step(column: NumberColumn) -> int:
    """Every whole number between whole bounds where these are few enough; else a round number of steps."""
    steps = column.upper - column.lower
    return int(steps) + 1 if _whole(column) and steps < number_lists.MOST else FEW_CANDIDATES


def _whole(column: NumberColumn) -> bool:
    return column.lower == round(column.lower) and column.upper == round(column.upper)
