"""Discrete Gaussian noise beside sampling errors and in ratios, against brute force over its atoms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from dpengine.accuracy import CombinedError, NoiseError, RatioError, SamplingError, ratio_interval
from dpengine.accuracy.numerical.two_gaussian_noises import FARTHER
from dpengine.accuracy.numerical.two_noises import exceedance
from dpengine.errors import UnsupportedEventError
from dpengine.losses.discrete_gaussian_tails import log_tail
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from tests.running.cases import each


def bell(scale):
    return DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1)


def atoms(scale):
    values = np.arange(-math.ceil(39 * scale) - 2, math.ceil(39 * scale) + 3.0)
    weights = np.exp(-((values / scale) ** 2) / 2)
    return values, weights / weights.sum()


def noise_and_normal_tail(scale, step, deviation, t):
    """P(|step * noise + normal| > t)."""
    values, weights = atoms(scale)
    return np.array([weights @ (2.0 * norm.sf((x - values * step) / deviation)) for x in t])


def chance_beyond(scales, intercept, slope, floor):
    """P(Z > intercept + slope max(W, floor)), pair by pair."""
    (sums, sum_weights), (counts, count_weights) = atoms(scales[0]), atoms(scales[1])
    more_than = np.append(np.cumsum(sum_weights[::-1])[::-1], 0.0)
    line = intercept[:, None] + slope[:, None] * np.maximum(counts, floor)
    first = np.clip(np.floor(line) + 1.0 - sums[0], 0, len(sums)).astype(int)
    return more_than[first] @ count_weights


@each("scale", [0.3, 1.0, 4.9, 11.9, 12.1, 80.0])
@each("deviation", [0.05, 0.4, 1.0, 1.9, 2.1, 30.0, 900.0])
def test_beside_a_sampling_error_never_below_and_at_most_1_1_grid_steps_above(scale, deviation):
    law = CombinedError(
        noise=NoiseError(mechanism=bell(scale), step=0.5), sampling=SamplingError(standard_deviation=deviation * 0.5)
    )
    t = np.linspace(0.0, 7.0 * law.standard_deviation, 90)
    truth = noise_and_normal_tail(scale, 0.5, deviation * 0.5, t)
    one_step_on = noise_and_normal_tail(scale, 0.5, deviation * 0.5, np.maximum(t - 0.55, 0.0))
    assert np.all(law.tail(t) >= truth - 1e-12)
    assert np.all(law.tail(t) <= one_step_on + 1e-12)


@each("scale, deviation", [(1.0, 3.0), (12.1, 2.0), (80.0, 20.0), (300.0, 5.0)])
def test_smooth_sums_are_exact(scale, deviation):
    law = CombinedError(noise=NoiseError(mechanism=bell(scale)), sampling=SamplingError(standard_deviation=deviation))
    t = np.linspace(0.0, 5.0 * deviation, 40)
    assert law.tail(t) == pytest.approx(noise_and_normal_tail(scale, 1.0, deviation, t), abs=1e-11)


@each("scale", [12.0, 13.0, 20.0, 50.0, 200.0, 1000.0])
def test_continuous_noise_a_little_farther_out_is_never_smaller(scale):
    """P(noise > y) <= P(normal > y - FARTHER) on both sides of 0 up to 13 scales out; a whole step at any scale."""
    k = np.arange(1.0, 13.0 * scale)
    assert np.all(log_tail(scale, k) <= norm.logsf((k - FARTHER) / scale))
    assert np.all(log_tail(scale, k) >= norm.logsf((k - 1.0 + FARTHER) / scale))
    for narrow in (0.1, 0.7, 3.0):
        k = np.arange(1.0, 20.0)
        assert np.all(log_tail(narrow, k) <= norm.logsf((k - 1.0) / narrow))
        assert np.all(log_tail(narrow, k) >= norm.logsf(k / narrow))


@each("scales", [(0.4, 1.0), (3.0, 5.0), (11.9, 23.9), (40.0, 3.0), (400.0, 5.0), (40.0, 30.0)])
@each("floor", [-math.inf, -60.0, -7.5, 0.0])
def test_a_line_is_exceeded_at_most_as_often_as_said(scales, floor):
    slope = np.tile([-8.0, -1.3, -0.2, 0.0, 0.2, 1.3, 8.0], 12)
    spread = np.hypot(scales[0], slope * scales[1])
    intercept = np.repeat(np.linspace(-2.0, 5.0, 12), 7) * spread
    found = exceedance(*map(bell, scales), intercept=intercept, slope=slope, floor=floor)
    truth = chance_beyond(scales, intercept, slope, floor)
    assert np.all(found >= truth * (1.0 - 1e-9) - 1e-15)
    if scales[0] <= 12.0:
        assert np.all(found <= chance_beyond(scales, intercept - 1e-6, slope, floor) + 1e-11)
    else:
        allowed = chance_beyond(scales, intercept - 1.1 - 1.1 * np.abs(slope) * (scales[1] > 24.0), slope, floor)
        assert np.all(found <= allowed + norm.cdf((floor + 1.0) / scales[1]))


def test_a_ratio_of_fine_noises_is_that_of_simulated_ones():
    law = RatioError(
        numerator=bell(40.0),
        denominator=bell(30.0),
        numerator_step=0.5,
        ratio=0.3,
        records=600.0,
        lowest=-0.8,
        highest=0.2,
    )
    rng = np.random.default_rng(5)
    sums, counts = bell(40.0).simulate(np.zeros(400_000), rng), bell(30.0).simulate(np.zeros(400_000), rng)
    errors = (0.3 * 600 + 0.5 * sums) / (600 + counts) - 0.3
    half_width = law.quantile(0.95)
    assert np.mean(np.abs(errors) > half_width) <= 0.05 + 0.001
    assert np.mean(np.abs(errors) > half_width * 0.95) > 0.05


@each("scales", [(2.0, 3.0), (500.0, 4.0), (5e6, 40.0)])
def test_the_interval_of_a_ratio_covers_as_often_as_it_says(scales):
    step = 1.0 / scales[0]
    rng = np.random.default_rng(6)
    sums, counts = (bell(scale).simulate(np.zeros(60), rng) for scale in scales)
    held = []
    for sum_noise, count_noise in zip(sums, counts, strict=True):
        lower, upper = ratio_interval(
            40.0 + step * sum_noise,
            10.0 * scales[1] + count_noise,
            *map(bell, scales),
            numerator_step=step,
            confidence=0.9,
        )
        held.append(lower <= 40.0 / (10.0 * scales[1]) <= upper)
    assert 0.8 <= np.mean(held) <= 0.99


def test_two_kinds_of_noise_are_not_paired():
    pair = [bell(1.0), DiscreteLaplaceMechanism(scale=1.0, l1_sensitivity=1)]
    for numerator, denominator in (pair, pair[::-1]):
        with pytest.raises(UnsupportedEventError, match="ratio"):
            exceedance(numerator, denominator, intercept=np.zeros(1), slope=np.zeros(1))
