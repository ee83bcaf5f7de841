"""Averaged: all answers to the same question together, and how many more would wear the noise away."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dpengine.accuracy.numerical.two_noises import OnGrid
from dpengine.attacks.on_answers.counts import HALF_A_PERSON, Alike, CountAsked, UnusedAnswer, counts_in
from dpengine.attacks.on_answers.released_answers import Answers
from dpengine.errors import require_between, require_one_of
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, Amounts, granted_by
from dpengine.privacy import Guarantee
from dpengine.spending import Counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Averaged:
    """One count that was told `answers` times; lengths are in people, or in rows.

    `half_width` is how far the exact count may lie from the `average`, `half_width_of_one` from the least noisy single
    answer, each at the same confidence and never too narrow, if all answers were planned beforehand. After `more`
    further answers like that least noisy one, `again`, the standard deviation of the average is at most half a person
    (exact: variances add); they would cost `cost`, and the budget grants `granted` of them.
    """

    asked: CountAsked
    answers: int
    average: float
    half_width: float
    half_width_of_one: float
    again: PlannedQuery
    more: int
    cost: Amounts
    granted: int
    rule: str

    @property
    def interval(self) -> tuple[float, float]:
        """Where the exact count lies."""
        return self.average - self.half_width, self.average + self.half_width

    @property
    def refused(self) -> bool:
        """Whether the budget ends before the noise is averaged away."""
        return self.more > self.granted


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Every count that was told, the one told most often first, and the answers that hold none."""

    counts: tuple[Averaged, ...]
    left_out: tuple[UnusedAnswer, ...]


def averaged(answers: Answers, *, budget: Guarantee, rule: str = "basic", confidence: float = 0.95) -> Averages:
    """Every count averaged over all answers that hold it; the order of the answers does not matter.

    The budget is that of the whole account, and all answers are charged to it by its rule. Source: Aitken 1935, for the
    weights; the interval by the law of the sum.
    """
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    require_one_of("rule", rule, tuple(COUNTED))
    purse = Counted(rule=rule, granted=granted_by(budget), charges=answers.costs)
    found = counts_in(answers)
    each = tuple(_averaged(alike, answers, purse, confidence) for alike in found.alike)
    return Averages(counts=each, left_out=found.left_out)


def answers_until_half_a_person(noises: Iterable[OnGrid], again: OnGrid) -> int:
    """How many more answers with the noise `again` bring the average's standard deviation to half a person; exact.

    Weighted by inverse variance, what an answer adds to the precision is one over its variance.
    """
    precision = math.fsum(1.0 / max(noise.standard_deviation**2, 1e-280) for noise in noises)
    lacking = 1.0 / HALF_A_PERSON**2 - precision
    return max(0, math.ceil(lacking * again.standard_deviation**2 - 1e-9))


def _averaged(alike: Alike, answers: Answers, purse: Counted, confidence: float) -> Averaged:
    best = alike.counts[0]
    more = answers_until_half_a_person([one.noise for one in alike.counts], best.noise)
    price = answers.costs[best.place]
    return Averaged(
        asked=alike.asked,
        answers=len(alike.counts),
        average=alike.average,
        half_width=float(alike.noise.error_quantile(confidence)),
        half_width_of_one=float(best.noise.error_quantile(confidence)),
        again=answers.told[best.place].planned,
        more=more,
        cost=Amounts(epsilon=more * price.epsilon, delta=more * price.delta, rho=more * price.rho),
        granted=purse.room_for(price),
        rule=purse.rule,
    )
