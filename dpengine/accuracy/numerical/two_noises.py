"""Two independent noises at once: how often the numerator's noise exceeds a line in the denominator's noise.

Here noise with few atoms, Laplace and continuous Gaussian noise; discrete Gaussian noise in the file beside this one.
"""

from __future__ import annotations

import math
from functools import lru_cache, singledispatch

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from dpengine.errors import UnsupportedEventError
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism, GaussianMechanism

COARSE_SCALE = 12.0
"""Noise of at most this many grid steps is summed atom by atom; finer noise lies under a continuous envelope."""
_LISTED = 1.0 - 1e-13
"""Atoms beyond this share weigh 1e-13 together; they are counted as if they always exceeded."""
_FAR = 2.0**52

Flags = npt.NDArray[np.bool_]
OnGrid = DiscreteLaplaceMechanism | DiscreteGaussianMechanism


@singledispatch
def exceedance(
    numerator: object, denominator: object, *, intercept: Array, slope: Array, floor: float = -math.inf
) -> Array:
    """P(Z > intercept + slope * max(W, floor)) for independent noises Z (numerator) and W (denominator), in grid steps.

    Never below the truth. Fine discrete noise: at most what a numerator one grid step larger would give (Gaussian: as
    the file beside this one says). Coarse: within 1e-12, where a Z within 1e-11 of the line counts as beyond it.
    Continuous Gaussian noise: at most P(W < floor) above.
    """
    raise UnsupportedEventError(numerator, where="The error of a ratio")


@exceedance.register
def _(
    numerator: DiscreteLaplaceMechanism,
    denominator: DiscreteLaplaceMechanism,
    *,
    intercept: Array,
    slope: Array,
    floor: float = -math.inf,
) -> Array:
    if not isinstance(denominator, DiscreteLaplaceMechanism):
        raise UnsupportedEventError(denominator, where="The error of a ratio with Laplace noise")
    if coarse_pair(numerator, denominator):
        return by_atoms(numerator, denominator, intercept, slope, floor)
    return _by_series(float(numerator.scale), float(denominator.scale), intercept, slope, floor)


@exceedance.register
def _(
    numerator: GaussianMechanism,
    denominator: GaussianMechanism,
    *,
    intercept: Array,
    slope: Array,
    floor: float = -math.inf,
) -> Array:
    first, second = numerator.standard_deviation, denominator.standard_deviation
    line = ndtr(-intercept / np.hypot(first, slope * second))
    if math.isinf(floor):
        return np.asarray(line)
    return np.minimum(line + ndtr(floor / second) * ndtr(-(intercept + slope * floor) / first), 1.0)


def coarse_pair(numerator: object, denominator: object) -> tuple[OnGrid, OnGrid] | None:
    """Both noises, where they are discrete with few enough atoms to go through all pairs; else None."""
    if not isinstance(numerator, OnGrid) or not isinstance(denominator, OnGrid):
        return None
    few = numerator.scale <= COARSE_SCALE and denominator.scale <= 2 * COARSE_SCALE
    return (numerator, denominator) if few else None


@lru_cache(maxsize=64)
def atoms(mechanism: OnGrid) -> tuple[Array, Array, float]:
    """Values and probabilities of discrete noise, and how much weight lies beyond them; kept, since edges ask often."""
    last = mechanism.error_quantile(_LISTED) + 1
    values = np.arange(-last, last + 1.0)
    weights = np.asarray(mechanism.probability(values))
    values.flags.writeable = weights.flags.writeable = False
    return values, weights, mechanism.tail(float(last))


@lru_cache(maxsize=64)
def _chances_beyond(mechanism: OnGrid, last: int) -> Array:
    """P(Z > k) for each k from -last - 1 to last - 1; kept like the atoms."""
    half = np.asarray(mechanism.tail(np.arange(float(last) + 1.0))) / 2.0
    chances = np.concatenate([1.0 - half[::-1], half])[: 2 * last + 1]
    chances.flags.writeable = False
    return chances


def by_atoms(numerator: OnGrid, denominator: OnGrid, intercept: Array, slope: Array, floor: float) -> Array:
    """The sum over all pairs of atoms."""
    values, weights, left_out = atoms(denominator)
    reached = np.maximum(values, floor)
    last = numerator.error_quantile(_LISTED) + 2
    slack = 1e-11 * (1.0 + np.abs(intercept) + np.abs(slope) * float(np.max(np.abs(reached))))
    line = np.multiply.outer(slope, reached)
    line += (intercept - slack)[:, None]
    np.floor(line, out=line)
    np.clip(line, -last - 1, last - 1, out=line)
    line += last + 1
    chances = _chances_beyond(numerator, last)
    return np.asarray(np.minimum(chances.take(line.astype(np.int32)) @ weights + left_out, 1.0))


def _at_least(whole: Array, scale: float) -> Array:
    """P(Z >= k); a bound between whole numbers, where it joins them by exponentials: the envelope of P(Z > y)."""
    upper = np.exp(-np.maximum(whole, 0.0) / scale) / (1.0 + math.exp(-1.0 / scale))
    lower = np.exp((np.minimum(whole, 0.0) - 1.0) / scale) / (1.0 + math.exp(-1.0 / scale))
    return np.where(whole >= 0.0, upper, 1.0 - lower)


def _by_series(first: float, second: float, intercept: Array, slope: Array, floor: float) -> Array:
    """The sum over all W of P(W) times the envelope of the numerator.

    A geometric series between the points where W or the line changes sign; everything up to the floor at once.
    """
    lowest = math.floor(floor) if math.isfinite(floor) else -math.inf
    begins, ends, positive, over = _stretches(intercept, slope, lowest)
    weight = math.log(math.tanh(0.5 / second))
    towards = np.where(positive, -1.0, 1.0) / second
    side = np.where(over, -1.0, 1.0) / first
    offset = weight + side * intercept - math.log1p(math.exp(-1.0 / first)) - np.where(over, 0.0, 1.0 / first)
    reached = _geometric(offset, towards + side * slope, begins, ends)
    mass = _geometric(np.full_like(offset, weight), towards, begins, ends)
    total = np.sum(np.where(over, reached, mass - reached), axis=0)
    if math.isfinite(floor):
        up_to_floor = _at_least(np.array([-lowest]), second)
        total += up_to_floor * _at_least(intercept + slope * floor, first)
    return np.asarray(np.clip(total, 0.0, 1.0))


def _stretches(intercept: Array, slope: Array, lowest: float) -> tuple[Array, Array, Flags, Flags]:
    """Three stretches of whole W above `lowest`: first, last, whether W >= 0 there, whether the line is >= 0 there."""
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.clip(np.nan_to_num(np.ceil(-intercept / slope), nan=_FAR), -_FAR, _FAR)
    level = slope == 0.0
    crossing = np.where(level, _FAR, crossing)
    inner = np.maximum(np.sort(np.stack([np.zeros_like(crossing), crossing]), axis=0), lowest + 1.0)
    begins = np.concatenate([np.full((1, len(slope)), lowest + 1.0), inner])
    ends = np.concatenate([inner - 1.0, np.full((1, len(slope)), math.inf)])
    rises_after = np.where(level, intercept >= 0.0, slope > 0.0)
    over = np.where((begins >= crossing) | level, rises_after, ~rises_after)
    return begins, ends, begins >= 0.0, over


def _geometric(offset: Array, rate: Array, begins: Array, ends: Array) -> Array:
    """Sum of exp(offset + rate * w) over whole w from `begins` to `ends`; 0 where there is none."""
    count = np.maximum(ends - begins + 1.0, 0.0)
    peak = np.where(rate > 0.0, ends, begins)
    some = (count > 0.0) & np.isfinite(peak)
    highest = np.minimum(offset + rate * np.where(some, peak, 0.0), 0.0)
    pace = np.maximum(np.abs(rate), 1e-300)
    terms = np.where(
        pace > 1e-15, np.expm1(-pace * np.where(some, count, 0.0)) / np.expm1(-pace), np.minimum(count, 1e15)
    )
    return np.where(some, np.exp(highest) * terms, 0.0)
