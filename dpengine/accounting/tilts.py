"""Where numerical composition should look: the tilt that makes the wanted epsilon the likely sum of all losses.

Only the speed and the tightness of the result depend on what is chosen here, never that it is an upper bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch

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
    laws, log_deltas = [_rough_law(event) for event in kinds], np.log(deltas)
    sizes = np.array([law.moments(np.zeros(1)) for law in laws])[:, 1:, 0]
    orders, known = _orders(sizes[:, 0], sizes[:, 1], runs)
    moments = [law.moments(orders) for law in laws]
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


def _orders(means: Array, variances: Array, runs: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Orders on one fixed scale, and which of them lie between far below and far above what each column needs."""
    widest = np.sqrt(np.sum(variances[:, None] * runs, axis=0)) + np.sum(means[:, None] * runs, axis=0)
    spread = (runs > 0.0) & (variances > 0.0)[:, None]
    narrowest = np.sqrt(np.min(np.where(spread, variances[:, None], np.inf), axis=0))
    first = np.floor(np.log(1e-3 / widest) / _RATIO)
    last = np.ceil(np.log(300.0 / narrowest) / _RATIO)
    places = np.arange(np.min(first), np.max(last) + 1.0)
    return np.exp(places * _RATIO), (places[:, None] >= first) & (places[:, None] <= last)


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
