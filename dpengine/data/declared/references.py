"""Whether a condition makes sense for a schema: known columns, comparable values, listed categories; no row is read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from functools import singledispatch

from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.declared.conditions import And, Between, Comparison, Condition, IsMissing, Not, OneOf, Or, Value
from dpengine.data.declared.schema import Schema
from dpengine.errors import RefusedQueryError

DEPTH = 30
COMPARISONS = 200
VALUES = 1000
LONGEST_TEXT = 1000
_UNREAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
"""Control characters but tab and line ends, and halves of characters, which no text in UTF-8 has."""
_ORDERS = ("<", "<=", ">", ">=")


def require_condition(condition: Condition | None, schema: Schema) -> None:
    """Refuse a condition that the schema cannot answer, with the reason; None stands for every row."""
    if condition is not None:
        require_conditions((condition,), schema)


def require_conditions(conditions: Sequence[Condition], schema: Schema, *, comparisons: int = COMPARISONS) -> None:
    """Refuse conditions that the schema cannot answer, or that have more than so many comparisons in all."""
    _require_size(conditions, comparisons)
    for condition in conditions:
        _require(condition, schema)


def columns_of(condition: Condition) -> frozenset[str]:
    """The columns that a condition looks at."""
    pending, found = [condition], set()
    while pending:
        outer = pending.pop()
        if isinstance(outer, Comparison | OneOf | Between | IsMissing):
            found.add(outer.column)
        pending.extend(_inside(outer))
    return frozenset(found)


def _require_size(conditions: Sequence[Condition], most: int) -> None:
    """Refuse what an engine's parser could not take in: it walks a condition by recursion, and this does not."""
    pending, comparisons = [(condition, 0) for condition in conditions], 0
    while pending:
        outer, depth = pending.pop()
        inside = _inside(outer)
        comparisons += not inside
        if depth > DEPTH:
            raise RefusedQueryError(f"The condition is nested more than {DEPTH} levels deep.")
        if comparisons > most:
            raise RefusedQueryError(f"The condition has more than {most} comparisons.")
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
    raise RefusedQueryError(f"{condition!r} is not a condition: one is written like Comparison('age', '>=', 65).")


@_require.register
def _(condition: Comparison, schema: Schema) -> None:
    column = _queried(schema, condition.column)
    require_value_of(column, condition.value)
    if condition.operator in _ORDERS:
        _require_order(column)


@_require.register
def _(condition: OneOf, schema: Schema) -> None:
    column = _queried(schema, condition.column)
    if len(condition.values) > VALUES:
        raise RefusedQueryError(f"{len(condition.values):,} values of {column.name!r} are more than {VALUES:,}.")
    for value in condition.values:
        require_value_of(column, value)


@_require.register
def _(condition: Between, schema: Schema) -> None:
    column = _queried(schema, condition.column)
    require_value_of(column, condition.lower)
    require_value_of(column, condition.upper)
    _require_order(column)


@_require.register
def _(condition: IsMissing, schema: Schema) -> None:
    _queried(schema, condition.column)


@_require.register
def _(condition: Not, schema: Schema) -> None:
    _require(condition.condition, schema)


@_require.register(And)
@_require.register(Or)
def _(condition: And | Or, schema: Schema) -> None:
    for inner in condition.conditions:
        _require(inner, schema)


@singledispatch
def require_value_of(column: Column, value: Value) -> None:
    """Refuse a value that this column can never hold."""
    raise RefusedQueryError(f"{column!r} is not a column.")


@require_value_of.register
def _(column: NumberColumn, value: Value) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise RefusedQueryError(f"{column.name!r} is a number; it cannot be compared with {value!r}.")


@require_value_of.register
def _(column: CategoryColumn, value: Value) -> None:
    if value not in column.categories:
        raise RefusedQueryError(f"{value!r} is not a category of {column.name!r}; it has {listing(column.categories)}.")


@require_value_of.register
def _(column: BooleanColumn, value: Value) -> None:
    if not isinstance(value, bool):
        raise RefusedQueryError(f"{column.name!r} is true or false; it cannot be compared with {value!r}.")


@require_value_of.register
def _(column: DateColumn, value: Value) -> None:
    if not isinstance(value, date):
        raise RefusedQueryError(f"{column.name!r} is a date; it cannot be compared with {value!r}.")


@require_value_of.register
def _(column: TextColumn, value: Value) -> None:
    """Nor one that an engine, a file or the SQL box could not take in."""
    if not isinstance(value, str):
        raise RefusedQueryError(f"{column.name!r} is text; it cannot be compared with {value!r}.")
    if len(value) > LONGEST_TEXT:
        raise RefusedQueryError(
            f"A text of {len(value):,} characters is compared with {column.name!r}; at most {LONGEST_TEXT:,} are read."
        )
    if _UNREAD.search(value):
        raise RefusedQueryError(f"The text for {column.name!r} holds a control character, such as NUL. Take it out.")
    if value != value.strip():
        raise RefusedQueryError(
            f"Texts of {column.name!r} are read without the spaces around them, so none equals {value!r}. "
            "Leave these spaces out."
        )
    if not value:
        raise RefusedQueryError(f"An empty text of {column.name!r} counts as missing; ask whether it is missing.")


def _queried(schema: Schema, name: str) -> Column:
    """The column that a condition names; refused where it is the identifier."""
    column = schema.column(name)
    if column not in schema.queryable:
        raise RefusedQueryError(
            f"{name!r} is the identifier: it says whose rows belong together, and nothing is asked of it."
        )
    return column


def _require_order(column: Column) -> None:
    if not isinstance(column, NumberColumn | DateColumn):
        raise RefusedQueryError(f"The values of {column.name!r} have no order; it can only be compared with = or !=.")


def listing(values: Iterable[object]) -> str:
    """Values as a sentence lists them."""
    return ", ".join(repr(value) for value in values)
