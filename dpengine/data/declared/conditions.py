"""Which rows count: a small language of conditions in which NOT is a complement, missing values included.

A comparison with a missing value is false, so its negation is true: every row satisfies either P or NOT P.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from dpengine.errors import InvalidParameterError, is_of, items_of, named, plain, require_one_of

Value = str | float | int | bool | date
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


@named
@dataclass(frozen=True, slots=True)
class Comparison:
    """column operator value, such as age >= 65; false where the value is missing (also for !=)."""

    column: str
    operator: str
    value: Value

    def __post_init__(self) -> None:
        require_one_of("operator", self.operator, OPERATORS)
        _settle(self, "value")


@named
@dataclass(frozen=True, slots=True)
class OneOf:
    """column IN (values); false where the value is missing."""

    column: str
    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", items_of("values", self.values))
        if not self.values:
            raise InvalidParameterError("values", self.values, "at least one value")
        for value in self.values:
            require_value(value)


@named
@dataclass(frozen=True, slots=True)
class Between:
    """lower <= column <= upper, both ends included; false where the value is missing."""

    column: str
    lower: Value
    upper: Value

    def __post_init__(self) -> None:
        _settle(self, "lower", "upper")


@named
@dataclass(frozen=True, slots=True)
class IsMissing:
    """The value is missing: an empty cell, or one that does not fit the declared type."""

    column: str


@named
@dataclass(frozen=True, slots=True)
class Not:
    """Exactly the rows that the inner condition leaves out."""

    condition: Condition

    def __post_init__(self) -> None:
        require_condition_itself("condition", self.condition)


@named
@dataclass(frozen=True, slots=True)
class And:
    """Rows that satisfy every condition."""

    conditions: tuple[Condition, ...]

    def __post_init__(self) -> None:
        settle_conditions(self)


@named
@dataclass(frozen=True, slots=True)
class Or:
    """Rows that satisfy at least one condition."""

    conditions: tuple[Condition, ...]

    def __post_init__(self) -> None:
        settle_conditions(self)


Condition = Comparison | OneOf | Between | IsMissing | Not | And | Or


def require_condition_itself(name: str, condition: object) -> None:
    """Refuse by name what is no condition, such as its text; whether a table can answer it is asked later."""
    if not isinstance(condition, Condition):
        raise InvalidParameterError(name, condition, "a condition, such as Comparison('age', '>=', 65)")


def settle_conditions(holder: Any) -> None:
    """Keep the list `conditions` of a frozen value as a tuple; refuse an empty one and what is no condition in it."""
    listed = items_of("conditions", holder.conditions)
    if not listed:
        raise InvalidParameterError("conditions", listed, "at least one condition")
    for condition in listed:
        require_condition_itself("each of conditions", condition)
    object.__setattr__(holder, "conditions", listed)


def require_value(value: Value) -> None:
    """Refuse values that no column can equal: NaN, infinities, and anything but text, numbers, booleans and dates."""
    if isinstance(value, float) and not abs(value) < float("inf"):
        raise InvalidParameterError("value", value, "a finite number")
    if not is_of(value, Value):
        raise InvalidParameterError("value", value, "text, a number, yes or no, or a date")


def _settle(condition: Comparison | Between, *fields: str) -> None:
    """Keep values as Python's own, which can be saved, and refuse those that no column can equal."""
    for field in fields:
        value = plain(getattr(condition, field))
        require_value(value)
        object.__setattr__(condition, field, value)


def both(first: Condition | None, second: Condition | None) -> Condition | None:
    """The rows that satisfy both; None stands for every row."""
    given = tuple(condition for condition in (first, second) if condition is not None)
    return given[0] if len(given) == 1 else (And(given) if given else None)
