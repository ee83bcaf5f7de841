"""From the error that a person can bear to the noise, and errors of whole vectors."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import (
    AdditiveMechanism,
    ClampedLaplaceMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    StaircaseMechanism,
    TruncatedLaplaceMechanism,
    expected_l1_error,
    expected_l2_error_bound,
    expected_squared_l2_error,
)
from tests.running.cases import each

CONFIDENCES, COORDINATES = [1e-9, 0.5, 0.95, 1.0 - 1e-12], [1, 100, 10**7]
EVERY: list[AdditiveMechanism] = [
    LaplaceMechanism(scale=2.0, l1_sensitivity=1.0),
    GaussianMechanism(standard_deviation=3.0, l2_sensitivity=1.0),
    DiscreteLaplaceMechanism(scale=2.0, l1_sensitivity=1),
    TruncatedLaplaceMechanism(scale=2.0, truncation=4.0, l1_sensitivity=1.0),
    ClampedLaplaceMechanism(scale=2.0, truncation=4.0, l1_sensitivity=1.0),
]


@each("coordinates", COORDINATES)
@each("confidence", CONFIDENCES)
@each("error", [1e-9, 0.7, 1e9])
def test_continuous_noise_meets_the_error_and_not_a_digit_more(
    error: float, confidence: float, coordinates: int
) -> None:
    laplace = LaplaceMechanism.from_error(error, confidence=confidence, coordinates=coordinates, l1_sensitivity=3.0)
    gaussian = GaussianMechanism.from_error(error, confidence=confidence, coordinates=coordinates, l2_sensitivity=3.0)
    for found in (laplace.error_quantile(confidence, coordinates), gaussian.error_quantile(confidence, coordinates)):
        assert error * (1.0 - 1e-14) <= found <= error
    assert (laplace.l1_sensitivity, gaussian.l2_sensitivity) == (3.0, 3.0)


@each("coordinates", COORDINATES)
@each("confidence", CONFIDENCES)
@each("error", [0, 1, 2.9, 17, 1e6])
def test_discrete_noise_meets_the_error_and_the_next_scale_misses_it(
    error: float, confidence: float, coordinates: int
) -> None:
    found = DiscreteLaplaceMechanism.from_error(error, confidence=confidence, coordinates=coordinates)
    wider = DiscreteLaplaceMechanism(scale=found.scale * (1.0 + 1e-9), l1_sensitivity=1)
    assert found.error_quantile(confidence, coordinates) <= error
    assert wider.error_quantile(confidence, coordinates) > error


@each("coordinates", COORDINATES)
@each("confidence", CONFIDENCES)
@each("error", [0, 1, 2.9, 17, 1e6])
def test_discrete_gaussian_noise_meets_the_error_and_the_next_scale_misses_it(
    error: float, confidence: float, coordinates: int
) -> None:
    found = DiscreteGaussianMechanism.from_error(error, confidence=confidence, coordinates=coordinates)
    more = 1.0 + (1e-6 if confidence > 0.1 else 1e-3)  # a tail near 1 has few digits of what is left
    wider = DiscreteGaussianMechanism(standard_deviation=found.scale * more, l2_sensitivity=1)
    assert found.error_quantile(confidence, coordinates) <= error
    assert wider.error_quantile(confidence, coordinates) > error


@each("coordinates", COORDINATES)
@each("confidence", CONFIDENCES[1:])
@each("error", [0.7, 5.0, 1000.0])
def test_staircase_noise_meets_the_error_and_a_smaller_epsilon_misses_it(
    error: float, confidence: float, coordinates: int
) -> None:
    found = StaircaseMechanism.from_error(error, confidence=confidence, coordinates=coordinates, l1_sensitivity=0.5)
    assert found.error_quantile(confidence, coordinates) <= error
    assert found.l1_sensitivity == 0.5
    if found.epsilon > 1e-4:
        less = StaircaseMechanism(epsilon=found.epsilon * (1.0 - 1e-9), l1_sensitivity=0.5)
        assert less.error_quantile(confidence, coordinates) > error


def test_staircase_noise_has_a_least_and_a_largest_epsilon() -> None:
    assert StaircaseMechanism.from_expected_error(1e9).epsilon == 1e-4
    assert StaircaseMechanism.from_error(1e9, confidence=0.9).epsilon == 1e-4
    with pytest.raises(InvalidParameterError, match=r"^expected_absolute_error must be larger"):
        StaircaseMechanism.from_expected_error(1e-200)
    with pytest.raises(InvalidParameterError, match=r"^error must be larger"):
        StaircaseMechanism.from_error(1e-200, confidence=0.9)


def test_the_sensitivity_of_discrete_gaussian_noise_is_kept() -> None:
    for found in (
        DiscreteGaussianMechanism.from_error(10, confidence=0.9, l2_sensitivity=2, one_coordinate=False),
        DiscreteGaussianMechanism.from_expected_error(10.0, l2_sensitivity=2, one_coordinate=False),
    ):
        assert (found.l2_sensitivity, found.one_coordinate) == (2, False)


def test_the_exact_inverse_never_asks_for_more_than_the_union_bound() -> None:
    for coordinates in (1, 10, 10_000):
        mechanism = LaplaceMechanism.from_error(20.0, confidence=0.9, coordinates=coordinates)
        assert 1.0 / mechanism.event.noise_multiplier <= math.log(coordinates / 0.1) / 20.0 * (1.0 + 1e-12)


@each("error", [1e-6, 0.3, 1.0, 50.0, 1e12])
def test_a_mean_error_is_met(error: float) -> None:
    found: list[AdditiveMechanism] = [
        LaplaceMechanism.from_expected_error(error, l1_sensitivity=2.0),
        GaussianMechanism.from_expected_error(error, l2_sensitivity=2.0),
        DiscreteLaplaceMechanism.from_expected_error(error, l1_sensitivity=2),
        DiscreteGaussianMechanism.from_expected_error(error, l2_sensitivity=2),
        *([StaircaseMechanism.from_expected_error(error, l1_sensitivity=2.0)] if error < 1e4 else []),
    ]
    for mechanism in found:
        assert error * (1.0 - 1e-12) <= mechanism.expected_absolute_error <= error


@each("bad", [-1.0, math.nan, math.inf, "1", None, True])
def test_bad_errors_are_named(bad: float) -> None:
    laws: list[Any] = [LaplaceMechanism, GaussianMechanism, DiscreteLaplaceMechanism]
    for law in (*laws, DiscreteGaussianMechanism, StaircaseMechanism):
        with pytest.raises(InvalidParameterError, match="error"):
            law.from_error(bad, confidence=0.9)
        with pytest.raises(InvalidParameterError, match="expected_absolute_error"):
            law.from_expected_error(bad)


def test_an_error_too_wide_for_a_finite_scale_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="scale"):
        LaplaceMechanism.from_error(1e308, confidence=1e-9)


@each("mechanism", EVERY)
def test_vector_errors(mechanism: AdditiveMechanism) -> None:
    noise = mechanism.simulate(np.zeros((40_000, 7)), np.random.default_rng(6))
    assert expected_l1_error(mechanism, 7) == pytest.approx(np.abs(noise).sum(axis=1).mean(), rel=0.01)
    assert expected_squared_l2_error(mechanism, 7) == pytest.approx((noise**2).sum(axis=1).mean(), rel=0.02)
    length = np.sqrt((noise**2).sum(axis=1)).mean()
    assert length < expected_l2_error_bound(mechanism, 7) < 1.15 * length
    for error in (expected_l1_error, expected_squared_l2_error, expected_l2_error_bound):
        with pytest.raises(InvalidParameterError, match="coordinates"):
            error(mechanism, 0)


@each("coordinates", [1, 2, 3, 100, 10**4, 10**7])
def test_the_length_of_gaussian_noise(coordinates: int) -> None:
    mechanism = GaussianMechanism(standard_deviation=2.0, l2_sensitivity=1.0)
    found = mechanism.expected_l2_error(coordinates)
    if coordinates <= 100:
        assert found == pytest.approx(2.0 * float(stats.chi(coordinates).mean()), rel=1e-12)
    else:
        series = 1.0 - 1.0 / (4.0 * coordinates) + 1.0 / (32.0 * coordinates**2)
        assert found == pytest.approx(2.0 * math.sqrt(coordinates) * series, rel=1e-10)
    assert found < expected_l2_error_bound(mechanism, coordinates)
