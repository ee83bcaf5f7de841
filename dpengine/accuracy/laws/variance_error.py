"""The error of a variance with three noisy parts, by a fixed simulation: no formula is known for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from dpengine.accuracy.laws.law import Array, Numbers
from dpengine.accuracy.laws.ratio import Noise
from dpengine.accuracy.numerical import tails
from dpengine.errors import require_between, require_non_negative, require_positive, require_whole
from dpengine.losses.arrays import like, numbers

DRAWS = 2**18
DOUBT = 1e-6
"""Chance that a tail or a half-width of the simulation is below the truth, over all tables of random numbers."""
_SEED = 1945


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceError:
    """Error of squares / count - (distances / count)^2, kept between 0 and `largest`, where the variance is `variance`.

    `mean` is the distance of the mean from the middle that distances count from. From 262,144 draws of the three
    released noises, always the same ones; tails and half-widths are widened until they are at least the true ones
    but once in a million. Tails below 0.0001 are not told apart, except 0 beyond the public range. For planning;
    releases have bounds of their own.
    """

    squares: Noise
    distances: Noise
    count: Noise
    step: float
    variance: float
    mean: float
    records: float
    largest: float

    def __post_init__(self) -> None:
        require_positive("step", self.step)
        require_between("answer", self.variance, 0.0, self.largest)
        require_non_negative("records", self.records)

    @property
    def grid_step(self) -> None:
        """Too dense to be drawn."""
        return

    @property
    def farthest(self) -> float:
        """The largest |error| that the public range allows."""
        return max(self.variance, self.largest - self.variance)

    @property
    def standard_deviation(self) -> float:
        return float(np.sqrt(np.mean(_errors(self) ** 2)))

    @property
    def expected_absolute_error(self) -> float:
        return float(np.mean(np.abs(_errors(self))))

    def tail(self, t: Numbers) -> Numbers:
        """P(|error| > t); 1 below 0."""
        found = _share_beyond(_sizes(self), numbers("t", t), farthest=self.farthest)
        return like(t, np.where(np.asarray(t) < 0, 1.0, found))

    def above(self, t: Numbers) -> Numbers:
        """P(error > t) for t >= 0."""
        return like(t, _share_beyond(_errors(self), numbers("t", t), farthest=self.largest - self.variance))

    def below(self, t: Numbers) -> Numbers:
        """P(error < -t) for t >= 0."""
        return like(t, _share_beyond(-_errors(self)[::-1], numbers("t", t), farthest=self.variance))

    def density(self, x: Numbers) -> Numbers:
        """Share of the draws within a twentieth of the typical error, per unit; for pictures."""
        ordered, width = _errors(self), max(self.expected_absolute_error / 10.0, 1e-300)
        points = numbers("x", x)
        fallen = np.searchsorted(ordered, points + width / 2) - np.searchsorted(ordered, points - width / 2)
        return like(x, fallen / (DRAWS * width))

    def quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Half-width at the confidence; never beyond the public range."""
        enough = 1.0 - tails.level_of_one(confidence, coordinates)
        place = int(scipy.stats.binom.isf(DOUBT, DRAWS, enough))
        return self.farthest if place >= DRAWS else float(_sizes(self)[place])

    def quantile_function(self, probability: Numbers) -> Numbers:
        """Signed error at a probability; for pictures."""
        wanted = tails.probabilities(probability)
        return like(probability, np.quantile(_errors(self), np.clip(wanted, 0.0, 1.0)))

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest |error| of independent answers, each one of the draws; not widened."""
        require_whole("coordinates", coordinates)
        at_most = (np.arange(DRAWS + 1) / DRAWS) ** coordinates
        return float(_sizes(self) @ np.diff(at_most))

    def likely_errors(self, count: int = 100) -> Array:
        """Equally likely errors."""
        return np.asarray(self.quantile_function(tails.midpoints(count)))


@lru_cache(maxsize=32)
def _errors(law: VarianceError) -> Array:
    """In increasing order; the same draws each time, so that a picture stands still while nothing is changed."""
    rng, nothing = np.random.default_rng(_SEED), np.zeros(DRAWS)
    squares = law.records * (law.variance + law.mean**2) + law.squares.simulate(nothing, rng) * law.step**2
    distances = law.records * law.mean + law.distances.simulate(nothing, rng) * law.step
    people = np.maximum(law.records + law.count.simulate(nothing, rng), 1.0)
    found = np.clip(squares / people - (distances / people) ** 2, 0.0, law.largest)
    return np.sort(found - law.variance)


@lru_cache(maxsize=32)
def _sizes(law: VarianceError) -> Array:
    """Of the same errors, in increasing order."""
    return np.sort(np.abs(_errors(law)))


def _share_beyond(errors: Array, t: Array, *, farthest: float) -> Array:
    """Upper confidence bound for the chance of an error beyond t, from ordered draws; 0 from the farthest one on.

    Source: Clopper and Pearson 1934.
    """
    beyond = DRAWS - np.searchsorted(errors, t, side="right")
    some = np.minimum(beyond, DRAWS - 1)
    shares = np.where(beyond >= DRAWS, 1.0, scipy.stats.beta.isf(DOUBT, some + 1, DRAWS - some))
    return np.where(t >= farthest, 0.0, shares)
