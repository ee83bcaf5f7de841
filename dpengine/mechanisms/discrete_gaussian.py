"""Discrete Gaussian noise on a grid: what is released for (epsilon, delta) and for concentrated privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from dpengine.errors import InvalidParameterError, require_between, require_kind, require_positive, require_whole
from dpengine.losses import discrete_gaussian_scale, rho_from_guarantee
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.losses.discrete_gaussian_scale import noise_multiplier_of
from dpengine.losses.discrete_gaussian_tails import log_probability, log_tail
from dpengine.mechanisms.gaussian import GaussianMechanism
from dpengine.mechanisms.protocol import any_of, log_share_of_misses
from dpengine.privacy import ConcentratedEvent, DiscreteGaussianEvent, Guarantee

_LARGEST_SCALE, _LARGEST_SUMMED_SCALE, _LARGEST_LISTED_SCALE, _NEARLY_CONTINUOUS = 1e300, 1000.0, 100.0, 10.0


@dataclass(frozen=True, slots=True, kw_only=True, init=False)
class DiscreteGaussianMechanism:
    """Adds a whole number k of grid steps with probability proportional to e^(-k^2 / (2 scale^2)).

    `scale` is what the constructor calls the standard deviation: that of the continuous Gaussian on the same grid,
    never below the noise's own. Where one person moves one coordinate alone, by a whole number of steps, the exact
    loss of that shift is known; of a vector that may move anyhow, only rho is.
    Source: Canonne, Kamath, Steinke 2020, Definition 1 and Theorem 4.
    """

    scale: float
    l2_sensitivity: float
    one_coordinate: bool

    def __init__(self, *, standard_deviation: float, l2_sensitivity: float, one_coordinate: bool | None = None) -> None:
        """Lengths are in grid steps; by default one coordinate moves wherever l2_sensitivity is a whole number."""
        require_between("standard_deviation", standard_deviation, 0.0, _LARGEST_SCALE, open_at="lower")
        require_positive("l2_sensitivity", l2_sensitivity)
        require_positive("standard_deviation / l2_sensitivity", float(standard_deviation / l2_sensitivity))
        whole = l2_sensitivity == math.floor(l2_sensitivity)
        if one_coordinate is not None:
            require_kind("one_coordinate", one_coordinate, bool)
            if one_coordinate and not whole:
                rule = "a whole number of grid steps where one coordinate moves"
                raise InvalidParameterError("l2_sensitivity", l2_sensitivity, rule)
        object.__setattr__(self, "scale", float(standard_deviation))
        object.__setattr__(self, "l2_sensitivity", int(l2_sensitivity) if whole else float(l2_sensitivity))
        object.__setattr__(self, "one_coordinate", whole if one_coordinate is None else one_coordinate)

    @classmethod
    def from_guarantee(
        cls, guarantee: Guarantee, *, l2_sensitivity: float, one_coordinate: bool | None = None
    ) -> DiscreteGaussianMechanism:
        """The least noise that keeps the guarantee: by its exact loss where one coordinate moves, else by rho."""
        exact = cls(standard_deviation=l2_sensitivity, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate)
        if exact.one_coordinate:
            scale = discrete_gaussian_scale(
                epsilon=guarantee.epsilon, delta=guarantee.delta, sensitivity=int(exact.l2_sensitivity)
            )
        else:
            scale = _scale_of(rho_from_guarantee(guarantee), exact.l2_sensitivity)
        return cls(standard_deviation=scale, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate)

    @property
    def exact_rho(self) -> Fraction:
        """What one run costs under concentrated privacy; a sensitivity that is not whole is raised by a last digit."""
        return _square_above(self.l2_sensitivity) / (2 * Fraction(self.scale) ** 2)

    @property
    def event(self) -> DiscreteGaussianEvent | ConcentratedEvent:
        """The exact loss where one coordinate moves, else rho; its numbers are rounded towards more loss."""
        if self.one_coordinate:
            sensitivity = int(self.l2_sensitivity)
            return DiscreteGaussianEvent(
                noise_multiplier=noise_multiplier_of(self.scale, sensitivity), sensitivity=sensitivity
            )
        return ConcentratedEvent(rho=_up(self.exact_rho))

    @property
    def standard_deviation(self) -> float:
        """Of the noise itself; below `scale` on a coarse grid, equal to it to 1e-300 from scale 10 on."""
        if self.scale >= _NEARLY_CONTINUOUS:
            return self.scale
        steps = np.arange(1.0, math.ceil(40.0 * self.scale) + 2.0)
        return math.sqrt(2.0 * float(np.sum(steps**2 * self.probability(steps))))

    @property
    def expected_absolute_error(self) -> float:
        return self.expected_largest_error(1)

    def probability(self, k: Numbers) -> Numbers:
        """Of the noise being k; 0 where k is not whole."""
        steps = numbers("k", k)
        return like(k, np.where(steps == np.floor(steps), np.exp(log_probability(np.array(self.scale), steps)), 0.0))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t), strictly greater: twice P(noise >= floor(t) + 1) for t >= 0; an equality."""
        steps = numbers("t", t)
        return like(t, np.where(steps < 0.0, 1.0, np.exp(self._log_tail(np.floor(np.maximum(steps, 0.0))))))

    def error_quantile(self, confidence: float, coordinates: int = 1) -> int:
        """Least whole t with P(every |noise| <= t) >= confidence."""
        allowed = log_share_of_misses(confidence, coordinates)
        guess = max(0, math.floor(-self.scale * float(ndtri(0.5 * math.exp(allowed))) - 0.5))
        near = max(guess - 2.0, -1.0) + np.arange(5.0)
        enough = (near >= 0.0) & (self._log_tail(near) <= allowed)
        first = int(np.argmax(enough))
        if enough[first] and first > 0 and near[first] == near[first - 1] + 1.0:
            return int(near[first])
        return self._searched_quantile(guess, allowed)

    def expected_largest_error(self, coordinates: int) -> float:
        """The sum of P(largest error > t) over t = 0, 1, ...; by Euler and Maclaurin's formula for wide noise.

        Right to 10 digits. Source: Euler-Maclaurin at the middles, whose remainder is of order 1 / scale^3.
        """
        require_whole("coordinates", coordinates)
        if self.scale > _LARGEST_SUMMED_SCALE:
            narrower = 1.0 - 1.0 / self.scale / self.scale / 24.0
            start = math.sqrt(2.0 / math.pi) / self.scale / 24.0 if coordinates == 1 else 0.0
            normal = GaussianMechanism(standard_deviation=1.0, l2_sensitivity=1.0)
            return self.scale * narrower * normal.expected_largest_error(coordinates) - start
        reach = self.scale * math.sqrt(2.0 * (math.log(coordinates) + 45.0)) + 3.0
        steps = np.arange(math.ceil(reach), dtype=np.float64)
        return float(np.sum(any_of(np.exp(self._log_tail(steps)), coordinates)))

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer in grid steps for pictures only, above scale 100 by rounding; exact_noise draws releases."""
        exact = numbers("answer", answer)
        if self.scale > _LARGEST_LISTED_SCALE:
            return np.asarray(exact + np.rint(rng.normal(0.0, self.scale, size=exact.shape)))
        reach = math.ceil(40.0 * self.scale)
        steps = np.arange(-reach, reach + 1.0)
        cumulative = np.cumsum(self.probability(steps))
        places = np.searchsorted(cumulative, rng.random(size=exact.shape) * cumulative[-1], side="right")
        return np.asarray(exact + steps[places])

    def _searched_quantile(self, guess: int, allowed: float) -> int:
        low, high = -1, guess + 2
        while self._log_tail(float(high)) > allowed:
            low, high = high, 2 * high + 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._log_tail(float(middle)) <= allowed else (middle, high)
        return high

    def _log_tail(self, t: npt.ArrayLike) -> Array:
        return np.minimum(math.log(2.0) + log_tail(self.scale, np.asarray(t, dtype=np.float64) + 1.0), 0.0)


def _square_above(l2_sensitivity: float) -> Fraction:
    """Never below the square of a length that was rounded to this float."""
    if l2_sensitivity == math.floor(l2_sensitivity):
        return Fraction(l2_sensitivity) ** 2
    return Fraction(math.nextafter(l2_sensitivity, math.inf)) ** 2


def _scale_of(rho: float, l2_sensitivity: float) -> float:
    """Least scale whose exact rho is at most the one given."""
    require_positive("rho", rho)
    scale = l2_sensitivity / math.sqrt(2.0 * rho)
    while _square_above(l2_sensitivity) > 2 * Fraction(rho) * Fraction(scale) ** 2:
        scale = math.nextafter(scale, math.inf)
    return scale


def _up(value: Fraction) -> float:
    nearest = float(value)
    return nearest if nearest >= value else math.nextafter(nearest, math.inf)
