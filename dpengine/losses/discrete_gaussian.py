"""What discrete Gaussian noise on a grid reveals when the neighbor shifts one coordinate by `sensitivity` steps.

With scale = noise_multiplier * sensitivity, edge = epsilon scale^2 / sensitivity - sensitivity / 2 and `least` the
first whole number above edge, delta = P(Z >= least) - e^epsilon P(Z >= least + sensitivity), which is
P(Z = least) [T(least) - T(least + sensitivity) + (1 - e^-w) T(least + sensitivity)] with the scaled tail T and
w = (least - edge) sensitivity / scale^2: positive terms alone. Never below the truth; above it by at most 2e-11 of
itself and by what lowering epsilon + sensitivity^2 / (2 scale^2) by 8 last digits (2e-15 of it) changes, which beside
an edge of narrow noise is much of a tiny delta; by at most 1e-8 of itself for scales from 2^20 on, where continuous
noise and a bound on the sum take its place.
For delta down to 1e-300. Source: Canonne, Kamath, Steinke 2020, Theorem 7.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from dpengine.errors import InvalidParameterError, require_kind
from dpengine.losses import discrete_gaussian_tails as tails
from dpengine.losses.arrays import Array, Flags, by_case, exponential_up, numbers
from dpengine.losses.curves import delta_of, equal_error_rate, profile, trade_off
from dpengine.losses.gaussian import (
    gaussian_epsilon,
    gaussian_log_delta_above,
    is_small,
    raised_until,
    rounding_of_log_delta,
)
from dpengine.privacy import DiscreteGaussianEvent

_FINE, _CLEARLY = 2.0**20, 1.0 + 1e-9
_LOG_FINE = math.log(_FINE)
_DIGITS_OF_TAILS = 1e-12
_EDGE_DIGITS = 4.0 * float(np.finfo(np.float64).eps)
"""The edge is counted as that much lower: an edge a last digit too high forgets a whole atom."""
_SMALLEST_SHIFT, _LARGEST, _NOTHING, _LEAST_RATE = 1e-305, 1e150, 1e-300, 1e-320
_MORE = 1.0 + 1e-12
_LAST_DIGITS = 1e-14
_MOST_STEPS = 200


@profile.register
def _profile(event: DiscreteGaussianEvent, epsilon: Array) -> Array:
    return exponential_up(discrete_gaussian_log_delta(event.noise_multiplier, event.sensitivity, epsilon))


def discrete_gaussian_log_delta(noise_multiplier: npt.ArrayLike, sensitivity: int, epsilon: npt.ArrayLike) -> Array:
    """ln delta at epsilon >= 0, never below the truth; noise multiplier and epsilon may be arrays.

    Beside the loss of an output it may be the truth of an epsilon that is 8 last digits smaller.
    """
    shift, points = np.broadcast_arrays(_shift(noise_multiplier), numbers("epsilon", epsilon, 0.0))
    fine = _log_scale(shift, sensitivity) >= _LOG_FINE
    found = by_case(
        (shift, points),
        (fine, partial(_fine_log_delta, sensitivity=sensitivity)),
        (~fine, partial(_coarse_log_delta, sensitivity=sensitivity)),
    )
    return np.minimum(found, 0.0)


def discrete_gaussian_log_deltas(noise_multipliers: Array, sensitivity: int, epsilons: Array) -> Array:
    """ln delta of a row of noise multipliers at each epsilon, to the last digit as that of its different ones alone.

    Sums of several terms depend in their last digits on what is asked together: only rows that take one rule each
    throughout are computed together, and all others by themselves.
    """
    found = np.empty(noise_multipliers.shape)
    alone = np.ones(len(epsilons), dtype=bool)
    for together in _of_one_rule(noise_multipliers, sensitivity, epsilons) if len(epsilons) > 1 else ():
        if np.count_nonzero(together) > 1:
            some = noise_multipliers[together]
            found[together] = discrete_gaussian_log_delta(some, sensitivity, epsilons[together, None])
            alone &= ~together
    for row in np.flatnonzero(alone):
        different, place = np.unique(noise_multipliers[row], return_inverse=True)
        found[row] = discrete_gaussian_log_delta(different, sensitivity, epsilons[row])[place]
    return found


def _of_one_rule(noise_multipliers: Array, sensitivity: int, epsilons: Array) -> tuple[Flags, Flags]:
    """Which rows lie on fine grids, and which on coarse ones, that are clearly on one side of every other border.

    Not those of one noise many times, which is a single value.
    """
    ends = np.stack([np.min(noise_multipliers, axis=1), np.max(noise_multipliers, axis=1)], axis=1)
    shift = _shift(ends)
    scale, near = sensitivity / shift, _near(shift, epsilons[:, None])
    least, most = scale[:, 0] / _CLEARLY, scale[:, 1] * _CLEARLY
    differ = (ends[:, 0] < ends[:, 1]) | (noise_multipliers.shape[1] == 1)
    small = differ & is_small(shift[:, 0] * _CLEARLY, near[:, 0])
    smooth = tails.is_smooth(least, most * (near[:, 1] + shift[:, 0]) + 1.0)
    return small & (least >= _FINE), small & smooth & (most < _FINE) & (near[:, 0] > 0.0)


def discrete_gaussian_epsilon(event: DiscreteGaussianEvent, delta: npt.ArrayLike) -> Array:
    """Smallest epsilon that holds at each delta; never below the truth, rounded up, infinite at delta 0."""
    require_kind("event", event, DiscreteGaussianEvent)
    wanted = numbers("delta", delta, 0.0, 1.0)
    solvable = (wanted > 0.0) & (wanted < delta_of(event, epsilon=0.0))
    found = np.where(wanted > 0.0, 0.0, np.inf)
    if np.any(solvable):
        found[solvable] = _solved(event, wanted[solvable])
    return found


@trade_off.register
def _trade_off(event: DiscreteGaussianEvent, false_positive_rate: Array) -> Array:
    """Straight lines between the tests "noisy answer >= t": false positives P(Z >= t), misses P(Z > sensitivity - t).

    From scale 2^20 on that of continuous noise with 1e-12 less of it, which is never above and at most 1e-9 of itself
    below. Source: Neyman and Pearson 1933.
    """
    shift = _shift(event.noise_multiplier)
    if _log_scale(shift, event.sensitivity) >= _LOG_FINE:
        return np.asarray(ndtr(-ndtri(false_positive_rate) - shift * _MORE))
    inside = np.where(false_positive_rate < 1.0, np.maximum(false_positive_rate, _LEAST_RATE), 0.5)
    misses = _straight_lines(float(shift), event.sensitivity, np.log(inside))
    return np.where(false_positive_rate == 0.0, 1.0, np.where(false_positive_rate == 1.0, 0.0, misses))


@equal_error_rate.register
def _equal_error_rate(event: DiscreteGaussianEvent) -> float:
    """A corner of the curve for an odd sensitivity, the middle of a line of slope -1 for an even one."""
    shift = _shift(event.noise_multiplier)
    if _log_scale(shift, event.sensitivity) >= _LOG_FINE:
        return float(ndtr(-shift * _MORE / 2.0))
    ends = np.array([(event.sensitivity + 1) // 2, event.sensitivity // 2 + 1], dtype=np.float64)
    return float(np.mean(np.exp(tails.log_tail(event.sensitivity / shift, ends))))


def _shift(noise_multiplier: npt.ArrayLike) -> Array:
    """The distance of the two laws in scales."""
    noise = numbers("noise_multiplier", noise_multiplier)
    if np.any(noise <= 0.0):
        raise InvalidParameterError("noise_multiplier", noise_multiplier, "a finite number above 0")
    return np.asarray(np.clip(1.0 / np.maximum(noise, 1.0 / _LARGEST), _SMALLEST_SHIFT, _LARGEST))


def _log_scale(shift: Array, sensitivity: int) -> Array:
    return np.asarray(math.log(sensitivity) - np.log(shift))


def _near(shift: Array, epsilon: Array) -> Array:
    """The edge in scales: from there on an output gives more than epsilon away."""
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum(epsilon / shift, _LARGEST) - shift / 2.0)


def _coarse_log_delta(shift: Array, epsilon: Array, sensitivity: int) -> Array:
    scale, near = sensitivity / shift, _near(shift, epsilon)
    edge = scale * (near - _EDGE_DIGITS * (near + shift))
    least = np.floor(edge) + 1.0
    short = np.clip((least - edge) * (shift / scale), 0.0, shift / scale)
    log_delta = _log_delta_from(shift, least, short, sensitivity)
    slack = 4.0 * rounding_of_log_delta(log_delta, np.maximum(near, -1.0), near + shift)
    return np.asarray(log_delta + slack + _DIGITS_OF_TAILS * np.minimum(1.0, -16.0 * log_delta))


def _log_delta_from(shift: Array, least: Array, short: Array, sensitivity: int) -> Array:
    """ln delta by the least whole number that counts, and by how much its loss is above epsilon (`short`)."""

    def counted(scale: Array, least: Array, short: Array) -> Array:
        fall, tail = tails.scaled_tails(scale, least, np.full(scale.shape, float(sensitivity)))
        terms = np.maximum(fall - np.expm1(-short) * tail, _NOTHING)
        return np.minimum(tails.log_probability(scale, least) + np.log(terms), 0.0)

    def left_out(scale: Array, least: Array, short: Array) -> Array:
        beyond = np.log(tails.scaled_tail(scale, least + sensitivity))
        lost = np.exp(tails.log_probability(scale, least) - short + beyond)
        kept = lost + np.exp(tails.log_tail(scale, 1.0 - least))
        return np.asarray(np.log1p(-np.minimum(kept, 0.99)))

    scale = sensitivity / shift
    high = least >= -scale
    return by_case((scale, least, short), (high, counted), (~high, left_out))


def _fine_log_delta(shift: Array, epsilon: Array, sensitivity: int) -> Array:
    """Of continuous noise, and what a sum over whole numbers can be above its integral.

    That is 1/16 of the total variation of the summand's slope: at most 3/8 shift / scale^2 e^((1 - near^2) / 2), with
    near at least 1. Source: Euler and Maclaurin, with the second Bernoulli function between -1/12 and 1/6.
    """
    return np.logaddexp(gaussian_log_delta_above(shift, epsilon), _log_excess_of_sum(shift, epsilon, sensitivity))


def _log_excess_of_sum(shift: Array, epsilon: Array, sensitivity: int) -> Array:
    near = np.maximum(_near(shift, epsilon), 1.0)
    return np.asarray(
        math.log(0.375) + np.log(shift) - 2.0 * _log_scale(shift, sensitivity) + (1.0 - near) * (1.0 + near) / 2.0
    )


def _solved(event: DiscreteGaussianEvent, delta: Array) -> Array:
    """Solved for the profile as it is computed, roundings and excess included: only last digits are left to raise."""
    shift, target = _shift(event.noise_multiplier), np.log(delta)
    fine = _log_scale(shift, event.sensitivity) >= _LOG_FINE
    start = gaussian_epsilon(noise_multiplier=event.noise_multiplier, delta=delta)
    known = np.isfinite(start)
    start = np.minimum(start, _LARGEST)
    first = start if fine else _between_edges(float(shift), event.sensitivity, target, start)
    excess = discrete_gaussian_log_delta(event.noise_multiplier, event.sensitivity, first) - target
    less = target - np.clip(excess + _LAST_DIGITS, 0.0, 1e-6)
    if fine:
        solved = gaussian_epsilon(noise_multiplier=event.noise_multiplier, delta=np.exp(less))
    else:
        solved = _between_edges(float(shift), event.sensitivity, less, first)
    solved = np.where(known, solved, np.inf)
    return raised_until(
        solved, lambda x: known & (delta_of(event, epsilon=np.where(known, x, 0.0)) > delta), least=shift
    )


def _between_edges(shift: float, sensitivity: int, target: Array, start: Array) -> Array:
    """Between neighboring edges delta is linear in e^epsilon: they are sought from the start, the rest is solved."""
    scale = sensitivity / shift
    edge = np.floor(scale * _near(np.array(shift), start)) + 1.0
    lowest = math.floor(-sensitivity / 2.0) + 1.0
    edge = np.maximum(edge, lowest)
    for _ in range(_MOST_STEPS):
        up = _log_delta_at_edge(shift, sensitivity, edge) > target
        down = ~up & (edge > lowest)
        down[down] = _log_delta_at_edge(shift, sensitivity, edge[down] - 1.0) <= target[down]
        if not np.any(up | down):
            break
        edge = edge + up - down
    return _solved_below_edge(shift, sensitivity, target, edge)


def _log_delta_at_edge(shift: float, sensitivity: int, edge: Array) -> Array:
    """ln delta at the epsilon that output `edge` gives away; each whole number is computed once."""
    distinct, place = np.unique(edge, return_inverse=True)
    each = np.full(distinct.shape, shift)
    return _log_delta_from(each, distinct, np.zeros(distinct.shape), sensitivity)[place.reshape(edge.shape)]


def _solved_below_edge(shift: float, sensitivity: int, target: Array, edge: Array) -> Array:
    """Epsilon at which ln delta meets the target, for edges whose epsilon is the next one above it."""
    scale, whole = np.full(edge.shape, sensitivity / shift), shift * shift / sensitivity
    at_edge = shift * (edge / scale + shift / 2.0)
    fall, tail = tails.scaled_tails(scale, np.maximum(edge, -scale), np.full(edge.shape, float(sensitivity)))
    with np.errstate(over="ignore"):
        wanted = np.exp(np.minimum(target - tails.log_probability(scale, edge), 700.0))
    short = -np.log1p(-np.clip((wanted - fall) / tail, 0.0, 1.0 - 1e-16))
    solved = at_edge - np.clip(short, 0.0, whole)
    left = np.maximum(np.exp(tails.log_tail(scale, edge)) - np.exp(target), _NOTHING)
    low = np.clip(np.log(left) - tails.log_tail(scale, edge + sensitivity), at_edge - whole, at_edge)
    return np.asarray(np.maximum(np.where(edge >= -scale, solved, low), 0.0))


def _straight_lines(shift: float, sensitivity: int, log_rate: Array) -> Array:
    """Misses on the line between the tests at t and t + 1 whose false positives enclose the rate."""
    scale = sensitivity / shift
    test = np.floor(-scale * ndtri(np.exp(log_rate) * (1.0 - 1e-16)) + 0.5)
    for _ in range(_MOST_STEPS):
        up = tails.log_tail(scale, test + 1.0) > log_rate
        down = tails.log_tail(scale, test) < log_rate
        if not np.any(up | down):
            break
        test = test + up - down
    beyond = tails.log_tail(scale, test)
    ratio = np.exp(np.minimum(beyond + shift * (test / scale - shift / 2.0), 1.0))
    on_line = -np.expm1(np.minimum(log_rate - beyond, 0.0)) * ratio
    return np.asarray(np.exp(tails.log_tail(scale, sensitivity + 1.0 - test)) + on_line)
