"""What Gaussian noise reveals, in logarithms: the one place for its profile and both inverses.

With shift = 1 / noise_multiplier, near = epsilon / shift - shift / 2 and far = near + shift,
delta = 1/2 e^(-near^2 / 2) [erfcx(near / sqrt 2) - erfcx(far / sqrt 2)].
Source: Balle and Wang 2018, Theorem 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import overload

import numpy as np
import numpy.typing as npt
from scipy.special import erfc, erfcx, ndtr, ndtri

from dpengine.errors import InvalidParameterError
from dpengine.losses.arrays import Array, Flags, by_case, exponential_up, numbers, plain
from dpengine.losses.curves import equal_error_rate, profile, trade_off
from dpengine.privacy import GaussianEvent

_LEAST_DELTA = 1e-300
_LAST_DIGIT = float(np.finfo(np.float64).eps)
_SMALLEST_SHIFT, _LARGEST_SOLVED_SHIFT, _LARGEST_SHIFT, _LARGEST_EPSILON = 1e-305, 1e150, 2e150, 1e300
_ROOT_2, _ROOT_2_OVER_PI = math.sqrt(2.0), math.sqrt(2.0 / math.pi)
_NODES, _WEIGHTS = (part[:, None] / 2.0 for part in np.polynomial.legendre.leggauss(9))
_LAST_STEP, _MOST_STEPS = 1e-5, 20
"""Standard deviations: the cube of a step as short as this is below the last digit. Four steps are the most seen."""
_MARGIN = 1.5
"""How many times what roundings can hide is added to epsilon at once, so that raising it seldom has work left."""


@overload
def gaussian_log_delta(*, noise_multiplier: float, epsilon: float) -> float: ...
@overload
def gaussian_log_delta(*, noise_multiplier: npt.ArrayLike, epsilon: npt.ArrayLike) -> Array: ...
def gaussian_log_delta(*, noise_multiplier: npt.ArrayLike, epsilon: npt.ArrayLike) -> float | Array:
    """ln delta(epsilon) of one run, for epsilon >= 0; finite where delta itself is below 1e-308."""
    points = numbers("epsilon", epsilon, 0.0)
    return plain(_log_delta(_shift(noise_multiplier), points))


@overload
def gaussian_epsilon(*, noise_multiplier: float, delta: float) -> float: ...
@overload
def gaussian_epsilon(*, noise_multiplier: npt.ArrayLike, delta: npt.ArrayLike) -> Array: ...
def gaussian_epsilon(*, noise_multiplier: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """Smallest epsilon that holds at delta; never below the truth, infinite at delta 0 or where it is above 1e299."""
    shift, wanted = np.broadcast_arrays(_shift(noise_multiplier), numbers("delta", delta, 0.0, 1.0))
    solvable = (wanted > 0.0) & (wanted < 1.0) & (shift <= _LARGEST_SOLVED_SHIFT)
    epsilon = np.where(wanted == 1.0, 0.0, np.inf)
    epsilon[solvable] = _solved_epsilon(shift[solvable], wanted[solvable])
    return plain(epsilon)


@overload
def gaussian_noise_multiplier(*, epsilon: float, delta: float) -> float: ...
@overload
def gaussian_noise_multiplier(*, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> Array: ...
def gaussian_noise_multiplier(*, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """Least noise multiplier that keeps (epsilon, delta), epsilon >= 0; rounded up, never too little noise."""
    wanted = numbers("delta", delta, _LEAST_DELTA, 1.0)
    if np.any(wanted == 1.0):
        raise InvalidParameterError("delta", delta, "a finite number below 1")
    points, wanted = np.broadcast_arrays(np.minimum(numbers("epsilon", epsilon, 0.0), _LARGEST_EPSILON), wanted)
    target = np.log(wanted)
    log_shift = _solve_log_shift(points, target)
    return plain(raised_until(np.exp(-log_shift), lambda raised: _delta_above(_shift(raised), points) > wanted))


def scaled_tail_difference(near: Array, shift: Array) -> Array:
    """erfcx(near / sqrt 2) - erfcx((near + shift) / sqrt 2) for near >= -1: nothing cancels."""
    near, shift = np.broadcast_arrays(near, shift)
    small = is_small(shift, near)
    return by_case((near, shift), (small, _small_difference), (~small, _large_difference))


def gaussian_log_delta_above(shift: Array, epsilon: Array) -> Array:
    """ln delta(epsilon) of two normal laws `shift` standard deviations apart; never below the truth."""
    near = _near(shift, epsilon)
    log_delta = _log_delta_at(shift, near)
    return np.asarray(log_delta + rounding_of_log_delta(log_delta, near, near + shift))


def _delta_above(shift: Array, epsilon: Array) -> Array:
    return exponential_up(gaussian_log_delta_above(shift, epsilon))


def rounding_of_log_delta(log_delta: Array, near: Array, far: Array) -> Array:
    """All that roundings can hide in ln delta, so that the truth, and e to it, are never above the sum.

    The terms: the final exponential, the tails' own digits, the logarithm's, and `near`, whose last digit is that of
    `far` and counts with the normal hazard rate (which also covers what cancels in `_descent`). Half as much again
    as the largest error seen in 46,000 points against mpmath.
    """
    hazard = _ROOT_2_OVER_PI / _scaled_tail(near)
    digits = 1.0 + 24.0 * np.minimum(-log_delta, 1.0) - 2.0 * log_delta + 4.0 * hazard * far
    return np.asarray(_LAST_DIGIT * digits)


def raised_until(value: Array, violates: Callable[[Array], npt.NDArray[np.bool_]], least: npt.ArrayLike = 0.0) -> Array:
    """The value, raised by as few last digits, of itself or of `least`, as make the promise hold on this machine."""
    step = _LAST_DIGIT
    while np.any(bad := violates(value)):
        value = np.where(bad, value + step * np.maximum(value, least), value)
        step *= 2.0
    return value


@profile.register
def _profile(event: GaussianEvent, epsilon: Array) -> Array:
    return _delta_above(_shift(event.noise_multiplier), epsilon)


@trade_off.register
def _trade_off(event: GaussianEvent, false_positive_rate: Array) -> Array:
    """Source: Dong, Roth, Su 2022, section 2.2."""
    return np.asarray(ndtr(-ndtri(false_positive_rate) - _shift(event.noise_multiplier)))


@equal_error_rate.register
def _equal_error_rate(event: GaussianEvent) -> float:
    return float(ndtr(-_shift(event.noise_multiplier) / 2.0))


def _shift(noise_multiplier: npt.ArrayLike) -> Array:
    """The distance of the two laws in standard deviations; what is clipped changes no digit of any delta."""
    noise = numbers("noise_multiplier", noise_multiplier)
    if np.any(noise <= 0.0):
        raise InvalidParameterError("noise_multiplier", noise_multiplier, "a finite number above 0")
    return np.asarray(np.clip(1.0 / np.maximum(noise, 1.0 / _LARGEST_SHIFT), _SMALLEST_SHIFT, _LARGEST_SHIFT))


def _near(shift: Array, epsilon: Array) -> Array:
    """The edge in standard deviations: from there on an output gives more than epsilon away."""
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum(np.minimum(epsilon, _LARGEST_EPSILON) / shift, _LARGEST_SHIFT) - shift / 2.0)


def _log_delta(shift: Array, epsilon: Array) -> Array:
    return _log_delta_at(shift, _near(shift, epsilon))


def _log_delta_at(shift: Array, near: Array) -> Array:
    """ln delta by the edge; only the rule that a place needs is computed there."""
    shift, near = np.broadcast_arrays(shift, near)
    high = np.maximum(near, -1.0)
    log_delta = np.asarray(np.log(0.5 * np.maximum(scaled_tail_difference(high, shift), 1e-320)) - high**2 / 2.0)
    low = (near < 0.0) & ~is_small(shift, near)
    if np.any(low):
        log_delta[low] = _log_delta_of_large(shift[low], near[low])
    return log_delta


def _log_delta_of_large(shift: Array, near: Array) -> Array:
    """The same by what does not count, where that is the smaller part."""
    kept = 0.5 * erfc(-near / _ROOT_2) + 0.5 * np.exp(-(near**2) / 2.0) * _scaled_tail(near + shift)
    return np.asarray(np.log1p(-np.minimum(kept, 0.99)))


def is_small(shift: Array, near: Array) -> Flags:
    """Whether the difference of the tails would lose digits of them; nine nodes are enough for its integral then."""
    return np.asarray(shift <= 0.5 * np.maximum(1.0, near + shift / 2.0))


def _scaled_tail(x: Array) -> Array:
    """e^(x^2 / 2) times twice the normal tail beyond x."""
    return np.asarray(erfcx(x / _ROOT_2))


def _small_difference(near: Array, shift: Array) -> Array:
    """_scaled_tail(near) - _scaled_tail(near + shift) as the integral of its slope: nothing cancels."""
    nodes = near[..., None, :] + (_NODES + 0.5) * shift[..., None, :]
    return np.asarray(shift * np.sum(_WEIGHTS * _descent(nodes), axis=-2))


def _large_difference(near: Array, shift: Array) -> Array:
    return _scaled_tail(near) - _scaled_tail(near + shift)


def _descent(x: Array) -> Array:
    """Minus the slope of _scaled_tail: sqrt(2 / pi) - x _scaled_tail(x), by its asymptotic series beyond 50."""
    descent, far = np.asarray(_ROOT_2_OVER_PI - x * _scaled_tail(x)), x > 50.0
    if np.any(far):
        inverse = 1.0 / x[far] ** 2
        series = inverse * (1.0 - inverse * (3.0 - inverse * (15.0 - inverse * (105.0 - inverse * 945.0))))
        descent[far] = _ROOT_2_OVER_PI * series
    return descent


def _solved_epsilon(shift: Array, delta: Array) -> Array:
    """Sought by its edge, which is at least half a shift below 0; each place stops by itself."""
    goal, least = np.log(delta), -shift / 2.0
    near = np.maximum(_first_edge(shift, delta), least)
    moving = np.arange(near.size)
    for _ in range(_MOST_STEPS):
        before = near[moving]
        near[moving] = np.maximum(before + _step(shift[moving], before, goal[moving]), least[moving])
        moving = moving[np.abs(near[moving] - before) > _LAST_STEP]
        if not moving.size:
            break
    slack = _MARGIN * rounding_of_log_delta(goal, near, near + shift)
    near = near + np.where(near > least, slack / _steepness(shift, near, goal), 0.0)
    epsilon = np.maximum(shift * (near + shift / 2.0), 0.0)
    return raised_until(epsilon, lambda raised: _delta_above(shift, raised) > delta, least=shift)


def _first_edge(shift: Array, delta: Array) -> Array:
    """A step from the edge at which the farther tail would count nothing, with c / (x + sqrt(x^2 + c^2)) for tails."""
    near = -ndtri(delta)
    far = near + shift
    root_near, root_far = np.hypot(near, 2.0 * _ROOT_2_OVER_PI), np.hypot(far, 2.0 * _ROOT_2_OVER_PI)
    share = (near + root_near) / (far + root_far)
    rest = shift * (1.0 + (near + far) / (root_near + root_far)) / (far + root_far)
    slope = shift * share / rest
    return near + _to_root(np.log(rest), slope, slope - near - (root_far - far) / 2.0)


def _step(shift: Array, near: Array, goal: Array) -> Array:
    """From an edge towards that of the goal; ln delta is nearly minus the square of the edge, whose parabola is exact.

    Of an error less than its cube is left.
    """
    far, log_delta = near + shift, _log_delta_at(shift, near)
    slope = _steepness(shift, near, log_delta)
    beyond = np.clip(_ROOT_2_OVER_PI / _scaled_tail(far) - far, 0.0, 1.0 / far)
    return _to_root(log_delta - goal, slope, slope - near - beyond)


def _to_root(excess: Array, slope: Array, bend: Array) -> Array:
    """From 0 to the nearer root of excess = slope (x + bend x^2 / 2), or towards its summit where it has none."""
    newton = excess / slope
    return np.asarray(2.0 * newton / (1.0 + np.sqrt(np.maximum(1.0 + 2.0 * bend * newton, 0.0))))


def _steepness(shift: Array, near: Array, log_delta: Array) -> Array:
    """Minus the slope of ln delta in the edge: shift e^epsilon P(N > far) / delta."""
    return np.asarray(np.exp(np.log(0.5 * shift * _scaled_tail(near + shift)) - near**2 / 2.0 - log_delta))


def _solve_log_shift(epsilon: Array, target: Array) -> Array:
    """ln of the shift at which ln delta meets the target: Newton's steps, kept inside a bracket."""
    reach = np.sqrt(-2.0 * target)
    low = np.log(np.maximum(2.0 * epsilon / (reach + np.sqrt(reach**2 + 2.0 * epsilon)), 2.5 * np.exp(target)))
    high = low + 1.0
    while np.any(short := _log_delta(np.exp(high), epsilon) <= target):
        high = np.where(short, 2.0 * high - low, high)
    point = low
    for _ in range(200):
        excess, slope = _excess_and_slope(np.exp(point), epsilon, target)
        low, high = np.where(excess <= 0.0, point, low), np.where(excess > 0.0, point, high)
        step = point - excess / slope
        step = np.where((step > low) & (step < high), step, (low + high) / 2.0)
        settled, point = np.all(np.abs(step - point) <= 1e-15 * np.maximum(1.0, np.abs(point))), step
        if settled or np.all(high - low <= 1e-15 * np.maximum(1.0, np.abs(low))):
            break
    return np.asarray(point)


def _excess_and_slope(shift: Array, epsilon: Array, target: Array) -> tuple[Array, Array]:
    """ln delta - target, and its slope in ln shift: shift * density(near) / delta."""
    near = _near(shift, epsilon)
    log_delta = _log_delta_at(shift, near)
    log_slope = np.log(shift) - near**2 / 2.0 - 0.5 * math.log(2.0 * math.pi) - log_delta
    return log_delta - target, np.exp(np.clip(log_slope, -700.0, 700.0))
