"""Questions and conditions in plain words; names go through `quote`, which a screen uses to make them harmless."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from dpengine.data import And, Between, Comparison, Condition, IsMissing, Not, OneOf, Or
from dpengine.data.conditions import Value
from dpengine.queries.count import CountPeopleQuery, CountQuery
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.proportion import ProportionQuery
from dpengine.queries.protocol import Query
from dpengine.queries.total import MeanQuery, SumQuery

Quote = Callable[[str], str]


def plain(name: str) -> str:
    """A name as it is: for files and tests."""
    return name


@singledispatch
def question(query: Query, quote: Quote = plain) -> str:
    """The query as a question without its question mark, such as "how many people have hospital_stays > 0"."""
    raise NotImplementedError(type(query).__name__)


@question.register
def _(query: CountQuery, quote: Quote = plain) -> str:
    return "how many rows" + (f" have {in_words(query.where, quote)}" if query.where else " are there")


@question.register
def _(query: CountPeopleQuery, quote: Quote = plain) -> str:
    return "how many people" + (f" have {in_words(query.where, quote)}" if query.where else " are there")


@question.register
def _(query: SumQuery, quote: Quote = plain) -> str:
    return f"what is the sum of {quote(query.column)}{_among(query.where, quote)}"


@question.register
def _(query: MeanQuery, quote: Quote = plain) -> str:
    return f"what is the mean of {quote(query.column)}{_among(query.where, quote)}"


@question.register
def _(query: ProportionQuery, quote: Quote = plain) -> str:
    return f"what share has {in_words(query.having, quote)}{_among(query.where, quote)}"


@question.register
def _(query: HistogramQuery, quote: Quote = plain) -> str:
    return f"how many have each value of {quote(query.column)}{_among(query.where, quote)}"


def _among(where: Condition | None, quote: Quote) -> str:
    return f", among those with {in_words(where, quote)}" if where else ""


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
        return f"{value:g}" if abs(value) < 1e6 else f"{value:,}"
    return quote(str(value))


_SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
