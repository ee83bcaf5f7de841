"""The least discrete Gaussian noise that keeps a promise, by its own exact profile."""

from __future__ import annotations

import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, require_between, require_non_negative, require_whole
from dpengine.losses.arrays import Array, exponential_up
from dpengine.losses.discrete_gaussian import discrete_gaussian_log_deltas
from dpengine.losses.discrete_gaussian_tails import NARROW
from dpengine.privacy.rounding import noise_multiplier_of

_LEAST_DELTA, _LARGEST_EPSILON = 1e-300, 1e12
_POINTS_PER_STEP, _FEWEST, _MOST = 8, 200, 4000
_SPREAD, _CLOSING_IN = 40, 10.0 ** -np.arange(1.0, 13.0)
"""How many points are looked at between two ends, and how far from where a line between them meets 0."""

_MOST_KEPT, _TOGETHER = 2**14, 128

Places = npt.NDArray[np.intp]
Excess = Callable[[Places, Array], Array]
"""ln of delta over the promised one, of promises by their places at a row of noise each: above 0 where it is broken."""
Promise = tuple[float, float, int]
"""Epsilon and delta, and the sensitivity in grid steps."""


def discrete_gaussian_scale(*, epsilon: float, delta: float, sensitivity: int) -> float:
    """Least scale in grid steps that keeps (epsilon, delta) and above which no scale breaks it again.

    On coarse grids the loss does not fall steadily with more noise: small scales that keep the promise by accident,
    below others that break it, are passed over. Rounded up to a float whose own event keeps the promise; epsilon
    above 1e12 counts as 1e12.
    """
    require_non_negative("epsilon", epsilon)
    require_between("delta", delta, _LEAST_DELTA, 1.0, open_at="upper")
    require_whole("sensitivity", sensitivity)
    promise = float(epsilon), float(delta), int(sensitivity)
    scale = _KNOWN.get(promise) or least_scales([promise])[promise]
    if not math.isfinite(scale):
        raise InvalidParameterError("epsilon", epsilon, "large enough for a finite scale")
    return scale


def least_scales(promises: Iterable[Promise]) -> dict[Promise, float]:
    """The scales of many promises, looked for together in a fraction of the time: each is what it would be alone.

    The latest ones are kept for `discrete_gaussian_scale`; infinite where no float keeps the promise.
    """
    found, missing = dict[Promise, float](), defaultdict[int, list[tuple[float, float]]](list)
    for promise in dict.fromkeys(promises):
        scale = _KNOWN.get(promise)
        if scale is None:
            missing[promise[2]].append(promise[:2])
        else:
            found[promise] = scale
    for sensitivity, pairs in missing.items():
        for start in range(0, len(pairs), _TOGETHER):
            some = pairs[start : start + _TOGETHER]
            scales = zip(some, _scales_on_one_grid(some, sensitivity), strict=True)
            found |= _KNOWN.keep({(*pair, sensitivity): scale for pair, scale in scales})
    return found


class _LatestScales:
    """What was found last, for all threads."""

    def __init__(self) -> None:
        self._scales: OrderedDict[Promise, float] = OrderedDict()
        self._lock = Lock()

    def get(self, promise: Promise) -> float | None:
        """The scale of a promise, if it is still known."""
        return self._scales.get(promise)

    def keep(self, found: dict[Promise, float]) -> dict[Promise, float]:
        """The same scales, now known in place of the oldest ones."""
        with self._lock:
            self._scales.update(found)
            while len(self._scales) > _MOST_KEPT:
                self._scales.popitem(last=False)
        return found

    def forget(self) -> None:
        """None is known any more."""
        with self._lock:
            self._scales.clear()


_KNOWN = _LatestScales()


@np.errstate(over="ignore")
def _scales_on_one_grid(promises: Sequence[tuple[float, float]], sensitivity: int) -> list[float]:
    """Of promises of an epsilon and a delta each."""
    epsilons, deltas = np.array(promises).T
    capped = np.minimum(epsilons, _LARGEST_EPSILON)

    def excess(places: Places, noise: Array) -> Array:
        found = np.exp(discrete_gaussian_log_deltas(noise, sensitivity, capped[places]))
        return np.asarray(np.log(np.maximum(found, _LEAST_DELTA) / deltas[places, None]))

    near = np.array([_enough_continuous(epsilon, delta) for epsilon, delta in zip(capped, deltas, strict=True)])
    low, high = _brackets(excess, near, capped, deltas, sensitivity)
    scales = _last_violations(excess, low, high) * sensitivity
    return [float(scale) for scale in _raised_until_kept(scales, epsilons, deltas, sensitivity)]


def _raised_until_kept(scales: Array, epsilons: Array, deltas: Array, sensitivity: int) -> Array:
    """By the very profile that a release is checked with."""
    doubtful = np.flatnonzero(np.isfinite(scales))
    while doubtful.size:
        noise = np.array([[noise_multiplier_of(scale, sensitivity)] for scale in scales[doubtful]])
        found = exponential_up(discrete_gaussian_log_deltas(noise, sensitivity, epsilons[doubtful]))[:, 0]
        doubtful = doubtful[found > deltas[doubtful]]
        scales[doubtful] = np.nextafter(scales[doubtful], np.inf)
    return scales


def _brackets(excess: Excess, near: Array, epsilons: Array, deltas: Array, sensitivity: int) -> tuple[Array, Array]:
    """For each promise noise that breaks it and larger noise that keeps it, with no larger noise that breaks it."""
    fine = near * sensitivity >= 2.0 * NARROW
    low, high = np.empty(near.shape), np.empty(near.shape)
    low[fine], high[fine] = _brackets_around(excess, np.flatnonzero(fine), near[fine])
    for place in np.flatnonzero(~fine).tolist():
        epsilon = float(epsilons[place])
        enough = _surely_enough(epsilon, float(deltas[place]), float(near[place]))
        low[place], high[place] = _bracket_below(excess, place, enough, epsilon, sensitivity)
    return low, high


def _enough_continuous(epsilon: float, delta: float) -> float:
    """Continuous noise that keeps the promise, by the normal tail alone or by its total variation."""
    reach = math.sqrt(-2.0 * math.log(delta))
    return 1.0 / max(2.0 * epsilon / (reach + math.sqrt(reach * reach + 2.0 * epsilon)), 2.5 * delta)


def _brackets_around(excess: Excess, places: Places, high: Array) -> tuple[Array, Array]:
    """On grids this fine the loss falls steadily, and is close to that of continuous noise."""
    low, open_ = 0.7 * high, np.arange(len(places))
    while open_.size:
        ends = np.stack([low[open_], high[open_]], axis=1)
        broken = excess(places[open_], ends) > 0.0
        missed = ~broken[:, 0] | broken[:, 1]
        up, ends, open_ = broken[missed, 1], ends[missed], open_[missed]
        low[open_] = np.where(up, ends[:, 1], 0.5 * ends[:, 0])
        high[open_] = np.where(up, 1.1 * ends[:, 1], ends[:, 0])
    return low, high


def _surely_enough(epsilon: float, delta: float, near: float) -> float:
    """Noise whose rho alone keeps the promise, as does all larger noise; at most 16 times the continuous one.

    Source: Bun and Steinke 2016, Proposition 1.3.
    """
    goal = -math.log(delta)
    noise = (math.sqrt(goal + epsilon) + math.sqrt(goal)) / (math.sqrt(2.0) * epsilon) if epsilon > 0.0 else math.inf
    return max(noise * (1.0 + 1e-9), near) if noise < 16.0 * near else 16.0 * near


def _bracket_below(excess: Excess, place: int, high: float, epsilon: float, sensitivity: int) -> tuple[float, float]:
    """The last place where the promise is broken, among points of which several fall between any two kinks."""
    while True:
        low = high / 4.0
        kinks = epsilon * sensitivity * (high * high - low * low)
        count = int(np.clip(_POINTS_PER_STEP * min(kinks, _MOST), _FEWEST, _MOST))
        points = high * np.sqrt(np.linspace(0.0625, 1.0, count))
        broken = np.flatnonzero(excess(np.array([place]), points[None])[0] > 0.0)
        if broken.size:
            last = int(broken[-1])
            return float(points[last]), float(points[min(last + 1, count - 1)])
        high = float(points[0])


def _last_violations(excess: Excess, low: Array, high: Array) -> Array:
    """Least numbers above the last violation, between ones that violate and ones that do not, to the last digit."""
    open_ = np.arange(len(low))
    ends = excess(open_, np.stack([low, high], axis=1))
    while (open_ := open_[np.nextafter(low[open_], high[open_]) < high[open_]]).size:
        points, between = _points_between(low[open_], high[open_], ends[open_])
        found = excess(open_, between)
        found = np.where(points > low[open_, None], found, ends[open_, :1])
        found = np.where(points < high[open_, None], found, ends[open_, 1:])
        rows, last = np.arange(len(open_)), found.shape[1] - 2 - np.argmax(found[:, -2::-1] > 0.0, axis=1)
        low[open_], high[open_] = points[rows, last], points[rows, last + 1]
        ends[open_] = np.stack([found[rows, last], found[rows, last + 1]], axis=1)
    return high


def _points_between(low: Array, high: Array, ends: Array) -> tuple[Array, Array]:
    """Evenly spread from end to end, and closing in from both sides on where a straight line meets 0.

    Beside them the same with a point between the ends in place of those that lie on one.
    """
    width = high - low
    root = (low + width * (ends[:, 0] / (ends[:, 0] - ends[:, 1])))[:, None]
    near = width[:, None] * _CLOSING_IN
    near = np.clip(np.concatenate([root - near, root + near], axis=1), low[:, None], high[:, None])
    even = np.linspace(low, high, _SPREAD, axis=1)
    points = np.sort(np.concatenate([even, near], axis=1), axis=1)
    inside = (points > low[:, None]) & (points < high[:, None])
    return points, np.where(inside, points, even[:, _SPREAD // 2, None])
