"""Local Laplace noise: each person adds it to the own value, and the mean pays for the missing trust."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.errors import (
    InvalidParameterError,
    named,
    require_between,
    require_finite,
    require_non_negative,
    require_positive,
    require_whole,
)
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.laplace import LaplaceMechanism
from dpengine.privacy import LaplaceEvent

_LARGEST_RANGE, _LARGEST_SCALE = 1e150, 1e150


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class LocalLaplace:
    """Each person adds Laplace noise of scale (upper - lower) / epsilon to the own value, kept between public bounds.

    All in the unit of the values. The sensitivity is the range of one value.
    Source: Dwork, McSherry, Nissim, Smith 2006.
    """

    epsilon: float
    lower: float
    upper: float

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_finite("lower", self.lower)
        require_finite("upper", self.upper)
        if not self.lower < self.upper:
            raise InvalidParameterError("lower", self.lower, f"below upper, {self.upper:g}")
        require_between("upper - lower", self.upper - self.lower, 0.0, _LARGEST_RANGE, open_at="lower")
        require_between("scale", self.scale, 0.0, _LARGEST_SCALE, open_at="lower")

    @property
    def scale(self) -> float:
        """Of the noise on one report."""
        return self._noise.scale

    @property
    def event(self) -> LaplaceEvent:
        """One report of one person, whose value may be anything between the bounds."""
        return self._noise.event

    def tally(self, reports: npt.ArrayLike) -> float:
        """The mean of the reports; at least one is needed."""
        known = numbers("reports", reports)
        if known.size == 0:
            raise InvalidParameterError("reports", reports, "at least one report")
        return float(known.mean())

    def estimate(self, reported_mean: Numbers) -> Numbers:
        """The mean of the bounded values: the mean of the reports itself has no bias."""
        return like(reported_mean, numbers("reported mean", reported_mean))

    def variance(self, people: int) -> float:
        """Of the estimated mean over the noise alone: 2 scale^2 / people."""
        require_whole("people", people)
        return 2.0 * self.scale * self.scale / people

    def variance_with_sampling(self, people: int, standard_deviation: float) -> float:
        """Of the estimated mean over people drawn at random and noise, for values with this (public) spread."""
        require_non_negative("standard_deviation", standard_deviation)
        widest = (self.upper - self.lower) / 2.0
        require_between("standard_deviation", standard_deviation, 0.0, widest)
        return self.variance(people) + standard_deviation * standard_deviation / people

    def central_variance(self, people: int) -> float:
        """The same over the noise alone where a trusted curator adds it once, the number of people being public."""
        return self.variance(people) / people

    def error_ratio(self, people: int) -> float:
        """How many times larger the local error is than the central one: sqrt(people)."""
        require_whole("people", people)
        return math.sqrt(people)

    def people_needed(self, standard_error: float, standard_deviation: float = 0.0) -> int:
        """The least number of people whose estimate has at most this standard error; never below the truth."""
        require_positive("standard_error", standard_error)
        require_non_negative("standard_deviation", standard_deviation)
        ratio = math.hypot(math.sqrt(2.0) * self.scale, standard_deviation) / standard_error
        if not ratio <= _LARGEST_SCALE:
            raise InvalidParameterError("standard_error", standard_error, "large enough for a finite number of people")
        return max(1, math.ceil(ratio * ratio * (1.0 + 1e-15)))

    def simulate(self, answers: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """One report a person, for pictures only; the shape of the answers."""
        kept = np.clip(numbers("answers", answers), self.lower, self.upper)
        return self._noise.simulate(kept, rng)

    @property
    def _noise(self) -> LaplaceMechanism:
        return LaplaceMechanism.from_epsilon(self.epsilon, l1_sensitivity=self.upper - self.lower)
