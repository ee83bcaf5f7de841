"""The least discrete Gaussian noise that keeps a promise, by its own exact profile."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dpengine.errors import InvalidParameterError, require_between, require_non_negative, require_whole
from dpengine.losses.arrays import Array
from dpengine.losses.curves import delta_of
from dpengine.losses.discrete_gaussian import discrete_gaussian_log_delta
from dpengine.losses.discrete_gaussian_tails import NARROW
from dpengine.privacy import DiscreteGaussianEvent
from dpengine.privacy.rounding import noise_multiplier_of

_LEAST_DELTA, _LARGEST_EPSILON = 1e-300, 1e12
_POINTS_PER_STEP, _FEWEST, _MOST = 8, 200, 4000
_SPREAD, _CLOSING_IN = 40, 10.0 ** -np.arange(1.0, 13.0)
"""How many points are looked at between two ends, and how far from where a line between them meets 0."""

Excess = Callable[[Array], Array]
"""ln of delta over the promised one at multiples of the noise: above 0 where the promise is broken."""


def discrete_gaussian_scale(*, epsilon: float, delta: float, sensitivity: int) -> float:
    """Least scale in grid steps that keeps (epsilon, delta) and above which no scale breaks it again.

    On coarse grids the loss does not fall steadily with more noise: small scales that keep the promise by accident,
    below others that break it, are passed over. Rounded up to a float whose own event keeps the promise; epsilon
    above 1e12 counts as 1e12.
    """
    require_non_negative("epsilon", epsilon)
    require_between("delta", delta, _LEAST_DELTA, 1.0, open_at="upper")
    require_whole("sensitivity", sensitivity)
    least = _least_noise(min(float(epsilon), _LARGEST_EPSILON), float(delta), int(sensitivity))
    scale = least * int(sensitivity)
    if not math.isfinite(scale):
        raise InvalidParameterError("epsilon", epsilon, "large enough for a finite scale")
    while not _keeps(scale, int(sensitivity), float(epsilon), float(delta)):
        scale = math.nextafter(scale, math.inf)
    return scale


def _keeps(scale: float, sensitivity: int, epsilon: float, delta: float) -> bool:
    """By the very profile that a release is checked with."""
    event = DiscreteGaussianEvent(noise_multiplier=noise_multiplier_of(scale, sensitivity), sensitivity=sensitivity)
    return delta_of(event, epsilon=epsilon) <= delta


@lru_cache(maxsize=4096)
def _least_noise(epsilon: float, delta: float, sensitivity: int) -> float:
    def excess(noise: Array) -> Array:
        found = np.exp(discrete_gaussian_log_delta(noise, sensitivity, epsilon))
        return np.asarray(np.log(np.maximum(found, _LEAST_DELTA) / delta))

    near = _enough_continuous(epsilon, delta)
    if near * sensitivity >= 2.0 * NARROW:
        return _last_violation(excess, *_bracket_around(excess, near))
    return _last_violation(excess, *_bracket_below(excess, _surely_enough(epsilon, delta, near), epsilon, sensitivity))


def _enough_continuous(epsilon: float, delta: float) -> float:
    """Continuous noise that keeps the promise, by the normal tail alone or by its total variation."""
    reach = math.sqrt(-2.0 * math.log(delta))
    return 1.0 / max(2.0 * epsilon / (reach + math.sqrt(reach * reach + 2.0 * epsilon)), 2.5 * delta)


def _bracket_around(excess: Excess, high: float) -> tuple[float, float]:
    """On a grid this fine the loss falls steadily, and is close to that of continuous noise."""
    low = 0.7 * high
    while True:
        broken = excess(np.array([low, high])) > 0.0
        if broken[0] and not broken[1]:
            return low, high
        low, high = (high, 1.1 * high) if broken[1] else (0.5 * low, low)


def _surely_enough(epsilon: float, delta: float, near: float) -> float:
    """Noise whose rho alone keeps the promise, as does all larger noise; at most 16 times the continuous one.

    Source: Bun and Steinke 2016, Proposition 1.3.
    """
    goal = -math.log(delta)
    noise = (math.sqrt(goal + epsilon) + math.sqrt(goal)) / (math.sqrt(2.0) * epsilon) if epsilon > 0.0 else math.inf
    return max(noise * (1.0 + 1e-9), near) if noise < 16.0 * near else 16.0 * near


def _bracket_below(excess: Excess, high: float, epsilon: float, sensitivity: int) -> tuple[float, float]:
    """The last place where the promise is broken, among points of which several fall between any two kinks."""
    while True:
        low = high / 4.0
        kinks = epsilon * sensitivity * (high * high - low * low)
        count = int(np.clip(_POINTS_PER_STEP * min(kinks, _MOST), _FEWEST, _MOST))
        points = high * np.sqrt(np.linspace(0.0625, 1.0, count))
        broken = np.flatnonzero(excess(points) > 0.0)
        if broken.size:
            last = int(broken[-1])
            return float(points[last]), float(points[min(last + 1, count - 1)])
        high = float(points[0])


def _last_violation(excess: Excess, low: float, high: float) -> float:
    """Least number above the last violation between one that violates and one that does not, to the last digit."""
    ends = excess(np.array([low, high]))
    while math.nextafter(low, high) < high:
        points = _points_between(low, high, ends)
        found = np.concatenate([ends[:1], excess(points[1:-1]), ends[1:]])
        last = int(np.flatnonzero(found[:-1] > 0.0)[-1])
        (low, high), ends = points[last : last + 2].tolist(), found[last : last + 2]
    return high


def _points_between(low: float, high: float, ends: Array) -> Array:
    """Evenly spread from end to end, and closing in from both sides on where a straight line meets 0."""
    width = high - low
    root = low + width * float(ends[0] / (ends[0] - ends[1]))
    near = np.concatenate([root - width * _CLOSING_IN, root + width * _CLOSING_IN])
    return np.unique(np.concatenate([np.linspace(low, high, _SPREAD), np.clip(near, low, high)]))
