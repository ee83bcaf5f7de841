"""Differenced: a count of a group minus a count of most of it is a count of the few who are left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpengine.accuracy import RemeasuredNoise
from dpengine.attacks.on_answers.belief import Belief, believed, promised_by
from dpengine.attacks.on_answers.counts import HALF_A_PERSON, Alike, CountAsked, UnusedAnswer, counts_in
from dpengine.attacks.on_answers.released_answers import Answers
from dpengine.attacks.on_answers.terms import columns_in
from dpengine.data import And, Condition, Not, Schema
from dpengine.errors import require_between, require_whole
from dpengine.plan.amounts import Amounts
from dpengine.queries.disjoint import disjoint

MOST_COMPARED, MOST_SHOWN = 60, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The noisy count of those in `larger` and not in `smaller`, from counts of both; lengths in people, or in rows.

    The exact difference lies within `half_width` of `count` with the confidence asked for, never less often: the law of
    both noises together. `cost` is what all answers to both were charged; `beliefs` what they may tell about any one
    person, for each prior.
    """

    larger: CountAsked
    smaller: CountAsked
    count: float
    half_width: float
    cost: Amounts
    beliefs: tuple[Belief, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """Where the exact difference lies."""
        return self.count - self.half_width, self.count + self.half_width

    @property
    def group(self) -> Condition | None:
        """Who is left, where every row is a person of its own: in the larger group, and not in the smaller one."""
        inside, outside = self.larger.where, self.smaller.where
        apart = None if outside is None else Not(outside)
        return apart if inside is None else inside if apart is None else And((inside, apart))

    @property
    def may_be_one_person(self) -> bool:
        """Whether the group that is left may be as small as one person, as far as these answers tell."""
        lower, upper = self.interval
        return lower <= 1.0 <= upper

    @property
    def tells_one_from_none(self) -> bool:
        """Whether the noise is too small to hide one person: the rounded difference would be the exact one."""
        return self.half_width < HALF_A_PERSON

    @property
    def points_at_people(self) -> bool:
        """Whether it gives single people away: a group of one, counted with hardly any noise."""
        return self.may_be_one_person and self.tells_one_from_none


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """The pairs with the least noise first; `pairs` is how many there are, of which at most MOST_SHOWN are listed.

    `compared` of the `counts` were looked at, those that were told most often.
    """

    listed: tuple[Difference, ...]
    pairs: int
    compared: int
    counts: int
    left_out: tuple[UnusedAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneLeftOut:
    """What one more answer would do: the same count again, but of all without one certain person, subtracted.

    What is left is that person: 1 or 0 without noise, within `half_width` of it with the noise of that answer and of
    the `answers` before it, averaged, with the confidence asked for.
    """

    asked: CountAsked
    answers: int
    half_width: float

    @property
    def tells_one_from_none(self) -> bool:
        """Whether the noise would be too small to hide that person."""
        return self.half_width < HALF_A_PERSON


def differenced(
    answers: Answers, *, prior: float = 0.5, confidence: float = 0.95, most: int = MOST_SHOWN
) -> Differences:
    """Every pair of counts of which one group lies inside the other, by the conditions alone.

    Counts of one group are averaged first. Of tables with several rows a person, counts of rows are subtracted from
    counts of rows and counts of people from counts of people. The order of the answers does not matter.
    """
    require_between("prior", prior, 0.0, 1.0, open_at="both")
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    require_whole("most", most)
    found = counts_in(answers)
    spelled = [alike for alike in found.alike if not alike.asked.cell]
    pairs = _pairs(spelled[:MOST_COMPARED], answers.schema)
    pairs.sort(key=lambda pair: pair[0].noise.standard_deviation ** 2 + pair[1].noise.standard_deviation ** 2)
    priors = (0.5,) if prior == 0.5 else (0.5, prior)
    listed = (_difference(one, other, answers, priors, confidence) for one, other in pairs[:most])
    return Differences(
        listed=tuple(listed),
        pairs=len(pairs),
        compared=min(len(spelled), MOST_COMPARED),
        counts=len(found.alike),
        left_out=found.left_out,
    )


def one_left_out(answers: Answers, *, confidence: float = 0.95) -> OneLeftOut | None:
    """The count of people that was told most often, and one more answer like its least noisy one; None without any."""
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    told = next((one for one in counts_in(answers).alike if one.asked.of_people and not one.asked.cell), None)
    if told is None:
        return None
    again = Alike(asked=told.asked, counts=told.counts[:1])
    return OneLeftOut(
        asked=told.asked,
        answers=len(told.counts),
        half_width=2.0 * float(_half_of_both(told, again).error_quantile(confidence)),
    )


def inside(smaller: CountAsked, larger: CountAsked, schema: Schema) -> bool:
    """Whether everybody in one group is in the other, and the conditions do not say that they are the same.

    False where it cannot be decided, or where one counts rows and the other people.
    """
    if smaller.of_people is not larger.of_people or smaller.terms == larger.terms:
        return False
    if larger.terms < smaller.terms:
        return True
    if not columns_in(larger.terms) <= columns_in(smaller.terms) or not smaller.terms:
        return False
    return _within(smaller.where, larger.where, schema) and not _within(larger.where, smaller.where, schema)


def _within(one: Condition | None, other: Condition | None, schema: Schema) -> bool:
    return one is not None and other is not None and disjoint(one, Not(other), schema)


def _pairs(alike: Sequence[Alike], schema: Schema) -> list[tuple[Alike, Alike]]:
    return [
        (larger, smaller)
        for larger in alike
        for smaller in alike
        if larger is not smaller and inside(smaller.asked, larger.asked, schema)
    ]


def _difference(
    larger: Alike, smaller: Alike, answers: Answers, priors: Iterable[float], confidence: float
) -> Difference:
    cost = answers.cost_of(larger.places | smaller.places)
    return Difference(
        larger=larger.asked,
        smaller=smaller.asked,
        count=larger.average - smaller.average,
        half_width=2.0 * float(_half_of_both(larger, smaller).error_quantile(confidence)),
        cost=cost,
        beliefs=tuple(believed(prior, promised_by(cost)) for prior in priors),
    )


def _half_of_both(larger: Alike, smaller: Alike) -> RemeasuredNoise:
    """The law of half the difference's noise: noise that is symmetric is as likely subtracted as added."""
    weights = tuple(weight / 2.0 for weight in (*larger.weights, *smaller.weights))
    return RemeasuredNoise(noises=tuple(one.noise for one in (*larger.counts, *smaller.counts)), weights=weights)
