"""Staircase noise against the integral of its density, cell by cell."""

import math

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import LaplaceMechanism, StaircaseMechanism
from dpengine.privacy import PureEvent
from tests.running.cases import each

EPSILONS = [0.5, 1.0, 3.0, 10.0, 100.0]


def cells(mechanism: StaircaseMechanism) -> tuple[np.ndarray, np.ndarray]:
    """Points on both parts of every sensitivity's length, and the mass of both signs at each."""
    nodes, weights = np.polynomial.legendre.leggauss(6)
    wholes = np.arange(math.ceil(60.0 / mechanism.epsilon) + 3.0)[:, None]
    points, masses = [], []
    for low, high in ((0.0, mechanism.step), (mechanism.step, 1.0)):
        x = (wholes + low + (high - low) * (nodes + 1.0) / 2.0) * mechanism.l1_sensitivity
        points.append(x.ravel())
        masses.append((mechanism.density(x) * weights * (high - low) * mechanism.l1_sensitivity).ravel())
    return np.concatenate(points), np.concatenate(masses)


@each("epsilon", EPSILONS)
def test_the_density_gives_every_moment_and_the_tail(epsilon: float) -> None:
    mechanism = StaircaseMechanism(epsilon=epsilon, l1_sensitivity=2.0)
    x, mass = cells(mechanism)
    assert mass.sum() == pytest.approx(1.0, rel=1e-13)
    assert (mass * x).sum() == pytest.approx(mechanism.expected_absolute_error, rel=1e-13)
    assert (mass * x * x).sum() == pytest.approx(mechanism.standard_deviation**2, rel=1e-13)
    for t in (2.0 * mechanism.step, 2.0, 2.0 + 2.0 * mechanism.step, 4.0):
        assert mass[x > t].sum() == pytest.approx(mechanism.tail(t), rel=1e-12)


@each("epsilon", EPSILONS)
def test_it_is_private_and_beats_laplace(epsilon: float) -> None:
    mechanism = StaircaseMechanism(epsilon=epsilon, l1_sensitivity=1.0)
    x = np.linspace(-20.0, 20.0, 20_011) / epsilon
    for shift in (0.1, 0.5, mechanism.step, 0.99, 1.0):
        losses = np.log(mechanism.density(x)) - np.log(mechanism.density(x - shift))
        assert np.abs(losses).max() <= epsilon * (1.0 + 1e-12)
    assert mechanism.event == PureEvent(epsilon=epsilon)
    laplace = LaplaceMechanism.from_epsilon(epsilon).expected_absolute_error
    assert mechanism.expected_absolute_error < laplace
    assert mechanism.expected_absolute_error == pytest.approx(math.exp(epsilon / 2.0) / math.expm1(epsilon), rel=1e-13)


def test_another_first_step_has_a_larger_mean_error() -> None:
    """The mean error of a staircase with its first step at s: the mean whole plus the mean place."""
    epsilon, decay = 2.0, math.exp(-2.0)

    def mean(step: float) -> float:
        place = (step**2 + decay * (1.0 - step**2)) / 2.0 / (step + decay * (1.0 - step))
        return decay / (1.0 - decay) + place

    mechanism = StaircaseMechanism(epsilon=epsilon, l1_sensitivity=1.0)
    assert mean(mechanism.step) == pytest.approx(mechanism.expected_absolute_error, rel=1e-13)
    assert min(mean(mechanism.step - 1e-3), mean(mechanism.step + 1e-3)) > mechanism.expected_absolute_error


@each("coordinates", [1, 3, 1000, 10**7])
@each("epsilon", EPSILONS[:-1])
def test_tail_and_quantile_are_inverse(epsilon: float, coordinates: int) -> None:
    mechanism = StaircaseMechanism(epsilon=epsilon, l1_sensitivity=0.3)
    for confidence in (1e-9, 0.05, 0.5, 0.95, 1.0 - 1e-9):
        outside = mechanism.tail(mechanism.error_quantile(confidence, coordinates))
        assert coordinates * math.log1p(-outside) == pytest.approx(math.log(confidence), rel=1e-6)


@each("coordinates", [2, 50, 10**7])
def test_the_mean_largest_error_is_the_integral_of_its_tail(coordinates: int) -> None:
    mechanism = StaircaseMechanism(epsilon=1.5, l1_sensitivity=1.0)
    t = np.linspace(0.5, 3_999_999.5, 4_000_000) / 4_000_000.0 * 45.0
    any_over = -np.expm1(coordinates * np.log1p(-np.minimum(mechanism.tail(t), 1.0 - 1e-16)))
    assert mechanism.expected_largest_error(coordinates) == pytest.approx(any_over.mean() * 45.0, rel=1e-9)


@pytest.mark.parametrize("number", [600, pytest.param(3000, marks=pytest.mark.slow)])
def test_no_epsilon_has_a_tail_above_1_or_no_mean_largest_error(number: int) -> None:
    """At 1 in 100 of these epsilons the last digits of the tail at 0 add up to more than 1."""
    for epsilon in np.geomspace(1e-2, 600.0, number).tolist():
        mechanism = StaircaseMechanism(epsilon=epsilon, l1_sensitivity=1.0)
        assert mechanism.tail(0.0) == pytest.approx(1.0, rel=1e-15)
        assert mechanism.tail(0.0) <= 1.0
        assert mechanism.expected_largest_error(1) == pytest.approx(mechanism.expected_absolute_error, rel=1e-9)
    found = StaircaseMechanism(epsilon=1.6804851064765358, l1_sensitivity=1.0)
    assert found.expected_largest_error(1) == pytest.approx(0.5304, abs=5e-5)
    assert found.expected_largest_error(2) < 2.0 * found.expected_largest_error(1)


def test_small_epsilon_is_laplace_noise() -> None:
    mechanism, laplace = StaircaseMechanism(epsilon=1e-4, l1_sensitivity=1.0), LaplaceMechanism.from_epsilon(1e-4)
    assert mechanism.expected_absolute_error == pytest.approx(laplace.expected_absolute_error, rel=1e-8)
    assert mechanism.error_quantile(0.95, 100) == pytest.approx(laplace.error_quantile(0.95, 100), rel=1e-4)
    assert mechanism.expected_largest_error(100) == pytest.approx(laplace.expected_largest_error(100), rel=1e-6)


def test_at_3_it_saves_a_third_of_the_error_and_is_still_pure() -> None:
    saved = StaircaseMechanism(epsilon=3.0, l1_sensitivity=1.0).expected_absolute_error * 3.0
    assert saved == pytest.approx(0.704, abs=1e-3)
    assert delta_of(StaircaseMechanism(epsilon=3.0, l1_sensitivity=1.0).event, epsilon=3.0) == 0.0


@each("bad", [1e-5, 601.0])
def test_an_epsilon_out_of_range_is_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        StaircaseMechanism(epsilon=bad, l1_sensitivity=1.0)
