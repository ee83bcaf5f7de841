"""Whether two conditions can hold for one row: decided on the declared schema, before any row is read.

Between and at the values that conditions name, a column has finitely many places that they can tell apart, "missing"
among them. A search tries them column by column; where no place satisfies both conditions, no row does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache, singledispatch
from itertools import pairwise
from typing import Any

from dpengine.data import And, Between, Comparison, Condition, IsMissing, Not, OneOf, Or, Schema
from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.declared.conditions import Value
from dpengine.data.declared.references import require_conditions
from dpengine.errors import RefusedQueryError

Place = str | Fraction | bool | int | None
"""Where a column's value may lie; None is a missing value, dates are counted in days."""
Places = Mapping[str, Place]
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
MOST_TRIED, MOST_LOOKED = 2000, 5000
"""Assignments that a search tries, and comparisons that it looks at in them, before it gives up and knows nothing."""


@lru_cache(maxsize=5000)
def disjoint(first: Condition | None, second: Condition | None, schema: Schema) -> bool:
    """Whether no row whatever can satisfy both; None stands for every row.

    Conservative: False where the search would take too long, or a condition cannot be asked of this table.
    """
    if first is None or second is None:
        return False
    try:
        require_conditions((first, second), schema)
    except RefusedQueryError:
        return False
    compared = [*_named(first), *_named(second)]
    named: dict[str, list[Value]] = {}
    for column, values in compared:
        named.setdefault(column, []).extend(values)
    places = {name: _places(schema.column(name), values) for name, values in named.items()}
    tries = min(MOST_TRIED, MOST_LOOKED // len(compared))
    return _DisjointSearch(both=And((first, second)), places=places, tries=tries).finds_none()


@dataclass(slots=True)
class _DisjointSearch:
    both: Condition
    places: Mapping[str, Sequence[Place]]
    tries: int

    def finds_none(self) -> bool:
        return not self._satisfied({}, sorted(self.places, key=lambda name: len(self.places[name])))

    def _satisfied(self, given: dict[str, Place], open_columns: Sequence[str]) -> bool:
        """Whether some row, or a search given up, stands against it."""
        self.tries -= 1
        if self.tries < 0:
            return True
        verdict = _holds(self.both, given)
        if verdict is not None:
            return verdict
        name, *rest = open_columns
        return any(self._satisfied({**given, name: place}, rest) for place in self.places[name])


@singledispatch
def _named(condition: Condition) -> Iterable[tuple[str, tuple[Value, ...]]]:
    """Each column of a condition with the values that it is compared with."""
    raise NotImplementedError(type(condition).__name__)


_named.register(Comparison, lambda one: [(one.column, (one.value,))])
_named.register(OneOf, lambda one: [(one.column, one.values)])
_named.register(Between, lambda one: [(one.column, (one.lower, one.upper))])
_named.register(IsMissing, lambda one: [(one.column, ())])
_named.register(Not, lambda one: _named(one.condition))


@_named.register(And)
@_named.register(Or)
def _(condition: And | Or) -> Iterable[tuple[str, tuple[Value, ...]]]:
    return [pair for inner in condition.conditions for pair in _named(inner)]


@singledispatch
def _places(column: Column, named: Sequence[Value]) -> Sequence[Place]:
    """One value from each stretch of a column that comparisons with the named values can tell apart."""
    raise NotImplementedError(type(column).__name__)


@_places.register
def _(column: CategoryColumn, named: Sequence[Value]) -> Sequence[Place]:
    others = [category for category in column.categories if category not in named]
    return (None, *(category for category in column.categories if category in named), *others[:1])


@_places.register
def _(column: TextColumn, named: Sequence[Value]) -> Sequence[Place]:
    """One longer than all of them is none of them."""
    texts = {str(value) for value in named}
    return (None, *sorted(texts), max(texts, key=len, default="") + "x")


@_places.register
def _(column: BooleanColumn, named: Sequence[Value]) -> Sequence[Place]:
    return (None, True, False)


@_places.register
def _(column: DateColumn, named: Sequence[Value]) -> Sequence[Place]:
    """A day beside each named one stands for the days up to the next."""
    days = {day + beside for day in map(_place, named) if isinstance(day, int) for beside in (-1, 0, 1)}
    return (None, *sorted(days or {0}))


@_places.register
def _(column: NumberColumn, named: Sequence[Value]) -> Sequence[Place]:
    """Bounds do not matter: a condition sees the value as it stands, beyond a bound too."""
    at = sorted({place for place in map(_place, named) if isinstance(place, Fraction)}) or [Fraction()]
    between = [(low + high) / 2 for low, high in pairwise(at)]
    return (None, at[0] - 1, *at, *between, at[-1] + 1)


@singledispatch
def _place(value: Value) -> Place:
    raise NotImplementedError(type(value).__name__)


_place.register(str, lambda value: value)
_place.register(bool, lambda value: value)
_place.register(date, lambda value: value.toordinal())


@_place.register(int)
@_place.register(float)
def _(value: float) -> Place:
    """As engines read it: the float, and not the decimal that was typed."""
    return Fraction(float(value))


@singledispatch
def _holds(condition: Condition, given: Places) -> bool | None:
    """Whether a condition holds at these places; None where it hangs on a column that has none yet."""
    raise NotImplementedError(type(condition).__name__)


def _leaf(column: str, given: Places, test: Callable[[Place], bool]) -> bool | None:
    """False where the value is missing."""
    if column not in given:
        return None
    return given[column] is not None and test(given[column])


@_holds.register
def _(condition: Comparison, given: Places) -> bool | None:
    compared, value = _COMPARED[condition.operator], _place(condition.value)
    return _leaf(condition.column, given, lambda place: compared(place, value))


@_holds.register
def _(condition: OneOf, given: Places) -> bool | None:
    values = _all_of(condition.values)
    return _leaf(condition.column, given, lambda place: place in values)


@lru_cache(maxsize=200)
def _all_of(values: tuple[Value, ...]) -> frozenset[Place]:
    return frozenset(map(_place, values))


@_holds.register
def _(condition: Between, given: Places) -> bool | None:
    lower, upper = _place(condition.lower), _place(condition.upper)
    return _leaf(condition.column, given, lambda place: lower <= place <= upper)  # type: ignore[operator]


@_holds.register
def _(condition: IsMissing, given: Places) -> bool | None:
    return given[condition.column] is None if condition.column in given else None


@_holds.register
def _(condition: Not, given: Places) -> bool | None:
    inner = _holds(condition.condition, given)
    return None if inner is None else not inner


@_holds.register
def _(condition: And, given: Places) -> bool | None:
    verdicts = [_holds(inner, given) for inner in condition.conditions]
    return False if False in verdicts else None if None in verdicts else True


@_holds.register
def _(condition: Or, given: Places) -> bool | None:
    verdicts = [_holds(inner, given) for inner in condition.conditions]
    return True if True in verdicts else None if None in verdicts else False
