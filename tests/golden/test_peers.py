"""Against dp-accounting, whose lattice values are upper bounds up to rounding."""

import math

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as peer

from dpengine.accounting import epsilon
from dpengine.losses import delta_of
from dpengine.privacy import DiscreteLaplaceEvent, Event, GaussianEvent, LaplaceEvent, PureEvent

SINGLE: list[tuple[Event, peer.PrivacyLossDistribution]] = [
    (LaplaceEvent(noise_multiplier=0.8), peer.from_laplace_mechanism(0.8)),
    (GaussianEvent(noise_multiplier=1.5), peer.from_gaussian_mechanism(1.5)),
    (
        DiscreteLaplaceEvent(noise_multiplier=1.0 / (0.4 * 3), sensitivity=3),
        peer.from_discrete_laplace_mechanism(0.4, sensitivity=3),
    ),
    (PureEvent(epsilon=0.7), peer.from_randomized_response(2.0 / (1.0 + math.exp(0.7)), 2)),
]


@pytest.mark.parametrize(("event", "distribution"), SINGLE)
def test_profiles(event: Event, distribution: peer.PrivacyLossDistribution) -> None:
    points = np.linspace(0.0, 2.0, 9)
    ours = delta_of(event, epsilon=points)
    theirs = np.array([distribution.get_delta_for_epsilon(x) for x in points])
    assert np.all(theirs >= ours - 1e-9)
    assert theirs == pytest.approx(ours, abs=2e-4)


@pytest.mark.parametrize("repetitions", [2, 10, 100])
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
