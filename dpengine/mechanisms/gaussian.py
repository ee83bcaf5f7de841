"""Continuous Gaussian noise, calibrated exactly or by the classic formula inside its range."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import erfc, erfinv, ndtri

from dpengine.errors import InvalidParameterError, require_one_of, require_positive, require_whole
from dpengine.losses import gaussian_noise_multiplier
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.protocol import any_of, log_share_of_hits, log_share_of_misses
from dpengine.privacy import GaussianEvent, Guarantee

_PANELS, _NODES_PER_PANEL = 60, 12


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
        require_positive("standard_deviation / l2_sensitivity", self.standard_deviation / self.l2_sensitivity)

    @classmethod
    def from_guarantee(
        cls, guarantee: Guarantee, *, l2_sensitivity: float = 1.0, calibration: str = "analytic"
    ) -> GaussianMechanism:
        """The mechanism that keeps the guarantee, by "analytic" (least noise, any epsilon) or "classic" calibration.

        Rounded towards more noise. Raises InvalidParameterError where the calibration is not proved.
        """
        require_positive("l2_sensitivity", l2_sensitivity)
        require_one_of("calibration", calibration, CALIBRATIONS)
        least = CALIBRATIONS[calibration](guarantee)
        noise = least * l2_sensitivity
        while noise / l2_sensitivity < least:
            noise = math.nextafter(noise, math.inf)
        return cls(standard_deviation=noise, l2_sensitivity=l2_sensitivity)

    @property
    def event(self) -> GaussianEvent:
        return GaussianEvent(noise_multiplier=self.standard_deviation / self.l2_sensitivity)

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
            return like(t, erfc(np.maximum(numbers("t", t), 0.0) / self.standard_deviation / math.sqrt(2.0)))

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """The half-width that all coordinates obey at once with this confidence; exact, not the union bound."""
        log_hits = log_share_of_hits(confidence, coordinates)
        if log_hits < -math.log(2.0):
            return self.standard_deviation * math.sqrt(2.0) * float(erfinv(math.exp(log_hits)))
        misses = math.exp(log_share_of_misses(confidence, coordinates))
        return -self.standard_deviation * float(ndtri(misses / 2.0))

    def expected_largest_error(self, coordinates: int) -> float:
        """The integral of P(largest error > t) by Gauss-Legendre panels; right to 12 digits."""
        require_whole("coordinates", coordinates)
        reach = math.sqrt(2.0 * math.log(2.0 * coordinates)) + 9.0
        nodes, weights = np.polynomial.legendre.leggauss(_NODES_PER_PANEL)
        width = reach / _PANELS
        points = (np.arange(_PANELS)[:, None] + (nodes + 1.0) / 2.0) * width
        over = any_of(np.asarray(erfc(points / math.sqrt(2.0))), coordinates)
        return self.standard_deviation * float(np.sum(over * weights) * width / 2.0)

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


def _analytic(guarantee: Guarantee) -> float:
    """Least noise multiplier of all that keep the guarantee. Source: Balle and Wang 2018, Theorem 8."""
    return gaussian_noise_multiplier(epsilon=guarantee.epsilon, delta=guarantee.delta)


def _classic(guarantee: Guarantee) -> float:
    """sqrt(2 ln(1.25 / delta)) / epsilon. Source: Dwork and Roth 2014, Theorem A.1, proved for epsilon up to 1."""
    if not 0.0 < guarantee.epsilon <= 1.0:
        rule = "in (0, 1] for the classic calibration, which is proved only there (Dwork and Roth 2014, Theorem A.1)"
        raise InvalidParameterError("epsilon", guarantee.epsilon, rule)
    if not 0.0 < guarantee.delta < 1.0:
        rule = "in (0, 1) for the classic calibration (Dwork and Roth 2014, Theorem A.1)"
        raise InvalidParameterError("delta", guarantee.delta, rule)
    return math.sqrt(2.0 * (math.log(1.25) - math.log(guarantee.delta))) / guarantee.epsilon


CALIBRATIONS: Mapping[str, Callable[[Guarantee], float]] = {"analytic": _analytic, "classic": _classic}
