"""A question with one answer has no groups: how it would be asked by group, to see whom the noise hurts."""

from __future__ import annotations

import streamlit as st

from dpengine.data import BooleanColumn, CategoryColumn, Column, Schema, columns_of
from dpengine.queries import GroupedCountQuery, Query, forms
from pages.phrasing import wording
from pages.question.question_view import QuestionView

QUERIES = "pages/explore/queries/page.py"
MOST_NAMED = 4


def show(question: QuestionView) -> None:
    """What to ask instead, by which columns, and the way there."""
    query, listed = question.planned.query, _listed(question.plan.schema)
    columns = [name for name in listed if not _is_fixed(query, name)]
    st.markdown("## One number has no groups among whom the noise could be unequal", anchors=False)
    if not columns:
        st.markdown(_ALL_FIXED if listed else _NONE_LISTED)
        return
    asked = by_group(query, columns[0]).in_words(wording.said_of(question.plan.spoken))
    named = ", ".join(wording.column(question.plan.spoken, name) for name in columns[1 : MOST_NAMED + 1])
    more = f" Or by {named}{' and others' if len(columns) > MOST_NAMED + 1 else ''}." if named else ""
    st.markdown(
        f"The same noise weighs more on a smaller group. Asked by group it would be: *{asked}?*{more} Every group is "
        "answered for one epsilon, and this look then says who pays for it."
    )
    st.page_link(QUERIES, label="Ask it by group on the Questions page →")


_NONE_LISTED = "No column has a public list of values to group by; declare one as a category on the **Data** page."
_ALL_FIXED = (
    "The question's own condition is about every column that has a public list of values, so no column is left to "
    "group by. Leave a part of the condition out, or declare another column as a category on the **Data** page."
)


def _listed(schema: Schema) -> list[str]:
    """Columns of two values or more that everybody knows, those with the fewest first."""
    values = {column.name: _values(column) for column in schema.columns}
    return sorted((name for name, many in values.items() if many > 1), key=values.__getitem__)


def _values(column: Column) -> int:
    if isinstance(column, CategoryColumn):
        return len(column.categories)
    return 2 if isinstance(column, BooleanColumn) else 0


def _is_fixed(query: Query, column: str) -> bool:
    """Whether a condition of the question says already what there can be of these groups, or what share has it."""
    conditions = query.touched(), getattr(query, "having", None)
    return any(column in columns_of(one) for one in conditions if one is not None)


def by_group(query: Query, column: str) -> Query:
    """The question that asks the same of each group; how many rows there are where nothing closer is known."""
    return forms.by_group(query, (column,)) or GroupedCountQuery(column, where=query.touched())
