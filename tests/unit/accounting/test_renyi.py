"""Rényi accounting: between the exact value and every rule that it contains."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.accounting import epsilon, epsilon_curve
from dpengine.errors import UnsupportedEventError
from dpengine.losses import renyi_divergence
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
)
from tests.running.cases import each

REPETITIONS = np.array([0, 1, 3, 10, 100, 1000, 10**6])
DELTAS = [1e-300, 1e-12, 1e-6, 0.1, 0.9, 1.0 - 1e-9]
GAUSSIANS: list[Event] = [GaussianEvent(noise_multiplier=x) for x in (1e-6, 0.01, 1.0, 30.0, 1e6, 1e12)]
PURE: list[Event] = [
    *(PureEvent(epsilon=x) for x in (1e-9, 1e-3, 0.1, 1.0, 30.0, 1000.0)),
    *(LaplaceEvent(noise_multiplier=x) for x in (1e-3, 0.1, 1.0, 30.0, 1e6)),
    DiscreteLaplaceEvent(noise_multiplier=3.0, sensitivity=4),
    BoundedRangeEvent(epsilon=0.7),
]


@each("delta", DELTAS)
@each("event", [*GAUSSIANS, *PURE, ConcentratedEvent(rho=0.3)])
def test_it_is_never_above_concentrated_privacy(event: Event, delta: float) -> None:
    renyi, concentrated = (
        epsilon_curve(event, repetitions=REPETITIONS, delta=delta, accountant=rule)
        for rule in ("renyi", "concentrated")
    )
    assert np.all(renyi <= concentrated * (1.0 + 1e-9) + 1e-15)


@each("delta", DELTAS)
def test_for_gaussian_noise_it_is_concentrated_privacy(delta: float) -> None:
    """The order is free under both rules and Gaussian divergence is linear in it: two ways to the same optimum."""
    for event in GAUSSIANS:
        renyi, concentrated = (
            epsilon_curve(event, repetitions=REPETITIONS, delta=delta, accountant=rule)
            for rule in ("renyi", "concentrated")
        )
        assert renyi == pytest.approx(concentrated, rel=1e-9, abs=1e-14)


@each("delta", DELTAS)
@each("event", PURE)
def test_it_is_never_above_adding_up_nor_below_the_optimum_of_its_own_law(event: Event, delta: float) -> None:
    renyi, basic = (
        epsilon_curve(event, repetitions=REPETITIONS, delta=delta, accountant=rule) for rule in ("renyi", "basic")
    )
    assert np.all(renyi <= basic)
    if isinstance(event, PureEvent):
        optimal = epsilon_curve(event, repetitions=REPETITIONS, delta=delta, accountant="optimal")
        assert np.all(renyi >= optimal * (1.0 - 1e-7) - 1e-11)


def test_laplace_noise_costs_less_than_what_only_its_epsilon_says() -> None:
    laplace, pure, optimal = (
        epsilon({event: 100}, delta=1e-6, accountant=rule)
        for event, rule in (
            (LaplaceEvent(noise_multiplier=1.0), "renyi"),
            (PureEvent(epsilon=1.0), "renyi"),
            (PureEvent(epsilon=1.0), "optimal"),
        )
    )
    assert laplace < optimal < pure


@each("event", [PURE[3], PURE[8], GAUSSIANS[2], BoundedRangeEvent(epsilon=2.0)])
def test_no_order_of_a_fine_grid_does_better(event: Event) -> None:
    for runs, delta in ((1, 1e-6), (40, 1e-9), (5000, 0.01)):
        order = 1.0 + np.geomspace(1e-4, 1e8, 200_001)
        bound = runs * renyi_divergence(event, order=order) + np.log1p(-1.0 / order)
        bound = bound - (math.log(delta) + np.log(order)) / (order - 1.0)
        found = epsilon({event: runs}, delta=delta, accountant="renyi")
        assert found == pytest.approx(float(np.min(bound)), rel=1e-7)
        assert found <= np.min(bound) * (1.0 + 1e-12)


def test_a_mixture_shares_one_order() -> None:
    mixed: dict[Event, int] = {PURE[3]: 10, GAUSSIANS[2]: 2, BoundedRangeEvent(epsilon=0.5): 4}
    apart = sum(epsilon({event: runs}, delta=1e-6 / 3.0, accountant="renyi") for event, runs in mixed.items())
    together = epsilon(mixed, delta=1e-6, accountant="renyi")
    assert epsilon({GAUSSIANS[2]: 2}, delta=1e-6, accountant="exact") < together < apart


def test_delta_0_adds_up_the_largest_losses() -> None:
    assert epsilon({PURE[2]: 7, BoundedRangeEvent(epsilon=0.5): 2}, delta=0.0, accountant="renyi") == pytest.approx(1.7)
    for unbounded in (
        GAUSSIANS[2],
        DiscreteGaussianEvent(noise_multiplier=1.0, sensitivity=1),
        ConcentratedEvent(rho=1),
    ):
        assert epsilon({PURE[2]: 7, unbounded: 1}, delta=0.0, accountant="renyi") == math.inf
    assert epsilon({GAUSSIANS[0]: 10**6}, delta=1.0, accountant="renyi") == 0.0


def test_a_divergence_beyond_all_bounds_is_infinite_not_less() -> None:
    for loud in (GaussianEvent(noise_multiplier=1e-149), ConcentratedEvent(rho=1e300), PureEvent(epsilon=1e308)):
        assert epsilon({loud: 10**12}, delta=1e-6, accountant="renyi") == math.inf


@each("event", [ApproximateEvent(epsilon=1.0, delta=0.0), TruncatedLaplaceEvent(noise_multiplier=1.0, truncation=20.0)])
def test_what_has_no_divergence_is_refused_by_name(event: Event) -> None:
    assert epsilon({RandomizedResponseEvent(epsilon=1.0): 1}, delta=1e-6, accountant="renyi") <= 1.0
    with pytest.raises(UnsupportedEventError, match=type(event).__name__):
        epsilon({event: 1}, delta=1e-6, accountant="renyi")
