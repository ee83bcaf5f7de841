"""Questions and conditions in plain words; names go through `quote`, which a screen uses to make them harmless."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from dpengine.data import Condition
from dpengine.queries.conditions_in_words import Quote, in_words, plain
from dpengine.queries.count import CountPeopleQuery, CountQuery
from dpengine.queries.grouped import GroupedCountQuery, GroupedMeanQuery, GroupedSumQuery
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.mode import ModeQuery
from dpengine.queries.proportion import ProportionQuery
from dpengine.queries.protocol import Query
from dpengine.queries.quantile import QuantileQuery
from dpengine.queries.several import StatisticalQueries
from dpengine.queries.total import MeanQuery, SumQuery
from dpengine.queries.variance import VarianceQuery

_HALF = 0.5


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
    each = f"fall in each {query.period}" if query.period else "have each value"
    return f"how many rows {each} of {quote(query.column)}{_among(query.where, quote)}"


@question.register
def _(query: VarianceQuery, quote: Quote = plain) -> str:
    return f"what is the variance of {quote(query.column)}{_among(query.where, quote)}"


@question.register
def _(query: GroupedCountQuery, quote: Quote = plain) -> str:
    return f"how many rows has each {_groups(query.by, quote)}{_among(query.where, quote)}"


@question.register
def _(query: GroupedSumQuery, quote: Quote = plain) -> str:
    return f"what is the sum of {quote(query.column)} for each {_groups(query.by, quote)}{_among(query.where, quote)}"


@question.register
def _(query: GroupedMeanQuery, quote: Quote = plain) -> str:
    return f"what is the mean of {quote(query.column)} for each {_groups(query.by, quote)}{_among(query.where, quote)}"


@question.register
def _(query: QuantileQuery, quote: Quote = plain) -> str:
    called = "median" if query.quantile == _HALF else f"{query.quantile:g} quantile"
    among = f" among {len(query.candidates):,} candidates" if query.candidates else ""
    return f"what is the {called} of {quote(query.column)}{among}{_among(query.where, quote)}"


@question.register
def _(query: ModeQuery, quote: Quote = plain) -> str:
    return f"which value of {quote(query.column)} is most frequent{_among(query.where, quote)}"


@question.register
def _(query: StatisticalQueries, quote: Quote = plain) -> str:
    count = len(query.conditions)
    first = in_words(query.conditions[0], quote)
    rest = f" and {count - 1} more condition{'s' if count > 2 else ''}" if count > 1 else ""
    return f"how many rows have {first}{rest}, each counted by itself{_among(query.where, quote)}"


def _groups(by: Sequence[str], quote: Quote) -> str:
    return " and ".join(map(quote, by))


def _among(where: Condition | None, quote: Quote) -> str:
    return f", among those with {in_words(where, quote)}" if where else ""
