"""Conditions in plain words; names go through `quote`, which a screen uses to make them harmless."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from dpengine.data import And, Between, Comparison, Condition, IsMissing, Not, OneOf, Or
from dpengine.data.declared.conditions import Value

Quote = Callable[[str], str]


def plain(name: str) -> str:
    """A name as it is: for files and tests."""
    return name


def unrounded(value: float) -> str:
    """At most six digits, and all of them where that would be another number.

    >>> unrounded(0.5), unrounded(123456.75), unrounded(1e6), unrounded(1e20)
    ('0.5', '123456.75', '1,000,000', '1e+20')
    """
    if 1e6 <= abs(value) < 1e15:
        return f"{value:,}".removesuffix(".0")
    short = f"{value:g}"
    return short if float(short) == value else f"{value}"


@singledispatch
def in_words(condition: Condition, quote: Quote = plain) -> str:
    """The condition as words that read after "have"."""
    raise NotImplementedError(type(condition).__name__)


@in_words.register
def _(condition: Comparison, quote: Quote = plain) -> str:
    return f"{quote(condition.column)} {_SIGNS[condition.operator]} {_value(condition.value, quote)}"


@in_words.register
def _(condition: OneOf, quote: Quote = plain) -> str:
    return f"{quote(condition.column)} among {', '.join(_value(value, quote) for value in condition.values)}"


@in_words.register
def _(condition: Between, quote: Quote = plain) -> str:
    return f"{quote(condition.column)} from {_value(condition.lower, quote)} to {_value(condition.upper, quote)}"


@in_words.register
def _(condition: IsMissing, quote: Quote = plain) -> str:
    return f"{quote(condition.column)} missing"


@in_words.register
def _(condition: Not, quote: Quote = plain) -> str:
    return f"not ({in_words(condition.condition, quote)})"


@in_words.register
def _(condition: And, quote: Quote = plain) -> str:
    return " and ".join(_nested(inner, quote) for inner in condition.conditions)


@in_words.register
def _(condition: Or, quote: Quote = plain) -> str:
    return " or ".join(_nested(inner, quote) for inner in condition.conditions)


def _nested(condition: Condition, quote: Quote) -> str:
    words = in_words(condition, quote)
    return f"({words})" if isinstance(condition, And | Or) else words


def _value(value: Value, quote: Quote) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return unrounded(value)
    return quote(str(value))


_SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
