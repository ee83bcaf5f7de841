"""Rényi differential privacy: divergences add up at every order, and the best order is turned into epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpengine.accounting.protocol import Counts, DeltaGoes
from dpengine.accounting.shares import largest_loss
from dpengine.accounting.sums import sum_of_decimals
from dpengine.losses.arrays import Array
from dpengine.losses.renyi import divergence

_GRID = np.geomspace(1e-16, 1e24, 161)
_ROUNDING = 16.0 * float(np.finfo(np.float64).eps)
_BEYOND, _STEPS, _APART, _CLOSE = 1e290, 12, 1e-3, 1e-12


@dataclass(frozen=True, slots=True)
class RenyiAccountant:
    """Sum of Rényi divergences, converted at the best order. Refuses what has none, such as anything approximate.

    True for every choice of later questions if the order is fixed in advance, and here it is chosen for the whole plan.
    Sources: Mironov 2017, Proposition 1; Canonne, Kamath, Steinke 2020, Proposition 12.
    """

    name: str = "renyi"
    label: str = "Rényi privacy"
    sound: bool = True
    delta_goes: DeltaGoes = "once"
    asked_at_most: tuple[int, int] | None = (1000, 20_000)
    never_above: tuple[str, ...] = ()

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Never below the truth, since every order gives a bound; at delta 0 the sum of the largest losses."""
        at_grid = np.array([_capped(divergence(event, _GRID)) for event in counts])
        limit = _sum_of_largest_losses(counts)
        if delta == 0.0:
            return limit
        if delta == 1.0:
            return np.zeros_like(limit)
        found = _least_over_orders(counts, at_grid, -math.log(delta))
        return np.minimum(np.where(found < _BEYOND, np.maximum(found, 0.0), np.inf), limit)


def _least_over_orders(counts: Counts, at_grid: Array, log_inverse_delta: float) -> Array:
    """The least bound over all orders, for each column.

    Order by order the bound is the perspective of a convex function of order - 1, so it falls to one valley and rises:
    the best grid point and its neighbors hold the valley between them.
    """
    runs = np.array(list(counts.values()))
    rows = np.arange(runs.shape[1])
    bounds = _bound(runs.T @ at_grid, _GRID, log_inverse_delta)
    middle = np.clip(np.argmin(bounds, axis=1), 1, _GRID.size - 2)
    points = [np.log(_GRID[middle + j]) for j in (-1, 0, 1)]
    values = [bounds[rows, middle + j] for j in (-1, 0, 1)]
    for _ in range(_STEPS):
        point = _next_point(points, values)
        excess = np.exp(point)
        total = sum(times * _capped(divergence(event, excess)) for event, times in counts.items())
        points, values = _narrowed(points, values, point, _bound(np.asarray(total), excess, log_inverse_delta))
    return np.asarray(np.min(values, axis=0))


def _bound(total: Array, excess: Array, log_inverse_delta: float) -> Array:
    """Epsilon from the divergence at order 1 + excess, rounded up.

    Source: Canonne, Kamath, Steinke 2020, Proposition 12.
    """
    price, discount = log_inverse_delta / excess, np.log1p(excess) / excess + np.log1p(1.0 / excess)
    return np.asarray(total * (1.0 + _ROUNDING) + (price - discount + _ROUNDING * (price + discount)))


def _next_point(points: list[Array], values: list[Array]) -> Array:
    """The lowest point of the parabola through the three, kept inside them and apart from the middle one."""
    low, middle, high = points
    left, right = np.maximum(middle - low, _CLOSE), np.maximum(high - middle, _CLOSE)
    rise_left, rise_right = (values[1] - values[0]) / left, (values[2] - values[1]) / right
    slope, bend = rise_left * right + rise_right * left, 2.0 * (rise_right - rise_left)
    step = np.where(bend > 0.0, -slope / np.where(bend > 0.0, bend, 1.0), 0.0)
    apart = _APART * np.maximum(left, right)
    step = np.where(np.abs(step) < apart, np.where(right > left, apart, -apart), step)
    return np.asarray(middle + np.clip(step, -0.9 * left, 0.9 * right))


def _narrowed(points: list[Array], values: list[Array], point: Array, value: Array) -> tuple[list[Array], list[Array]]:
    """The three points around the lowest value, of the old three and a new one between them."""
    (low, middle, high), (at_low, at_middle, at_high) = points, values
    lower, before = value < at_middle, point < middle
    first, last = np.where(before, point, middle), np.where(before, middle, point)
    at_first, at_last = np.where(before, value, at_middle), np.where(before, at_middle, value)
    new_middle, at_new_middle = np.where(lower, point, middle), np.where(lower, value, at_middle)
    keep_low = lower == before
    return (
        [np.where(keep_low, low, first), new_middle, np.where(keep_low, last, high)],
        [np.where(keep_low, at_low, at_first), at_new_middle, np.where(keep_low, at_last, at_high)],
    )


def _sum_of_largest_losses(counts: Counts) -> Array:
    """What holds at delta 0: infinite where anything unbounded is run."""
    runs = np.array(list(counts.values()))
    losses = np.array([largest_loss(event) for event in counts])
    return sum_of_decimals(runs, np.broadcast_to(losses[:, np.newaxis], runs.shape))


def _capped(divergences: Array) -> Array:
    return np.minimum(divergences, _BEYOND)
