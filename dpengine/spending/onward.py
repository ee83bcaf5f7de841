"""A list that is asked on and on: where each way of adding up stops, and as many numbers as one picture of it needs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, repeat

import numpy as np
from numpy.typing import NDArray

from dpengine import accounting
from dpengine.accounting.drawn import caps, cumulated, where_understood
from dpengine.errors import require_whole
from dpengine.plan.amounts import COUNTED
from dpengine.privacy import Event
from dpengine.spending import asked
from dpengine.spending.consumption import Spending
from dpengine.spending.counted import Counted
from dpengine.spending.steps import QuestionSpending

Array = NDArray[np.float64]
TIMES = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1000)
"""How often a list is asked, in round numbers: a picture knows what was spent by then."""
MOST_FOLLOWED, MOST_POINTS = 1000, 120
_FEW, _DEAR = 100, 44
_BEYOND = 1.12
"""How far a picture goes beyond the last question that a rule refuses."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpentOnward:
    """What a list costs that is asked on, under each of `rules`.

    `questions` are numbers of questions as pictures count them, from 1, earlier ones included; all of them where there
    are few. `spent` has a row for each rule and a column for each of those: epsilon after it, never below the truth,
    infinite where nothing holds. `refused` says for each rule the number of the first question that it refuses, None
    where it refuses none of the first `followed`.
    """

    rules: Sequence[str]
    questions: NDArray[np.int64]
    spent: Array
    refused: Sequence[int | None]
    followed: int

    @property
    def steps_are_questions(self) -> bool:
        """Whether no question is left out."""
        return bool(self.questions[-1] == self.questions.size)


def onward(
    spending: Spending,
    rules: Sequence[str],
    *,
    alike: bool = False,
    points: int = MOST_POINTS,
    most: int = MOST_FOLLOWED,
) -> SpentOnward:
    """The list of a plan asked again and again, or where `alike`, followed by questions like its last one.

    At most so many questions are followed, the list itself and earlier ones always, and about so many `points` are
    told where there are more. A dear rule is asked after each of TIMES, around each refusal, and a few times between:
    elsewhere it has the next one's value, or that of a cheap rule which is never below it.
    """
    require_whole("points", points, least=8)
    require_whole("most", most)
    lines = _lines(spending, rules, alike=alike, most=min(_FEW, most))
    if any(line.refused is None for line in lines) and most > _FEW:
        lines = _lines(spending, rules, alike=alike, most=most)
    refused, followed = [line.refused for line in lines], len(lines[0].sequence)
    begins = len(spending.earlier) + len(spending.scenario.queries)
    last = max(number or followed for number in refused)
    end = min(max(math.ceil(_BEYOND * last) + 1, begins), followed)
    around = [number - away for number in refused if number for away in (0, 1)]
    dear = _worth_asking(end, min(points, _DEAR), [*_after_each_time(spending, alike=alike), *around])
    questions = _worth_asking(end, points, dear.tolist())
    return SpentOnward(
        rules=tuple(rules),
        questions=questions,
        spent=np.array([line.after(questions, dear) for line in lines]),
        refused=refused,
        followed=followed,
    )


def number_after(spending: Spending, times: int, *, alike: bool) -> int:
    """The number on the picture of the last question, once the list, or its last question, was asked so often."""
    once, earlier = len(spending.scenario.queries), len(spending.earlier)
    return earlier + (once - 1 + times if alike else once * times)


def _after_each_time(spending: Spending, *, alike: bool) -> list[int]:
    return [number_after(spending, times, alike=alike) for times in TIMES]


def _lines(spending: Spending, rules: Sequence[str], *, alike: bool, most: int) -> Sequence[_Line]:
    sequence = _sequence(spending, alike=alike, most=most)
    counts = cumulated([step.events for step in sequence])
    return [_Line(rule=rule, spending=spending, sequence=sequence, counts=counts) for rule in rules]


def _sequence(spending: Spending, *, alike: bool, most: int) -> Sequence[QuestionSpending]:
    once = spending.once
    again = chain(once, repeat(once[-1])) if alike else chain.from_iterable(repeat(once))
    return [*spending.earlier, *islice(again, max(most, len(once)))]


def _worth_asking(end: int, points: int, wanted: Sequence[int]) -> NDArray[np.int64]:
    """All numbers up to the end, or those that are wanted and as many between them as may still be asked for."""
    if end <= points:
        return np.arange(1, end + 1)
    kept = {number for number in (1, *wanted, end) if 1 <= number <= end}
    between = np.linspace(1, end, max(points - len(kept), 0) + 2)
    return np.array(sorted(kept | {round(number) for number in between}), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class _Line:
    """One rule along the whole sequence, which a dear one is asked about at few places."""

    rule: str
    spending: Spending
    sequence: Sequence[QuestionSpending]
    counts: Mapping[Event, Array]

    @cached_property
    def refused(self) -> int | None:
        """The number of the first question that does not fit, never an earlier one; None if all do."""
        place = self._last_that_fits()
        return None if place >= len(self.sequence) else max(place, len(self.spending.earlier)) + 1

    def after(self, questions: NDArray[np.int64], dear: NDArray[np.int64]) -> Array:
        """Epsilon after each of some questions; a dear rule is asked after some of them alone, the last among those."""
        if self._all is not None:
            return np.asarray(self._all[questions - 1])
        known = self._ask([int(number) - 1 for number in dear])
        least_from_here = np.minimum.accumulate(known[::-1])[::-1][np.searchsorted(dear, questions)]
        return np.asarray(np.min([least_from_here, *(cap[questions - 1] for cap in self._caps)], axis=0))

    @cached_property
    def _counted(self) -> Counted | None:
        """By the whole numbers of a ledger, where the rule is one of accounts."""
        charges = [step.amounts for step in self.sequence]
        return Counted(rule=self.rule, granted=self.spending.granted, charges=charges) if self.rule in COUNTED else None

    @cached_property
    def _all(self) -> Array | None:
        """After every question, where that is soon said."""
        if self._counted is not None:
            return self._counted.epsilons(self.spending.budget.delta)
        cheap = asked.is_cheap(self.counts, self.rule, len(self.sequence))
        return where_understood(*self._under(self.rule)) if cheap else None

    def _ask(self, places: Sequence[int]) -> Array:
        return asked.after(self.counts, places, delta=self.spending.budget.delta, accountant=self.rule)

    def _last_that_fits(self) -> int:
        """How many questions fit, one after another."""
        if self._counted is not None:
            place = self._counted.first_refused
            return len(self.sequence) if place is None else place
        if self._all is not None:
            return self._fitting(self._all)
        known = [self._fitting(cap) for cap in self._caps]
        return accounting.last_within(self._single, budget=self.spending.budget.epsilon, known=max(known, default=0))

    @cached_property
    def _caps(self) -> Sequence[Array]:
        return [where_understood(*self._under(cap)) for cap in caps(self.counts, self.rule)]

    def _under(self, rule: str) -> tuple[Mapping[Event, Array], float, str, int]:
        return self.counts, self.spending.budget.delta, rule, len(self.sequence)

    def _single(self, number: int) -> float:
        return float(self._ask([number - 1])[0]) if number <= len(self.sequence) else math.inf

    def _fitting(self, spent: Array) -> int:
        place = accounting.first_beyond(spent, budget=self.spending.budget.epsilon)
        return len(self.sequence) if place is None else place
