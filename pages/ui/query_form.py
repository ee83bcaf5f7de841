"""The builder of one question: its kind, its column, its condition, its epsilon; no row is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpengine.data import BooleanColumn, CategoryColumn, Column, NumberColumn, Schema
from dpengine.errors import DPEngineError, RefusedQueryError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SumQuery,
)
from dpengine.scenario import Scenario
from pages.ui import session
from pages.ui.condition_form import TypedCondition, shown, typed_condition
from pages.ui.first_plan import FIRST_EPSILON

FIRST_BINS = 10
_COUNTABLE = (CategoryColumn, BooleanColumn, NumberColumn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of question: what the menu says, and the form that finishes it."""

    label: str
    query: Callable[[Schema, TypedCondition], Query]


def typed_question(scenario: Scenario) -> tuple[PlannedQuery | None, str]:
    """The question that the form says, or None and the sentence that says what is unfinished or refused."""
    try:
        return _planned_query(scenario), ""
    except DPEngineError as error:
        return None, str(error)


def _planned_query(scenario: Scenario) -> PlannedQuery:
    schema = scenario.schema
    _start_over_for(schema)
    kind = st.selectbox(
        "What do you want to know?",
        KINDS,
        format_func=lambda name: KINDS[name].label,
        key="query_kind",
        persist_state="session",
    )
    top = st.container()
    where = _where(schema)
    epsilon = st.number_input(
        "Epsilon for this question",
        value=FIRST_EPSILON,
        step=None,
        format="%g",
        key="query_epsilon",
        persist_state="session",
        help="How much privacy the answer may cost. 0.1 is a careful start; you can turn it later.",
    )
    with top:
        query = KINDS[kind].query(schema, where)
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))
    planned.parts(schema, scenario.neighbors)
    return planned


def _start_over_for(schema: Schema) -> None:
    """Conditions typed for another table mean nothing here."""
    if session.remembered("builder_schema", schema) != schema:
        session.remember("builder_schema", schema)
        session.remember("where_rows", ())
        session.remember("having_rows", (0,))


def _count(_schema: Schema, where: TypedCondition) -> Query:
    return CountQuery(where=where.finished())


def _count_people(_schema: Schema, where: TypedCondition) -> Query:
    return CountPeopleQuery(where=where.finished())


def _sum(schema: Schema, where: TypedCondition) -> Query:
    return SumQuery(_column(schema, NumberColumn), where=where.finished())


def _mean(schema: Schema, where: TypedCondition) -> Query:
    return MeanQuery(_column(schema, NumberColumn), where=where.finished())


def _proportion(schema: Schema, where: TypedCondition) -> Query:
    st.markdown("The share of rows for which …")
    having = typed_condition(schema, key="having", invitation="Add a condition", needed=True).finished()
    if having is None:
        raise RefusedQueryError("Add the condition whose share you want to know.")
    return ProportionQuery(having=having, where=where.finished())


def _histogram(schema: Schema, where: TypedCondition) -> Query:
    name = _column(schema, *_COUNTABLE)
    column = schema.column(name)
    edges = _edges(column) if isinstance(column, NumberColumn) else None
    return HistogramQuery(name, edges=edges, where=where.finished())


KINDS: Mapping[str, Kind] = {
    "count": Kind(label="How many rows", query=_count),
    "people": Kind(label="How many different people", query=_count_people),
    "sum": Kind(label="The sum of a number", query=_sum),
    "mean": Kind(label="The mean of a number", query=_mean),
    "proportion": Kind(label="The share of rows with a property", query=_proportion),
    "histogram": Kind(label="How many have each value (histogram)", query=_histogram),
}


def _where(schema: Schema) -> TypedCondition:
    if session.remembered("where_rows", ()):
        st.markdown("Only rows for which …")
    return typed_condition(schema, key="where", invitation="Count only some rows: add a condition")


def _column(schema: Schema, *kinds: type[Column]) -> str:
    names = [column.name for column in schema.columns if isinstance(column, kinds)]
    if not names:
        raise RefusedQueryError(
            "No column is declared as a number with bounds."
            if kinds == (NumberColumn,)
            else "No column has a public list of values or bounds."
        )
    key = f"query_column_{len(kinds)}"
    return st.selectbox("Column", names, format_func=shown, key=key, persist_state="session")


def _edges(column: NumberColumn) -> tuple[float, ...]:
    """Edges of the bins, chosen from public bounds or typed: never from the rows."""
    how = st.radio(
        "Bins, chosen without looking at the rows",
        ("equal", "typed"),
        format_func={"equal": "equally wide between the bounds", "typed": "edges that you type"}.__getitem__,
        key="query_bins_how",
        horizontal=True,
        persist_state="session",
    )
    return _typed_edges(column) if how == "typed" else _equal_edges(column)


def _equal_edges(column: NumberColumn) -> tuple[float, ...]:
    bins = st.number_input("Number of bins", value=FIRST_BINS, step=1, key="query_bins", persist_state="session")
    if not 1 <= bins <= 1000:
        raise RefusedQueryError(f"The number of bins must be from 1 to 1,000; it is {bins}.")
    return tuple(float(edge) for edge in np.linspace(column.lower, column.upper, bins + 1))


def _typed_edges(column: NumberColumn) -> tuple[float, ...]:
    text = st.text_input(
        "Edges, from low to high",
        placeholder=f"{column.lower:g}, …, {column.upper:g}",
        key="query_edges",
        persist_state="session",
    )
    words = [word for word in re.split(r"[\s,;]+", text or "") if word]
    return tuple(_number(word) for word in words)


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise RefusedQueryError(f"{word[:20]!r} is not a number; type the edges like 0, 18, 40, 65, 120.") from None
