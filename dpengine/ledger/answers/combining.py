"""Measure, observe, remeasure: several answers to one question, made into a better one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from dpengine.accuracy import RemeasuredNoise, averaged, narrowest
from dpengine.accuracy.numerical.two_noises import OnGrid
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.ledger.answers.estimate import USUAL_CONFIDENCE, Estimate
from dpengine.ledger.answers.intervals import Bound, adding
from dpengine.ledger.answers.released import Release
from dpengine.mechanisms import ReleasedMechanism
from dpengine.plan.amounts import Amounts, Charge
from dpengine.queries import Reading
from dpengine.queries.part import counted_alike

LESS = 1.0 - 1e-9
"""A half-width that is less by no more than rounding is no less."""
_CHOSEN = (
    "Choices cannot be combined: each answer names one candidate and says nothing about the others, so several of them "
    "have no average. One answer at their total epsilon is better."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """Answers to one question, each noisy part averaged with weights of inverse variance.

    One answer alone counts where the average of its kind would have a wider interval, at the usual confidence.

    The noise of each part is the law of the weighted sum, so its interval is never too narrow, as one from the variance
    alone would be. It covers as often as said for a plan made beforehand; not where somebody asks again because of what
    the first answer was. All are taken for answers about the same rows: where a table is read by its address and has
    changed in between, what is combined is about neither state.
    """

    releases: tuple[Release, ...]

    def __post_init__(self) -> None:
        if not self.releases:
            raise InvalidParameterError("releases", self.releases, "at least one release")
        first = self.releases[0]
        if len(self.releases) > 1 and first.is_choice:
            raise RefusedQueryError(_CHOSEN)
        if any(other.account != first.account for other in self.releases):
            raise InvalidParameterError("releases", len(self.releases), "all of one account")
        if not all(same_question(first, other) for other in self.releases):
            raise InvalidParameterError("releases", len(self.releases), "all of the same question")
        if len({release.request_id for release in self.releases}) < len(self.releases):
            raise InvalidParameterError("releases", len(self.releases), "each given once: a draw is not two")

    @property
    def weights(self) -> tuple[tuple[float, ...], ...]:
        """Of each part, the share of each release; they add up to 1."""
        if len(self.releases) == 1:
            return ((1.0,),) * len(self.releases[0].parts)
        return tuple(law.weights for law in self.noises_with())

    @property
    def estimate(self) -> Estimate:
        """The combined numbers with the laws of their noise."""
        last = self.releases[-1]
        if len(self.releases) == 1:
            return last.estimate
        read = zip(*(release.readings for release in self.releases), strict=True)
        laws = self.noises_with()
        return Estimate(
            query=last.query,
            schema=last.schema,
            neighbors=last.neighbors,
            readings=tuple(_averaged(part, law.weights) for part, law in zip(read, laws, strict=True)),
            noises=laws,
        )

    @property
    def counts_alone(self) -> Release | None:
        """The one answer whose interval an average would widen."""
        first = self.weights[0]
        return self.releases[first.index(1.0)] if len(self.releases) > 1 and 1.0 in first else None

    @property
    def is_narrower(self) -> bool:
        """Whether the interval of all together is narrower than that of any single one of these noises."""
        known, laws = self.estimate, {release.mechanisms for release in self.releases}
        alone = min(replace(known, noises=noises).reach(USUAL_CONFIDENCE) for noises in laws)
        return known.reach(USUAL_CONFIDENCE) < alone * LESS

    def noises_with(self, *more: Sequence[ReleasedMechanism]) -> tuple[RemeasuredNoise, ...]:
        """The law of each part's noise, once so many answers more are combined with these."""
        drawn = _part_by_part(self.releases, *more)
        if len(drawn) > 1:
            return tuple(map(averaged, drawn))
        coordinates = self.releases[0].parts[0].coordinates
        return (narrowest(drawn[0], confidence=USUAL_CONFIDENCE, coordinates=coordinates),)

    @property
    def charge(self) -> Charge:
        """What all of them were charged together, exactly."""
        total: Amounts = reduce(add, (release.charge.amounts for release in self.releases))
        return Charge(rule=self.releases[0].charge.rule, amounts=total)

    @property
    def values(self) -> NDArray[np.float64]:
        """The combined answer, with one number a label."""
        return self.estimate.values

    @property
    def answer(self) -> Bound | str:
        """One number, or an array with one number a label."""
        return self.estimate.answer

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers; one empty name for a single number."""
        return self.estimate.labels

    def interval(self, confidence: float, *, simultaneous: bool = False) -> tuple[Bound, Bound]:
        """Lower and upper end of where the exact answer lies with this confidence, as in a release."""
        return self.estimate.interval(confidence, simultaneous=simultaneous)

    def half_width(self, confidence: float, *, simultaneous: bool = False) -> float:
        """How far the exact numbers may lie from the combined ones, where each has a noise of its own."""
        return self.estimate.half_width(confidence, simultaneous=simultaneous)

    def tidied(self, *, rounded: bool = False, clamped: bool = False) -> Estimate:
        """The combined answer rounded, and kept where public facts say it lies."""
        return self.estimate.tidied(rounded=rounded, clamped=clamped)


def combined(releases: Sequence[Release]) -> Combined:
    """Answers to one question of one account as a single one.

    Raises RefusedQueryError for choices; InvalidParameterError where the accounts, the questions or what was declared
    differ, and where an answer is given twice.
    """
    return Combined(releases=tuple(releases))


def same_question(first: Release, second: Release) -> bool:
    """Whether two releases answer the same question of one account, counted alike, whatever they cost."""
    same = first.query == second.query and first.neighbors is second.neighbors
    return same and first.account == second.account and counted_alike(first.parts, second.parts)


def answers_alike(releases: Sequence[Release], last: Release) -> tuple[Release, ...]:
    """Those releases that combine with the last one, itself included, in their order."""
    return tuple(release for release in releases if same_question(release, last))


def _part_by_part(releases: Sequence[Release], *more: Sequence[ReleasedMechanism]) -> tuple[tuple[OnGrid, ...], ...]:
    """The mechanisms of each part, over all releases."""
    drawn = [*(release.mechanisms for release in releases), *more]
    return tuple(tuple(map(adding, noises)) for noises in zip(*drawn, strict=True))


def _averaged(readings: Sequence[Reading], weights: Sequence[float]) -> Reading:
    values = np.asarray(weights) @ np.stack([reading.values for reading in readings])
    return Reading(part=readings[0].part, values=values)
