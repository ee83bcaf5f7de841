"""The same kind of question with another number of groups, whose names do not matter to its error."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any, cast

from dpengine.data import CategoryColumn, Schema
from dpengine.errors import RefusedQueryError, require_whole
from dpengine.queries.forms import ByGroup
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.protocol import Query
from dpengine.queries.several import SeveralProportionsQuery, StatisticalQueries


@singledispatch
def with_groups(query: Query, schema: Schema, groups: int) -> tuple[Query, Schema]:
    """A question of this kind with so many groups, and the declaration under which it is asked; for planning only.

    Where no sensitivity depends on conditions on rows, they are left out. Raises RefusedQueryError where there is
    nothing to group.
    """
    raise RefusedQueryError(f"{type(query).__name__} has one answer and no groups.")


@with_groups.register
def _(query: HistogramQuery, schema: Schema, groups: int) -> tuple[Query, Schema]:
    return HistogramQuery(query.column), _with_categories(schema, query.column, groups)


@with_groups.register
def _(query: ByGroup, schema: Schema, groups: int) -> tuple[Query, Schema]:
    first = query.by[0]
    return replace(cast(Any, query), by=(first,), where=None), _with_categories(schema, first, groups)


@with_groups.register
def _(query: StatisticalQueries | SeveralProportionsQuery, schema: Schema, groups: int) -> tuple[Query, Schema]:
    """The first of its conditions, of the same rows: without `where` shares may be of a public number of people."""
    require_whole("groups", groups)
    return replace(query, conditions=query.conditions[:groups]), schema


def _with_categories(schema: Schema, name: str, groups: int) -> Schema:
    require_whole("groups", groups)
    named = CategoryColumn(name=name, categories=tuple(str(number + 1) for number in range(groups)))
    return replace(schema, columns=tuple(named if column.name == name else column for column in schema.columns))
