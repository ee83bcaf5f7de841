"""What continuous Laplace noise reveals."""

from __future__ import annotations

import math

import numpy as np

from dpengine.losses.arrays import Array, below_top, raised
from dpengine.losses.curves import equal_error_rate, profile, trade_off
from dpengine.privacy import LaplaceEvent
from dpengine.privacy.rounding import loss_of_noise

_LN_HALF = -math.log(2.0)
_HUGE = 1e300


@profile.register
def _profile(event: LaplaceEvent, epsilon: Array) -> Array:
    """1 - e^((epsilon - epsilon0) / 2) below epsilon0 = 1 / noise_multiplier, else 0.

    Source: Balle, Barthe, Gaboardi 2018, Theorem 3.
    """
    return raised(0.0 - np.expm1(-below_top(loss_of_noise(event.noise_multiplier), epsilon) / 2.0))


@trade_off.register
def _trade_off(event: LaplaceEvent, false_positive_rate: Array) -> Array:
    """1 - e^m x, then e^-m / (4x), then e^-m (1 - x), with m = 1 / noise_multiplier: the likelihood-ratio tests.

    Source: Dong, Roth, Su 2022, section 2 (the curve of two shifted Laplace laws).
    """
    shift = min(1.0 / event.noise_multiplier, _HUGE)
    with np.errstate(divide="ignore"):
        log_rate = np.log(false_positive_rate)
    steep = -np.expm1(np.minimum(log_rate + shift, 0.0))
    middle = np.exp(2.0 * _LN_HALF - shift - np.maximum(log_rate, _LN_HALF - shift))
    flat = np.exp(-shift) * (1.0 - false_positive_rate)
    return np.where(log_rate < _LN_HALF - shift, steep, np.where(log_rate <= _LN_HALF, middle, flat))


@equal_error_rate.register
def _equal_error_rate(event: LaplaceEvent) -> float:
    return 0.5 * math.exp(-0.5 / event.noise_multiplier)
