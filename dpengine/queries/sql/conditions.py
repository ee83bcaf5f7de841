"""WHERE, read into the engine's own conditions: comparisons of a column with constants, joined by AND, OR and NOT."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    Comparison,
    Condition,
    IsMissing,
    Not,
    OneOf,
    Or,
    require_condition,
)
from dpengine.errors import RefusedQueryError
from dpengine.queries.sql.literals import constant
from dpengine.queries.sql.names import Names, quoted
from dpengine.queries.sql.tree import bare, refusal_of, require_only

_SIGNS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def condition(node: exp.Expr, names: Names) -> Condition:
    """The condition that a piece of SQL states, one that the schema can answer."""
    found = _condition(node, names)
    require_condition(found, names.schema)
    return found


def where(node: exp.Expr | None, names: Names) -> Condition | None:
    """The condition of a WHERE clause; None where there is no such clause."""
    if node is None:
        return None
    require_only(node, "this")
    return condition(node.this, names)


def _condition(node: exp.Expr | None, names: Names) -> Condition:
    node = bare(node)
    reader = _READERS.get(type(node))
    if node is None or reader is None:
        raise refusal_of(node)
    return reader(node, names)


def _comparison(node: exp.Expr, names: Names) -> Condition:
    require_only(node, "this", "expression")
    left, right, sign = bare(node.this), bare(node.expression), _SIGNS[type(node)]
    if type(left) is exp.Column and type(right) is exp.Column:
        raise RefusedQueryError(
            "Two columns are compared with each other; a condition compares a column with a constant, so that "
            "everybody can see from the question alone what it may reveal."
        )
    if type(right) is exp.Column:
        left, right, sign = right, left, _TURNED[sign]
    column = names.column(left)
    return Comparison(column.name, sign, constant(right, column))


def _one_of(node: exp.Expr, names: Names) -> Condition:
    require_only(node, "this", "expressions")
    column = names.column(bare(node.this))
    values = tuple(constant(value, column) for value in node.expressions)
    if not values:
        raise RefusedQueryError("IN needs at least one constant, such as IN ('a', 'b').")
    return OneOf(column.name, values)


def _between(node: exp.Expr, names: Names) -> Condition:
    require_only(node, "this", "low", "high")
    column = names.column(bare(node.this))
    return Between(column.name, constant(node.args["low"], column), constant(node.args["high"], column))


def _is(node: exp.Expr, names: Names) -> Condition:
    require_only(node, "this", "expression")
    column = names.column(bare(node.this))
    if type(node.expression) is exp.Null:
        return IsMissing(column.name)
    if type(node.expression) is exp.Boolean:
        return Comparison(column.name, "=", constant(node.expression, column))
    raise refusal_of(node.expression)


def _column(node: exp.Expr, names: Names) -> Condition:
    column = names.column(node)
    if not isinstance(column, BooleanColumn):
        raise RefusedQueryError(
            f"{column.name!r} alone is no condition: only a column declared as yes or no is true by itself. "
            f"Compare it with a constant, such as {quoted(column.name)} = ..."
        )
    return Comparison(column.name, "=", value=True)


def _not(node: exp.Expr, names: Names) -> Condition:
    require_only(node, "this")
    return Not(_condition(node.this, names))


def _and(node: exp.Expr, names: Names) -> Condition:
    return And(tuple(_condition(one, names) for one in _joined(node, neutral=True)))


def _or(node: exp.Expr, names: Names) -> Condition:
    return Or(tuple(_condition(one, names) for one in _joined(node, neutral=False)))


def _joined(node: exp.Expr, *, neutral: bool) -> list[exp.Expr]:
    """What AND or OR joins, without recursion; AND TRUE and OR FALSE change nothing and are left out."""
    kind, found = type(node), []
    while type(node) is kind:
        require_only(node, "this", "expression")
        found.append(node.expression)
        node = node.this
    found.append(node)
    return [one for one in reversed(found) if type(one) is not exp.Boolean or one.this is not neutral] or found[:1]


_READERS: dict[type[exp.Expr | None], Callable[[exp.Expr, Names], Condition]] = {
    **dict.fromkeys(_SIGNS, _comparison),
    exp.In: _one_of,
    exp.Between: _between,
    exp.Is: _is,
    exp.Column: _column,
    exp.Not: _not,
    exp.And: _and,
    exp.Or: _or,
}
