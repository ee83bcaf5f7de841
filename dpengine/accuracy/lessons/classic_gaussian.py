"""The Gaussian formula of course notes, at every epsilon: the delta that its noise really has, and where it fails."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from dpengine.errors import require_between
from dpengine.losses import gaussian_log_delta
from dpengine.losses.arrays import Array, numbers
from dpengine.mechanisms.additive.gaussian import classic_noise_multiplier

PROVED_UP_TO = 1.0
_LEAST_EPSILON, _LEAST_DELTA, _FAILS_BELOW = 1e-9, 1e-300, 1e3


def classic_log_delta(epsilon: npt.ArrayLike, *, delta: float) -> Array:
    """ln of the true delta, at each epsilon, of the noise that the formula asks for there to keep `delta`.

    It grows with epsilon: its slope in m = epsilon / c, with c = sqrt(2 ln(1.25 / delta)), is
    phi(m / 2 - c) [1 - c P(N > m / 2 + c) / phi(m / 2 + c)], and P(N > x) < phi(x) / x.
    Source: Balle and Wang 2018, Theorem 8.
    """
    require_between("delta", delta, _LEAST_DELTA, 1.0, open_at="upper")
    points = numbers("epsilon", epsilon, _LEAST_EPSILON)
    multiplier = classic_noise_multiplier(epsilon=points, delta=delta)
    return np.asarray(gaussian_log_delta(noise_multiplier=multiplier, epsilon=points))


def classic_fails_from(delta: float) -> float:
    """The epsilon up to which the formula holds and beyond which it fails, to 12 digits: the true delta only grows."""

    def excess(epsilon: float) -> float:
        return float(classic_log_delta(epsilon, delta=delta)) - math.log(delta)

    return float(brentq(excess, PROVED_UP_TO, _FAILS_BELOW, rtol=1e-13))
