"""What two-sided geometric noise on a grid reveals.

Throughout, a step is one grid step, q = e^(-1 / scale in steps), and the neighbor shifts the answer by `sensitivity`
steps of one coordinate. A shift spread over several coordinates, of the same l1 size, reveals no more (tested).
"""

from __future__ import annotations

import math

import numpy as np

from dpengine.losses.arrays import Array, below_top, raised
from dpengine.losses.curves import equal_error_rate, profile, trade_off
from dpengine.privacy import DiscreteLaplaceEvent
from dpengine.privacy.rounding import loss_of_noise

_HUGE = 1e300


@profile.register
def _profile(event: DiscreteLaplaceEvent, epsilon: Array) -> Array:
    """P(Z <= m) - e^epsilon P(Z <= m - sensitivity) at the best whole m, as a sum of two positive terms.

    With x = (epsilon0 - epsilon) scale / 2 and m = floor(x) it is [(1 - q^(2x - m)) + q (1 - q^m)] / (1 + q):
    nothing cancels. Source: the likelihood-ratio set of Ghosh, Roughgarden, Sundararajan 2009's mechanism.
    """
    step = _loss_of_one_step(event)
    above = below_top(_loss(event), epsilon)
    edge = np.floor(above / (2.0 * step)) * step
    q = math.exp(-step)
    return raised((-np.expm1(-(above - edge)) - q * np.expm1(-edge)) / (1.0 + q))


@trade_off.register
def _trade_off(event: DiscreteLaplaceEvent, false_positive_rate: Array) -> Array:
    """Straight lines between the tests "noisy answer >= j" for j = 1 .. sensitivity, and on to (0, 1) and (1, 0).

    At j: false positives q^j / (1 + q), misses q^(sensitivity + 1 - j) / (1 + q). Source: Neyman and Pearson 1933.
    """
    step, loss = _loss_of_one_step(event), _loss(event)
    q = math.exp(-step)
    with np.errstate(divide="ignore"):
        depth = -math.log1p(q) - np.log(false_positive_rate)
    test = np.clip(np.floor(np.clip(depth, 0.0, 2.0 * loss) / step), 0.0, float(event.sensitivity))
    beyond = q - np.expm1(test * step - depth)
    return np.exp(-np.maximum(loss - test * step, 0.0)) * beyond / (1.0 + q)


@equal_error_rate.register
def _equal_error_rate(event: DiscreteLaplaceEvent) -> float:
    """A corner of the curve for an odd sensitivity, the middle of a line of slope -1 for an even one."""
    step = _loss_of_one_step(event)
    if event.sensitivity % 2 == 0:
        return 0.5 * math.exp(-0.5 * event.sensitivity * step)
    return math.exp(-0.5 * (event.sensitivity + 1) * step) / (1.0 + math.exp(-step))


def _loss(event: DiscreteLaplaceEvent) -> float:
    return min(loss_of_noise(event.noise_multiplier), _HUGE)


def _loss_of_one_step(event: DiscreteLaplaceEvent) -> float:
    return min(1.0 / event.noise_multiplier / event.sensitivity, _HUGE)
