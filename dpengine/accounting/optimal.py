"""The exact answer for equal shares: no rule that knows only the shares can say less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.special import gammaln

from dpengine.accounting.protocol import Counts, DeltaGoes
from dpengine.accounting.shares import common_share, slides
from dpengine.accounting.sums import sum_of_decimals
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses.arrays import Array
from dpengine.privacy import Event

_ROUNDING = 8.0 * float(np.finfo(np.float64).eps)
_LAST_DIGIT = float(np.finfo(np.float64).eps)
_LOG_NEGLIGIBLE, _ROOM, _MOST_RUNS = 42.0, 8e5, 1e12
_BLOCK = 64
"""Its arrays for 1,000 runs stay below 128 kB, from which on many systems fetch fresh memory each time."""
_FOR_NOISE = "Its epsilon depends on delta: use the exact rule, or concentrated privacy."
_FOR_MIXES = "Use the exact rule, which covers mixtures, or advanced composition."


@dataclass(frozen=True, slots=True)
class OptimalAccountant:
    """Tight for any number of runs that all have the same (epsilon, delta); refuses unequal ones.

    Source: Kairouz, Oh, Viswanath 2015, Theorem 3.3.
    """

    name: str = "optimal"
    label: str = "Optimal composition"
    sound: bool = True
    delta_goes: DeltaGoes = "once"
    asked_at_most: tuple[int, int] | None = None
    never_above: tuple[str, ...] = ()

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Never below the truth, above it by rounding only; infinite where the runs' own deltas are too much."""
        used = [event for event, runs in counts.items() if np.any(runs > 0.0)]
        return optimal_epsilon(*_equal_share(used), np.sum(list(counts.values()), axis=0), delta)


def _equal_share(events: Sequence[Event]) -> tuple[float, float]:
    """The share that every run has; raises UnsupportedEventError where they differ or one has many."""
    for event in events:
        if slides(event):
            raise UnsupportedEventError(event, "Optimal composition", instead=_FOR_NOISE)
    each = common_share(events) if events else (0.0, 0.0)
    if each is None:
        raise UnsupportedEventError(
            tuple(events), "Optimal composition covers equal shares only, and", instead=_FOR_MIXES
        )
    return each


@np.errstate(over="ignore")
def optimal_epsilon(epsilon_each: float, delta_each: float, repetitions: Array, delta: float) -> Array:
    """Epsilon at delta after so many runs of equal shares, one result per entry of repetitions.

    Raises InvalidParameterError for more than a million millions of runs.
    """
    if np.any(repetitions > _MOST_RUNS):
        rule = f"at most {_MOST_RUNS:g} for optimal composition"
        raise InvalidParameterError("the number of runs", float(np.max(repetitions)), rule)
    if delta == 1.0:
        return np.zeros(repetitions.shape)
    left = _left_for_pure_part(delta_each, repetitions, delta)
    basic = sum_of_decimals(repetitions[np.newaxis], np.full((1, repetitions.size), epsilon_each))
    result = np.where(left < 0.0, np.inf, basic)
    solvable = np.flatnonzero((left > 0.0) & (basic > 0.0) & np.isfinite(basic))
    if solvable.size:
        found = _pure_epsilon(epsilon_each, repetitions[solvable], left[solvable])
        result[solvable] = np.clip(found, 0.0, basic[solvable])
    return result


def _block_size(repetitions: Array) -> int:
    """How many entries are worked on at once; each takes room in proportion to the root of its runs."""
    return int(np.clip(_ROOM / np.sqrt(np.max(repetitions, initial=1.0)), 1, _BLOCK))


def _left_for_pure_part(delta_each: float, repetitions: Array, delta: float) -> Array:
    """1 - (1 - delta) / (1 - delta_each)^repetitions, rounded down; negative where delta is used up."""
    if delta_each == 0.0:
        return np.full(repetitions.shape, delta)
    if delta_each == 1.0:
        return np.where(repetitions > 0.0, -1.0, delta)
    left = np.asarray(-np.expm1(np.log1p(-delta) - repetitions * np.log1p(-delta_each)))
    return np.where(left > 0.0, np.maximum(left - _ROUNDING * delta, 0.0), left)


def _pure_epsilon(epsilon_each: float, repetitions: Array, delta: Array) -> Array:
    """Block by block, each over as many numbers of lies as its widest window has."""
    log_delta = np.log(delta) - _ROUNDING * (gammaln(repetitions + 2.0) + 1.0)
    first, last = _window(epsilon_each, repetitions, log_delta)
    blocks = np.array_split(np.arange(delta.size), delta.size // _block_size(repetitions) + 1)
    return np.concatenate(
        [
            _pure_epsilon_of_block(
                epsilon_each, repetitions[block], log_delta[block], first[block], int(np.max((last - first)[block])) + 1
            )
            for block in blocks
            if block.size
        ]
    )


def _pure_epsilon_of_block(
    epsilon_each: float, repetitions: Array, log_delta: Array, first: Array, width: int
) -> Array:
    """The largest of ln((A_i - delta) / B_i) over i, which needs no search for a root; infinite where none was seen.

    "Lies" are the runs whose loss is negative: A_i = P(lies <= i), B_i is the same under the neighbor, and the
    profile is the largest of A_i - e^epsilon B_i. `discounted` is e^((repetitions - 2i) epsilon_each) B_i, which
    obeys a recurrence of positive terms. The window leaves out less than 1e-18 of delta; weights are counted in units
    of sqrt(delta), so that both delta and 1 are far from the ends of this machine's numbers. `digits` is what rounding
    may have taken away: up to 7 last digits of each sum at each step, and two of what is certain.
    """
    unit = log_delta / 2.0
    lies = first[:, None] + np.arange(width)
    runs = repetitions[:, None]
    steps = np.maximum(runs - lies + 1.0, 0.0) / np.maximum(lies, 1.0) * np.exp(-epsilon_each)
    steps[:, 0] = np.exp(_log_weight(epsilon_each, repetitions, first) - unit)
    weights = np.cumprod(steps, axis=1)
    reached = np.cumsum(weights, axis=1)
    discounted = np.asarray(scipy.signal.lfilter([1.0], [1.0, -np.exp(-2.0 * epsilon_each)], weights, axis=1))
    target = np.exp(log_delta - unit)[:, None]
    over = reached > target
    valid = over & (discounted > 1e-290 * reached)
    share_left = np.where(valid, target / np.where(valid, reached, 1.0), 0.0)
    ratio = np.where(valid, reached / np.where(valid, discounted, 1.0), 1.0)
    certain = (runs - 2.0 * lies) * epsilon_each
    digits = 8.0 * (1.0 + np.arange(width)) + 2.0 * certain
    candidates = np.log1p(-share_left) + np.log(ratio) + certain + _LAST_DIGIT * digits
    best = np.max(np.where(valid, candidates, -np.inf), axis=1)
    all_within_delta = (reached[:, -1] > 0.0) & ~np.any(over, axis=1)
    return np.where(np.any(valid, axis=1), best, np.where(all_within_delta, 0.0, np.inf))


def _window(epsilon_each: float, repetitions: Array, log_delta: Array) -> tuple[Array, Array]:
    """First and last number of lies that can matter for each entry.

    Below it lies a negligible share of delta. Above: beyond it the profile is over delta, or epsilon below 0.
    """
    mean = repetitions / (1.0 + np.exp(min(epsilon_each, 700.0)))
    first = np.floor(_negligible_below(mean, repetitions, _LOG_NEGLIGIBLE - log_delta))
    with np.errstate(divide="ignore"):
        spare = np.log(2.0) - np.log1p(-np.exp(log_delta))
    small, large = 0.5 / epsilon_each, np.sqrt(repetitions * spare / 2.0) + 0.5 * spare / epsilon_each
    enough = np.ceil(mean + np.where(log_delta <= np.log(0.1), small, large) + 2.0)
    return first, np.minimum(np.floor(repetitions / 2.0), enough)


def _negligible_below(mean: Array, repetitions: Array, negligible: Array) -> Array:
    """Almost the largest number of lies that, with all below it, has a probability of at most e^-negligible.

    Chernoff's exponent is convex in the number of lies, so Newton's steps end below the root wherever they start; the
    floor under all steps but the last keeps them off 0, where the slope is infinite.
    """
    point = np.maximum(mean / 2.0, mean - np.sqrt(2.0 * mean * negligible))
    for floor in (*[0.125] * 9, 0.0):
        fewer, more = np.log(point / mean), np.log1p((mean - point) / (repetitions - mean))
        exponent = point * fewer + (repetitions - point) * more
        point = np.maximum(point + (exponent - negligible) / (more - fewer), floor * point)
    return point


def _log_weight(epsilon_each: float, repetitions: Array, lies: Array) -> Array:
    """ln of the probability of exactly so many lies."""
    log_choices = gammaln(repetitions + 1.0) - gammaln(lies + 1.0) - gammaln(repetitions - lies + 1.0)
    return np.asarray(log_choices - lies * epsilon_each - repetitions * np.log1p(np.exp(-epsilon_each)))
