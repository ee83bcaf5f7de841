"""Zero-concentrated differential privacy: rho adds up, and is turned into epsilon once, at the end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch

import numpy as np

from dpengine.accounting.protocol import Counts, DeltaGoes
from dpengine.accounting.sums import sum_of_decimals
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
    exact_decimal,
    require_event,
)
from dpengine.privacy.rounding import decimal_up


@dataclass(frozen=True, slots=True)
class ConcentratedAccountant:
    """Sum of rho, converted by the tight rule. True for every choice of later questions, even adaptive ones.

    Source: Bun and Steinke 2016, Lemma 1.7; Canonne, Kamath, Steinke 2020, Proposition 12.
    """

    name: str = "concentrated"
    label: str = "Concentrated privacy"
    sound: bool = True
    delta_goes: DeltaGoes = "once"
    asked_at_most: tuple[int, int] | None = None
    never_above: tuple[str, ...] = ()

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Infinite at delta 0 for anything that costs something, and for a rho above 1e300."""
        runs = np.array(list(counts.values()))
        costs = np.array([rho_of(event) for event in counts])
        return concentrated_epsilon(sum_of_decimals(runs, np.broadcast_to(costs[:, np.newaxis], runs.shape)), delta)


def rho_of(event: Event) -> float:
    """The zero-concentrated cost of one run; its decimal is never below the truth. Raises UnsupportedEventError."""
    return decimal_up(_rho(event))


@singledispatch
def _rho(event: Event) -> Fraction:
    require_event("event", event)
    raise UnsupportedEventError(event, "Concentrated privacy")


@_rho.register
def _pure_rho(event: PureEvent | RandomizedResponseEvent) -> Fraction:
    """epsilon^2 / 2. Source: Bun and Steinke 2016, Proposition 1.4."""
    return exact_decimal(event.epsilon) ** 2 / 2


@_rho.register
def _bounded_range_rho(event: BoundedRangeEvent) -> Fraction:
    """epsilon^2 / 8. Source: Cesar and Rogers 2021 (the exponential mechanism and no other)."""
    return exact_decimal(event.epsilon) ** 2 / 8


@_rho.register
def _noise_rho(event: LaplaceEvent | DiscreteLaplaceEvent | GaussianEvent | DiscreteGaussianEvent) -> Fraction:
    """1 / (2 noise_multiplier^2), which for Laplace noise is epsilon^2 / 2.

    Source: Bun and Steinke 2016, Propositions 1.4 and 1.6; Canonne, Kamath, Steinke 2020, Theorem 4.
    """
    return 1 / Fraction(float(event.noise_multiplier)) ** 2 / 2


@_rho.register
def _known_rho(event: ConcentratedEvent) -> Fraction:
    return exact_decimal(event.rho)
