"""Conditions, written as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from dpengine.data import (
    And,
    Between,
    Comparison,
    Condition,
    IsMissing,
    Not,
    OneOf,
    Or,
    Schema,
    require_condition,
)
from dpengine.data.declared.conditions import Value
from dpengine.queries.sql.literals import written
from dpengine.queries.sql.names import quoted

_WITH_OWN_NOT = (OneOf, Between, IsMissing)


def printed(condition: Condition, schema: Schema) -> str:
    """A condition that the schema can answer, as it reads in a WHERE clause."""
    require_condition(condition, schema)
    return _text(condition)


@singledispatch
def _text(condition: Condition, no: str = "") -> str:
    """A condition as SQL; with `no`, of a kind that has a NOT of its own, its complement."""
    raise NotImplementedError(type(condition).__name__)


@_text.register
def _(condition: Comparison) -> str:
    sign = "<>" if condition.operator == "!=" else condition.operator
    return f"{quoted(condition.column)} {sign} {written(condition.value)}"


@_text.register
def _(condition: OneOf, no: str = "") -> str:
    return f"{quoted(condition.column)} {no}IN {_list(condition.values)}"


@_text.register
def _(condition: Between, no: str = "") -> str:
    return f"{quoted(condition.column)} {no}BETWEEN {_ends(condition)}"


@_text.register
def _(condition: IsMissing, no: str = "") -> str:
    return f"{quoted(condition.column)} IS {no}NULL"


@_text.register
def _(condition: Not) -> str:
    denied = condition.condition
    return _text(denied, "NOT ") if isinstance(denied, _WITH_OWN_NOT) else f"NOT ({_text(denied)})"


@_text.register
def _(condition: And) -> str:
    return _joined(condition.conditions, " AND ", "TRUE")


@_text.register
def _(condition: Or) -> str:
    return _joined(condition.conditions, " OR ", "FALSE")


def _joined(conditions: Sequence[Condition], word: str, neutral: str) -> str:
    """Conditions within others stand in parentheses; one alone is joined with what changes nothing."""
    texts = [f"({_text(one)})" if isinstance(one, And | Or) else _text(one) for one in conditions]
    return word.join(texts if len(texts) > 1 else [*texts, neutral])


def _list(values: Sequence[Value]) -> str:
    return f"({', '.join(map(written, values))})"


def _ends(condition: Between) -> str:
    return f"{written(condition.lower)} AND {written(condition.upper)}"
