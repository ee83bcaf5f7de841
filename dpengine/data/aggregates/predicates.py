"""Conditions as boolean expressions that are never NULL: every leaf is false where the value is missing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from datetime import date
from functools import singledispatch

import ibis

from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.declared.conditions import And, Between, Comparison, Condition, IsMissing, Not, OneOf, Or, Value

_OPERATORS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@singledispatch
def satisfies(condition: Condition, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    """Whether a row satisfies the condition: true or false, so that NOT is a complement."""
    raise TypeError(condition)


@satisfies.register(Comparison)
@satisfies.register(OneOf)
@satisfies.register(Between)
def _(condition: Comparison | OneOf | Between, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return ibis.coalesce(selects(condition, rows), ibis.literal(value=False))


@satisfies.register
def _(condition: IsMissing, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return rows[condition.column].isnull()


@satisfies.register
def _(condition: Not, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return ~satisfies(condition.condition, rows)


@satisfies.register
def _(condition: And, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return _joined(operator.and_, [satisfies(inner, rows) for inner in condition.conditions])


@satisfies.register
def _(condition: Or, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return _joined(operator.or_, [satisfies(inner, rows) for inner in condition.conditions])


@singledispatch
def selects(condition: Condition, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    """True exactly where a row satisfies the condition, elsewhere false or NULL: enough to filter by.

    An engine compares stored columns where they lie, which it cannot do behind a function.
    """
    return satisfies(condition, rows)


@selects.register
def _(condition: Comparison, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return _OPERATORS[condition.operator](rows[condition.column], literal(condition.value))


@selects.register
def _(condition: OneOf, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return rows[condition.column].isin([literal(value) for value in condition.values])


@selects.register
def _(condition: Between, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    value = rows[condition.column]
    return (value >= literal(condition.lower)) & (value <= literal(condition.upper))


@selects.register
def _(condition: And, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return _joined(operator.and_, [selects(inner, rows) for inner in condition.conditions])


@selects.register
def _(condition: Or, rows: StoredRows) -> ibis.expr.types.BooleanValue:
    return _joined(operator.or_, [selects(inner, rows) for inner in condition.conditions])


@singledispatch
def literal(value: Value) -> ibis.Value:
    """A value as the engine reads it: numbers through their shortest text, which every engine parses exactly."""
    raise TypeError(value)


@literal.register(float)
@literal.register(int)
def _(value: float) -> ibis.Value:
    return ibis.literal(repr(float(value))).cast("float64")


for _kind in (str, bool, date):
    literal.register(_kind, ibis.literal)


def _joined(join: Callable[[ibis.Value, ibis.Value], ibis.Value], values: Sequence[ibis.Value]) -> ibis.Value:
    """The values joined two and two: a thousand of them are ten levels deep, where one by one they would be a thousand.

    Writing SQL is recursive, so depth is what it cannot take.
    """
    if len(values) == 1:
        return values[0]
    middle = len(values) // 2
    return join(_joined(join, values[:middle]), _joined(join, values[middle:]))
