"""The kinds of questions: what the menu says, and the form that finishes each; no row is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpengine.data import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, Schema
from dpengine.errors import RefusedQueryError
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from pages import session
from pages.explore.queries.rank_form import quantile
from pages.explore.queries.several_form import COUNTS, SHARES, several
from pages.question.condition_form import TypedCondition, typed_condition
from pages.widgets import number_lists
from pages.widgets.escaping import short
from pages.widgets.options import apart

Boxes = Mapping[str, object]
MOST_GROUPING_COLUMNS = 2
_LISTED = (CategoryColumn, BooleanColumn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One line of the menu: what it says, the form that finishes a question, and what of one stands in its boxes.

    `of` are the kinds of questions that it asks; columns of numbers and groups go into their boxes by themselves.
    """

    label: str
    query: Callable[[Schema, TypedCondition], Query]
    of: tuple[type[Query], ...]
    boxes: Callable[[Any], Boxes] = lambda query: {}


def _count(schema: Schema, where: TypedCondition) -> Query:
    by = _groups(schema)
    return GroupedCountQuery(by, where=where.finished()) if by else CountQuery(where=where.finished())


def _count_people(_schema: Schema, where: TypedCondition) -> Query:
    return CountPeopleQuery(where=where.finished())


def _sum(schema: Schema, where: TypedCondition) -> Query:
    column, by = _number_in_groups(schema)
    return GroupedSumQuery(column, by, where=where.finished()) if by else SumQuery(column, where=where.finished())


def _mean(schema: Schema, where: TypedCondition) -> Query:
    column, by = _number_in_groups(schema)
    return GroupedMeanQuery(column, by, where=where.finished()) if by else MeanQuery(column, where=where.finished())


def _variance(schema: Schema, where: TypedCondition) -> Query:
    return VarianceQuery(column(schema, NumberColumn), where=where.finished())


def _quantile(schema: Schema, where: TypedCondition) -> Query:
    return quantile(schema.number(column(schema, NumberColumn)), where)


def _mode(schema: Schema, where: TypedCondition) -> Query:
    return ModeQuery(column(schema, *_LISTED, key="query_listed"), where=where.finished())


def _several(schema: Schema, where: TypedCondition) -> Query:
    return several(schema, where)


def _proportion(schema: Schema, where: TypedCondition) -> Query:
    st.markdown("The share of rows for which …")
    having = typed_condition(schema, key="having", invitation="Add a condition", needed=True).finished()
    if having is None:
        raise RefusedQueryError("Add the condition whose share you want to know.")
    by = _groups(schema)
    if by:
        return GroupedProportionQuery(having=having, by=by, where=where.finished())
    return ProportionQuery(having=having, where=where.finished())


def _histogram(schema: Schema, where: TypedCondition) -> Query:
    name = column(schema, *_LISTED, NumberColumn, DateColumn, key="query_countable")
    counted = schema.column(name)
    edges = number_lists.edges(counted) if isinstance(counted, NumberColumn) else None
    period = None
    if isinstance(counted, DateColumn):
        words = {"month": "by month", "year": "by year"}
        period = number_lists.way("Dates, over the declared range", words, key="query_period")
    return HistogramQuery(name, edges=edges, where=where.finished(), period=period)


def _histogram_boxes(query: HistogramQuery) -> Boxes:
    return {"query_countable": query.column} | ({"query_period": query.period} if query.period else {})


def _quantile_boxes(query: QuantileQuery) -> Boxes:
    return {"query_rank": round(100.0 * query.quantile, 7), "query_candidates_how": "any"}


def _several_boxes(query: StatisticalQueries | SeveralProportionsQuery) -> Boxes:
    asked = COUNTS if isinstance(query, StatisticalQueries) else SHARES
    return {"query_several_how": "typed", "query_several_as": asked}


KINDS: Mapping[str, Kind] = {
    "count": Kind(label="How many rows", query=_count, of=(CountQuery, GroupedCountQuery)),
    "people": Kind(label="How many different people", query=_count_people, of=(CountPeopleQuery,)),
    "proportion": Kind(
        label="The share of rows with a property", query=_proportion, of=(ProportionQuery, GroupedProportionQuery)
    ),
    "histogram": Kind(
        label="How many have each value (histogram)", query=_histogram, of=(HistogramQuery,), boxes=_histogram_boxes
    ),
    "mode": Kind(
        label="Which value is most frequent (mode)",
        query=_mode,
        of=(ModeQuery,),
        boxes=lambda query: {"query_listed": query.column},
    ),
    "sum": Kind(label="The sum of a number", query=_sum, of=(SumQuery, GroupedSumQuery)),
    "mean": Kind(label="The mean of a number", query=_mean, of=(MeanQuery, GroupedMeanQuery)),
    "quantile": Kind(
        label="The middle value, or another rank (median, quantile)",
        query=_quantile,
        of=(QuantileQuery,),
        boxes=_quantile_boxes,
    ),
    "variance": Kind(label="How far a number is spread (variance)", query=_variance, of=(VarianceQuery,)),
    "several": Kind(
        label="Many counts or shares (statistical queries)",
        query=_several,
        of=(StatisticalQueries, SeveralProportionsQuery),
        boxes=_several_boxes,
    ),
}


def column(schema: Schema, *kinds: type[Column], key: str = "query_number") -> str:
    """The column that a question is about, out of those of some kinds."""
    names = [column.name for column in schema.columns if isinstance(column, kinds)]
    if not names:
        raise RefusedQueryError(
            "No column is declared as a number with bounds."
            if kinds == (NumberColumn,)
            else "No column has a public list of values or bounds."
        )
    session.widget_stays_within(key, names)
    return st.selectbox("Column", names, format_func=apart(names, short), key=key, persist_state="session")


def _number_in_groups(schema: Schema) -> tuple[str, tuple[str, ...]]:
    left, right = st.columns(2)
    with left:
        name = column(schema, NumberColumn)
    with right:
        return name, _groups(schema)


def _groups(schema: Schema) -> tuple[str, ...]:
    """One or two columns with public values, each of which gets an answer; none is the start."""
    names = [column.name for column in schema.columns if isinstance(column, _LISTED)]
    if not names:
        return ()
    session.widget_stays_within("query_groups", names)
    return tuple(
        st.multiselect(
            "Separately for each … (GROUP BY)",
            names,
            format_func=apart(names, short),
            key="query_groups",
            max_selections=MOST_GROUPING_COLUMNS,
            placeholder="not separately",
            persist_state="session",
            help="One answer for every public value, or for every pair of values of two columns; values that are not "
            "listed never appear.",
        )
    )
