"""Continuous Gaussian noise, calibrated exactly or by the classic formula inside its range."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import erfc, erfinv, ndtri, poch

from dpengine.errors import InvalidParameterError, named, require_one_of, require_positive, require_whole
from dpengine.losses import gaussian_noise_multiplier
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.inversion import lowered_until, raised_until
from dpengine.mechanisms.additive.protocol import log_share_of_hits, log_share_of_misses, mean_of_largest
from dpengine.privacy import GaussianEvent, Guarantee, require_guarantee
from dpengine.privacy.rounding import noise_multiplier_of


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianMechanism:
    """Adds Gaussian noise; both fields are in the unit of the answer, l2_sensitivity is that of the whole vector.

    For mathematics and pictures: what is released is discrete. Source: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.
    """

    standard_deviation: float
    l2_sensitivity: float

    def __post_init__(self) -> None:
        require_positive("standard_deviation", self.standard_deviation)
        require_positive("l2_sensitivity", self.l2_sensitivity)
        require_positive("standard_deviation / l2_sensitivity", self._noise_multiplier)

    @classmethod
    def from_guarantee(
        cls, guarantee: Guarantee, *, l2_sensitivity: float = 1.0, calibration: str = "analytic"
    ) -> GaussianMechanism:
        """The mechanism that keeps the guarantee, by "analytic" (least noise, any epsilon) or "classic" calibration.

        Rounded towards more noise. Raises InvalidParameterError where the calibration is not proved.
        """
        require_guarantee("guarantee", guarantee)
        require_positive("l2_sensitivity", l2_sensitivity)
        require_one_of("calibration", calibration, CALIBRATIONS)
        least = CALIBRATIONS[calibration](guarantee)
        noise = raised_until(
            least * l2_sensitivity, lambda raised: noise_multiplier_of(raised, l2_sensitivity) >= least
        )
        return cls(standard_deviation=noise, l2_sensitivity=l2_sensitivity)

    @classmethod
    def from_error(
        cls, error: float, *, confidence: float, coordinates: int = 1, l2_sensitivity: float = 1.0
    ) -> GaussianMechanism:
        """The most noise, so the least loss, whose error_quantile at this confidence is at most `error`.

        What it keeps is a curve, losses.gaussian_epsilon of its event at every delta.
        """
        require_positive("error", error)
        require_positive("l2_sensitivity", l2_sensitivity)
        unit = cls(standard_deviation=1.0, l2_sensitivity=1.0).error_quantile(confidence, coordinates)

        def within(deviation: float) -> bool:
            mechanism = cls(standard_deviation=deviation, l2_sensitivity=l2_sensitivity)
            return mechanism.error_quantile(confidence, coordinates) <= error

        return cls(standard_deviation=lowered_until(error / unit, within), l2_sensitivity=l2_sensitivity)

    @classmethod
    def from_expected_error(cls, expected_absolute_error: float, *, l2_sensitivity: float = 1.0) -> GaussianMechanism:
        """The most noise whose mean error on one coordinate is at most this."""
        require_positive("expected_absolute_error", expected_absolute_error)
        require_positive("l2_sensitivity", l2_sensitivity)

        def within(deviation: float) -> bool:
            mechanism = cls(standard_deviation=deviation, l2_sensitivity=l2_sensitivity)
            return mechanism.expected_absolute_error <= expected_absolute_error

        most = lowered_until(expected_absolute_error * math.sqrt(math.pi / 2.0), within)
        return cls(standard_deviation=most, l2_sensitivity=l2_sensitivity)

    @property
    def event(self) -> GaussianEvent:
        return GaussianEvent(noise_multiplier=self._noise_multiplier)

    @property
    def _noise_multiplier(self) -> float:
        return noise_multiplier_of(self.standard_deviation, self.l2_sensitivity)

    @property
    def expected_absolute_error(self) -> float:
        return self.standard_deviation * math.sqrt(2.0 / math.pi)

    def density(self, x: Numbers) -> Numbers:
        """Of the noise at x."""
        with np.errstate(over="ignore"):
            z = np.abs(numbers("x", x)) / self.standard_deviation
            log_density = -(z**2) / 2.0 - math.log(self.standard_deviation) - 0.5 * math.log(2.0 * math.pi)
            return like(x, np.exp(log_density))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t); an equality, not a bound."""
        with np.errstate(over="ignore"):
            return like(
                t, erfc(np.maximum(numbers("t", t, infinite=True), 0.0) / self.standard_deviation / math.sqrt(2.0))
            )

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """The half-width that all coordinates obey at once with this confidence; exact, not the union bound."""
        log_hits = log_share_of_hits(confidence, coordinates)
        if log_hits < -math.log(2.0):
            return self.standard_deviation * math.sqrt(2.0) * float(erfinv(math.exp(log_hits)))
        misses = math.exp(log_share_of_misses(confidence, coordinates))
        return -self.standard_deviation * float(ndtri(misses / 2.0))

    def expected_largest_error(self, coordinates: int) -> float:
        """The integral of P(largest error > t); right to 12 digits."""
        require_whole("coordinates", coordinates)
        reach = math.sqrt(2.0 * math.log(2.0 * coordinates)) + 9.0
        largest = mean_of_largest(lambda z: np.asarray(erfc(z / math.sqrt(2.0))), reach, coordinates)
        return self.standard_deviation * largest

    def expected_l2_error(self, coordinates: int) -> float:
        """Mean Euclidean length of the noise: standard_deviation sqrt(2) Gamma((d + 1) / 2) / Gamma(d / 2).

        Source: the mean of the chi distribution.
        """
        require_whole("coordinates", coordinates)
        return self.standard_deviation * math.sqrt(2.0) * float(poch(coordinates / 2.0, 0.5))

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: the integral of the tail up to the cap."""
        reach = numbers("cap", cap, 0.0)
        with np.errstate(over="ignore"):
            steps = np.minimum(reach / self.standard_deviation, 1e150)
        inside = -math.sqrt(2.0 / math.pi) * np.expm1(-steps * steps / 2.0)
        return like(cap, self.standard_deviation * (inside + steps * erfc(steps / math.sqrt(2.0))))

    def expected_largest_error_bound(self, coordinates: int) -> float:
        """standard_deviation sqrt(2 ln(2 coordinates)): never below expected_largest_error.

        Source: Boucheron, Lugosi, Massart 2013, Theorem 2.5, for the 2 coordinates values Z and -Z.
        """
        require_whole("coordinates", coordinates)
        return self.standard_deviation * math.sqrt(2.0 * math.log(2.0 * coordinates))

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer for pictures only; never a release."""
        exact = numbers("answer", answer)
        return exact + rng.normal(0.0, self.standard_deviation, size=exact.shape)


def classic_noise_multiplier(*, epsilon: npt.ArrayLike, delta: float) -> Array:
    """sqrt(2 ln(1.25 / delta)) / epsilon at any epsilon, also where it is false. Shape of `epsilon`.

    Source: Dwork and Roth 2014, Theorem A.1, proved for epsilon up to 1.
    """
    return np.asarray(math.sqrt(2.0 * (math.log(1.25) - math.log(delta))) / np.asarray(epsilon, dtype=np.float64))


def _analytic(guarantee: Guarantee) -> float:
    """Least noise multiplier of all that keep the guarantee. Source: Balle and Wang 2018, Theorem 8."""
    return gaussian_noise_multiplier(epsilon=guarantee.epsilon, delta=guarantee.delta)


def _classic(guarantee: Guarantee) -> float:
    """The formula of course notes, only where it is proved."""
    if not 0.0 < guarantee.epsilon <= 1.0:
        rule = "in (0, 1] for the classic calibration, which is proved only there (Dwork and Roth 2014, Theorem A.1)"
        raise InvalidParameterError("epsilon", guarantee.epsilon, rule)
    if not 0.0 < guarantee.delta < 1.0:
        rule = "in (0, 1) for the classic calibration (Dwork and Roth 2014, Theorem A.1)"
        raise InvalidParameterError("delta", guarantee.delta, rule)
    return float(classic_noise_multiplier(epsilon=guarantee.epsilon, delta=guarantee.delta))


CALIBRATIONS: Mapping[str, Callable[[Guarantee], float]] = {"analytic": _analytic, "classic": _classic}
