"""Continuous Laplace noise and the bounds of the course notes."""

import math

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import LaplaceMechanism
from dpengine.privacy import LaplaceEvent
from tests.running.cases import each

MECHANISM = LaplaceMechanism.from_epsilon(0.5, l1_sensitivity=2.0)


def test_scale_is_sensitivity_over_epsilon() -> None:
    assert (MECHANISM.scale, MECHANISM.l1_sensitivity) == (4.0, 2.0)
    assert MECHANISM.event == LaplaceEvent(noise_multiplier=2.0)
    assert LaplaceMechanism.from_epsilon(1.0).scale == 1.0


@each("l1_sensitivity", [1.0, 3.0, 0.7, 1e-10, 1e10])
def test_the_event_never_costs_more_than_was_asked_for(l1_sensitivity: float) -> None:
    for epsilon in np.random.default_rng(3).uniform(0.01, 10.0, 200).tolist():
        noise = LaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=l1_sensitivity).event.noise_multiplier
        assert 1.0 / noise <= epsilon
        assert 1.0 / noise == pytest.approx(epsilon, rel=1e-15)


def test_a_scale_that_nothing_can_be_said_about_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="scale"):
        LaplaceMechanism(scale=1.7e308, l1_sensitivity=1.0)
    assert math.isfinite(LaplaceMechanism(scale=1e300, l1_sensitivity=1.0).standard_deviation)


def test_one_coordinate_obeys_the_logarithm() -> None:
    assert MECHANISM.error_quantile(0.95) == pytest.approx(4.0 * math.log(20.0))
    assert MECHANISM.tail(4.0 * math.log(20.0)) == pytest.approx(0.05)


@each("coordinates", [1, 2, 1000, 10_000_000])
def test_bounds_are_never_below_what_they_bound(coordinates: int) -> None:
    for confidence in (0.01, 0.5, 0.95, 1.0 - 1e-12):
        exact = MECHANISM.error_quantile(confidence, coordinates)
        assert exact <= MECHANISM.union_bound_quantile(confidence, coordinates) * (1.0 + 1e-12)
    largest, bound = MECHANISM.expected_largest_error(coordinates), MECHANISM.expected_largest_error_bound(coordinates)
    assert largest <= bound * (1.0 + 1e-12) <= largest + 0.43 * MECHANISM.scale
    steps = np.array([0.0, 1.0, 5.0, 40.0])
    tail = MECHANISM.largest_error_tail(steps, coordinates)
    assert np.all(tail <= MECHANISM.largest_error_tail_bound(steps) * (1.0 + 1e-12))


def test_the_largest_error_tail_agrees_with_the_quantile() -> None:
    reach = MECHANISM.scale * (math.log(50.0) + 3.0)
    assert MECHANISM.error_quantile(1.0 - MECHANISM.largest_error_tail(3.0, 50), 50) == pytest.approx(reach)


def test_mean_largest_of_three_is_eleven_sixths() -> None:
    assert LaplaceMechanism(scale=1.0, l1_sensitivity=1.0).expected_largest_error(3) == pytest.approx(11.0 / 6.0)
