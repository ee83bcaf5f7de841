"""A question that was written elsewhere, put into the builder's boxes as far as the builder has boxes for it."""

from __future__ import annotations

from functools import singledispatch

from dpengine.data import And, Between, Column, Comparison, Condition, IsMissing, Not, OneOf, Or, Schema
from dpengine.data.declared.references import require_value_of
from dpengine.errors import RefusedQueryError
from dpengine.queries import (
    GroupedProportionQuery,
    ProportionQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
)
from dpengine.queries.forms import ByGroup, OfNumbers
from pages import session
from pages.explore.queries.query_kinds import KINDS, Boxes
from pages.question.condition_form import MOST_ROWS, OPERATORS, keys_of_values


def fill(query: Query, schema: Schema) -> None:
    """Move the builder's boxes; what they say afterwards is the query, or the nearest to it that they can say."""
    kind, boxes = _boxes(query)
    session.set_widget("query_kind", kind)
    for key, value in ({"query_groups": []} | dict(boxes)).items():
        session.set_widget(key, value)
    _fill_rows("where", query.where, schema)
    if isinstance(query, ProportionQuery | GroupedProportionQuery):
        _fill_rows("having", query.having, schema)
    if isinstance(query, StatisticalQueries | SeveralProportionsQuery):
        session.remember("several_rows", _numbered(query.conditions, "several", schema))


def _boxes(query: Query) -> tuple[str, Boxes]:
    """The line of the menu that asks this kind of question, and what its boxes hold."""
    for line, kind in KINDS.items():
        if isinstance(query, kind.of):
            number = {"query_number": query.column} if isinstance(query, OfNumbers) else {}
            groups = {"query_groups": list(query.by)} if isinstance(query, ByGroup) else {}
            return line, {**number, **groups, **kind.boxes(query)}
    raise TypeError(query)


def _fill_rows(key: str, condition: Condition | None, schema: Schema) -> None:
    """One row for each condition that AND or OR joins."""
    joined = condition.conditions if isinstance(condition, And | Or) else (condition,) if condition else ()
    if isinstance(condition, And | Or):
        session.set_widget(f"{key}_any_of", isinstance(condition, Or))
    session.remember(f"{key}_rows", _numbered(joined, key, schema))


def _numbered(conditions: tuple[Condition, ...], key: str, schema: Schema) -> tuple[int, ...]:
    """The numbers of the rows that hold a condition; one that no row can hold is left out."""
    placed = enumerate(conditions[:MOST_ROWS])
    return tuple(row for row, condition in placed if _fill_row(f"{key}_{row}", condition, schema))


def _fill_row(key: str, condition: Condition, schema: Schema) -> bool:
    """Whether a row of the builder can hold the condition, which it then does."""
    inner = condition.condition if isinstance(condition, Not) else condition
    if not isinstance(inner, Comparison | OneOf | Between | IsMissing):
        return False
    column, (operator, boxes) = _asked_about(inner.column, schema), _values(inner)
    if column is None or operator not in OPERATORS[type(column)]:
        return False
    session.set_widget(f"{key}_not", isinstance(condition, Not))
    session.set_widget(f"{key}_column", inner.column)
    values = keys_of_values(schema, column, key)
    session.set_widget(f"{values}_operator", operator)
    for ending, value in boxes.items():
        session.set_widget(f"{values}_{operator}{ending}", _typed(_still_possible(value, column)))
    return True


@singledispatch
def _values(condition: Condition) -> tuple[str, Boxes]:
    """The operator of a row, and what stands in its boxes."""
    raise TypeError(condition)


_values.register(IsMissing, lambda condition: ("missing", {}))
_values.register(Comparison, lambda condition: (condition.operator, {"": condition.value}))
_values.register(OneOf, lambda condition: ("one of", {"": list(dict.fromkeys(condition.values))}))
_values.register(Between, lambda condition: ("between", {"_from": condition.lower, "_to": condition.upper}))


def _asked_about(name: str, schema: Schema) -> Column | None:
    """The column, None where there is none by this name or none of which anything can be asked."""
    return next((one for one in schema.queryable if one.name == name), None)


def _still_possible(value: object, column: Column) -> object:
    """What a box keeps of a value: nothing of one that the column cannot have."""
    if isinstance(value, list):
        return [one for one in value if _still_possible(one, column) is not None]
    try:
        require_value_of(column, value)  # type: ignore[arg-type]
    except RefusedQueryError:
        return None
    return value


def _typed(value: object) -> object:
    """What a box holds: number boxes hold floats, and the menu of yes and no its own values."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
