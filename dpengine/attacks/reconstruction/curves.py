"""How much is recovered as the noise grows, as more is asked, and as more people are in the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from dpengine.attacks.reconstruction.cost import LAPLACE, noise_for_budget, noise_of_size
from dpengine.attacks.reconstruction.decoding import LINEAR_PROGRAM
from dpengine.attacks.reconstruction.published import BoundedError, GroupCounts, Noise
from dpengine.attacks.reconstruction.runs import Runs, repeated
from dpengine.attacks.watch import UNWATCHED, Watch
from dpengine.errors import InvalidParameterError, require_whole
from dpengine.losses.arrays import Array
from dpengine.privacy import Guarantee

CURVE_RUNS = 6
"""With so many runs, the least and the most of them hold the middle of all runs with a confidence of 96.8 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """What was recovered at each place: `at` says where, `runs` what."""

    at: Array
    runs: tuple[Runs, ...]

    @property
    def averages(self) -> Array:
        """The mean recovered share at each place."""
        return np.array([one.average for one in self.runs])

    @property
    def least(self) -> Array:
        """The worst run at each place."""
        return np.array([float(one.fractions.min()) for one in self.runs])

    @property
    def bounds(self) -> Array:
        """What no attacker's chance exceeds at each place."""
        return np.array([one.outcome.bound for one in self.runs])

    @property
    def most(self) -> Array:
        """The best run at each place."""
        return np.array([float(one.fractions.max()) for one in self.runs])


class NoiseRule(Protocol):
    """How large the noise is where the numbers of people and of questions change."""

    def noise(self, *, people: int, questions: int) -> Noise:
        """Of each count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """A size of noise that is `start` people at `people`, and grows like their number to a power.

    As noise, it is a standard deviation.
    """

    start: float
    people: int
    power: float

    def at(self, people: int) -> float:
        """The size among so many people."""
        return self.start * math.pow(people / self.people, self.power)

    def noise(self, *, people: int, questions: int) -> Noise:
        """Of each count."""
        return noise_of_size(self.at(people))


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestError:
    """Errors of which the largest grows as `growth` says, to the nearest whole number of people."""

    growth: Growth

    def at(self, people: int) -> int:
        """The largest error among so many people."""
        return round(self.growth.at(people))

    def noise(self, *, people: int, questions: int) -> Noise:
        """Of each count."""
        return BoundedError(most=self.at(people))


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Noise with which all questions together keep one guarantee, however many they are."""

    guarantee: Guarantee
    kind: str = LAPLACE

    def noise(self, *, people: int, questions: int) -> Noise:
        """Of each count."""
        return noise_for_budget(self.guarantee, questions=questions, kind=self.kind)


def against_noise(
    counts: GroupCounts,
    sizes: Sequence[float],
    *,
    seed: int,
    kind: str = LAPLACE,
    decoder: str = LINEAR_PROGRAM,
    watch: Watch = UNWATCHED,
) -> Curve:
    """Recovered shares at noise of these standard deviations in units of sqrt(people); `at` has the exact ones."""
    root = math.sqrt(counts.people)
    settings = [replace(counts, noise=noise_of_size(size * root, kind=kind)) for size in sizes]
    return _curve([one.relative_noise for one in settings], settings, seed=seed, decoder=decoder, watch=watch)


def against_questions(
    counts: GroupCounts,
    questions: Sequence[int],
    *,
    seed: int,
    rule: NoiseRule | None = None,
    decoder: str = LINEAR_PROGRAM,
    watch: Watch = UNWATCHED,
) -> Curve:
    """Recovered shares after so many counts, each with the noise of `counts`, or with what a rule says."""
    settings = [
        replace(
            counts,
            questions=asked,
            noise=counts.noise if rule is None else rule.noise(people=counts.people, questions=asked),
        )
        for asked in questions
    ]
    return _curve(questions, settings, seed=seed, decoder=decoder, watch=watch)


def against_people(
    people: Sequence[int],
    rule: NoiseRule,
    *,
    each: int,
    share: float = 0.5,
    seed: int,
    decoder: str = LINEAR_PROGRAM,
    watch: Watch = UNWATCHED,
) -> Curve:
    """Recovered shares among so many people, `each` counts a person.

    Noise that grows with a power of 1/2 or more keeps much hidden, with one below 1/2 nothing in the end: that is
    called blatantly non-private.
    """
    require_whole("each", each)
    settings = [
        GroupCounts(
            people=many, questions=each * many, share=share, noise=rule.noise(people=many, questions=each * many)
        )
        for many in people
    ]
    return _curve(people, settings, seed=seed, decoder=decoder, watch=watch)


def _curve(at: Sequence[float], settings: Sequence[GroupCounts], *, seed: int, decoder: str, watch: Watch) -> Curve:
    """Later places count more in the progress: their programs are larger or harder."""
    if not settings:
        raise InvalidParameterError("places", at, "at least one")
    works = np.cumsum([0.0] + [float(one.people * one.questions) for one in settings])
    ends = works / works[-1]
    found = tuple(
        repeated(one, runs=CURVE_RUNS, seed=seed, decoder=decoder, watch=watch.part(start, end))
        for one, start, end in zip(settings, ends[:-1], ends[1:], strict=True)
    )
    return Curve(at=np.asarray(at, dtype=np.float64), runs=found)
