"""Constants in SQL: numbers, texts, TRUE and FALSE, and dates, read and written."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date
from functools import singledispatch

from sqlglot import exp

from dpengine.data import Column, DateColumn
from dpengine.data.declared.conditions import Value
from dpengine.errors import RefusedQueryError
from dpengine.queries.sql.tree import bare, refusal_of, require_only, shown

_WHOLE = re.compile(r"[0-9]{1,400}")
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def constant(node: exp.Expr | None, column: Column) -> Value:
    """The constant that a column is compared with; a text is read as a date where the column holds dates."""
    found = bare(node)
    reader = _READERS.get(type(found))
    if found is None or reader is None:
        raise refusal_of(found)
    value = reader(found)
    return day(value) if isinstance(column, DateColumn) and isinstance(value, str) else value


def number(node: exp.Expr | None) -> float:
    """A number, perhaps with a minus; whole numbers of any size stay exact."""
    node = bare(node)
    if type(node) is exp.Neg:
        require_only(node, "this")
        inner = bare(node.this)
        if type(inner) is exp.Literal:
            return -number(inner)
    if type(node) is not exp.Literal or node.is_string:
        raise refusal_of(node)
    text = node.name
    value = int(text) if _WHOLE.fullmatch(text) else (float(text) if _NUMBER.fullmatch(text) else math.inf)
    if not abs(value) < math.inf:
        raise RefusedQueryError(f"{shown(text)} is too large for a number; no value of anybody can equal it.")
    return value


def day(text: str) -> date:
    """A calendar date, written YYYY-MM-DD."""
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise RefusedQueryError(f"{shown(text)} is not a date; write it as '2024-01-31'.")


@singledispatch
def written(value: Value) -> str:
    """A constant as SQL reads it back."""
    raise TypeError(value)


written.register(bool, lambda value: "TRUE" if value else "FALSE")
written.register(int, str)
written.register(float, repr)
written.register(date, lambda value: f"DATE '{value.isoformat()}'")


@written.register
def _(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _literal(node: exp.Expr) -> Value:
    require_only(node, "this", "is_string")
    return str(node.name) if node.is_string else number(node)


def _boolean(node: exp.Expr) -> Value:
    require_only(node, "this")
    return bool(node.this)


def _date(node: exp.Expr) -> Value:
    require_only(node, "this", "to")
    text, kind = node.this, node.args["to"]
    if type(text) is not exp.Literal or not text.is_string or kind.this is not exp.DataType.Type.DATE:
        raise refusal_of(node)
    require_only(kind, "this")
    return day(text.name)


def _null(node: exp.Expr) -> Value:
    raise RefusedQueryError(
        "Nothing equals NULL, so this would choose no row. Write IS NULL or IS NOT NULL; the answer gets noise "
        "like any other."
    )


_READERS: dict[type[exp.Expr | None], Callable[[exp.Expr], Value]] = {
    exp.Literal: _literal,
    exp.Neg: number,
    exp.Boolean: _boolean,
    exp.Cast: _date,
    exp.Null: _null,
}
