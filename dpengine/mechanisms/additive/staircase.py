"""Staircase noise: the least mean error of all noise for one number under pure privacy; it shows from epsilon 3 on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dpengine.errors import InvalidParameterError, named, require_between, require_positive, require_whole
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.inversion import edge
from dpengine.mechanisms.additive.protocol import log_share_of_misses
from dpengine.privacy import PureEvent

_LEAST_EPSILON, _LARGEST_EPSILON, _LARGEST_SENSITIVITY = 1e-4, 600.0, 1e150


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class StaircaseMechanism:
    """Adds noise whose density falls in steps: by e^-epsilon once in every sensitivity, first at `step` of it.

    Sensitivity in the unit of the answer and of one coordinate: in a vector neighbors may differ in one coordinate
    only, because even a small shift can cross a step in each. Epsilon from 0.0001 (where it is Laplace noise to the
    eye) to 600. For mathematics and pictures: what is released is discrete. Source: Geng and Viswanath 2014.
    """

    epsilon: float
    l1_sensitivity: float

    def __post_init__(self) -> None:
        require_between("epsilon", self.epsilon, _LEAST_EPSILON, _LARGEST_EPSILON)
        require_positive("l1_sensitivity", self.l1_sensitivity)
        require_between("l1_sensitivity", self.l1_sensitivity, 1.0 / _LARGEST_SENSITIVITY, _LARGEST_SENSITIVITY)

    @classmethod
    def from_error(
        cls, error: float, *, confidence: float, coordinates: int = 1, l1_sensitivity: float = 1.0
    ) -> StaircaseMechanism:
        """The most noise, so the least epsilon of at least 0.0001, whose error_quantile is at most `error`.

        Raises InvalidParameterError where not even epsilon 600 is enough.
        """
        require_positive("error", error)

        def too_wrong(epsilon: float) -> bool:
            mechanism = cls(epsilon=epsilon, l1_sensitivity=l1_sensitivity)
            return mechanism.error_quantile(confidence, coordinates) > error

        return cls(epsilon=_least_epsilon("error", error, too_wrong), l1_sensitivity=l1_sensitivity)

    @classmethod
    def from_expected_error(cls, expected_absolute_error: float, *, l1_sensitivity: float = 1.0) -> StaircaseMechanism:
        """The most noise, so the least epsilon of at least 0.0001, whose mean error is at most this.

        Raises InvalidParameterError where not even epsilon 600 is enough.
        """
        require_positive("expected_absolute_error", expected_absolute_error)

        def too_wrong(epsilon: float) -> bool:
            mechanism = cls(epsilon=epsilon, l1_sensitivity=l1_sensitivity)
            return mechanism.expected_absolute_error > expected_absolute_error

        least = _least_epsilon("expected_absolute_error", expected_absolute_error, too_wrong)
        return cls(epsilon=least, l1_sensitivity=l1_sensitivity)

    @property
    def event(self) -> PureEvent:
        return PureEvent(epsilon=self.epsilon)

    @property
    def step(self) -> float:
        """Where in each sensitivity the density falls: 1 / (1 + e^(epsilon / 2)), best for the mean absolute error."""
        return float(expit(-self.epsilon / 2.0))

    @property
    def expected_absolute_error(self) -> float:
        """sensitivity e^(epsilon / 2) / (e^epsilon - 1): never more than Laplace noise's sensitivity / epsilon."""
        return self.l1_sensitivity / (2.0 * math.sinh(self.epsilon / 2.0))

    @property
    def standard_deviation(self) -> float:
        """Its square is the mean of (whole sensitivities, geometric, plus the place within one)^2."""
        decay, left, step = math.exp(-self.epsilon), -math.expm1(-self.epsilon), self.step
        place, square = ((step**power + decay * (1.0 - step**power)) / power / self._high_share for power in (2.0, 3.0))
        wholes = decay / left
        return self.l1_sensitivity * math.sqrt(wholes * (1.0 + decay) / left + 2.0 * wholes * place + square)

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: the integral of the tail, straight between its steps."""
        wholes, place = self._split(numbers("cap", cap, 0.0))
        high, low = np.minimum(place, self.step), np.maximum(place - self.step, 0.0)
        at_start, at_high, at_place = (self._outside(np.zeros_like(place), x) for x in (0.0, high, place))
        within = (high * (at_start + at_high) + low * (at_high + at_place)) / 2.0
        before = -self.expected_absolute_error * np.expm1(-wholes * self.epsilon)
        return like(cap, before + self.l1_sensitivity * np.exp(-wholes * self.epsilon) * within)

    def density(self, x: Numbers) -> Numbers:
        """Of the noise at x."""
        wholes, place = self._split(np.abs(numbers("x", x)))
        steps = wholes + (place >= self.step)
        height = -math.expm1(-self.epsilon) / (2.0 * self.l1_sensitivity * self._high_share)
        return like(x, height * np.exp(-steps * self.epsilon))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t); an equality, not a bound."""
        return like(t, self._outside(*self._split(np.maximum(numbers("t", t, infinite=True), 0.0))))

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """The half-width that all coordinates obey at once with this confidence; exact, not the union bound."""
        log_misses = log_share_of_misses(confidence, coordinates)
        wholes = math.floor(-log_misses / self.epsilon)
        left = math.exp(log_misses + wholes * self.epsilon)
        decay = math.exp(-self.epsilon)
        beyond = max(left - decay, 0.0) * self._high_share / -math.expm1(-self.epsilon)
        low = decay * (1.0 - self.step)
        place = 1.0 - beyond / decay if beyond <= low else self.step - (beyond - low)
        return self.l1_sensitivity * (wholes + min(max(place, 0.0), 1.0))

    def expected_largest_error(self, coordinates: int) -> float:
        """The integral of P(largest error > t): a power of a straight line on each step, so exact but for rounding."""
        require_whole("coordinates", coordinates)
        wholes = np.arange(math.ceil((math.log(coordinates) + 45.0) / self.epsilon) + 1.0)
        over = np.append(np.stack([self._outside(wholes, place) for place in (0.0, self.step)], axis=1).ravel(), 0.0)
        lengths = np.tile([self.step, 1.0 - self.step], wholes.size)
        return float(np.sum(_any_over(over[:-1], over[1:], coordinates) * lengths)) * self.l1_sensitivity

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer for pictures only; never a release."""
        exact = numbers("answer", answer)
        wholes = np.floor(rng.exponential(1.0 / self.epsilon, size=exact.shape))
        high = rng.uniform(size=exact.shape) < self.step / self._high_share
        uniform = rng.uniform(size=exact.shape)
        place = np.where(high, uniform * self.step, self.step + uniform * (1.0 - self.step))
        sign = np.where(rng.uniform(size=exact.shape) < 0.5, -1.0, 1.0)
        return np.asarray(exact + sign * (wholes + place) * self.l1_sensitivity)

    @property
    def _high_share(self) -> float:
        """Mass of one sensitivity's length, the higher part of its density taken as 1."""
        return self.step + math.exp(-self.epsilon) * (1.0 - self.step)

    def _outside(self, wholes: Array, place: Array | float) -> Array:
        """P(|noise| > wholes + place), in sensitivities."""
        decay = math.exp(-self.epsilon)
        high = np.maximum(self.step - place, 0.0) + decay * (1.0 - np.maximum(place, self.step))
        within = -math.expm1(-self.epsilon) * high / self._high_share
        return np.asarray(np.minimum(np.exp(-wholes * self.epsilon) * (within + decay), 1.0))

    def _split(self, size: Array) -> tuple[Array, Array]:
        """Whole sensitivities, and the place within the next one in [0, 1)."""
        with np.errstate(over="ignore"):
            steps = np.minimum(size / self.l1_sensitivity, 1e300)
        wholes = np.floor(steps)
        return wholes, steps - wholes


def _least_epsilon(name: str, error: float, too_wrong: Callable[[float], bool]) -> float:
    if not too_wrong(_LEAST_EPSILON):
        return _LEAST_EPSILON
    if too_wrong(_LARGEST_EPSILON):
        raise InvalidParameterError(name, error, f"larger: not even epsilon {_LARGEST_EPSILON:g} is enough")
    return edge(_LEAST_EPSILON, _LARGEST_EPSILON, too_wrong)[1]


def _any_over(first: Array, last: Array, coordinates: int) -> Array:
    """Mean of 1 - (1 - p)^coordinates for p that falls evenly from first to last; by 4 nodes where it is small."""
    count = coordinates + 1.0
    with np.errstate(divide="ignore"):
        shares = [-np.expm1(count * np.log1p(-p)) / count for p in (first, last)]
    nodes, weights = np.polynomial.legendre.leggauss(4)
    small = np.zeros_like(first)
    for node, weight in zip((nodes + 1.0) / 2.0, weights / 2.0, strict=True):
        point = np.minimum(last + (first - last) * node, 0.5)
        small = small + weight * -np.expm1(coordinates * np.log1p(-point))
    even = first * count < 0.01
    return np.asarray(np.where(even, small, 1.0 - (shares[0] - shares[1]) / np.where(even, 1.0, first - last)))
