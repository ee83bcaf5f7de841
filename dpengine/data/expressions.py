"""Aggregates as expressions: each gives rows of (cell, total), both whole numbers; a cell that is absent is 0."""

from __future__ import annotations

import math
from functools import singledispatch

import ibis

from dpengine.data.aggregates import (
    Aggregate,
    BinCounts,
    CategoryCounts,
    FixedPointSum,
    PeopleCount,
    RowCount,
    SignedCount,
)
from dpengine.data.conditions import Condition
from dpengine.data.predicates import literal, satisfies
from dpengine.data.schema import Schema
from dpengine.data.stored_rows import StoredRows


@singledispatch
def coordinates(aggregate: Aggregate) -> int:
    """How many integers an aggregate has; known without any row."""
    return 1


@coordinates.register
def _(aggregate: CategoryCounts) -> int:
    return len(aggregate.values)


@coordinates.register
def _(aggregate: BinCounts) -> int:
    return len(aggregate.edges) - 1


@singledispatch
def totals(aggregate: Aggregate, schema: Schema) -> ibis.Table:
    """The expression that answers an aggregate, in columns `cell` and `total`."""
    raise TypeError(aggregate)


@totals.register
def _(aggregate: RowCount, schema: Schema) -> ibis.Table:
    rows = _counted(schema, aggregate.where)
    return _single(rows, rows.table.count())


@totals.register
def _(aggregate: PeopleCount, schema: Schema) -> ibis.Table:
    if schema.one_row_each:
        return totals(RowCount(where=aggregate.where), schema)
    rows = _where(StoredRows.of(schema), aggregate.where)
    return _single(rows, rows.table.person.nunique())


@totals.register
def _(aggregate: FixedPointSum, schema: Schema) -> ibis.Table:
    rows = _counted(schema, aggregate.where)
    value, bits = rows[aggregate.column], aggregate.fraction_bits
    steps = grid_steps(_clamped(value, aggregate.lower, aggregate.upper, bits), bits) - aggregate.center
    return _single(rows, steps.cast("decimal(38, 0)").sum())


@totals.register
def _(aggregate: SignedCount, schema: Schema) -> ibis.Table:
    rows = _counted(schema, aggregate.where)
    return _single(rows, ibis.ifelse(satisfies(aggregate.condition, rows), 1, -1).sum())


@totals.register
def _(aggregate: CategoryCounts, schema: Schema) -> ibis.Table:
    rows = _counted(schema, aggregate.where)
    value = rows[aggregate.column]
    listed = rows.table.select(value=value).filter(lambda t: t.value.isin(aggregate.values))
    counts = listed.group_by("value").aggregate(total=lambda t: t.count())
    cell = ibis.cases(*((counts.value == listed_value, i) for i, listed_value in enumerate(aggregate.values)))
    return counts.select(cell=cell, total=counts.total)


@totals.register
def _(aggregate: BinCounts, schema: Schema) -> ibis.Table:
    rows = _counted(schema, aggregate.where)
    edges, bits, slack = aggregate.edges, aggregate.fraction_bits, 0 if aggregate.clamp else 1
    near = _clamped(rows[aggregate.column], edges[0] - slack, edges[-1] + slack, bits)
    placed = rows.table.select(steps=grid_steps(near, bits))
    inside = placed.filter(placed.steps >= edges[0], placed.steps <= edges[-1])
    binned = inside.select(cell=_bin(inside.steps, edges, 0, len(edges) - 2))
    return binned.group_by("cell").aggregate(total=lambda t: t.count())


def grid_steps(value: ibis.Value, fraction_bits: int) -> ibis.Value:
    """floor(value * 2**fraction_bits + 1/2) as an integer; the product is exact, because it is by a power of two."""
    return (value * literal(math.ldexp(1.0, fraction_bits)) + literal(0.5)).floor().cast("int64")


def _bound(steps: int, fraction_bits: int) -> ibis.Value:
    return literal(math.ldexp(float(steps), -fraction_bits))


def _clamped(value: ibis.Value, lower: int, upper: int, fraction_bits: int) -> ibis.Value:
    """A value within bounds given in grid steps, by CASE: NULL stays NULL, and nothing can overflow afterwards."""
    low, high = _bound(lower, fraction_bits), _bound(upper, fraction_bits)
    return ibis.cases((value < low, low), (value > high, high), else_=value)


def _bin(steps: ibis.Value, edges: tuple[int, ...], first: int, last: int) -> ibis.Value:
    """Which of the bins first..last holds the steps, by halving; the edges are compared as whole numbers."""
    if first == last:
        return ibis.literal(first, type="int64")
    middle = (first + last + 1) // 2
    left, right = _bin(steps, edges, first, middle - 1), _bin(steps, edges, middle, last)
    return ibis.ifelse(steps < edges[middle], left, right)


def _counted(schema: Schema, where: Condition | None) -> StoredRows:
    """The rows that the contribution bound keeps and the condition selects."""
    rows = StoredRows.of(schema)
    return _where(StoredRows(rows.table.filter(rows.table.kept), schema), where)


def _where(rows: StoredRows, where: Condition | None) -> StoredRows:
    return rows if where is None else StoredRows(rows.table.filter(satisfies(where, rows)), rows.schema)


def _single(rows: StoredRows, total: ibis.Value) -> ibis.Table:
    return rows.table.aggregate(total=ibis.coalesce(total, 0)).select(cell=ibis.literal(0), total=ibis._.total)
