"""Zero-concentrated differential privacy: rho adds up, and is turned into epsilon once, at the end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from dpengine.accounting.protocol import Counts
from dpengine.errors import UnsupportedEventError
from dpengine.losses import concentrated_epsilon
from dpengine.losses.arrays import Array
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

_BEYOND = 1e301


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
    require_event("event", event)
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
