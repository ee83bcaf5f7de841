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
_OUTSIDE_ABOVE, _OUTSIDE_BELOW = 14.0, 18.0
"""-ln of the share of delta, and of the tilted sum, that may lie above and below the window."""
_ROUGH_PLACES, _ROUGH_STEP, _MOST_LISTED = 48, 0.25, 50.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tilt:
    """Weights e^(order loss); the tilted sum has this mean and spread and lies in [lowest, highest] almost surely.

    `tail_order` is the order whose Chernoff bound says how little lies above; `reach` is that of a single normal loss.
    """

    order: float
    mean: float
    spread: float
    lowest: float
    highest: float
    tail_order: float
    reach: float


def tilts(columns: Sequence[Mapping[Event, float]], delta: float) -> list[Tilt]:
    """One tilt for each collection of runs, the same whatever the others are."""
    kinds = list(dict.fromkeys(event for column in columns for event in column))
    runs = np.array([[column.get(event, 0.0) for column in columns] for event in kinds])
    reach = math.sqrt(2.0 * (_FARTHEST - math.log(delta)))
    laws = [_rough_law(event, reach) for event in kinds]
    orders, known = _orders(np.array([law.variance for law in laws]), runs)
    moments = [law.moments(orders) for law in laws]
    height, mean, variance = (np.einsum("et,ec->tc", np.array([row[i] for row in moments]), runs) for i in range(3))
    steep = orders[:, None]
    decay = steep + 0.8 / np.sqrt(variance)
    guess = height - steep * mean - np.log(decay * (1.0 + decay) * np.sqrt(2.0 * math.pi * variance))
    best = np.argmin(np.where(known, np.abs(guess - math.log(delta)), np.inf), axis=0)
    uppers = np.where(known, (height - math.log(delta) + _OUTSIDE_ABOVE) / steep, np.inf)
    tail = np.argmin(uppers, axis=0)
    lowest = _lowest(orders, known, height, best)
    return [
        Tilt(
            order=float(orders[i]),
            mean=float(mean[i, j]),
            spread=math.sqrt(float(variance[i, j])),
            lowest=float(lowest[j]),
            highest=max(float(uppers[tail[j], j]), float(mean[i, j])),
            tail_order=float(orders[tail[j]]),
            reach=reach,
        )
        for j, i in enumerate(best)
    ]


def _orders(variances: Array, runs: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Orders on one fixed scale, and which of them lie between far below and far above what each column needs."""
    widest = np.sqrt(variances @ runs)
    narrowest = np.sqrt(np.min(np.where(runs > 0.0, variances[:, None], np.inf), axis=0))
    first = np.floor(np.log(1e-3 / widest) / _RATIO)
    last = np.ceil(np.log(300.0 / narrowest) / _RATIO)
    places = np.arange(np.min(first), np.max(last) + 1.0)
    return np.exp(places * _RATIO), (places[:, None] >= first) & (places[:, None] <= last)


def _lowest(orders: Array, known: npt.NDArray[np.bool_], height: Array, best: npt.NDArray[np.intp]) -> Array:
    """The sharpest of Chernoff's bounds from all smaller orders, mirrored ones (-1 - order) and 0 among them."""
    smaller = np.concatenate([-1.0 - orders, [-1.0, 0.0], orders])[:, None]
    zero, always = np.zeros((2, height.shape[1])), np.ones((2, height.shape[1]), dtype=bool)
    heights, allowed = np.concatenate([height, zero, height]), np.concatenate([known, always, known])
    order, here = orders[best], height[best, np.arange(best.size)]
    distance = order - smaller
    below = allowed & (distance > 1e-6 * order)
    bounds = (here - heights - _OUTSIDE_BELOW) / np.where(below, distance, 1.0)
    return np.asarray(np.max(np.where(below, bounds, -np.inf), axis=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Listed:
    """A law by its losses and their log weights."""

    losses: Array
    log_weights: Array

    @property
    def variance(self) -> float:
        return float(self.moments(np.zeros(1))[2][0])

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

    @property
    def variance(self) -> float:
        return 2.0 * self.rho

    def moments(self, orders: Array) -> tuple[Array, Array, Array]:
        return orders * (1.0 + orders) * self.rho, (1.0 + 2.0 * orders) * self.rho, np.full(orders.shape, 2 * self.rho)


@singledispatch
def _rough_law(event: Event, reach: float) -> _Listed | _Normal:
    step = spacing(event) if atoms_only(event) else min(spacing(event) / _ROUGH_PLACES, _ROUGH_STEP)
    return _listed(event, step, reach)


@_rough_law.register
def _discrete_laplace(event: DiscreteLaplaceEvent, reach: float) -> _Listed:
    return _listed(event, spacing(event) * math.ceil(event.sensitivity / _ROUGH_PLACES), reach)


@_rough_law.register
def _discrete_gaussian(event: DiscreteGaussianEvent, reach: float) -> _Listed | _Normal:
    if event.noise_multiplier * event.sensitivity > _MOST_LISTED:
        return _Normal(rho=0.5 / event.noise_multiplier**2)
    return _listed(event, spacing(event), reach)


def _listed(event: Event, step: float, reach: float) -> _Listed:
    lattice = on_lattice(event, Grid(step=step, reach=reach))
    kept = lattice.masses > 0.0
    losses = lattice.top - lattice.step * np.flatnonzero(kept).astype(np.float64)
    return _Listed(losses=losses, log_weights=np.log(lattice.masses[kept]))


@_rough_law.register
def _gaussian(event: GaussianEvent, reach: float) -> _Normal:
    return _Normal(rho=0.5 / event.noise_multiplier**2)


@_rough_law.register
def _concentrated(event: ConcentratedEvent, reach: float) -> _Normal:
    return _Normal(rho=event.rho)
