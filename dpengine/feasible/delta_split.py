"""One delta shared between questions so that their epsilons sum to the least, and which of them go without.

What an epsilon costs falls with its delta, and ever more slowly: the least sum has one multiplier, the same fall in
each question per unit of delta. Source: Boyd and Vandenberghe 2004, section 5.5.3 (the conditions of Karush, Kuhn and
Tucker); Everett 1963 for the choice among kinds by that multiplier.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.losses.arrays import Array

MOST_ENUMERATED = 8
"""Questions of which every choice of kinds is tried; of more only those that some multiplier makes."""
_MULTIPLIERS = 800
_LEAST_FALL = 1e-300
_Choice = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaPrices:
    """The epsilon of each question (a row) at each delta (increasing), and its epsilon without one, maybe infinite."""

    deltas: Array
    epsilons: Array
    without: Array


def cheapest_split(prices: DeltaPrices) -> Array:
    """How much each question gets of the largest delta, 0 where it goes without; the sum is at most that delta.

    All kinds are tried for at most 8 questions. For more the choices are those that some multiplier makes, whose sum
    is above the least by no more than what one question saves. The order of the questions does not matter.
    """
    order = np.lexsort((prices.epsilons[:, 0], prices.epsilons[:, -1], prices.without))
    curves, without = prices.epsilons[order], prices.without[order]
    multipliers, wanted = _demands(prices.deltas, curves)
    choices = _all_choices(len(without)) if len(without) <= MOST_ENUMERATED else None
    if choices is None:
        choices = _choices_by_multiplier(prices.deltas, curves, without, multipliers, wanted)
    found = np.zeros(len(without))
    best = float(np.sum(without))
    for chosen in choices:
        deltas = _shared(wanted[chosen], float(prices.deltas[-1]))
        if deltas is None:
            continue
        total = _epsilon_at(prices.deltas, curves[chosen], deltas[:, None]).sum() + without[~chosen].sum()
        if total < best:
            best, found = float(total), np.zeros(len(without))
            found[chosen] = deltas
    return np.asarray(found[np.argsort(order)])


def least_sum(amounts: Array, curves: Array) -> Array:
    """How much of the largest amount each falling curve (a row, at each amount) gets, so that their sum is least.

    None goes without. The amounts are increasing and positive, the first at most an equal part of the last. Where a
    curve falls faster later than before, the straight line below stands for it.
    """
    _, wanted = _demands(amounts, np.array([_from_below(amounts, curve) for curve in curves]))
    shared = _shared(wanted, float(amounts[-1]))
    return np.full(len(curves), amounts[-1] / len(curves)) if shared is None else shared


def _from_below(amounts: Array, curve: Array) -> Array:
    """The largest convex curve that is nowhere above. Source: Andrew 1979, the lower half of a hull."""
    kept = list[int]()
    for place in range(len(amounts)):
        while len(kept) > 1 and _is_above(amounts, curve, kept[-2], kept[-1], place):
            kept.pop()
        kept.append(place)
    return np.asarray(np.interp(amounts, amounts[kept], curve[kept]))


def _is_above(amounts: Array, curve: Array, first: int, middle: int, last: int) -> bool:
    """Whether the middle point is on or above the line between the others."""
    rise = (curve[middle] - curve[first]) * (amounts[last] - amounts[first])
    return bool(rise >= (curve[last] - curve[first]) * (amounts[middle] - amounts[first]))


def _demands(deltas: Array, curves: Array) -> tuple[Array, Array]:
    """Multipliers, falling, and the delta that each question takes at each: where its epsilon falls that fast."""
    falls = np.maximum(-np.diff(curves, axis=1) / np.diff(deltas), _LEAST_FALL)
    steep = -np.log(np.minimum.accumulate(falls, axis=1))
    levels = np.linspace(steep.min(), steep.max(), _MULTIPLIERS)
    ends, middles = np.log(deltas), np.log(deltas[:-1] * deltas[1:]) / 2.0
    wanted = [np.interp(levels, row, middles, left=ends[0], right=ends[-1]) for row in steep]
    return np.exp(-levels), np.exp(wanted)


def _all_choices(count: int) -> list[_Choice]:
    return [np.array(chosen) for chosen in itertools.product((True, False), repeat=count) if any(chosen)]


def _choices_by_multiplier(
    deltas: Array, curves: Array, without: Array, multipliers: Array, wanted: Array
) -> list[_Choice]:
    """A question takes a delta once that costs less than to go without, at the multiplier's price of delta."""
    takes = _epsilon_at(deltas, curves, wanted) + multipliers * wanted < without[:, None]
    first = np.where(takes.any(axis=1), takes.argmax(axis=1), len(multipliers))
    rank = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    return [rank < count for count in range(1, len(rank) + 1)]


def _shared(wanted: Array, delta: float) -> Array | None:
    """What these questions take at the multiplier at which they take all of delta; None where that is too little."""
    totals = wanted.sum(axis=0)
    place = int(np.searchsorted(totals, delta, side="right"))
    if place == 0:
        return None
    if place < len(totals):
        part = math.log(delta / totals[place - 1]) / math.log(totals[place] / totals[place - 1])
        taken = np.exp((1.0 - part) * np.log(wanted[:, place - 1]) + part * np.log(wanted[:, place]))
    else:
        taken = wanted[:, -1]
    return np.asarray(np.minimum(taken * (delta / taken.sum()), delta))


def _epsilon_at(deltas: Array, curves: Array, wanted: Array) -> Array:
    """Read off between the deltas of the curves."""
    ends = np.log(deltas)
    return np.array([np.interp(np.log(row), ends, curve) for row, curve in zip(wanted, curves, strict=True)])
