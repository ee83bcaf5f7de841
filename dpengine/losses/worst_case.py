"""What a mechanism may reveal of which only its guarantee is known: the worst case, met by randomized response."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from dpengine.losses.arrays import Array, below_top, raised
from dpengine.losses.curves import equal_error_rate, profile, trade_off
from dpengine.privacy import ApproximateEvent, PureEvent, RandomizedResponseEvent


@profile.register
def _approximate_profile(event: ApproximateEvent, epsilon: Array) -> Array:
    """delta0 + (1 - delta0) (e^epsilon0 - e^epsilon) / (1 + e^epsilon0) below epsilon0, then delta0.

    Source: Kairouz, Oh, Viswanath 2015, section 3 (the dominating pair).
    """
    above = expit(event.epsilon) * -np.expm1(-below_top(event.epsilon, epsilon))
    return np.where(above > 0.0, raised(event.delta + (1.0 - event.delta) * above), event.delta)


@trade_off.register
def _approximate_trade_off(event: ApproximateEvent, false_positive_rate: Array) -> Array:
    """max(0, 1 - delta - e^epsilon x, e^-epsilon (1 - delta - x)). Source: Wasserman and Zhou 2010, Theorem 2.4."""
    with np.errstate(divide="ignore"):
        log_rate = np.log(false_positive_rate)
    steep = 1.0 - event.delta - np.exp(np.minimum(log_rate + event.epsilon, 1.0))
    flat = math.exp(-event.epsilon) * (1.0 - event.delta - false_positive_rate)
    return np.maximum(0.0, np.maximum(steep, flat))


@equal_error_rate.register
def _approximate_equal_error_rate(event: ApproximateEvent) -> float:
    return (1.0 - event.delta) * float(expit(-event.epsilon))


@profile.register
def _pure_profile(event: PureEvent | RandomizedResponseEvent, epsilon: Array) -> Array:
    return _approximate_profile(ApproximateEvent(epsilon=event.epsilon, delta=0.0), epsilon)


@trade_off.register
def _pure_trade_off(event: PureEvent | RandomizedResponseEvent, false_positive_rate: Array) -> Array:
    return _approximate_trade_off(ApproximateEvent(epsilon=event.epsilon, delta=0.0), false_positive_rate)


@equal_error_rate.register
def _pure_equal_error_rate(event: PureEvent | RandomizedResponseEvent) -> float:
    return float(expit(-event.epsilon))
