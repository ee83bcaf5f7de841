"""Counts of one category each, asked as one histogram: a row lies in one cell, so that all cells share one price."""

from __future__ import annotations

from collections.abc import Sequence

from dpengine.data import And, BooleanColumn, CategoryColumn, Comparison, Condition, Schema
from dpengine.queries.count import CountQuery
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.protocol import Query


def one_histogram(queries: Sequence[Query], schema: Schema) -> HistogramQuery | None:
    """The histogram whose cells are these counts, among others; None where they are not counts of single values.

    Each must count the rows of another value of one column, all among the same rows.
    """
    if len(queries) < 2 or not all(isinstance(query, CountQuery) for query in queries):
        return None
    for column in _listed(schema):
        split = [_apart(query.where, column) for query in queries]
        values, rest = [value for value, _ in split], {frozenset(others) for _, others in split}
        if None not in values and len(set(values)) == len(values) and len(rest) == 1:
            return HistogramQuery(column, where=_joined(split[0][1]))
    return None


def _listed(schema: Schema) -> list[str]:
    return [column.name for column in schema.columns if isinstance(column, CategoryColumn | BooleanColumn)]


def _apart(where: Condition | None, column: str) -> tuple[object, tuple[Condition, ...]]:
    """The one value that a condition asks of a column, and what else it asks; None where it is not of this form."""
    conjuncts = where.conditions if isinstance(where, And) else () if where is None else (where,)
    of_column = [
        one for one in conjuncts if isinstance(one, Comparison) and one.column == column and one.operator == "="
    ]
    if len(of_column) != 1:
        return None, ()
    return of_column[0].value, tuple(one for one in conjuncts if one is not of_column[0])


def _joined(conditions: tuple[Condition, ...]) -> Condition | None:
    return None if not conditions else conditions[0] if len(conditions) == 1 else And(conditions)
