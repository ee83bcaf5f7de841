"""The privacy noise of an answer with one part: the released law itself, in the unit of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from dpengine.accuracy.laws.law import Array, Numbers
from dpengine.accuracy.numerical import tails
from dpengine.errors import InvalidParameterError, require_positive
from dpengine.losses.arrays import like, numbers
from dpengine.mechanisms import ContinuousMechanism, DiscreteMechanism

_FARTHEST = 1e300


@runtime_checkable
class OnGrid(Protocol):
    """Noise whose values are whole numbers."""

    def probability(self, k: Numbers) -> Numbers:
        """Of the noise being k."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseError:
    """Noise of a symmetric mechanism, whose unit is `step` units of the answer; every number is exact."""

    mechanism: DiscreteMechanism | ContinuousMechanism
    step: float = 1.0

    def __post_init__(self) -> None:
        require_positive("step", self.step)

    @property
    def grid_step(self) -> float | None:
        """Distance between possible errors; None for continuous noise."""
        return self.step if isinstance(self.mechanism, OnGrid) else None

    @property
    def standard_deviation(self) -> float:
        return self.mechanism.standard_deviation * self.step

    @property
    def expected_absolute_error(self) -> float:
        return self.mechanism.expected_absolute_error * self.step

    def tail(self, t: Numbers) -> Numbers:
        """P(|error| > t); an equality. A t within rounding of a grid point is that grid point."""
        return like(t, self.mechanism.tail(self._steps("t", t)))

    def above(self, t: Numbers) -> Numbers:
        """P(error > t) for t >= 0: half of the tail."""
        return like(t, np.asarray(self.tail(t)) / 2.0)

    def below(self, t: Numbers) -> Numbers:
        """P(error < -t) for t >= 0: half of the tail."""
        return self.above(t)

    def probability(self, k: Numbers) -> Numbers:
        """P(error = k grid steps); raises InvalidParameterError for continuous noise, which has a density."""
        if not isinstance(self.mechanism, OnGrid):
            raise InvalidParameterError("mechanism", self.mechanism, "discrete: continuous noise hits no value exactly")
        return self.mechanism.probability(k)

    def density(self, x: Numbers) -> Numbers:
        """Probability per unit; an atom is spread over the grid step around it."""
        steps = self._steps("x", x)
        if isinstance(self.mechanism, OnGrid):
            return like(x, self.mechanism.probability(np.rint(steps)) / self.step)
        return like(x, self.mechanism.density(steps) / self.step)

    def quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Least half-width at the confidence for all coordinates together."""
        return self.mechanism.error_quantile(confidence, coordinates) * self.step

    def quantile_function(self, probability: Numbers) -> Numbers:
        """Least error that is exceeded with at most 1 - probability above the median; mirrored below."""
        wanted = tails.probabilities(probability)
        return like(probability, np.vectorize(self._signed, otypes=[np.float64])(wanted))

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest |error| of independent coordinates."""
        return self.mechanism.expected_largest_error(coordinates) * self.step

    def likely_errors(self, count: int = 100) -> Array:
        """Equally likely errors."""
        return np.asarray(self.quantile_function(tails.midpoints(count)))

    def _signed(self, probability: float) -> float:
        inside = abs(2.0 * probability - 1.0)
        if inside == 0.0:
            return 0.0
        return float(np.sign(probability - 0.5)) * self.mechanism.error_quantile(inside) * self.step

    def _steps(self, name: str, lengths: Numbers) -> Array:
        return in_steps(numbers(name, lengths), self.step)


def in_steps(lengths: Array, step: float) -> Array:
    """Lengths in grid steps; what is within rounding of a whole number is that number."""
    with np.errstate(over="ignore"):
        steps = np.clip(lengths / step, -_FARTHEST, _FARTHEST)
    whole = np.rint(steps)
    return np.where(np.abs(steps - whole) <= 1e-13 * np.abs(whole), whole, steps)
