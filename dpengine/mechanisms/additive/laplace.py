"""Continuous Laplace noise: exact error formulas, with the bounds of the course notes beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.special import digamma

from dpengine.errors import named, require_between, require_positive, require_whole
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.inversion import lowered_until, raised_until
from dpengine.mechanisms.additive.protocol import any_of, log_share_of_misses
from dpengine.privacy import LaplaceEvent, exact_decimal
from dpengine.privacy.rounding import noise_multiplier_of

_LARGEST_SCALE = 1e300


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class LaplaceMechanism:
    """Adds Laplace noise: pure differential privacy with epsilon = l1_sensitivity / scale.

    Both fields are in the unit of the answer; for a vector l1_sensitivity is that of the whole vector.
    For mathematics and pictures: what is released is discrete. Source: Dwork, McSherry, Nissim, Smith 2006.
    """

    scale: float
    l1_sensitivity: float

    def __post_init__(self) -> None:
        require_between("scale", self.scale, 0.0, _LARGEST_SCALE, open_at="lower")
        require_positive("l1_sensitivity", self.l1_sensitivity)
        require_positive("scale / l1_sensitivity", noise_multiplier_of(self.scale, self.l1_sensitivity))

    @classmethod
    def from_epsilon(cls, epsilon: float, *, l1_sensitivity: float = 1.0) -> LaplaceMechanism:
        """The least scale of this machine whose event costs at most the epsilon that was written down."""
        require_positive("epsilon", epsilon)
        require_positive("l1_sensitivity", l1_sensitivity)
        least = 1 / exact_decimal(epsilon)
        scale = raised_until(
            l1_sensitivity / epsilon, lambda raised: Fraction(noise_multiplier_of(raised, l1_sensitivity)) >= least
        )
        return cls(scale=scale, l1_sensitivity=l1_sensitivity)

    @classmethod
    def from_error(
        cls, error: float, *, confidence: float, coordinates: int = 1, l1_sensitivity: float = 1.0
    ) -> LaplaceMechanism:
        """The most noise, so the least epsilon, whose error_quantile at this confidence is at most `error`.

        Exact: never more epsilon than the union bound's l1_sensitivity ln(coordinates / (1 - confidence)) / error.
        """
        require_positive("error", error)
        unit = cls(scale=1.0, l1_sensitivity=1.0).error_quantile(confidence, coordinates)

        def within(scale: float) -> bool:
            mechanism = cls(scale=scale, l1_sensitivity=l1_sensitivity)
            return mechanism.error_quantile(confidence, coordinates) <= error

        return cls(scale=lowered_until(error / unit, within), l1_sensitivity=l1_sensitivity)

    @classmethod
    def from_expected_error(cls, expected_absolute_error: float, *, l1_sensitivity: float = 1.0) -> LaplaceMechanism:
        """The mechanism whose mean error on one coordinate is this: epsilon = l1_sensitivity / mean error."""
        require_positive("expected_absolute_error", expected_absolute_error)
        return cls(scale=expected_absolute_error, l1_sensitivity=l1_sensitivity)

    @property
    def event(self) -> LaplaceEvent:
        return LaplaceEvent(noise_multiplier=noise_multiplier_of(self.scale, self.l1_sensitivity))

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(2.0) * self.scale

    @property
    def expected_absolute_error(self) -> float:
        return self.scale

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: scale (1 - e^(-cap / scale))."""
        with np.errstate(over="ignore"):
            return like(cap, -self.scale * np.expm1(-numbers("cap", cap, 0.0) / self.scale))

    def density(self, x: Numbers) -> Numbers:
        """Of the noise at x: e^(-|x| / scale) / (2 scale)."""
        with np.errstate(over="ignore"):
            return like(x, np.exp(-np.abs(numbers("x", x)) / self.scale - math.log(2.0) - math.log(self.scale)))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t) = e^(-t / scale); an equality, not a bound."""
        with np.errstate(over="ignore"):
            return like(t, np.exp(-np.maximum(numbers("t", t, infinite=True), 0.0) / self.scale))

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """The half-width that all coordinates obey at once with this confidence; exact, not the union bound."""
        return -self.scale * log_share_of_misses(confidence, coordinates)

    def union_bound_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """scale ln(coordinates / (1 - confidence)): never below error_quantile.

        Source: Dwork and Roth 2014, Theorem 3.8.
        """
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        require_whole("coordinates", coordinates)
        return self.scale * math.log(coordinates / (1.0 - confidence))

    def expected_largest_error(self, coordinates: int) -> float:
        """Exactly scale (1 + 1/2 + ... + 1/coordinates). Source: Rényi 1953 (spacings of exponentials)."""
        require_whole("coordinates", coordinates)
        return self.scale * (float(digamma(coordinates + 1.0)) + float(np.euler_gamma))

    def expected_largest_error_bound(self, coordinates: int) -> float:
        """scale (ln(coordinates) + 1): never below expected_largest_error, above it by less than 0.43 scales.

        Source: the integral of min(1, coordinates e^(-t / scale)).
        """
        require_whole("coordinates", coordinates)
        return self.scale * (math.log(coordinates) + 1.0)

    def largest_error_tail(self, t: Numbers, coordinates: int) -> Numbers:
        """P(largest error > scale (ln d + t)) for t >= 0 and d coordinates: exactly 1 - (1 - e^-t / d)^d."""
        require_whole("coordinates", coordinates)
        return like(t, any_of(np.exp(-numbers("t", t, 0.0)) / coordinates, coordinates))

    def largest_error_tail_bound(self, t: Numbers) -> Numbers:
        """e^-t: never below largest_error_tail, for any number of coordinates. Source: the union bound."""
        return like(t, np.exp(-numbers("t", t, 0.0)))

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer for pictures only; never a release."""
        exact = numbers("answer", answer)
        return exact + rng.laplace(0.0, self.scale, size=exact.shape)
