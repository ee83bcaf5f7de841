"""Privacy noise in the unit of the answer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import dlaplace, norm

from dpengine.accuracy import ErrorLaw, NoiseError
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from tests.running.cases import each


def discrete(scale=3.0, step=1.0):
    return NoiseError(mechanism=DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1), step=step)


def test_it_is_an_error_law():
    assert isinstance(discrete(), ErrorLaw)


def test_lengths_are_steps_of_the_mechanism():
    law, reference = discrete(scale=3.0, step=0.25), dlaplace(1 / 3.0)
    assert law.standard_deviation == pytest.approx(0.25 * reference.std())
    assert law.expected_absolute_error == pytest.approx(0.25 / math.sinh(1 / 3.0))
    assert law.tail(0.6) == pytest.approx(2 * reference.sf(2))
    assert law.grid_step == 0.25


def test_a_tail_at_a_grid_point_is_strictly_beyond_it_in_spite_of_rounding():
    law = discrete(scale=3.0, step=1 / 49)
    for k in range(1, 60):
        assert law.tail(k / 49) == pytest.approx(2 * math.exp(-(k + 1) / 3) / (1 + math.exp(-1 / 3)), rel=1e-12)
        assert law.tail(k * (1 / 49)) == law.tail(k / 49)


def test_a_quantile_is_the_least_half_width():
    law = discrete(scale=10.0, step=0.5)
    half_width = law.quantile(0.95)
    assert law.tail(half_width) <= 0.05 < law.tail(half_width - 0.5)


def test_signed_quantiles_follow_scipy():
    law, reference = discrete(scale=4.0), dlaplace(0.25)
    probabilities = np.array([0.003, 0.2, 0.45, 0.55, 0.8, 0.997])
    assert law.quantile_function(probabilities).tolist() == reference.ppf(probabilities).tolist()
    assert law.quantile_function(0.5) == 0.0


def test_likely_errors_are_balanced_and_have_the_right_spread():
    errors = discrete(scale=50.0).likely_errors(100)
    assert len(errors) == 100
    assert np.array_equal(errors, -errors[::-1])
    assert np.mean(np.abs(errors)) == pytest.approx(50.0, rel=0.02)


def test_continuous_noise_has_no_grid():
    law = NoiseError(mechanism=GaussianMechanism(standard_deviation=2.0, l2_sensitivity=1.0), step=3.0)
    assert law.grid_step is None
    assert law.density(1.0) == pytest.approx(norm(scale=6.0).pdf(1.0))
    assert law.quantile(0.95) == pytest.approx(norm(scale=6.0).ppf(0.975))
    with pytest.raises(InvalidParameterError, match=r"^mechanism must be discrete"):
        law.probability(0)


def test_stems_sum_to_one_and_bars_to_the_same_area():
    law, k = discrete(scale=2.0, step=0.1), np.arange(-100, 101.0)
    assert law.probability(k).sum() == pytest.approx(1.0)
    assert law.density(k * 0.1).sum() * 0.1 == pytest.approx(1.0)


@each("probability", [0.0, 1.0, math.nan])
def test_certainty_has_no_quantile(probability):
    with pytest.raises(InvalidParameterError, match=r"^probability must be"):
        discrete().quantile_function(probability)


def test_a_step_is_a_length():
    with pytest.raises(InvalidParameterError, match=r"^step must be"):
        discrete(step=0.0)
