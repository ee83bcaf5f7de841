"""Whether a question makes sense for a schema: known columns, comparable values, listed categories; no row is read."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import date
from functools import singledispatch

from dpengine.data.aggregates import (
    Aggregate,
    BinCounts,
    CategoryCounts,
    FixedPointSum,
    PeopleCount,
    RowCount,
    SignedCount,
)
from dpengine.data.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.conditions import And, Between, Comparison, Condition, IsMissing, Not, OneOf, Or, Value
from dpengine.data.schema import Schema
from dpengine.errors import RefusedQueryError

DEPTH = 30
COMPARISONS = 200
VALUES = 1000
LARGEST_TERM = 2**41
LARGEST_STEP = 2**52
LARGEST_BITS = 1022
_ORDERS = ("<", "<=", ">", ">=")


def require_condition(condition: Condition | None, schema: Schema) -> None:
    """Refuse a condition that the schema cannot answer, with the reason; None stands for every row."""
    if condition is not None:
        _require_size(condition)
        _require(condition, schema)


def _require_size(condition: Condition) -> None:
    """Refuse what an engine's parser could not take in: it walks a condition by recursion, and this does not."""
    pending, comparisons = [(condition, 0)], 0
    while pending:
        outer, depth = pending.pop()
        inside = _inside(outer)
        comparisons += not inside
        if depth > DEPTH:
            raise RefusedQueryError(f"The condition is nested more than {DEPTH} levels deep.")
        if comparisons > COMPARISONS:
            raise RefusedQueryError(f"The condition has more than {COMPARISONS} comparisons.")
        pending.extend((inner, depth + 1) for inner in inside)


@singledispatch
def _inside(condition: Condition) -> tuple[Condition, ...]:
    """The conditions that stand directly inside one."""
    return ()


_inside.register(Not, lambda condition: (condition.condition,))
_inside.register(And, lambda condition: condition.conditions)
_inside.register(Or, lambda condition: condition.conditions)


@singledispatch
def _require(condition: Condition, schema: Schema) -> None:
    """Refuse one condition and those inside it."""
    raise RefusedQueryError(f"{condition!r} is not a condition.")


@_require.register
def _(condition: Comparison, schema: Schema) -> None:
    column = schema.column(condition.column)
    _require_value(column, condition.value)
    if condition.operator in _ORDERS:
        _require_order(column)


@_require.register
def _(condition: OneOf, schema: Schema) -> None:
    column = schema.column(condition.column)
    if len(condition.values) > VALUES:
        raise RefusedQueryError(f"{len(condition.values):,} values of {column.name!r} are more than {VALUES:,}.")
    for value in condition.values:
        _require_value(column, value)


@_require.register
def _(condition: Between, schema: Schema) -> None:
    column = schema.column(condition.column)
    _require_value(column, condition.lower)
    _require_value(column, condition.upper)
    _require_order(column)


@_require.register
def _(condition: IsMissing, schema: Schema) -> None:
    column = schema.column(condition.column)
    if isinstance(column, TextColumn):
        raise _cannot_be_queried(column)


@_require.register
def _(condition: Not, schema: Schema) -> None:
    _require(condition.condition, schema)


@_require.register(And)
@_require.register(Or)
def _(condition: And | Or, schema: Schema) -> None:
    for inner in condition.conditions:
        _require(inner, schema)


@singledispatch
def _require_value(column: Column, value: Value) -> None:
    """Refuse a value that this column can never hold."""
    raise RefusedQueryError(f"{column!r} is not a column.")


@_require_value.register
def _(column: NumberColumn, value: Value) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise RefusedQueryError(f"{column.name!r} is a number; it cannot be compared with {value!r}.")


@_require_value.register
def _(column: CategoryColumn, value: Value) -> None:
    if value not in column.categories:
        raise RefusedQueryError(
            f"{value!r} is not a category of {column.name!r}; it has {_listing(column.categories)}."
        )


@_require_value.register
def _(column: BooleanColumn, value: Value) -> None:
    if not isinstance(value, bool):
        raise RefusedQueryError(f"{column.name!r} is true or false; it cannot be compared with {value!r}.")


@_require_value.register
def _(column: DateColumn, value: Value) -> None:
    if not isinstance(value, date):
        raise RefusedQueryError(f"{column.name!r} is a date; it cannot be compared with {value!r}.")


@_require_value.register
def _(column: TextColumn, value: Value) -> None:
    raise _cannot_be_queried(column)


def _cannot_be_queried(column: TextColumn) -> RefusedQueryError:
    return RefusedQueryError(
        f"{column.name!r} is declared as text or an identifier, so no question can be asked of it: "
        "a single value may be enough to single one person out."
    )


def _require_order(column: Column) -> None:
    if not isinstance(column, NumberColumn | DateColumn):
        raise RefusedQueryError(f"The values of {column.name!r} have no order; it can only be compared with = or !=.")


def _listing(values: Iterable[object]) -> str:
    return ", ".join(repr(value) for value in values)


@singledispatch
def require_aggregate(aggregate: Aggregate, schema: Schema) -> None:
    """Refuse an aggregate that the schema cannot answer, with the reason."""
    raise RefusedQueryError(f"{aggregate!r} is not something a table can be asked.")


@require_aggregate.register(RowCount)
@require_aggregate.register(PeopleCount)
def _(aggregate: RowCount | PeopleCount, schema: Schema) -> None:
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: FixedPointSum, schema: Schema) -> None:
    schema.number(aggregate.column)
    _require_grid(aggregate.column, aggregate.fraction_bits, (aggregate.lower, aggregate.upper))
    largest = max(abs(aggregate.lower - aggregate.center), abs(aggregate.upper - aggregate.center))
    if largest > LARGEST_TERM:
        raise RefusedQueryError(
            f"The bounds of {aggregate.column!r} are too far from 0 for their range: one row can move the sum by "
            f"{largest:,} grid steps; sums are exact up to {LARGEST_TERM:,} a row."
        )
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: SignedCount, schema: Schema) -> None:
    require_condition(aggregate.condition, schema)
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: CategoryCounts, schema: Schema) -> None:
    column = schema.column(aggregate.column)
    if isinstance(column, NumberColumn | DateColumn):
        raise RefusedQueryError(
            f"{aggregate.column!r} has no list of values; declare it as a category to count each one."
        )
    for value in aggregate.values:
        _require_value(column, value)
    if len(set(aggregate.values)) != len(aggregate.values):
        raise RefusedQueryError(f"A value of {aggregate.column!r} is listed twice: {_listing(aggregate.values)}.")
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: BinCounts, schema: Schema) -> None:
    schema.number(aggregate.column)
    _require_grid(aggregate.column, aggregate.fraction_bits, (aggregate.edges[0] - 1, aggregate.edges[-1] + 1))
    require_condition(aggregate.where, schema)


def _require_grid(column: str, fraction_bits: int, ends: tuple[int, int]) -> None:
    """Refuse a grid whose ends a binary floating point number cannot hold exactly."""
    largest = max(map(abs, ends))
    if abs(fraction_bits) > LARGEST_BITS or largest > LARGEST_STEP or largest.bit_length() - fraction_bits > 1024:
        raise RefusedQueryError(f"The grid of {column!r} is too fine or too wide to be exact.")
