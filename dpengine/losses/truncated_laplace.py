"""What Laplace noise that is cut off and renormalized reveals, for every cut.

With scale b and cut T in units of the sensitivity, m = 1 / b and c = T / b, the likelihood ratio of the two laws never
falls along the line, so the best tests are thresholds and nothing else. Outputs that only one of the two worlds can
give keep delta above a floor; from a cut of half a sensitivity downward the worlds have nothing in common.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpengine.losses.arrays import Array, below_top, raised
from dpengine.losses.curves import equal_error_rate, profile, trade_off
from dpengine.privacy import TruncatedLaplaceEvent
from dpengine.privacy.rounding import loss_of_noise

_SMALLEST, _LARGEST, _LARGEST_CUT = 1e-300, 1e300, 1e305
_LESS = 1.0 - 4.0 * float(np.finfo(np.float64).eps)
"""The last digits of a cut far out are many of those of its floor."""


@profile.register
def _profile(event: TruncatedLaplaceEvent, epsilon: Array) -> Array:
    """[2 (1 - e^((x - m) / 2)) + e^-c (e^x - 1)] / (2 (1 - e^-c)) at x = min(epsilon, m, 2c - m); a floor beyond.

    At m and for a cut of a sensitivity or more the floor is (e^m - 1) / (2 (e^c - 1)). Nothing cancels.
    Source: Geng, Ding, Guo, Kumar 2020, Theorem 1, for the floor; the rest is the integral of the two densities.
    """
    noise, cut = _noise(event), _cut(event)
    loss = loss_of_noise(noise)
    last = min(loss, max(2.0 * event.truncation - 1.0, 0.0) / noise)
    point = np.minimum(epsilon, last)
    twice = -2.0 * np.expm1(-below_top(loss, point) / 2.0) - np.exp(point - cut * _LESS) * np.expm1(-point)
    return raised(twice / (-2.0 * np.expm1(-cut)))


@trade_off.register
def _trade_off(event: TruncatedLaplaceEvent, false_positive_rate: Array) -> Array:
    """P(Z <= z - 1) at the threshold z with P(Z > z) = x; below 1 even without a false alarm.

    Source: Neyman and Pearson 1933.
    """
    cut = _cut(event)
    low = np.minimum(false_positive_rate, 1.0 - false_positive_rate)
    depth = truncated_quantile(low, cut)
    threshold = np.where(false_positive_rate <= 0.5, -depth, depth)
    return truncated_cumulative(threshold - 1.0 / _noise(event), cut)


@equal_error_rate.register
def _equal_error_rate(event: TruncatedLaplaceEvent) -> float:
    """Both errors are P(Z < -1/2)."""
    return float(truncated_cumulative(-0.5 / _noise(event), _cut(event)))


def truncated_cumulative(z: npt.ArrayLike, cut: float) -> Array:
    """P(Z <= z) of the law with density proportional to e^-|z| on [-cut, cut]."""
    points = np.clip(z, -cut, cut)
    below = np.exp(-np.abs(points)) * np.expm1(np.abs(points) - cut) / (2.0 * np.expm1(-cut))
    return np.asarray(np.where(points <= 0.0, below, 1.0 - below))


def truncated_quantile(probability: npt.ArrayLike, cut: float) -> Array:
    """The z <= 0 with P(Z <= z) = probability, for probabilities up to 1/2; keeps its digits for every cut."""
    if cut <= 1.0:
        return np.asarray(np.log1p(-np.expm1(-cut) * (2.0 * np.asarray(probability) - 1.0)))
    with np.errstate(divide="ignore"):
        return np.asarray(np.logaddexp(-cut, np.log(probability) + np.log(-2.0 * np.expm1(-cut))))


def _noise(event: TruncatedLaplaceEvent) -> float:
    """The noise multiplier; what is clipped changes no digit of any delta."""
    return min(max(event.noise_multiplier, _SMALLEST), _LARGEST)


def _cut(event: TruncatedLaplaceEvent) -> float:
    """The cut in scales; below half a sensitivity every cut reveals the same, all."""
    return min(max(event.truncation, 0.5) / _noise(event), _LARGEST_CUT)
