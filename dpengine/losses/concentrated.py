"""From rho to (epsilon, delta) and back: the tight conversion of zero-concentrated differential privacy."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dpengine.errors import require_between
from dpengine.losses.arrays import Array
from dpengine.privacy import Guarantee

_LARGEST_RHO = 1e300


def concentrated_epsilon(rho: Array, delta: npt.ArrayLike) -> Array:
    """Epsilon at delta of rho: the tight conversion, never negative; infinite for a rho above 1e300.

    Either may be an array. Source: Canonne, Kamath, Steinke 2020, Proposition 12.
    """
    rho, wanted = np.broadcast_arrays(np.asarray(rho, dtype=np.float64), np.asarray(delta, dtype=np.float64))
    inside = np.where((wanted > 0.0) & (wanted < 1.0), wanted, 0.5)
    known = np.minimum(rho, _LARGEST_RHO)
    epsilon = np.maximum(_tight_epsilon(known, inside, _excess_order(known, inside)), 0.0)
    epsilon = np.where(wanted == 0.0, np.inf, np.where(wanted == 1.0, 0.0, epsilon))
    return np.where((rho > _LARGEST_RHO) & (wanted < 1.0), np.inf, np.where(rho > 0.0, epsilon, 0.0))


def rho_from_guarantee(guarantee: Guarantee) -> float:
    """The largest rho whose tight conversion at the guarantee's delta stays within its epsilon; rounded down.

    The conversion is concave in rho with the best order as its slope, so Newton's steps from below never pass the root.
    Raises InvalidParameterError unless delta is inside (0, 1).
    """
    require_between("delta", guarantee.delta, 0.0, 1.0, open_at="both")
    delta, wanted = np.array(guarantee.delta), guarantee.epsilon
    root = math.sqrt(-math.log(guarantee.delta))
    rho = np.array((wanted / (math.sqrt(root * root + wanted) + root)) ** 2)
    for _ in range(100):
        excess_order = _excess_order(rho, delta)
        step = (wanted - _tight_epsilon(rho, delta, excess_order)) / (1.0 + excess_order)
        rho = np.maximum(rho + step, 0.0)
        if abs(step) <= 1e-16 * rho:
            break
    rho, shrink = np.minimum(rho, _LARGEST_RHO), float(np.finfo(np.float64).eps)
    while concentrated_epsilon(rho, delta) > wanted:
        rho, shrink = rho * (1.0 - shrink), 2.0 * shrink
    return float(rho)


def _tight_epsilon(rho: Array, delta: Array, excess_order: Array) -> Array:
    """The conversion at order 1 + excess_order, before it is clipped at 0; an upper bound at every order."""
    left = (-np.log(delta) - np.log1p(excess_order)) / excess_order
    return np.asarray(rho * (1.0 + excess_order) - np.log1p(1.0 / excess_order) + left)


def _excess_order(rho: Array, delta: Array) -> Array:
    """Best order minus 1: the root u of rho u^2 + ln(1 + u) = ln(1/delta), where the conversion has slope 0.

    Convex and increasing in ln u, so Newton's steps from above never pass the root.
    """
    goal, log_rho = -np.log(delta), np.log(np.maximum(rho, 1e-300))
    point = np.minimum(0.5 * (np.log(goal) - log_rho), goal + np.log1p(-delta))
    for _ in range(100):
        quadratic = np.exp(2.0 * point + log_rho)
        step = (quadratic + np.logaddexp(0.0, point) - goal) / (2.0 * quadratic + expit(point))
        point = point - step
        if np.all(np.abs(step) <= 1e-12):
            break
    return np.asarray(np.exp(point))
