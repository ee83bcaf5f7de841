"""Rho per event, and the way back from a guarantee."""

import math

import pytest

from dpengine.accounting import epsilon, rho_from_guarantee, rho_of
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.privacy import (
    ApproximateEvent,
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
from tests.running.cases import each


@each(
    ("event", "rho"),
    [
        (PureEvent(epsilon=2.0), 2.0),
        (RandomizedResponseEvent(epsilon=2.0), 2.0),
        (LaplaceEvent(noise_multiplier=2.0), 0.125),
        (DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=5), 0.125),
        (GaussianEvent(noise_multiplier=2.0), 0.125),
        (DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=5), 0.125),
        (BoundedRangeEvent(epsilon=2.0), 0.5),
        (ConcentratedEvent(rho=0.3), 0.3),
    ],
)
def test_rho_of_one_run(event: Event, rho: float) -> None:
    assert rho_of(event) == pytest.approx(rho)


def test_an_approximate_event_has_no_rho() -> None:
    with pytest.raises(UnsupportedEventError, match="Concentrated"):
        rho_of(ApproximateEvent(epsilon=1.0, delta=1e-6))


def converted(rho: float, delta: float) -> float:
    return epsilon({ConcentratedEvent(rho=rho): 1}, delta=delta, accountant="concentrated")


def test_the_conversion_is_clipped_at_0() -> None:
    assert converted(1e-4, 0.5) == 0.0
    assert converted(0.0, 1e-6) == 0.0


def test_rho_of_the_usual_guarantee() -> None:
    assert rho_from_guarantee(Guarantee(epsilon=1.0, delta=1e-6)) == pytest.approx(0.02436, abs=5e-6)


@each("wanted", [0.0, 1e-9, 0.1, 1.0, 10.0, 1000.0])
@each("delta", [1e-300, 1e-12, 1e-6, 0.5, 0.999])
def test_rho_is_the_largest_that_stays_within(wanted: float, delta: float) -> None:
    rho = rho_from_guarantee(Guarantee(epsilon=wanted, delta=delta))
    assert rho >= 0.0
    assert converted(rho, delta) <= wanted
    assert converted(rho * (1.0 + 1e-6) + 1e-300, delta) > wanted * (1.0 - 1e-15) or wanted == 0.0


@each("delta", [0.0, 1.0])
def test_a_guarantee_without_an_inner_delta_has_no_rho(delta: float) -> None:
    with pytest.raises(InvalidParameterError, match="delta"):
        rho_from_guarantee(Guarantee(epsilon=1.0, delta=delta))


def test_huge_and_tiny_rho() -> None:
    assert converted(1e300, 1e-6) == pytest.approx(1e300)
    assert converted(1e-300, 1e-6) == pytest.approx(0.0, abs=1e-12)
    assert math.isfinite(converted(1.0, 5e-324))
