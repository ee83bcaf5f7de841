"""What one run reveals in Rényi's measure, per order: the worst case over both directions and all neighbors.

Laws take the excess order - 1, which keeps its digits near order 1, where the divergence is the mean loss.
"""

from __future__ import annotations

import math
from functools import singledispatch

import numpy as np

from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.privacy import (
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    require_event,
)

_ROUNDING = 32.0 * float(np.finfo(np.float64).eps)
_LEAST_LOSS, _LEAST_RHO, _LEAST_EXCESS, _NARROW = 1e-250, 1e-300, 1e-30, 1e-4
_LEAST_EXCESS_OF_A_RANGE = 1e-6


def renyi_divergence(event: Event, *, order: Numbers) -> Numbers:
    """Rényi divergence of one run at an order of at least 1; never below the truth. Scalar or array in, the same out.

    Raises UnsupportedEventError for what has none, such as anything approximate. Source: Mironov 2017, Definition 4.
    """
    points = numbers("order", order)
    if np.any(points < 1.0):
        raise InvalidParameterError("order", order, "a finite number of at least 1")
    return like(order, divergence(event, points - 1.0))


@singledispatch
def divergence(event: Event, excess: Array) -> Array:
    """The same at order 1 + excess. Raises UnsupportedEventError."""
    require_event("event", event)
    raise UnsupportedEventError(event, "Rényi divergence")


@divergence.register
def _laplace(event: LaplaceEvent, excess: Array) -> Array:
    """Source: Mironov 2017, Proposition 6."""
    return _of_steps(max(1.0 / event.noise_multiplier, _LEAST_LOSS), 0.0, excess)


@divergence.register
def _discrete_laplace(event: DiscreteLaplaceEvent, excess: Array) -> Array:
    loss = max(1.0 / event.noise_multiplier, _LEAST_LOSS)
    return _of_steps(loss, loss / event.sensitivity, excess)


@divergence.register
def _randomized_response(event: PureEvent | RandomizedResponseEvent, excess: Array) -> Array:
    """Of randomized response, which is worst. Sources: Mironov 2017, Proposition 5; Kairouz, Oh, Viswanath 2015."""
    loss = max(event.epsilon, _LEAST_LOSS) if event.epsilon else 0.0
    return _of_steps(loss, loss, excess)


@divergence.register
def _gaussian(event: GaussianEvent | DiscreteGaussianEvent, excess: Array) -> Array:
    """Exact for continuous noise, an upper bound for discrete noise.

    Sources: Mironov 2017, Proposition 7; Canonne, Kamath, Steinke 2020, Theorem 4.
    """
    return _linear(0.5 / event.noise_multiplier / event.noise_multiplier, excess)


@divergence.register
def _concentrated(event: ConcentratedEvent, excess: Array) -> Array:
    """Source: Bun and Steinke 2016, Definition 1.1."""
    return _linear(event.rho, excess) if event.rho else np.zeros(np.shape(excess))


@divergence.register
def _bounded_range(event: BoundedRangeEvent, excess: Array) -> Array:
    """The largest over all pairs whose losses lie in a range [t - epsilon, t], or order epsilon^2 / 8 where smaller.

    e^(order loss) is convex in e^loss, so for each t the worst pair has its losses at the two ends, the upper one with
    chance (e^epsilon - e^t) / (e^epsilon - 1); at the worst t, e^t = excess / order * (e^epsilon + rest).
    Source of the second: Cesar and Rogers 2021.
    """
    limit = _linear(event.epsilon * event.epsilon / 8.0, excess)
    if event.epsilon <= _NARROW:
        return np.minimum(limit, event.epsilon)
    excess = np.maximum(excess, _LEAST_EXCESS_OF_A_RANGE)
    with np.errstate(over="ignore"):
        lower_end = -np.expm1(-event.epsilon)
        rest = np.log1p(lower_end / np.expm1(excess * event.epsilon))
        slope = np.log(-np.expm1(-excess * event.epsilon)) - math.log(lower_end)
        top = event.epsilon + rest - np.log1p(1.0 / excess)
        found = top + (slope + rest - np.log1p(excess)) / excess
        unsure = _ROUNDING * (event.epsilon + np.log1p(1.0 / excess) + (1.0 + np.abs(slope) + rest) / excess)
    return np.asarray(np.minimum(np.minimum(found + unsure, limit), event.epsilon))


def _of_steps(loss: float, step: float, excess: Array) -> Array:
    """Of two-sided geometric noise whose loss runs from -loss to loss in steps of 2 step; step 0 is continuous noise.

    With t = order - 1/2 the moment E e^(excess loss) is e^(-loss / 2) (cosh(t loss) + tanh(step / 2) coth(t step)
    sinh(t loss)): the geometric series of its law. Here its distance `short` from e^(excess loss) is taken instead:
    nothing cancels. Randomized response has step = loss.
    """
    if loss == 0.0:
        return np.zeros(np.shape(excess))
    excess = np.maximum(excess, _LEAST_EXCESS)
    with np.errstate(over="ignore"):
        twice = 2.0 * excess + 1.0
        ratio = np.expm1(-2.0 * excess * step) / np.expm1(-twice * step) if step else 1.0 / (1.0 + 0.5 / excess)
        short = -ratio * np.expm1(-twice * loss) / (1.0 + math.exp(step) if step < 700.0 else math.inf)
        found = loss + np.log1p(-short) / excess + _ROUNDING * loss
        return np.minimum(np.minimum(found, _linear(0.5 * loss * loss, excess)), loss)


def _linear(rho: float, excess: Array) -> Array:
    """order * rho, rounded up."""
    with np.errstate(over="ignore"):
        return np.asarray((1.0 + excess) * max(rho * (1.0 + _ROUNDING), _LEAST_RHO))
