"""What one observed answer says."""

import math
from typing import Any

import numpy as np
import pytest

from dpengine.beliefs import (
    discrete_gaussian_log_likelihood_ratio,
    discrete_laplace_log_likelihood_ratio,
    gaussian_log_likelihood_ratio,
    laplace_log_likelihood_ratio,
)
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteGaussianMechanism, LaplaceMechanism
from tests.running.cases import each

OBSERVED = np.array([-50.0, 9.0, 10.0, 10.5, 11.0, 12.0, 50.0])


def test_laplace_is_the_log_ratio_of_densities_and_bounded() -> None:
    found = laplace_log_likelihood_ratio(OBSERVED, answer_with=11.0, answer_without=10.0, scale=2.0)
    assert found == pytest.approx((np.abs(OBSERVED - 10.0) - np.abs(OBSERVED - 11.0)) / 2.0)
    assert np.all(np.abs(found) <= 0.5)


@each("changes", [(3, 1, 1), (1, -1, 0), (-2, 5)])
def test_laplace_losses_of_several_counts_add_up_to_epsilon_at_most(changes: tuple[int, ...]) -> None:
    noise = LaplaceMechanism.from_epsilon(0.5, l1_sensitivity=float(sum(map(abs, changes))))
    points = np.random.default_rng(1).uniform(-8.0, 8.0, size=(len(changes), 500))
    points[:, 0] = 8.0 * np.sign(changes)
    losses = sum(
        laplace_log_likelihood_ratio(seen, answer_with=float(change), answer_without=0.0, scale=noise.scale)
        for seen, change in zip(points, changes, strict=True)
    )
    assert np.abs(losses).max() == pytest.approx(0.5, rel=1e-12), "Reached at the first point, and never passed."
    assert np.min(np.abs(losses)) < 0.4


def test_gaussian_is_the_log_ratio_of_densities_and_not_bounded() -> None:
    found = gaussian_log_likelihood_ratio(OBSERVED, answer_with=11.0, answer_without=10.0, standard_deviation=2.0)
    assert found == pytest.approx(((OBSERVED - 10.0) ** 2 - (OBSERVED - 11.0) ** 2) / 8.0)
    assert found.max() > 4.0


def test_discrete_laplace_is_the_same_on_whole_numbers_only() -> None:
    whole = np.array([-5.0, 10.0, 11.0, 30.0])
    found = discrete_laplace_log_likelihood_ratio(whole, answer_with=11, answer_without=10, scale=2.0)
    assert set(np.abs(found)) == {0.5}
    with pytest.raises(InvalidParameterError, match="observed"):
        discrete_laplace_log_likelihood_ratio(10.5, answer_with=11, answer_without=10, scale=2.0)


def test_discrete_gaussian_is_the_log_ratio_of_its_probabilities() -> None:
    whole = np.array([-5.0, 10.0, 11.0, 12.0, 16.0])
    found = discrete_gaussian_log_likelihood_ratio(whole, answer_with=12, answer_without=10, scale=2.0)
    noise = DiscreteGaussianMechanism(standard_deviation=2.0, l2_sensitivity=2)
    assert found == pytest.approx(np.log(noise.probability(whole - 12.0) / noise.probability(whole - 10.0)))
    for argument in ("observed", "answer_with", "answer_without"):
        on_grid: dict[str, Any] = {"observed": 10.0, "answer_with": 12, "answer_without": 10, "scale": 2.0}
        with pytest.raises(InvalidParameterError, match=argument):
            discrete_gaussian_log_likelihood_ratio(**{**on_grid, argument: 10.5})
    with pytest.raises(InvalidParameterError, match="scale"):
        discrete_gaussian_log_likelihood_ratio(10.0, answer_with=12, answer_without=10, scale=0.0)


def test_extreme_answers_give_numbers() -> None:
    far = np.array([1e308, -1e308, 0.0])
    for found in (
        laplace_log_likelihood_ratio(far, answer_with=1e300, answer_without=-1e300, scale=5e-324),
        gaussian_log_likelihood_ratio(far, answer_with=1e308, answer_without=-1e308, standard_deviation=5e-324),
    ):
        assert not np.any(np.isnan(found))


@each("bad", [math.nan, math.inf, "1"])
def test_bad_arguments_are_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="observed"):
        laplace_log_likelihood_ratio(bad, answer_with=1.0, answer_without=0.0, scale=1.0)
    with pytest.raises(InvalidParameterError, match="answer_with"):
        laplace_log_likelihood_ratio(0.0, answer_with=bad, answer_without=0.0, scale=1.0)
    with pytest.raises(InvalidParameterError, match="scale"):
        laplace_log_likelihood_ratio(0.0, answer_with=1.0, answer_without=0.0, scale=bad)
    with pytest.raises(InvalidParameterError, match="standard_deviation"):
        gaussian_log_likelihood_ratio(0.0, answer_with=1.0, answer_without=0.0, standard_deviation=bad)
