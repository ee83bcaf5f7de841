"""Privacy-loss distributions: a law under either table, and the profile that follows from it."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses import LossDistribution, delta_of, loss_distribution
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

EVENTS: list[Event] = [
    LaplaceEvent(noise_multiplier=0.7),
    LaplaceEvent(noise_multiplier=100.0),
    GaussianEvent(noise_multiplier=0.8),
    GaussianEvent(noise_multiplier=30.0),
    PureEvent(epsilon=0.0),
    RandomizedResponseEvent(epsilon=0.4),
    ApproximateEvent(epsilon=0.4, delta=0.01),
    ApproximateEvent(epsilon=0.0, delta=0.5),
    DiscreteLaplaceEvent(noise_multiplier=1.3, sensitivity=1),
    DiscreteLaplaceEvent(noise_multiplier=1.3, sensitivity=4),
    BoundedRangeEvent(epsilon=0.0),
    BoundedRangeEvent(epsilon=1.2),
    TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=3.0),
    TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=0.75),
    TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=0.4),
    DiscreteGaussianEvent(noise_multiplier=0.4, sensitivity=1),
    DiscreteGaussianEvent(noise_multiplier=1.5, sensitivity=3),
]


def integral(law: LossDistribution, weigh, lower=-60.0) -> float:
    """The mean of weigh(loss) over finite losses: the atoms' sum and the density's quadrature."""
    total = sum(weigh(x) * p for x, p in zip(law.losses, law.probabilities, strict=True))
    if law.continuous is not None:
        ends = max(lower, law.continuous.lower, -60.0), min(law.continuous.upper, 60.0)
        total += quad(lambda x: weigh(x) * law.density(float(x)), *ends, points=[0.0], limit=200)[0]
    return total


@each("event", EVENTS)
def test_it_is_a_law_under_either_table(event: Event) -> None:
    """Finite losses have the same weight under the other table, since all pairs are symmetric."""
    law = loss_distribution(event)
    assert law.infinite + integral(law, lambda x: 1.0) == pytest.approx(1.0, rel=1e-8)
    assert integral(law, lambda x: math.exp(-x)) == pytest.approx(1.0 - law.infinite, rel=1e-8)


@each("event", EVENTS)
@each("epsilon", [0.0, 0.01, 0.3, 1.0, 2.5])
def test_the_profile_is_what_exceeds_epsilon(event: Event, epsilon: float) -> None:
    law = loss_distribution(event)
    beyond = integral(law, lambda x: max(-math.expm1(epsilon - x), 0.0), lower=min(epsilon, 59.0))
    assert law.infinite + beyond == pytest.approx(delta_of(event, epsilon=epsilon), rel=1e-7, abs=1e-14)


@each("event", EVENTS)
def test_both_tails_add_up_and_keep_their_digits(event: Event) -> None:
    law = loss_distribution(event)
    points = np.linspace(-4.0, 4.0, 33)
    assert law.exceedance(points) + law.cumulative(points) == pytest.approx(np.ones(33), abs=1e-12)
    assert np.all(np.diff(law.exceedance(points)) <= 0.0)
    below = integral(law, lambda x: float(x <= 0.2), lower=-60.0)
    assert law.cumulative(0.2) == pytest.approx(below, rel=1e-5)


@each("event", [event for event in EVENTS if not loss_distribution(event).infinite])
def test_the_mean_is_the_divergence(event: Event) -> None:
    law = loss_distribution(event)
    assert law.mean == pytest.approx(integral(law, lambda x: x), rel=1e-6, abs=1e-15)


def test_known_means() -> None:
    """epsilon + e^-epsilon - 1 for Laplace noise, epsilon tanh(epsilon / 2) for randomized response."""
    for epsilon in (1e-4, 0.3, 5.0):
        laplace = loss_distribution(LaplaceEvent(noise_multiplier=1.0 / epsilon))
        assert laplace.mean == pytest.approx(epsilon + math.expm1(-epsilon), rel=1e-6)
        coin = loss_distribution(RandomizedResponseEvent(epsilon=epsilon))
        assert coin.mean == pytest.approx(epsilon * math.tanh(epsilon / 2.0), rel=1e-12)


def test_the_largest_loss_is_the_epsilon_of_delta_zero() -> None:
    assert loss_distribution(LaplaceEvent(noise_multiplier=4.0)).largest == 0.25
    assert loss_distribution(BoundedRangeEvent(epsilon=1.2)).largest == 1.2
    assert loss_distribution(GaussianEvent(noise_multiplier=4.0)).largest == math.inf
    assert loss_distribution(DiscreteGaussianEvent(noise_multiplier=4.0, sensitivity=1)).largest == math.inf
    assert loss_distribution(TruncatedLaplaceEvent(noise_multiplier=4.0, truncation=9.0)).largest == math.inf
    assert loss_distribution(ApproximateEvent(epsilon=1.0, delta=1e-9)).mean == math.inf


def test_a_small_tail_keeps_its_digits() -> None:
    law = loss_distribution(GaussianEvent(noise_multiplier=1.0))
    assert law.exceedance(20.5) == pytest.approx(2.7536241186062337e-89, rel=1e-12)
    assert law.cumulative(-19.5) == pytest.approx(2.7536241186062337e-89, rel=1e-12)


@each(
    "event",
    [
        ConcentratedEvent(rho=1.0),
        DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=10**7),
        DiscreteGaussianEvent(noise_multiplier=1e9, sensitivity=1),
    ],
)
def test_what_cannot_be_listed_is_refused(event: Event) -> None:
    with pytest.raises(UnsupportedEventError, match=type(event).__name__):
        loss_distribution(event)


def test_a_bad_point_is_named() -> None:
    with pytest.raises(InvalidParameterError, match="loss"):
        loss_distribution(EVENTS[0]).exceedance(math.nan)


@each("noise", [1e-6, 1e-3, 1e3, 1e9])
def test_extremes_are_numbers(noise: float) -> None:
    for event in (
        LaplaceEvent(noise_multiplier=noise),
        GaussianEvent(noise_multiplier=noise),
        DiscreteLaplaceEvent(noise_multiplier=noise, sensitivity=3),
        TruncatedLaplaceEvent(noise_multiplier=noise, truncation=1000.0),
        BoundedRangeEvent(epsilon=noise),
    ):
        law = loss_distribution(event)
        found = [law.mean, *law.exceedance(np.array([-1.0, 0.0, 1.0])), *law.density(np.array([0.0, 1e6]))]
        assert not np.any(np.isnan(found))
