"""The error that remains without any privacy: who happened to be in the table."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erfc, ndtri

from dpengine.accuracy.laws.law import Array, Numbers
from dpengine.accuracy.numerical import tails
from dpengine.errors import require_positive
from dpengine.losses.arrays import like, numbers
from dpengine.mechanisms import GaussianMechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingError:
    """A normal error in the unit of the answer: the large-sample law of counts, sums, means and shares.

    An approximation where the answer stands for fewer than about ten records on either side, never a promise.
    """

    standard_deviation: float

    def __post_init__(self) -> None:
        require_positive("standard_deviation", self.standard_deviation)

    @property
    def grid_step(self) -> None:
        """Continuous."""
        return

    @property
    def expected_absolute_error(self) -> float:
        return self.standard_deviation * math.sqrt(2.0 / math.pi)

    def tail(self, t: Numbers) -> Numbers:
        """P(|error| > t)."""
        return like(t, erfc(np.maximum(numbers("t", t), 0.0) / (self.standard_deviation * math.sqrt(2.0))))

    def above(self, t: Numbers) -> Numbers:
        """P(error > t)."""
        return like(t, 0.5 * erfc(numbers("t", t) / (self.standard_deviation * math.sqrt(2.0))))

    def below(self, t: Numbers) -> Numbers:
        """P(error < -t)."""
        return self.above(t)

    def density(self, x: Numbers) -> Numbers:
        """Probability per unit."""
        scaled = numbers("x", x) / self.standard_deviation
        return like(x, np.exp(-(scaled**2) / 2.0) / (self.standard_deviation * math.sqrt(2.0 * math.pi)))

    def quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Half-width at the confidence; for correlated coordinates never below the truth (Šidák 1967)."""
        return -self.standard_deviation * float(ndtri(tails.level_of_one(confidence, coordinates) / 2.0))

    def quantile_function(self, probability: Numbers) -> Numbers:
        """Signed error at a probability."""
        wanted = tails.probabilities(probability)
        return like(probability, self.standard_deviation * ndtri(wanted))

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest |error| of independent coordinates."""
        return GaussianMechanism(
            standard_deviation=self.standard_deviation, l2_sensitivity=self.standard_deviation
        ).expected_largest_error(coordinates)

    def likely_errors(self, count: int = 100) -> Array:
        """Equally likely errors."""
        return np.asarray(self.quantile_function(tails.midpoints(count)))
