"""A question with one answer has no groups: how it would be asked by group, to see whom the noise hurts."""

from __future__ import annotations

from functools import singledispatch

import streamlit as st

from dpengine.data import BooleanColumn, CategoryColumn, both
from dpengine.queries import (
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SumQuery,
    question,
)
from pages.ui.names import code
from pages.ui.subject import Subject

QUERIES = "pages/explore/queries.py"
MOST_NAMED = 4


def show(subject: Subject) -> None:
    """What to ask instead, by which columns, and the way there."""
    schema = subject.plan.schema
    listed = [column for column in schema.columns if isinstance(column, CategoryColumn | BooleanColumn)]
    columns = [column.name for column in sorted(listed, key=_values)]
    st.markdown("## One number has no groups among whom the noise could be unequal", anchors=False)
    if not columns:
        st.markdown(
            "No column has a public list of values to group by; declare one as a category on the **Data** page."
        )
        return
    asked = question(by_group(subject.planned.query, columns[0]), code)
    named = ", ".join(code(name) for name in columns[1 : MOST_NAMED + 1])
    more = f" Or by {named}{' and others' if len(columns) > MOST_NAMED + 1 else ''}." if named else ""
    st.markdown(
        f"The same noise weighs more on a smaller group. Asked by group it would be: *{asked}?*{more} Every group is "
        "answered for one epsilon, and this look then says who pays for it."
    )
    st.page_link(QUERIES, label="Ask it by group on the Questions page →")


def _values(column: CategoryColumn | BooleanColumn) -> int:
    return len(column.categories) if isinstance(column, CategoryColumn) else 2


@singledispatch
def by_group(query: Query, column: str) -> Query:
    """The question that asks the same of each group; how many rows there are where nothing closer is known."""
    return GroupedCountQuery(column, where=getattr(query, "where", None))


@by_group.register
def _(query: SumQuery, column: str) -> Query:
    return GroupedSumQuery(query.column, column, where=query.where)


@by_group.register
def _(query: MeanQuery, column: str) -> Query:
    return GroupedMeanQuery(query.column, column, where=query.where)


@by_group.register
def _(query: ProportionQuery, column: str) -> Query:
    return GroupedCountQuery(column, where=both(query.where, query.having))
