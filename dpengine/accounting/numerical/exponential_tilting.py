"""Where numerical composition should look: the tilt that makes the wanted epsilon the likely sum of all losses.

Only the speed and the tightness of the result depend on what is chosen here, never that it is an upper bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, singledispatch

import numpy as np
import numpy.typing as npt

from dpengine.losses.arrays import Array
from dpengine.losses.lattices import Grid, atoms_only, on_lattice, spacing
from dpengine.privacy import (
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
)

_RATIO = 0.08
"""ln of the ratio of neighboring orders."""
_FARTHEST = 30.0
"""-ln of the share of delta that lies beyond the reach of a single normal loss; a million runs still lose little."""
_OUTSIDE = 14.0
"""-ln of the share of delta above the window, and of what the tilted sum on either side of it may add to delta."""
_ANY_REACH = 10.0
_AT_ONCE = 64
"""Orders whose moments are computed together, and kept."""
_ROUGH_PLACES, _ROUGH_STEP, _MOST_LISTED = 48, 0.25, 50.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tilt:
    """Weights e^(order loss); the tilted sum has this mean and spread and lies in [lowest, highest] almost surely.

    `delta` is what the finite losses may use up; `tail_order` the order whose Chernoff bound says how little of it lies
    above; `reach` that of a single normal loss.
    """

    delta: float
    order: float
    mean: float
    spread: float
    lowest: float
    highest: float
    tail_order: float
    reach: float


def tilts(columns: Sequence[Mapping[Event, float]], deltas: Array) -> list[Tilt]:
    """One tilt for each collection of runs and its delta, the same whatever the others are."""
    kinds = list(dict.fromkeys(event for column in columns for event in column))
    runs = np.array([[column.get(event, 0.0) for column in columns] for event in kinds])
    log_deltas = np.log(deltas)
    first, known = _orders(np.array([_size(event) for event in kinds]), runs)
    orders = _scale(first, len(known))
    moments = [_moments(event, first, len(known)) for event in kinds]
    height, mean, variance = (np.einsum("et,ec->tc", np.array([row[i] for row in moments]), runs) for i in range(3))
    steep = orders[:, None]
    decay = steep + 0.8 / np.sqrt(variance)
    guess = height - steep * mean - np.log(decay * (1.0 + decay) * np.sqrt(2.0 * math.pi * variance))
    best = np.argmin(np.where(known, np.abs(guess - log_deltas), np.inf), axis=0)
    uppers = np.where(known, (height - log_deltas + _OUTSIDE) / steep, np.inf)
    tail, columns_here = np.argmin(uppers, axis=0), np.arange(best.size)
    above_delta = (height - steep * mean)[best, columns_here] - log_deltas
    lowest, highest = _ends(orders, known, height, best, _OUTSIDE + np.maximum(above_delta, 0.0))
    highest = np.maximum(highest, np.maximum(uppers[tail, columns_here], mean[best, columns_here]))
    return [
        Tilt(
            delta=float(deltas[j]),
            order=float(orders[i]),
            mean=float(mean[i, j]),
            spread=math.sqrt(float(variance[i, j])),
            lowest=float(lowest[j]),
            highest=float(highest[j]),
            tail_order=float(orders[tail[j]]),
            reach=math.sqrt(2.0 * (_FARTHEST - float(log_deltas[j]))),
        )
        for j, i in enumerate(best)
    ]


def _orders(sizes: Array, runs: Array) -> tuple[int, npt.NDArray[np.bool_]]:
    """Where to begin on one fixed scale of orders, and which lie between far below and far above a column's needs."""
    means, variances = sizes.T
    widest = np.sqrt(np.sum(variances[:, None] * runs, axis=0)) + np.sum(means[:, None] * runs, axis=0)
    spread = (runs > 0.0) & (variances > 0.0)[:, None]
    narrowest = np.sqrt(np.min(np.where(spread, variances[:, None], np.inf), axis=0))
    first = np.floor(np.log(1e-3 / widest) / _RATIO)
    last = np.ceil(np.log(300.0 / narrowest) / _RATIO)
    places = np.arange(np.min(first), np.max(last) + 1.0)
    return int(places[0]), (places[:, None] >= first) & (places[:, None] <= last)


def _ends(
    orders: Array, known: npt.NDArray[np.bool_], height: Array, best: npt.NDArray[np.intp], outside: Array
) -> tuple[Array, Array]:
    """All but e^-outside of the tilted sum lies between them: the sharpest of Chernoff's bounds from all other orders.

    Mirrored orders (-1 - order) and 0 are among them, since every pair of laws is symmetric.
    """
    others = np.concatenate([-1.0 - orders, [-1.0, 0.0], orders])[:, None]
    zero, always = np.zeros((2, height.shape[1])), np.ones((2, height.shape[1]), dtype=bool)
    heights, allowed = np.concatenate([height, zero, height]), np.concatenate([known, always, known])
    order, here = orders[best], height[best, np.arange(best.size)]
    distance = order - others
    below, above = (allowed & (side > 1e-6 * order) for side in (distance, -distance))
    floors = (here - heights - outside) / np.where(below, distance, 1.0)
    ceilings = (heights - here + outside) / np.where(above, -distance, 1.0)
    lowest = np.max(np.where(below, floors, -np.inf), axis=0)
    highest = np.min(np.where(above, ceilings, np.inf), axis=0)
    return np.asarray(lowest), np.where(np.isfinite(highest), highest, -np.inf)


def _scale(first: int, length: int) -> Array:
    return np.asarray(np.exp(np.arange(first, first + length) * _RATIO))


def _moments(event: Event, first: int, length: int) -> Array:
    """Height, mean and variance of a law at some orders of the scale: what is known already is not computed again."""
    before, last = first // _AT_ONCE, (first + length - 1) // _AT_ONCE
    known = np.concatenate([_some_moments(event, part) for part in range(before, last + 1)], axis=1)
    return known[:, first - before * _AT_ONCE :][:, :length]


@lru_cache(maxsize=4000)
def _some_moments(event: Event, part: int) -> Array:
    return np.array(_law(event).moments(_scale(part * _AT_ONCE, _AT_ONCE)))


@lru_cache(maxsize=4000)
def _size(event: Event) -> tuple[float, float]:
    """Mean and variance of one run."""
    _, mean, variance = _law(event).moments(np.zeros(1))
    return float(mean[0]), float(variance[0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Listed:
    """A law by its losses and their log weights."""

    losses: Array
    log_weights: Array

    def moments(self, orders: Array) -> tuple[Array, Array, Array]:
        exponents = self.log_weights + orders[:, None] * self.losses
        top = np.max(exponents, axis=1, keepdims=True)
        weights = np.exp(exponents - top)
        total = np.sum(weights, axis=1)
        mean = weights @ self.losses / total
        variance = weights @ self.losses**2 / total - mean**2
        return top[:, 0] + np.log(total), mean, np.maximum(variance, 1e-14 * mean**2)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Normal:
    """A normal loss of mean rho and variance 2 rho."""

    rho: float

    def moments(self, orders: Array) -> tuple[Array, Array, Array]:
        return orders * (1.0 + orders) * self.rho, (1.0 + 2.0 * orders) * self.rho, np.full(orders.shape, 2 * self.rho)


@lru_cache(maxsize=100)
def _law(event: Event) -> _Listed | _Normal:
    return _rough_law(event)


@singledispatch
def _rough_law(event: Event) -> _Listed | _Normal:
    if math.isinf(spacing(event)):
        return _Listed(losses=np.zeros(1), log_weights=np.zeros(1))
    step = spacing(event) if atoms_only(event) else min(spacing(event) / _ROUGH_PLACES, _ROUGH_STEP)
    return _listed(event, step)


@_rough_law.register
def _discrete_laplace(event: DiscreteLaplaceEvent) -> _Listed:
    return _listed(event, spacing(event) * math.ceil(event.sensitivity / _ROUGH_PLACES))


@_rough_law.register
def _discrete_gaussian(event: DiscreteGaussianEvent) -> _Listed | _Normal:
    if event.noise_multiplier * event.sensitivity > _MOST_LISTED:
        return _Normal(rho=0.5 / event.noise_multiplier**2)
    return _listed(event, spacing(event))


def _listed(event: Event, step: float) -> _Listed:
    lattice = on_lattice(event, Grid(step=step, reach=_ANY_REACH))
    kept = lattice.masses > 0.0
    losses = lattice.top - lattice.step * np.flatnonzero(kept).astype(np.float64)
    return _Listed(losses=losses, log_weights=np.log(lattice.masses[kept]))


@_rough_law.register
def _gaussian(event: GaussianEvent) -> _Normal:
    return _Normal(rho=0.5 / event.noise_multiplier**2)


@_rough_law.register
def _concentrated(event: ConcentratedEvent) -> _Normal:
    return _Normal(rho=event.rho)
