"""Privacy noise plus a normal sampling error: the law of the sum, never the sum of two intervals."""

from __future__ import annotations

import math
from functools import lru_cache, singledispatch

import numpy as np
import scipy
from scipy.special import erfcx, ndtr

from dpengine.accuracy.laws.law import Array
from dpengine.accuracy.laws.noise import NoiseError
from dpengine.accuracy.laws.ratio import RatioError
from dpengine.accuracy.laws.sampling import SamplingError
from dpengine.accuracy.numerical import tails
from dpengine.accuracy.numerical.two_gaussian_noises import FARTHER, SMOOTH
from dpengine.accuracy.numerical.two_noises import COARSE_SCALE, OnGrid, atoms, coarse_pair
from dpengine.errors import UnsupportedEventError
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism, GaussianMechanism

SMOOTH_SCALE = 5.0
"""Noise and sampling error both wider than so many grid steps: the sum over atoms is an integral, within 2e-5."""
CELLS = 4096
"""Cells on either side of 0 in which the error of a ratio is gathered, each at its outer edge."""
_ROUND_OFF = 1e-14
_LADDER = np.append(np.geomspace(1.0, 1e4, 100), 1e15)
_FOURTH = np.array([2.0, 4.0, 6.0 * 0.798, 4.0 * 0.968, 1.511]) / 720.0
"""Bounds the integral of |fourth derivative| of e^(-|x| / scale) P(normal > t - x), term by term, over 720."""


def above(noise: NoiseError | RatioError, sampling: SamplingError, t: Array) -> Array:
    """P(noise + sampling error > t) for t >= 0; never below the truth, see the branches for how far above."""
    if isinstance(noise, RatioError):
        return _ratio_above(noise, sampling, t)
    return of_noise(noise.mechanism, noise.step, sampling.standard_deviation, t)


def below(noise: NoiseError | RatioError, sampling: SamplingError, t: Array) -> Array:
    """P(noise + sampling error < -t) for t >= 0."""
    if isinstance(noise, RatioError):
        return _ratio_above(noise.mirrored, sampling, t)
    return of_noise(noise.mechanism, noise.step, sampling.standard_deviation, t)


@singledispatch
def of_noise(mechanism: object, step: float, deviation: float, t: Array) -> Array:
    """P(step * noise + normal > t) for t >= 0, of a symmetric mechanism."""
    raise UnsupportedEventError(mechanism, where="Noise beside sampling error")


@of_noise.register
def _(mechanism: GaussianMechanism, step: float, deviation: float, t: Array) -> Array:
    """Exact: the variances of two normal errors add."""
    return np.asarray(ndtr(-t / math.hypot(mechanism.standard_deviation * step, deviation)))


@of_noise.register
def _(mechanism: DiscreteLaplaceMechanism, step: float, deviation: float, t: Array) -> Array:
    """Coarse noise: the sum over its atoms, within 1e-13. Fine noise: at most one grid step above."""
    if mechanism.scale > COARSE_SCALE or min(mechanism.scale, deviation / step) > SMOOTH_SCALE:
        return _fine_above(mechanism.scale, deviation / step, t / step)
    return _over_atoms(mechanism, step, deviation, t)


@of_noise.register
def _(mechanism: DiscreteGaussianMechanism, step: float, deviation: float, t: Array) -> Array:
    """Coarse noise: the sum over its atoms, within 1e-13. Fine noise: the normal law, within 1e-30.

    Fine noise beside a sampling error below two grid steps: at most 1.1 grid steps above.
    """
    if mechanism.scale <= COARSE_SCALE:
        return _over_atoms(mechanism, step, deviation, t)
    farther = 0.0 if deviation >= SMOOTH * step else FARTHER * step
    return np.asarray(ndtr((farther - t) / math.hypot(mechanism.scale * step, deviation)))


def _over_atoms(mechanism: OnGrid, step: float, deviation: float, t: Array) -> Array:
    values, weights, left_out = atoms(mechanism)
    return np.minimum(ndtr((values * step - t[:, None]) / deviation) @ weights + left_out, 1.0)


def _fine_above(scale: float, deviation: float, t: Array) -> Array:
    """P(Z + normal > t) for discrete Laplace noise of a wide scale; lengths in grid steps.

    The lesser of two bounds for t >= 0: P(Z >= k) joined by exponentials on either side of 0, at most one step above
    (what it adds at y > 0 it takes away at -y, where the normal is rarer), and the integral in the sum's place by Euler
    and Maclaurin's formula, above by at most twice its remainder. Source: NIST DLMF 2.10.1.
    """
    right = 1.0 / (1.0 + math.exp(-1.0 / scale))
    alone, up, down = _one_sided(scale, deviation, t)
    envelope = alone + right * (up - down)
    zero = math.tanh(0.5 / scale)
    integral = 2.0 * scale * zero * (alone + (up - down) / 2.0) + alone * zero / (6.0 * scale)
    remainder = zero * float(
        _FOURTH @ np.array([scale**-3, scale**-3, scale**-2 / deviation, 1 / scale / deviation**2, deviation**-3])
    )
    return np.clip(np.minimum(envelope, integral + remainder), 0.0, 1.0)


def _one_sided(scale: float, deviation: float, t: Array) -> tuple[Array, Array, Array]:
    """P(normal > t), what an exponential error added to it adds, and what one subtracted from it takes away.

    Source: the normal plus exponential law (Grushka 1972), with erfcx where its direct form would overflow.
    """
    u, ratio = t / deviation, deviation / scale
    half = 0.5 * np.exp(-(u**2) / 2.0)
    inner = (ratio - u) / math.sqrt(2.0)
    near = half * erfcx(np.maximum(inner, 0.0))
    far = np.exp(np.minimum(ratio**2 / 2.0 - u * ratio, 0.0)) * ndtr(u - ratio)
    return ndtr(-u), np.where(inner >= 0.0, near, far), half * erfcx((ratio + u) / math.sqrt(2.0))


def _ratio_above(noise: RatioError, sampling: SamplingError, t: Array) -> Array:
    width, exceeded = ratio_table(noise, sampling)
    cell = np.floor(np.minimum(t / width, CELLS)).astype(np.int64)
    return np.asarray(exceeded[cell + CELLS])


@lru_cache(maxsize=64)
def ratio_table(noise: RatioError, sampling: SamplingError) -> tuple[float, Array]:
    """Width of a cell, and P(error > edge) at each edge from -CELLS to CELLS widths.

    Every error counts at the outer edge of its cell, so this is at most what an error two cells larger would give.
    """
    width = (_reach(noise) + 9.0 * sampling.standard_deviation) / (CELLS - 2)
    masses, beyond = _gathered(noise, width)
    kernel = ndtr(np.arange(-2 * CELLS, 2 * CELLS + 1.0) * (-width / sampling.standard_deviation))
    exceeded = scipy.signal.fftconvolve(kernel, masses, mode="valid") + beyond + _ROUND_OFF
    exceeded = np.clip(np.maximum.accumulate(exceeded[::-1])[::-1], 0.0, 1.0)
    exceeded.flags.writeable = False
    return width, exceeded


def _reach(noise: RatioError) -> float:
    """An error that is exceeded less than once in 1e12, or the farthest public bound."""
    with np.errstate(over="ignore"):
        ladder = np.minimum(noise.rough_size * _LADDER, noise.farthest)
    return float(ladder[np.argmax(noise.tail(ladder) <= tails.SMALLEST_TAIL)])


def _gathered(noise: RatioError, width: float) -> tuple[Array, float]:
    """How much weight each cell (i - 1, i] * width holds, all smaller errors in the first; and what lies beyond."""
    pair = coarse_pair(noise.numerator, noise.denominator)
    if pair is not None:
        return _gathered_pairs(noise, width, *pair)
    exceeded = np.asarray(noise.above(np.arange(-CELLS, CELLS + 1.0) * width))
    return np.maximum(-np.diff(exceeded, prepend=1.0), 0.0), float(exceeded[-1])


def _gathered_pairs(noise: RatioError, width: float, numerator: OnGrid, denominator: OnGrid) -> tuple[Array, float]:
    """The same from every pair of atoms of the two noises."""
    sums, sum_weights, sum_left = atoms(numerator)
    counts, count_weights, count_left = atoms(denominator)
    divisor = np.maximum(noise.records + noise.denominator_step * counts, 1.0)[:, None]
    errors = (noise.ratio * noise.records + noise.numerator_step * sums) / divisor - noise.ratio
    cell = np.ceil(np.clip(errors, noise.lowest, noise.highest) / width - 1e-9)
    cell = np.clip(cell, -CELLS, CELLS).astype(np.int64) + CELLS
    weights = np.multiply.outer(count_weights, sum_weights)
    masses = np.bincount(cell.ravel(), weights.ravel(), minlength=2 * CELLS + 1).astype(np.float64)
    return masses, sum_left + count_left
