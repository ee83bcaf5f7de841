"""What the union bound says of a noisy sum over a noisy count, held against the law of the answer."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpengine.accuracy import NoiseError, RatioBounds, RatioError, has_ratio_bounds
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from tests.running.cases import each

LAW = RatioError(
    numerator=DiscreteLaplaceMechanism(scale=4000.0, l1_sensitivity=1),
    denominator=DiscreteLaplaceMechanism(scale=5.0, l1_sensitivity=1),
    numerator_step=0.01,
    ratio=-12.0,
    records=300.0,
    lowest=-38.0,
    highest=62.0,
)
T = np.array([0.0, 0.5, 1.0, 3.0, 6.0, 10.0])


def test_the_error_follows_from_both_scales():
    bounds = RatioBounds(law=LAW, coordinates=1)
    assert (bounds.sum_scale, bounds.count_scale) == pytest.approx((40.0, 5.0))
    assert bounds.error_at(3.0) == pytest.approx(3 * (40 + 12 * 5) / (300 - 3 * 5))
    assert RatioBounds(law=LAW.mirrored, coordinates=1).error_at(3.0) == bounds.error_at(3.0)
    assert RatioBounds(law=LAW, coordinates=20).error_at(1.0) == pytest.approx(bounds.error_at(1 + math.log(20)))


def test_on_a_fine_grid_the_bound_is_twice_that_of_one_noise():
    fine = replace(LAW, denominator=DiscreteLaplaceMechanism(scale=50000.0, l1_sensitivity=1), denominator_step=1e-4)
    assert RatioBounds(law=fine, coordinates=1).tail_bound(T[2:]) == pytest.approx(2 * np.exp(-T[2:]), rel=1e-3)
    assert RatioBounds(law=fine, coordinates=50).tail_bound(T[2:]) == pytest.approx(2 * np.exp(-T[2:]), rel=1e-3)


@each("coordinates", [1, 2, 1000])
@each("records", [0.0, 1.0, 9.0, 40.0, 300.0, 1e6])
@each("scale", [0.2, 5.0])
def test_the_bound_is_never_below_the_chance_of_a_larger_error(coordinates, records, scale):
    noise = DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)
    bounds = RatioBounds(law=replace(LAW, denominator=noise, records=records), coordinates=coordinates)
    errors, chances = bounds.error_at(T), bounds.tail_bound(T)
    assert np.all(bounds.released_beyond(errors) <= chances * (1 + 1e-9))
    assert np.all(np.diff(errors) >= 0.0)
    assert np.all(errors <= LAW.farthest)
    assert np.all(chances <= 1.0)


def test_the_bound_says_something_and_a_smaller_error_would_break_it():
    bounds = RatioBounds(law=LAW, coordinates=1)
    assert bounds.released_beyond(bounds.error_at(3.0) / 3) > bounds.tail_bound(3.0)


def test_where_the_noise_may_be_as_large_as_the_count_only_the_public_bounds_are_left():
    bounds = RatioBounds(law=replace(LAW, records=30.0), coordinates=1)
    assert bounds.error_at(1.0) == pytest.approx(100 / 25)
    assert LAW.farthest == 62.0
    assert bounds.error_at(5.9) == LAW.farthest, "Its denominator would be half a row."
    assert bounds.released_beyond(LAW.farthest) == 0.0


@each("law", [NoiseError(mechanism=DiscreteLaplaceMechanism(scale=1.0, l1_sensitivity=1)), None])
def test_other_laws_have_no_such_bounds(law):
    assert not has_ratio_bounds(law)


def test_gaussian_noise_has_no_such_bounds():
    gaussian = replace(LAW, denominator=GaussianMechanism(standard_deviation=3.0, l2_sensitivity=1.0))
    assert has_ratio_bounds(LAW)
    assert not has_ratio_bounds(gaussian)
    with pytest.raises(InvalidParameterError, match=r"^law must be that of a sum over a count"):
        RatioBounds(law=gaussian, coordinates=1)
    with pytest.raises(InvalidParameterError, match=r"^coordinates must be"):
        RatioBounds(law=LAW, coordinates=0)
    with pytest.raises(InvalidParameterError, match=r"^t must be"):
        RatioBounds(law=LAW, coordinates=1).error_at(-1.0)
