"""Against dp-accounting, whose lattice values are upper bounds up to rounding."""

import math

import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import privacy_loss_distribution as peer
from dp_accounting.privacy_accountant import NeighboringRelation
from dp_accounting.rdp import rdp_privacy_accountant
from dp_accounting.rdp import rdp_privacy_accountant as rdp_peer

from dpengine.accounting import epsilon
from dpengine.losses import delta_of
from dpengine.privacy import ConcentratedEvent, DiscreteLaplaceEvent, Event, GaussianEvent, LaplaceEvent, PureEvent
from tests.running.cases import each

SINGLE: list[tuple[Event, peer.PrivacyLossDistribution]] = [
    (LaplaceEvent(noise_multiplier=0.8), peer.from_laplace_mechanism(0.8)),
    (GaussianEvent(noise_multiplier=1.5), peer.from_gaussian_mechanism(1.5)),
    (
        DiscreteLaplaceEvent(noise_multiplier=1.0 / (0.4 * 3), sensitivity=3),
        peer.from_discrete_laplace_mechanism(0.4, sensitivity=3),
    ),
    (PureEvent(epsilon=0.7), peer.from_randomized_response(2.0 / (1.0 + math.exp(0.7)), 2)),
]


@each(("event", "distribution"), SINGLE)
def test_profiles(event: Event, distribution: peer.PrivacyLossDistribution) -> None:
    points = np.linspace(0.0, 2.0, 9)
    ours = delta_of(event, epsilon=points)
    theirs = np.array([distribution.get_delta_for_epsilon(x) for x in points])
    assert np.all(theirs >= ours - 1e-9)
    assert theirs == pytest.approx(ours, abs=2e-4)


@each("repetitions", [2, 10, 100])
def test_optimal_composition(repetitions: int) -> None:
    """Randomized response, and so sensitivity-1 discrete Laplace, meets the optimal rule exactly."""
    ours = epsilon({PureEvent(epsilon=0.7): repetitions}, delta=1e-6, accountant="optimal")
    theirs = SINGLE[-1][1].self_compose(repetitions).get_epsilon_for_delta(1e-6)
    assert theirs == pytest.approx(ours, rel=1e-4)
    assert theirs >= ours - 1e-6


def test_gaussian_composition() -> None:
    ours = epsilon({GaussianEvent(noise_multiplier=1.5): 10}, delta=1e-6, accountant="exact")
    theirs = SINGLE[1][1].self_compose(10).get_epsilon_for_delta(1e-6)
    assert ours <= theirs == pytest.approx(ours, rel=1e-3)


RENYI: list[tuple[Event, dp_event.DpEvent]] = [
    (LaplaceEvent(noise_multiplier=2.0), dp_event.LaplaceDpEvent(2.0)),
    (GaussianEvent(noise_multiplier=5.0), dp_event.GaussianDpEvent(5.0)),
    (PureEvent(epsilon=0.7), dp_event.RandomizedResponseDpEvent(2.0 / (1.0 + math.exp(0.7)), 2)),
]


@each(("event", "theirs"), RENYI)
@each("repetitions", [1, 10, 300])
@each("delta", [1e-9, 1e-6, 1e-2])
def test_renyi_composition(event: Event, theirs: dp_event.DpEvent, repetitions: int, delta: float) -> None:
    """Their grid of orders is part of ours, so that they are never below; close unless the best order is off theirs."""
    relation = (
        NeighboringRelation.REPLACE_ONE if isinstance(event, PureEvent) else NeighboringRelation.ADD_OR_REMOVE_ONE
    )
    peer_accountant = rdp_privacy_accountant.RdpAccountant(neighboring_relation=relation).compose(theirs, repetitions)
    expected, order = peer_accountant.get_epsilon_and_optimal_order(delta)
    found = epsilon({event: repetitions}, delta=delta, accountant="renyi")
    assert found <= expected * (1.0 + 1e-9)
    if 1.2 < order < 64.0:
        assert found == pytest.approx(expected, rel=2e-3)


@each("rho", [0.01, 0.5, 3.0])
def test_what_rho_alone_allows(rho: float) -> None:
    """The peer's orders lie on a grid, so its bound is never below ours and close to it on a fine grid."""
    orders = 1.0 + np.geomspace(1e-3, 1e3, 4001)
    for x in (1.5 * rho + math.sqrt(rho), 2.0 * rho + 3.0 * math.sqrt(rho)):
        theirs = rdp_peer.compute_delta(orders, rho * orders, x)[0]
        ours = delta_of(ConcentratedEvent(rho=rho), epsilon=x)
        assert ours <= theirs * (1.0 + 1e-9)
        assert theirs == pytest.approx(ours, rel=1e-4)
