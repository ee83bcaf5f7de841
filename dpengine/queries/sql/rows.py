"""The refusal that matters most: a column that is selected as it is returns the values of individual people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from sqlglot import exp

from dpengine.data import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn
from dpengine.errors import DPEngineError, RefusedQueryError
from dpengine.queries.sql import conditions, reasons
from dpengine.queries.sql.groups import is_key
from dpengine.queries.sql.names import Names, quoted
from dpengine.queries.sql.printed_conditions import printed
from dpengine.queries.sql.tree import refusal_of

Instead = tuple[str, str, str]
"""What to ask instead, its SELECT, and its GROUP BY, between which a condition fits."""


def refuse_rows(asked: Sequence[exp.Expr], names: Names, where: exp.Expr | None, *, grouped: bool) -> None:
    """Refuse what would list rows or the values that occur, and say which figure about many people to ask for.

    What is said to be asked instead keeps the condition in WHERE where it can be answered, and else says that it does
    not.
    """
    if any(_is_star(item) for item in asked):
        raise RefusedQueryError(f"{reasons.STAR} {_kept(_how_many(names), where, names)}")
    keys = [item for item in asked if is_key(item)]
    if keys and not grouped:
        if type(keys[0]) is not exp.Column:
            raise refusal_of(keys[0])
        raise RefusedQueryError(_rows(names.column(keys[0]), where, names))
    if asked and len(keys) == len(asked):
        raise RefusedQueryError(reasons.DISTINCT_ROWS)


def _is_star(item: exp.Expr) -> bool:
    return type(item) is exp.Star or (type(item) is exp.Column and type(item.this) is exp.Star)


def _rows(column: Column, where: exp.Expr | None, names: Names) -> str:
    return (
        f"SELECT {quoted(column.name)} returns the values of individual people, and no noise can hide a person then. "
        + _kept(_instead(column, quoted(column.name), quoted(names.schema.name)), where, names)
    )


def _how_many(names: Names) -> Instead:
    return "ask how many rows there are", f"SELECT count(*) FROM {quoted(names.schema.name)}", ""


def _kept(instead: Instead, where: exp.Expr | None, names: Names) -> str:
    """The question to ask instead, under the same condition if that can be answered."""
    words, select, group = instead
    said = words[0].upper() + words[1:]
    if where is None:
        return f"{said}: {select}{group}."
    try:
        condition = conditions.where(where, names)
        text = f" WHERE {printed(condition, names.schema)}" if condition else ""
    except DPEngineError:
        return f"{said}, without the condition in WHERE, which has no answer as it stands: {select}{group}."
    return f"{said}: {select}{text}{group}."


@singledispatch
def _instead(column: Column, name: str, table: str) -> Instead:
    """A question about many people that a column of this kind can answer."""
    unlisted = f"{column.name!r} is declared as text, of which no list of values is public"
    return f"{unlisted}; ask how many rows there are", f"SELECT count(*) FROM {table}", ""


@_instead.register(CategoryColumn)
@_instead.register(BooleanColumn)
def _(column: CategoryColumn | BooleanColumn, name: str, table: str) -> Instead:
    return "ask how many have each value", f"SELECT {name}, count(*) FROM {table}", f" GROUP BY {name}"


@_instead.register
def _(column: NumberColumn, name: str, table: str) -> Instead:
    return "ask for a figure about many people", f"SELECT avg({name}) FROM {table}", ""


@_instead.register
def _(column: DateColumn, name: str, table: str) -> Instead:
    month = f"date_trunc('month', {name})"
    return "ask how many there are in each month", f"SELECT {month}, count(*) FROM {table}", f" GROUP BY {month}"
