"""The form of several counts or shares at once: conditions typed one by one, or one threshold after the other."""

from __future__ import annotations

import streamlit as st

from dpengine.data import Comparison, Condition, NumberColumn, Schema
from dpengine.errors import RefusedQueryError
from dpengine.queries import ProportionQuery, Query, SeveralProportionsQuery, StatisticalQueries
from pages import session
from pages.question.condition_form import TypedCondition, plain, typed_condition
from pages.widgets import number_lists
from pages.widgets.escaping import short
from pages.widgets.options import apart

FIRST_THRESHOLDS = 100
COUNTS, SHARES = "counts", "shares"
_ASKED = {COUNTS: "counts", SHARES: "shares of the rows"}
_LINES = {
    COUNTS: "How many rows have … (each line is a count of its own)",
    SHARES: "What share of the rows has … (each line is a share of its own)",
}
_WAYS = {"typed": "conditions that you type", "thresholds": "at or below each of many values"}


def several(schema: Schema, where: TypedCondition) -> Query:
    """So many counts or shares of the same rows; raises RefusedQueryError while something is missing.

    One share is asked for as a single one, which SQL writes the same.
    """
    left, right = st.columns(2)
    with left:
        asked = number_lists.way("Asked for", _ASKED, key="query_several_as")
    with right:
        chosen = number_lists.way("Which conditions", _WAYS, key="query_several_how")
    conditions = _thresholds(schema) if chosen == "thresholds" else _typed(schema, asked)
    if asked == COUNTS:
        return StatisticalQueries(conditions, where=where.finished())
    if len(conditions) == 1:
        return ProportionQuery(conditions[0], where=where.finished())
    return SeveralProportionsQuery(conditions, where=where.finished())


def _typed(schema: Schema, asked: str) -> tuple[Condition, ...]:
    st.markdown(_LINES[asked])
    conditions = typed_condition(schema, key="several", invitation="Add a condition", needed=True, joined=False).each()
    if not conditions:
        raise RefusedQueryError("Add the conditions that you want to ask about.")
    return conditions


def _thresholds(schema: Schema) -> tuple[Condition, ...]:
    """One condition "at most this value" for each of so many equally spaced values."""
    names = [column.name for column in schema.columns if isinstance(column, NumberColumn)]
    if not names:
        raise RefusedQueryError("No column is declared as a number with bounds.")
    left, right = st.columns(2)
    session.widget_stays_within("query_threshold_column", names)
    name = left.selectbox(
        "Column", names, format_func=apart(names, short), key="query_threshold_column", persist_state="session"
    )
    with right:
        count = number_lists.counted(
            "Number of values", key="query_thresholds", called="values", start=FIRST_THRESHOLDS
        )
    column = schema.number(name)
    return tuple(Comparison(name, "<=", plain(value)) for value in number_lists.equal(column, count + 1)[1:])
