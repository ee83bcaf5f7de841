"""Zero-concentrated differential privacy: rho adds up, and is turned into epsilon once, at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from scipy.special import expit

from dpengine.accounting.protocol import Counts
from dpengine.errors import UnsupportedEventError, require_between
from dpengine.losses.arrays import Array
from dpengine.privacy import (
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
)

_LARGEST_RHO, _BEYOND = 1e300, 1e301


@dataclass(frozen=True, slots=True)
class ConcentratedAccountant:
    """Sum of rho, converted by the tight rule. True for every choice of later questions, even adaptive ones.

    Source: Bun and Steinke 2016, Lemma 1.7; Canonne, Kamath, Steinke 2020, Proposition 12.
    """

    name: str = "concentrated"
    label: str = "Concentrated privacy"
    sound: bool = True

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Infinite at delta 0 for anything that costs something, and for a rho above 1e300."""
        with np.errstate(over="ignore"):
            costs = [runs * min(rho_of(event), _BEYOND) for event, runs in counts.items()]
            return concentrated_epsilon(np.sum(costs, axis=0), delta)


@singledispatch
def rho_of(event: Event) -> float:
    """The zero-concentrated cost of one run; never below the truth. Raises UnsupportedEventError."""
    raise UnsupportedEventError(event, "Concentrated privacy")


@rho_of.register
def _noise_rho(event: LaplaceEvent | DiscreteLaplaceEvent) -> float:
    """epsilon^2 / 2. Source: Bun and Steinke 2016, Proposition 1.4."""
    return 0.5 / event.noise_multiplier / event.noise_multiplier


@rho_of.register
def _pure_rho(event: PureEvent | RandomizedResponseEvent) -> float:
    """epsilon^2 / 2. Source: Bun and Steinke 2016, Proposition 1.4."""
    return event.epsilon * event.epsilon / 2.0


@rho_of.register
def _bounded_range_rho(event: BoundedRangeEvent) -> float:
    """epsilon^2 / 8. Source: Cesar and Rogers 2021 (the exponential mechanism and no other)."""
    return event.epsilon * event.epsilon / 8.0


@rho_of.register
def _gaussian_rho(event: GaussianEvent | DiscreteGaussianEvent) -> float:
    """1 / (2 noise_multiplier^2).

    Source: Bun and Steinke 2016, Proposition 1.6; Canonne, Kamath, Steinke 2020, Theorem 4.
    """
    return 0.5 / event.noise_multiplier / event.noise_multiplier


@rho_of.register
def _known_rho(event: ConcentratedEvent) -> float:
    return event.rho


def concentrated_epsilon(rho: Array, delta: float) -> Array:
    """Epsilon at delta of rho: the tight conversion, never negative; infinite for a rho above 1e300.

    Source: Canonne, Kamath, Steinke 2020, Proposition 12.
    """
    if delta in (0.0, 1.0):
        return np.where((rho > 0.0) & (delta == 0.0), np.inf, 0.0)
    known = np.minimum(rho, _LARGEST_RHO)
    epsilon = np.maximum(_tight_epsilon(known, delta, _excess_order(known, delta)), 0.0)
    return np.where(rho > _LARGEST_RHO, np.inf, np.where(rho > 0.0, epsilon, 0.0))


def rho_from_guarantee(guarantee: Guarantee) -> float:
    """The largest rho whose tight conversion at the guarantee's delta stays within its epsilon; rounded down.

    The conversion is concave in rho with the best order as its slope, so Newton's steps from below never pass the root.
    Raises InvalidParameterError unless delta is inside (0, 1).
    """
    require_between("delta", guarantee.delta, 0.0, 1.0, open_at="both")
    delta, wanted = guarantee.delta, guarantee.epsilon
    root = math.sqrt(-math.log(delta))
    rho = np.array((wanted / (math.sqrt(root * root + wanted) + root)) ** 2)
    for _ in range(100):
        excess_order = _excess_order(rho, delta)
        step = (wanted - _tight_epsilon(rho, delta, excess_order)) / (1.0 + excess_order)
        rho = np.maximum(rho + step, 0.0)
        if abs(step) <= 1e-16 * rho:
            break
    rho, shrink = np.minimum(rho, _LARGEST_RHO), float(np.finfo(np.float64).eps)
    while concentrated_epsilon(rho, delta) > wanted:
        rho, shrink = rho * (1.0 - shrink), 2.0 * shrink
    return float(rho)


def _tight_epsilon(rho: Array, delta: float, excess_order: Array) -> Array:
    """The conversion at order 1 + excess_order, before it is clipped at 0; an upper bound at every order."""
    left = (-math.log(delta) - np.log1p(excess_order)) / excess_order
    return np.asarray(rho * (1.0 + excess_order) - np.log1p(1.0 / excess_order) + left)


def _excess_order(rho: Array, delta: float) -> Array:
    """Best order minus 1: the root u of rho u^2 + ln(1 + u) = ln(1/delta), where the conversion has slope 0.

    Convex and increasing in ln u, so Newton's steps from above never pass the root.
    """
    goal, log_rho = -math.log(delta), np.log(np.maximum(rho, 1e-300))
    point = np.minimum(0.5 * (math.log(goal) - log_rho), goal + math.log1p(-delta))
    for _ in range(100):
        quadratic = np.exp(2.0 * point + log_rho)
        step = (quadratic + np.logaddexp(0.0, point) - goal) / (2.0 * quadratic + expit(point))
        point = point - step
        if np.all(np.abs(step) <= 1e-12):
            break
    return np.asarray(np.exp(point))
