"""What the exponential mechanism reveals, of which only the range of its losses is known: losses t and t - epsilon.

One pair of worlds has one t, and the worst t depends on what the attacker asks; these are the bounds over all of them,
each of which some exponential mechanism meets.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from dpengine.losses.arrays import Array, below_top, raised
from dpengine.losses.curves import equal_error_rate, profile, trade_off
from dpengine.privacy import BoundedRangeEvent


@profile.register
def _profile(event: BoundedRangeEvent, epsilon: Array) -> Array:
    """(e^(E/2) - e^(x/2))^2 / (e^E - 1) up to E, the event's epsilon, met at t = (E + x) / 2; then 0.

    Source: Dong, Durfee, Rogers 2020, section 3 (generalized randomized response), maximized over t.
    """
    if event.epsilon == 0.0:
        return np.zeros_like(epsilon)
    return raised(np.expm1(-below_top(event.epsilon, epsilon) / 2.0) ** 2 / -np.expm1(-event.epsilon))


@trade_off.register
def _trade_off(event: BoundedRangeEvent, false_positive_rate: Array) -> Array:
    """(1 - x) / (1 - x + x e^E): in log-odds, a shift by E. Never above the misses of any attacker.

    Source: Dong, Durfee, Rogers 2020, section 3: the corners of all pairs lie on it.
    """
    return np.asarray(expit(-logit(false_positive_rate) - event.epsilon))


@equal_error_rate.register
def _equal_error_rate(event: BoundedRangeEvent) -> float:
    return float(expit(-event.epsilon / 2.0))
