"""What one run of an event reveals: its privacy profile and its trade-off curve, one rule per law.

Every law registers its own `profile`, `trade_off` and `equal_error_rate`; an event that none knows is refused.
All pairs here are symmetric: the two neighboring tables may change places.
"""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from dpengine.errors import UnsupportedEventError
from dpengine.losses.arrays import Array, Numbers, like, numbers, raised
from dpengine.privacy import Event, require_event


def delta_of(event: Event, *, epsilon: Numbers) -> Numbers:
    """Smallest delta for which one run is (epsilon, delta)-differentially private: its privacy profile.

    Scalar or array in, the same out; never below the truth, 0 where that is 0. Negative epsilon is allowed: at
    ln((1 - prior) / prior) the profile gives an attacker's best success, and for a symmetric pair
    delta(-x) = 1 - e^-x (1 - delta(x)).
    Raises UnsupportedEventError. Source: Balle, Barthe, Gaboardi 2018, section 2.
    """
    points = numbers("epsilon", epsilon)
    size = np.abs(points)
    delta = profile(event, size)
    return like(epsilon, np.where(points < 0.0, raised(np.exp(-size) * delta - np.expm1(-size)), delta))


def false_negative_rate(event: Event, *, false_positive_rate: Numbers) -> Numbers:
    """Least share of misses of any attacker who raises false alarms at this rate: the trade-off curve of one run.

    Scalar or array in, the same out. Raises UnsupportedEventError. Source: Dong, Roth, Su 2022, section 2.1.
    """
    rates = numbers("false_positive_rate", false_positive_rate, 0.0, 1.0)
    return like(false_positive_rate, np.clip(trade_off(event, rates), 0.0, 1.0))


@singledispatch
def profile(event: Event, epsilon: Array) -> Array:
    """The privacy profile of one law at epsilon >= 0; never below the truth."""
    require_event("event", event)
    raise UnsupportedEventError(event, "The privacy profile")


@singledispatch
def trade_off(event: Event, false_positive_rate: Array) -> Array:
    """The trade-off curve of one law, for rates in [0, 1]."""
    require_event("event", event)
    raise UnsupportedEventError(event, "The trade-off curve")


@singledispatch
def equal_error_rate(event: Event) -> float:
    """The rate at which an attacker's false alarms and misses are equally frequent; 1/2 is blind guessing.

    Raises UnsupportedEventError.
    """
    require_event("event", event)
    raise UnsupportedEventError(event, "The equal error rate")
