"""Confidence intervals of a ratio, against exact p-values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.accuracy import ratio_interval
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from tests.running.cases import each
from tests.unit.accuracy.accuracy_sums import atoms


def laplace(scale):
    return DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)


def exact_chance(ratio, numerator, denominator, scales, step):
    """P(|step Z - ratio W| >= |numerator - ratio denominator|), atom by atom."""
    (sums, sum_weights), (counts, count_weights) = atoms(scales[0]), atoms(scales[1])
    distance = np.abs(step * sums - ratio * counts[:, None])
    reached = distance >= abs(numerator - ratio * denominator) - 1e-9
    return float(count_weights @ (reached @ sum_weights))


@each("numerator, denominator", [(-20.0, 60.0), (0.5, 40.0), (15.0, 31.0)])
def test_the_ends_are_where_the_exact_chance_falls_below_one_in_twenty(numerator, denominator):
    scales = (2.0, 3.0)
    lower, upper = ratio_interval(numerator, denominator, *map(laplace, scales), numerator_step=0.5, confidence=0.95)
    assert lower < numerator / denominator < upper
    for end, outward in ((lower, -1e-6), (upper, 1e-6)):
        assert exact_chance(end + outward, numerator, denominator, scales, 0.5) <= 0.05
        assert exact_chance(end - 1e-3 * np.sign(outward), numerator, denominator, scales, 0.5) > 0.05


def test_a_count_near_zero_excludes_nothing():
    for denominator in (-5.0, 0.0, 8.0):
        interval = ratio_interval(3.0, denominator, laplace(2.0), laplace(3.0), numerator_step=0.5, confidence=0.95)
        assert interval == (-math.inf, math.inf)
    lower, upper = ratio_interval(3.0, 10.0, laplace(2.0), laplace(3.0), numerator_step=0.5, confidence=0.95)
    assert math.isfinite(lower)
    assert math.isfinite(upper)


def test_with_gaussian_noise_it_is_fiellers_interval():
    noise = [GaussianMechanism(standard_deviation=sd, l2_sensitivity=1.0) for sd in (4.0, 3.0)]
    lower, upper = ratio_interval(30.0, 50.0, *noise, numerator_step=1.0, confidence=0.95)
    multiple = 1.959963984540054**2
    for end in (lower, upper):
        assert (30.0 - end * 50.0) ** 2 == pytest.approx(multiple * (16 + end**2 * 9), rel=1e-6)


def test_more_confidence_is_wider_and_more_records_are_narrower():
    def width(confidence, records):
        lower, upper = ratio_interval(
            0.3 * records, records, laplace(2.0), laplace(3.0), numerator_step=0.5, confidence=confidence
        )
        return upper - lower

    assert width(0.8, 100.0) < width(0.95, 100.0) < width(0.999, 100.0)
    assert width(0.95, 1000.0) == pytest.approx(width(0.95, 100.0) / 10, rel=0.1)


def test_negligible_noise_leaves_a_point():
    lower, upper = ratio_interval(30.0, 100.0, laplace(0.01), laplace(0.01), numerator_step=0.5, confidence=0.95)
    assert lower == pytest.approx(0.3, abs=1e-9)
    assert upper == pytest.approx(0.3, abs=1e-9)


@each(
    "changes, name",
    [
        ({"numerator": math.nan}, "numerator"),
        ({"denominator": math.inf}, "denominator"),
        ({"numerator_step": 0.0}, "numerator_step"),
        ({"denominator_step": -1.0}, "denominator_step"),
        ({"confidence": 1.0}, "confidence"),
        ({"confidence": 0.0}, "confidence"),
    ],
)
def test_nonsense_is_refused_by_name(changes, name):
    arguments = {"numerator": 1.0, "denominator": 10.0, "numerator_step": 1.0, "confidence": 0.95} | changes
    with pytest.raises(InvalidParameterError, match=rf"^{name} must be"):
        ratio_interval(
            arguments.pop("numerator"), arguments.pop("denominator"), laplace(1.0), laplace(1.0), **arguments
        )
