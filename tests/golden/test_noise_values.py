"""Errors of noise against mpmath."""

import math

import pytest

from dpengine.accuracy.lessons.classic_gaussian import classic_fails_from, classic_log_delta
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
)
from dpengine.mechanisms.additive.gaussian import classic_noise_multiplier
from tests.golden.rows import number, rows
from tests.running.cases import each


@each("row", rows("largest_error"))
def test_largest_error(row: dict[str, str]) -> None:
    coordinates = int(row["coordinates"])
    laplace = LaplaceMechanism(scale=1.0, l1_sensitivity=1.0)
    gaussian = GaussianMechanism(standard_deviation=1.0, l2_sensitivity=1.0)
    found = {
        "laplace_expected": laplace.expected_largest_error(coordinates),
        "laplace_quantile_95": laplace.error_quantile(0.95, coordinates),
        "laplace_union_95": laplace.union_bound_quantile(0.95, coordinates),
        "gaussian_expected": gaussian.expected_largest_error(coordinates),
    }
    assert found == pytest.approx({column: number(row, column) for column in found}, rel=1e-12)


@each("row", rows("discrete_noise", mechanism="discrete_laplace"))
def test_discrete_laplace(row: dict[str, str]) -> None:
    mechanism = DiscreteLaplaceMechanism(scale=number(row, "scale"), l1_sensitivity=1)
    found = (
        mechanism.standard_deviation**2,
        mechanism.expected_absolute_error,
        mechanism.tail(number(row, "threshold")),
    )
    expected = [number(row, column) for column in ("variance", "expected_absolute_error", "probability_greater")]
    assert found == pytest.approx(expected, rel=1e-12, abs=0.0)


@each("row", rows("discrete_noise", mechanism="discrete_gaussian"))
def test_discrete_gaussian(row: dict[str, str]) -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=number(row, "scale"), l2_sensitivity=1)
    threshold = number(row, "threshold")
    found = (
        mechanism.standard_deviation**2,
        mechanism.expected_absolute_error,
        mechanism.tail(threshold - 1.0),
        mechanism.tail(threshold),
    )
    at_least = number(row, "probability_at_least")
    expected = [number(row, column) for column in ("variance", "expected_absolute_error")]
    both_ends = mechanism.probability(threshold) * (2.0 if threshold else 1.0)
    assert found == pytest.approx([*expected, at_least, found[3]], rel=1e-12, abs=0.0)
    assert at_least - both_ends == pytest.approx(found[3], rel=1e-12, abs=1e-12 * at_least)


@each("row", rows("gaussian_formula"))
def test_the_gaussian_formula_of_course_notes(row: dict[str, str]) -> None:
    epsilon, delta = number(row, "epsilon"), number(row, "delta")
    stated = float(classic_noise_multiplier(epsilon=epsilon, delta=delta))
    found = (stated, math.exp(classic_log_delta(epsilon, delta=delta)), classic_fails_from(delta))
    expected = [number(row, column) for column in ("standard_deviation", "true_delta", "fails_from")]
    assert found == pytest.approx(expected, rel=1e-11, abs=0.0)
