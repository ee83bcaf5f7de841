"""From rho to (epsilon, delta) and back: the tight conversion of zero-concentrated differential privacy.

Order 1 + u is best at epsilon = (1 + 2u) rho - ln(1 + 1/u), where delta = e^(-u^2 rho) / (1 + u).
Seen as a test, a false alarm rate x and a power y keep sqrt(ln 1/x) - sqrt(ln 1/y) <= sqrt(rho).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dpengine.errors import require_between
from dpengine.losses.arrays import Array, raised
from dpengine.losses.curves import equal_error_rate, profile, trade_off
from dpengine.privacy import ConcentratedEvent, Guarantee, require_guarantee

_LARGEST_RHO = 1e300
_LARGEST_WITH_LINE = 100.0
"""Beyond this rho the line of the profile is 1 to the last digit."""
_HALVINGS, _LAST_DIGITS = 90, 4.0 * float(np.finfo(np.float64).eps)
_LARGEST_EXCESS, _MOST_STEPS, _ENOUGH_DIGITS = 1e152, 60, 1e-6
"""Newton's last step doubles its digits, and the bound has twice as many as the order."""


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
    require_guarantee("guarantee", guarantee)
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


@profile.register
def _profile(event: ConcentratedEvent, epsilon: Array) -> Array:
    """The least bound over all orders; below the equal errors a line in e^epsilon: what keeps that point keeps no more.

    Never below the truth, non-increasing and convex. Source: Canonne, Kamath, Steinke 2020, Proposition 12; for the
    line Kairouz, Oh, Viswanath 2015, section 3 (the dominating pair).
    """
    rho = min(event.rho, _LARGEST_RHO)
    if rho == 0.0:
        return np.zeros_like(epsilon)
    curve = _least_over_orders(rho, epsilon)
    if rho > _LARGEST_WITH_LINE:
        return curve
    excess_order = math.exp(_log_distance_of_equal_errors(rho)) / math.sqrt(rho)
    last = max((1.0 + 2.0 * excess_order) * rho - math.log1p(1.0 / excess_order), 0.0)
    at_last = float(_least_over_orders(rho, np.asarray(last)))
    line = at_last + (1.0 - at_last) * expit(last) * -np.expm1(np.minimum(epsilon - last, 0.0))
    return np.where(epsilon < last, raised(line), np.minimum(curve, at_last))


@trade_off.register
def _trade_off(event: ConcentratedEvent, false_positive_rate: Array) -> Array:
    """1 - e^-(sqrt(ln 1/x) - sqrt(rho))^2 up to the equal error rate, then e^-(sqrt(ln 1/(1 - x)) + sqrt(rho))^2.

    Never above the truth. Source: the dual of the profile; both halves are the least power over all orders.
    """
    root = math.sqrt(event.rho)
    with np.errstate(divide="ignore", over="ignore"):
        alarms, silences = np.sqrt(-np.log(false_positive_rate)), np.sqrt(-np.log1p(-false_positive_rate))
        steep = -np.expm1(-(np.maximum(alarms - root, 0.0) ** 2))
        return np.asarray(np.maximum(steep, np.exp(-((silences + root) ** 2))))


@equal_error_rate.register
def _equal_error_rate(event: ConcentratedEvent) -> float:
    """Where the two halves of the curve meet; never above the truth."""
    if event.rho == 0.0:
        return 0.5
    return -math.expm1(-math.exp(2.0 * _log_distance_of_equal_errors(min(event.rho, _LARGEST_RHO))))


def _log_distance_of_equal_errors(rho: float) -> float:
    """ln s of the root of sqrt(ln 1/x) - s = sqrt(rho) with x = 1 - e^(-s^2), rounded down: there u = s / sqrt(rho).

    The left side falls as s grows, from infinity to 0 at sqrt(ln 2).
    """
    root, most = math.sqrt(rho), math.sqrt(math.log(2.0))
    low, high = -((root + most) ** 2) / 2.0, math.log(most)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        log_rate = 2.0 * middle if middle < -20.0 else math.log(-math.expm1(-math.exp(2.0 * middle)))
        low, high = (middle, high) if math.sqrt(-log_rate) - math.exp(middle) >= root else (low, middle)
    return low


def _least_over_orders(rho: float, epsilon: Array) -> Array:
    """The bound at the best order 1 + u, with all that its roundings can hide.

    ln delta = u (u rho - (epsilon - rho)) - u ln(1 + 1/u) - ln(1 + u), a bound at every u.
    """
    u = _best_excess_orders(rho, epsilon)
    with np.errstate(over="ignore"):
        terms = u * np.log1p(1.0 / u) + np.log1p(u)
        gap = epsilon - rho
        size = np.minimum(1.0 + u * (u * rho + np.abs(gap)) + terms, 1e300)
        return np.asarray(np.exp(np.minimum(u * (u * rho - gap) - terms + _LAST_DIGITS * size, 0.0)))


def _best_excess_orders(rho: float, epsilon: Array) -> Array:
    """The root u of (1 + 2 u) rho - ln(1 + 1/u) = epsilon, to as many digits as its bound can show.

    The left side is convex in ln u from the root on, so Newton's steps from above never pass it; above it is the root
    with 1/u for ln(1 + 1/u).
    """
    gap, reach = epsilon - rho, np.hypot(epsilon - rho, math.sqrt(8.0 * rho))
    with np.errstate(over="ignore"):
        above = np.where(gap > 0.0, gap / rho / 4.0 + reach / rho / 4.0, 2.0 / (reach - np.minimum(gap, 0.0)))
        u = np.clip(above, 1.0 / _LARGEST_EXCESS, _LARGEST_EXCESS)
        for _ in range(_MOST_STEPS):
            linear = 2.0 * rho * u
            step = (linear - np.log1p(1.0 / u) - gap) / (linear + 1.0 / (1.0 + u))
            last, u = u, np.clip(u * np.exp(-step), 1.0 / _LARGEST_EXCESS, _LARGEST_EXCESS)
            if np.all(np.abs(u - last) <= _ENOUGH_DIGITS * last):
                break
    return np.asarray(u)


def _tight_epsilon(rho: Array, delta: Array, excess_order: Array) -> Array:
    """The conversion at order 1 + excess_order, before it is clipped at 0, rounded up; a bound at every order."""
    price, total = -np.log(delta) / excess_order, rho * (1.0 + excess_order)
    discount = np.log1p(excess_order) / excess_order + np.log1p(1.0 / excess_order)
    return np.asarray(total - discount + price + _LAST_DIGITS * (total + discount + price))


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
