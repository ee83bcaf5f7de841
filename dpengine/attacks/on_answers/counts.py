"""The noisy counts inside released answers: a table of counts is one count for each cell, a mean is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, singledispatch
from itertools import product

import numpy as np

from dpengine.accuracy import RemeasuredNoise, inverse_variance_weights, remeasured
from dpengine.accuracy.numerical.two_noises import OnGrid
from dpengine.attacks.on_answers.released_answers import Answers, Told
from dpengine.attacks.on_answers.terms import EVERYBODY, Terms, condition_of, terms_of
from dpengine.data import Comparison, Condition
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from dpengine.queries.grouped import grouping_of

HALF_A_PERSON = 0.5
"""Noise that stays below it leaves the exact count, once rounded; mostly, where only its deviation does."""
_NO_COUNT = (
    "It is no plain count. Only counts are put together here: a sum, a mean or a choice has another scale, "
    "or tells a name and no number."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountAsked:
    """What one count counts: the demands on a row, of people or of rows.

    `cell` names a range or a period that no condition spells; such counts are averaged, and compared with no other.
    """

    terms: Terms
    of_people: bool
    cell: str = ""

    @property
    def where(self) -> Condition | None:
        """The demands as one condition; None where everybody counts."""
        return condition_of(self.terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneCount:
    """A noisy count with the law of its noise; `place` is that of its answer among all that were told."""

    value: float
    noise: OnGrid
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedAnswer:
    """An answer that these attacks do not use, and the reason as a sentence."""

    told: Told
    because: str


@dataclass(frozen=True, kw_only=True)
class Alike:
    """All counts of the same rows, whatever question brought them; the least noisy one first."""

    asked: CountAsked
    counts: tuple[OneCount, ...]

    @property
    def average(self) -> float:
        """Weighted by inverse variance, in people or rows."""
        return float(np.dot(self.weights, [one.value for one in self.counts]))

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """Of each count, in their order; they add up to 1."""
        return inverse_variance_weights([one.noise for one in self.counts])

    @cached_property
    def noise(self) -> OnGrid | RemeasuredNoise:
        """The law of the average's noise."""
        return remeasured([one.noise for one in self.counts])

    @property
    def places(self) -> frozenset[int]:
        """The answers that these counts came from."""
        return frozenset(one.place for one in self.counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was found in the answers: counts by what they count, the often asked ones first, and what is left out."""

    alike: tuple[Alike, ...]
    left_out: tuple[UnusedAnswer, ...]


def counts_in(answers: Answers) -> Counts:
    """Every count that the answers hold; the same for any order of the answers, but for the places."""
    found: dict[CountAsked, list[OneCount]] = defaultdict(list)
    left_out = []
    for place, told in enumerate(answers.told):
        cells = _cells(told.planned.query, answers)
        noise = told.planned.mechanisms(answers.schema, answers.neighbors)[0]
        if not cells or not isinstance(noise, OnGrid):
            left_out.append(UnusedAnswer(told=told, because=_NO_COUNT))
            continue
        for asked, value in zip(cells, told.noisy[0], strict=True):
            found[asked].append(OneCount(value=float(value), noise=noise, place=place))
    alike = [_alike(asked, counts, answers) for asked, counts in found.items()]
    alike.sort(key=lambda one: (-len(one.counts), len(one.asked.terms), repr(one.asked.where), one.asked.cell))
    return Counts(alike=tuple(alike), left_out=tuple(sorted(left_out, key=repr)))


def _alike(asked: CountAsked, counts: Iterable[OneCount], answers: Answers) -> Alike:
    """The order decides nothing: the least noise first, of equal ones the cheapest, then the lowest number."""
    charged = answers.costs

    def standing(one: OneCount) -> tuple[float, int, float, str]:
        planned = answers.told[one.place].planned
        return one.noise.standard_deviation, charged[one.place].epsilon, one.value, repr(planned)

    ordered = sorted(counts, key=standing)
    return Alike(asked=asked, counts=tuple(ordered))


@singledispatch
def _cells(query: object, answers: Answers) -> Sequence[CountAsked]:
    """What each number of the answer counts; nothing where they are no counts."""
    raise TypeError(query)


@_cells.register(SumQuery)
@_cells.register(MeanQuery)
@_cells.register(VarianceQuery)
@_cells.register(ProportionQuery)
@_cells.register(GroupedSumQuery)
@_cells.register(GroupedMeanQuery)
@_cells.register(QuantileQuery)
@_cells.register(ModeQuery)
def _(query: object, answers: Answers) -> Sequence[CountAsked]:
    return ()


@_cells.register
def _(query: CountQuery, answers: Answers) -> Sequence[CountAsked]:
    return (_asked(answers, query.where),)


@_cells.register
def _(query: CountPeopleQuery, answers: Answers) -> Sequence[CountAsked]:
    return (CountAsked(terms=terms_of(query.where), of_people=True),)


@_cells.register
def _(query: StatisticalQueries, answers: Answers) -> Sequence[CountAsked]:
    return tuple(_asked(answers, query.where, condition) for condition in query.conditions)


@_cells.register
def _(query: HistogramQuery, answers: Answers) -> Sequence[CountAsked]:
    if query.edges is None and query.period is None:
        return _of_values((query.column,), query.where, answers)
    return _unspelled(query.column, query.where, answers, told=query)


@_cells.register
def _(query: GroupedCountQuery, answers: Answers) -> Sequence[CountAsked]:
    """Where one person may have rows in several groups, a bound keeps some of them out: not the plain count."""
    if answers.schema.one_row_each:
        return _of_values(tuple(query.by), query.where, answers)
    return _unspelled(", ".join(query.by), query.where, answers, told=query)


def _of_values(by: tuple[str, ...], where: Condition | None, answers: Answers) -> Sequence[CountAsked]:
    keys = grouping_of(by, answers.schema).values
    named = [[Comparison(name, "=", key) for key in values] for name, values in zip(by, keys, strict=True)]
    return tuple(_asked(answers, where, *demands) for demands in product(*named))


def _unspelled(
    name: str, where: Condition | None, answers: Answers, *, told: HistogramQuery | GroupedCountQuery
) -> Sequence[CountAsked]:
    (part,) = told.parts(answers.schema, answers.neighbors)
    return tuple(_asked(answers, where, cell=f"{name}: {label}") for label in part.labels)


def _asked(answers: Answers, *conditions: Condition | None, cell: str = "") -> CountAsked:
    """A row is a person where every row is another one."""
    terms = EVERYBODY.union(*map(terms_of, conditions))
    return CountAsked(terms=terms, of_people=answers.schema.one_row_each, cell=cell)
