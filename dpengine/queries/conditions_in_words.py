"""Conditions in plain words; names go through `quote`, which a screen uses to make them harmless or to say labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch

from dpengine.data import And, Between, Comparison, Condition, IsMissing, Labels, Not, OneOf, Or
from dpengine.data.declared.conditions import Value
from dpengine.seen_text import spelled

Quote = Callable[[str], str]


def plain(name: str) -> str:
    """A name as it is: for files and tests."""
    return name


@dataclass(frozen=True, slots=True)
class Labeled:
    """A quote that says labels: `names` makes a name harmless that has none, `words` a label or a value."""

    labels: Labels
    names: Quote = plain
    words: Quote = plain

    def __call__(self, name: str) -> str:
        label = self.labels.column(name)
        return self.names(name) if label is None else self.words(label)

    def value(self, text: str) -> str:
        """A value of a column, which has no label of its own; a quotation mark within it stands twice."""
        return f"“{self.words(text.replace('“', '““').replace('”', '””'))}”"

    def phrase(self, condition: Condition) -> str:
        """What those are or do of whom it holds; empty where nobody has said."""
        return self.words(self.labels.phrase(condition) or "")


def unrounded(value: float) -> str:
    """At most six digits, and all of them where that would be another number.

    >>> unrounded(0.5), unrounded(123456.75), unrounded(1e6), unrounded(1e20)
    ('0.5', '123456.75', '1,000,000', '1e+20')
    """
    if 1e6 <= abs(value) < 1e15:
        return f"{value:,}".removesuffix(".0")
    short = f"{value:g}"
    return short if float(short) == value else f"{value}"


def holding(condition: Condition, quote: Quote = plain, *, have: str = "have") -> str:
    """What those do of whom a condition holds: its own phrase, or "have age > 30".

    >>> from dpengine.data import Labels, Phrase
    >>> older = Comparison("age", ">", 30)
    >>> holding(older), holding(older, Labeled(Labels(phrases=(Phrase(older, "are over 30"),))))
    ('have age > 30', 'are over 30')
    """
    if isinstance(quote, Labeled):
        if phrase := quote.phrase(condition):
            return phrase
        if isinstance(condition, And) and any(map(quote.phrase, condition.conditions)):
            return " and ".join(_each_holding(inner, quote, have) for inner in condition.conditions)
    return f"{have} {in_words(condition, quote)}"


def _each_holding(condition: Condition, quote: Labeled, have: str) -> str:
    """One of several that hold together; what holds if one of its own parts does stands in brackets."""
    if phrase := quote.phrase(condition):
        return f"({phrase})" if _EITHER in phrase else phrase
    return f"{have} {_nested(condition, quote)}"


def rows_holding(condition: Condition, quote: Quote = plain) -> str:
    """The same of rows, which are nobody and do nothing."""
    words, without = holding(condition, quote), f"have {in_words(condition, quote)}"
    return words if words == without else f"are of people who {words}"


@singledispatch
def in_words(condition: Condition, quote: Quote = plain) -> str:
    """The condition as words that read after "have"."""
    raise NotImplementedError(type(condition).__name__)


@in_words.register
def _(condition: Comparison, quote: Quote = plain) -> str:
    labeled = isinstance(quote, Labeled) and quote.labels.column(condition.column) is not None
    signs = _WORDS if labeled and type(condition.value) in (int, float) else _SIGNS
    return f"{quote(condition.column)} {signs[condition.operator]} {_value(condition.value, quote)}"


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
    text = spelled(str(value))
    if quote is plain and not _WORD.fullmatch(text):
        return Labeled(Labels()).value(text)
    return quote.value(text) if isinstance(quote, Labeled) else quote(text)


_WORD = re.compile(r"[\w.-]+")
"""What needs no quotation marks to be read as one value, whatever else a text may look like."""
_EITHER = " or "
_WORDS = {"=": "of", "!=": "other than", "<": "below", "<=": "of at most", ">": "above", ">=": "of at least"}
_SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
