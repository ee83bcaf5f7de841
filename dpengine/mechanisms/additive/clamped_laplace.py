"""Clamped Laplace noise: what lies beyond a limit is put on the limit, where it gives the answer away."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc

from dpengine.errors import named, require_between, require_positive, require_whole
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.laplace import LaplaceMechanism
from dpengine.mechanisms.additive.protocol import mean_of_largest
from dpengine.privacy import ApproximateEvent
from dpengine.privacy.rounding import decimal_up

_LARGEST, _FLAT = 1e300, 1e-8


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ClampedLaplaceMechanism:
    """Adds Laplace noise cut to [-truncation, truncation] by moving what lies outside to the ends.

    The ends are atoms that stand at other places for a neighbor, so both leak: a counterexample to "limited noise is
    safe". Not truncated noise, which is renormalized and leaks less, and not a clamped output, which is free. All
    fields are in the unit of the answer; l1_sensitivity is of one coordinate, and in a vector neighbors may differ in
    one coordinate only, because every coordinate that differs leaks both its ends. Never pure.
    """

    scale: float
    truncation: float
    l1_sensitivity: float

    def __post_init__(self) -> None:
        require_between("scale", self.scale, 0.0, _LARGEST, open_at="lower")
        require_between("truncation", self.truncation, 0.0, _LARGEST, open_at="lower")
        require_positive("l1_sensitivity", self.l1_sensitivity)
        require_positive("scale / l1_sensitivity", self.scale / self.l1_sensitivity)
        require_positive("l1_sensitivity / scale", self.l1_sensitivity / self.scale)

    @property
    def event(self) -> ApproximateEvent:
        """With s = l1_sensitivity, T the cut: delta = [e^(-(T - s) / scale) + e^(-T / scale)] / 2 for s <= T.

        1 - [e^(-(s - T) / scale) - e^(-T / scale)] / 2 for T < s < 2 T, and 1 from 2 T on, where two atoms meet: a
        shift by exactly 2 T has but 1 - e^(-T / scale) / 2, yet shifts just below it come as near to 1 as one likes.
        Exact for neighbors up to s apart, at this epsilon and at every larger one; the event's profile below it is
        never below the truth.
        Source: the mass of both atoms and of the stretch that only one of the two laws covers.
        """
        excess, cut = (self.l1_sensitivity - self.truncation) / self.scale, self.truncation / self.scale
        side = math.exp(-abs(excess)) / 2.0
        leak = (side if excess <= 0.0 else 1.0 - side) + math.exp(-cut) / 2.0
        delta = 1.0 if self.l1_sensitivity >= 2.0 * self.truncation else min(leak, 1.0)
        return ApproximateEvent(
            epsilon=decimal_up(Fraction(float(self.l1_sensitivity)) / Fraction(float(self.scale))), delta=delta
        )

    @property
    def end_probability(self) -> float:
        """Of each of the two atoms, at -truncation and at truncation: e^(-truncation / scale) / 2."""
        return math.exp(-self.truncation / self.scale) / 2.0

    @property
    def standard_deviation(self) -> float:
        """Its square is 2 scale^2 (1 - e^-c (1 + c)) with c = truncation / scale."""
        cut = self.truncation / self.scale
        if cut < _FLAT:
            return self.truncation
        return self.scale * math.sqrt(2.0 * float(gammainc(2.0, cut)))

    @property
    def expected_absolute_error(self) -> float:
        """scale (1 - e^(-truncation / scale))."""
        return self.expected_capped_error(self.truncation)

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: Laplace noise's own, up to the truncation."""
        return like(cap, self._laplace.expected_capped_error(np.minimum(numbers("cap", cap, 0.0), self.truncation)))

    def density(self, x: Numbers) -> Numbers:
        """Of the noise at x between the ends; its integral and the two atoms add up to 1."""
        points = numbers("x", x)
        return like(x, np.where(np.abs(points) < self.truncation, self._laplace.density(points), 0.0))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t); an equality, and 0 from the truncation on."""
        points = numbers("t", t, infinite=True)
        return like(t, np.where(points < self.truncation, self._laplace.tail(points), 0.0))

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """The least half-width that all coordinates obey at once with this confidence; at most the truncation."""
        return min(self._laplace.error_quantile(confidence, coordinates), float(self.truncation))

    def expected_largest_error(self, coordinates: int) -> float:
        """The integral of P(largest error > t) up to the truncation; right to 12 digits."""
        require_whole("coordinates", coordinates)
        reach = min(self.truncation / self.scale, math.log(coordinates) + 45.0)
        return self.scale * mean_of_largest(lambda steps: np.exp(-steps), reach, coordinates)

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer for pictures only; never a release."""
        exact = numbers("answer", answer)
        return exact + np.clip(rng.laplace(0.0, self.scale, size=exact.shape), -self.truncation, self.truncation)

    @property
    def _laplace(self) -> LaplaceMechanism:
        return LaplaceMechanism(scale=self.scale, l1_sensitivity=self.l1_sensitivity)
