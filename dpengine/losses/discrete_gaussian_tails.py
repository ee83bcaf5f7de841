"""Tails of the discrete Gaussian, P(Z = z) proportional to e^(-z^2 / (2 scale^2)) on the whole numbers.

Everything is built from the scaled tail, the sum over j >= 0 of e^(-(j^2 / 2 + j x) / scale^2), which is
P(Z >= x) / P(Z = x): summed term by term where the terms fall fast, by Euler and Maclaurin's formula where they fall
slowly. Both are right to 1e-13 of themselves, and so is the difference of two of them, which is never subtracted.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import erfcx

from dpengine.losses.arrays import Array, Flags
from dpengine.losses.gaussian import scaled_tail_difference

NARROW, _WIDE = 16.0, 100.0
"""Below the first every sum is short; above the second two scaled tails differ by much if they need different rules."""
_FAST = 0.4
"""Decay of the terms per step from which their sum is short."""
_NEGLIGIBLE = 40.0
_CORRECTIONS = (1.0 / 12.0, -1.0 / 720.0, 1.0 / 30240.0, -1.0 / 1209600.0, 1.0 / 47900160.0, -691.0 / 1307674368e3)
"""Bernoulli numbers over factorials."""
_HUGE = 1e300
_ROOT_HALF, _ROOT_HALF_PI = math.sqrt(0.5), math.sqrt(math.pi / 2.0)


def log_probability(scale: Array, z: Array) -> Array:
    """ln P(Z = z) for whole z."""
    with np.errstate(over="ignore"):
        return np.asarray(-((z / scale) ** 2) / 2.0 - log_normalizer(scale))


def log_tail(scale: npt.ArrayLike, least: npt.ArrayLike) -> Array:
    """ln P(Z >= least) for whole numbers of either sign; an equality."""
    scales, points = np.broadcast_arrays(np.asarray(scale, dtype=np.float64), np.asarray(least, dtype=np.float64))
    positive = np.where(points > 0.0, points, 1.0 - points)
    log_beyond = np.minimum(log_probability(scales, positive) + np.log(scaled_tail(scales, positive)), 0.0)
    return np.where(points > 0.0, log_beyond, np.log1p(-np.minimum(np.exp(log_beyond), 0.75)))


@np.errstate(over="ignore")
def scaled_tail(scale: Array, x: Array) -> Array:
    """P(Z >= x) / P(Z = x), for x >= -scale - 1."""
    found = np.empty(np.shape(x))
    summed = (scale < NARROW) | (x / scale > _FAST * scale)
    if np.any(summed):
        found[summed] = _terms(scale[summed], x[summed])[0].sum(axis=-1)
    smooth = ~summed
    found[smooth] = _integral(scale[smooth], x[smooth]) + 0.5 + _corrections(scale[smooth], x[smooth])
    return found


@np.errstate(over="ignore")
def scaled_tails(scale: Array, x: Array, shift: Array) -> tuple[Array, Array]:
    """scaled_tail(x) - scaled_tail(x + shift), without loss, and scaled_tail(x + shift)."""
    beyond = x + shift
    near, far = (x / scale <= _FAST * scale), (beyond / scale <= _FAST * scale)
    smooth = near & is_smooth(scale, beyond)
    apart = (scale >= _WIDE) & near & ~far
    if np.all(smooth):
        return _smooth_tails(scale, x, shift)
    difference, tail = np.empty(np.shape(x)), np.empty(np.shape(x))
    for where, rule in ((smooth, _smooth_tails), (apart, _tails_apart), (~(smooth | apart), _summed_tails)):
        if np.any(where):
            difference[where], tail[where] = rule(scale[where], x[where], shift[where])
    return difference, tail


def is_smooth(scale: Array, x: Array) -> Flags:
    """Whether the terms from x on fall slowly, on a grid that is fine enough: then no sum is needed there."""
    return np.asarray((scale >= NARROW) & (x / scale <= _FAST * scale))


def log_normalizer(scale: Array) -> Array:
    """ln of the sum of e^(-z^2 / (2 scale^2)); that of sqrt(2 pi) scale from 4 on, to 1e-130 of itself."""
    wide = np.log(scale) + 0.5 * math.log(2.0 * math.pi)
    if np.all(scale >= 4.0):
        return np.asarray(wide)
    distinct, place = np.unique(np.minimum(scale, 4.0), return_inverse=True)
    with np.errstate(over="ignore"):
        terms = np.exp(-((np.arange(1.0, 40.0) / distinct[:, None]) ** 2) / 2.0)
    narrow = np.log1p(2.0 * terms.sum(axis=-1))[place.reshape(np.shape(scale))]
    return np.where(scale < 4.0, narrow, wide)


def _smooth_tails(scale: Array, x: Array, shift: Array) -> tuple[Array, Array]:
    near, width = x / scale, shift / scale
    integral = _ROOT_HALF_PI * scale * scaled_tail_difference(near, width)
    bend, far_bend = _bends(scale, x), _bends(scale, x + shift)
    tail = _integral(scale, x + shift) + 0.5 + _slope(scale, x + shift) + far_bend
    return integral - _slope(scale, shift) + (bend - far_bend), tail


def _tails_apart(scale: Array, x: Array, shift: Array) -> tuple[Array, Array]:
    tail = scaled_tail(scale, x + shift)
    return scaled_tail(scale, x) - tail, tail


def _summed_tails(scale: Array, x: Array, shift: Array) -> tuple[Array, Array]:
    terms, fall = _terms(scale, x, shift)
    return -(terms * np.expm1(-fall)).sum(axis=-1), (terms * np.exp(-fall)).sum(axis=-1)


def _terms(scale: Array, x: Array, shift: Array | float = 0.0) -> tuple[Array, Array]:
    """e^(-(j^2 / 2 + j x) / scale^2) and j shift / scale^2 for j = 0, 1, ...: one row per scale, last terms 4e-18."""
    with np.errstate(over="ignore"):
        reach = np.max(2.0 * _NEGLIGIBLE * scale / (np.hypot(x / scale, math.sqrt(2.0 * _NEGLIGIBLE)) + x / scale))
        steps = np.arange(math.ceil(reach) + 2.0)
        y, width, part = (np.minimum(np.abs(v), _HUGE) * np.sign(v) for v in (x / scale, shift / scale, 1.0 / scale))
        decay = (steps * part[..., None] / 2.0 + y[..., None]) * (steps * part[..., None])
        return np.exp(-decay), steps * part[..., None] * np.asarray(width)[..., None]


def _integral(scale: Array, x: Array) -> Array:
    return np.asarray(_ROOT_HALF_PI * scale * erfcx(_ROOT_HALF * x / scale))


def _corrections(scale: Array, x: Array) -> Array:
    """The sum of coefficient He_(2p - 1)(x / scale) / scale^(2p - 1) over p = 1, 2, ..."""
    return _slope(scale, x) + _bends(scale, x)


def _slope(scale: Array, x: Array) -> Array:
    """Its first term, which is linear in x."""
    return np.asarray(_CORRECTIONS[0] * x / scale / scale)


def _bends(scale: Array, x: Array) -> Array:
    """All its other terms."""
    decay, unit = x / scale / scale, 1.0 / scale / scale
    before, value, total = np.ones(np.shape(x)), decay, np.zeros(np.shape(x))
    for order, coefficient in zip((1.0, 3.0, 5.0, 7.0, 9.0), _CORRECTIONS[1:], strict=True):
        before = decay * value - order * unit * before
        value = decay * before - (order + 1.0) * unit * value
        total = total + coefficient * value
    return total
