"""The noisy counts inside released answers: a table of counts is one count for each cell, a mean is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpengine.accuracy import RemeasuredNoise, inverse_variance_weights, remeasured
from dpengine.accuracy.numerical.two_noises import OnGrid
from dpengine.attacks.on_answers.released_answers import Answers, Told
from dpengine.attacks.on_answers.terms import Terms, condition_of, terms_of
from dpengine.data import Condition
from dpengine.queries import Query
from dpengine.queries.forms import CountForm, is_of_people

HALF_A_PERSON = 0.5
"""Noise that stays below it leaves the exact count, once rounded; mostly, where only its deviation does."""
_NO_COUNT = (
    "This is no plain count. Only counts are combined here: a sum, a mean or a choice has another scale, "
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


def _cells(query: Query, answers: Answers) -> Sequence[CountAsked]:
    """What each number of the answer counts; nothing where they are no counts."""
    if not isinstance(query, CountForm):
        return ()
    people = answers.schema.one_row_each or is_of_people(query)
    everywhere = terms_of(query.where)
    return tuple(
        CountAsked(terms=everywhere.union(*map(terms_of, cell.demands)), of_people=people, cell=cell.unspelled)
        for cell in query.cells(answers.schema, answers.neighbors)
    )
