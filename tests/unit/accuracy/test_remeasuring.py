"""The noise of several answers together, against sums over all atoms and against closed forms."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from dpengine.accuracy import RemeasuredNoise, averaged, inverse_variance_weights, narrowest, ratio_interval, remeasured
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from tests.running.cases import each


def laplace(scale):
    return DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)


def bell(scale):
    return DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1)


def listed(noise):
    """Values and probabilities, from the definition of each law alone."""
    reach = math.ceil(40 * noise.scale) + 2
    values = np.arange(-reach, reach + 1.0)
    power = np.abs(values) / noise.scale if isinstance(noise, DiscreteLaplaceMechanism) else values**2 / 2
    weights = np.exp(-power if isinstance(noise, DiscreteLaplaceMechanism) else -power / noise.scale**2)
    kept = weights > 1e-17 * weights.max()
    return values[kept], weights[kept] / weights.sum()


@functools.cache
def every_sum(law):
    """All sums of the weighted noises with their probabilities, in order of their size."""
    sums, chances = np.zeros(1), np.ones(1)
    for noise, weight in zip(law.noises, law.weights, strict=True):
        values, weights = listed(noise)
        sums, chances = np.add.outer(sums, weight * values).ravel(), np.multiply.outer(chances, weights).ravel()
    order = np.argsort(np.abs(sums))
    return np.abs(sums)[order], np.append(np.cumsum(chances[order][::-1])[::-1], 0.0)


def exceeded(law, t, slack=1e-9):
    """P(|sum| > t), where a sum within `slack` above t counts as t."""
    sizes, beyond = every_sum(law)
    return beyond[np.searchsorted(sizes, np.asarray(t) + slack, side="right")]


COARSE = {
    "two alike": (laplace(2.0), laplace(2.0)),
    "three alike": (laplace(1.5),) * 3,
    "two scales": (laplace(2.0), laplace(1.0)),
    "hardly any noise beside some": (laplace(0.3), laplace(2.0)),
    "gaussian": (bell(1.5), bell(4.0)),
    "laplace and gaussian": (laplace(2.0), bell(3.0)),
    "three kinds": (laplace(2.0), bell(1.3), laplace(0.7)),
    "far apart": (laplace(10.0), laplace(0.2)),
}


@each("name", COARSE)
def test_tails_are_never_below_the_sum_over_all_atoms_and_hardly_above(name):
    law = remeasured(COARSE[name])
    t = np.linspace(0.0, 9.0 * law.standard_deviation, 200)
    assert np.all(law.tail(t) >= exceeded(law, t) - 1e-13)
    assert np.all(law.tail(t) <= exceeded(law, t - 0.0041 * law.standard_deviation, -1e-9) + 1e-9)


@each("name", COARSE)
@each("confidence", [0.5, 0.95, 0.999])
def test_quantiles_cover_and_a_hundredth_less_would_not(name, confidence):
    law = remeasured(COARSE[name])
    half = law.error_quantile(confidence)
    assert exceeded(law, half) <= 1.0 - confidence
    assert exceeded(law, half - 0.005 * law.standard_deviation, -1e-9) > 1.0 - confidence


@each("name", ["two alike", "three alike"])
def test_alike_noises_are_exact(name):
    law = remeasured(COARSE[name])
    t = np.arange(60.0) / len(COARSE[name])
    assert law.tail(t) == pytest.approx(exceeded(law, t), abs=1e-10)


def test_two_answers_at_half_an_epsilon_reach_farther_than_their_variance_says():
    """MATH.md, section 9: 4.12 scales, not 3.92; a variance of 4 where one answer at epsilon 1 has 2."""
    law = remeasured((laplace(2e6), laplace(2e6)))
    assert (law.standard_deviation / 1e6) ** 2 == pytest.approx(4.0, rel=1e-6)
    true = brentq(lambda t: (1.0 + t / 2.0) * math.exp(-t) - 0.05, 1.0, 9.0)
    half = law.error_quantile(0.95) / 1e6
    assert true == pytest.approx(4.113, abs=1e-3)
    assert true <= half <= 1.005 * true
    assert half > 1.04 * 1.96 * law.standard_deviation / 1e6


@each("scales", [(1e4, 1e4), (1e4, 3e4, 2e4)])
def test_gaussian_noises_make_a_gaussian(scales):
    law = remeasured([bell(scale) for scale in scales])
    exact = norm.isf(0.025) / math.sqrt(sum(scale**-2 for scale in scales))
    assert exact - 1.0 <= law.error_quantile(0.95) <= 1.004 * exact


def test_many_coordinates_and_extreme_confidence_stay_covered():
    law = remeasured((laplace(1e5), laplace(1e5)))
    for confidence, coordinates in ((0.95, 1000), (1 - 1e-13, 1)):
        t = law.error_quantile(confidence, coordinates) / 1e5 * 2.0
        assert (1.0 + t / 2.0) * math.exp(-t) <= 1.0 - confidence ** (1.0 / coordinates)


def test_a_hundred_answers_are_nearly_normal():
    law = remeasured((laplace(5.0),) * 100)
    assert law.error_quantile(0.95) == pytest.approx(1.96 * law.standard_deviation, rel=0.02)


def test_weights_are_inverse_variances():
    noises = laplace(2.0), laplace(1.0), bell(3.0)
    variances = np.array([(p * v**2).sum() for v, p in map(listed, noises)])
    assert inverse_variance_weights(noises) == pytest.approx((1 / variances) / (1 / variances).sum(), rel=1e-9)
    law = remeasured(noises)
    assert law.standard_deviation**2 == pytest.approx(1.0 / (1.0 / variances).sum(), rel=1e-9)


def test_one_answer_counts_alone_where_an_average_would_be_wider():
    """Noise in whole steps stays within 1 more often than it has to; with a worse one in between it does not."""
    pair = laplace(0.5), laplace(1.0)
    law = narrowest(pair, confidence=0.95)
    assert law.weights == (1.0, 0.0)
    assert law.error_quantile(0.95) == pair[0].error_quantile(0.95) == 1.0
    assert averaged(pair).error_quantile(0.95) > 1.1, "An average would be wider: else this says nothing."
    assert narrowest(pair[::-1], confidence=0.95).weights == (0.0, 1.0)
    for noises in ((laplace(0.5), laplace(0.5)), (laplace(5.0), laplace(6.0))):
        assert narrowest(noises, confidence=0.95) == averaged(noises)


def test_one_answer_keeps_its_own_law_and_negligible_noise_is_no_fault():
    assert remeasured((laplace(2.0),)) == laplace(2.0)
    law = remeasured((laplace(1e-3), laplace(1e9)))
    assert law.error_quantile(0.95) < 1e-3
    assert remeasured((laplace(1e-3), laplace(1e-3))).error_quantile(0.95) == 0.0


def exact_chance(ratio, numerator, denominator, laws, step):
    """P(|step Z - ratio W| >= |numerator - ratio denominator|), over all pairs of sums."""
    tails = np.zeros(2)
    distance = abs(numerator - ratio * denominator)
    signed = [np.concatenate([-sizes[::-1], sizes]) for sizes, _ in map(every_sum, laws)]
    chances = [np.concatenate([-np.diff(beyond)[::-1], -np.diff(beyond)]) / 2.0 for _, beyond in map(every_sum, laws)]
    order = np.argsort(signed[0])
    sums, upper = signed[0][order], np.append(np.cumsum(chances[0][order][::-1])[::-1], 0.0)
    for place, sign in enumerate((1.0, -1.0)):
        line = (distance + sign * ratio * signed[1]) / step
        tails[place] = chances[1] @ upper[np.searchsorted(sums, line - 1e-9)]
    return tails.sum()


@each("kinds", [(laplace, 2.0, 1.0), (laplace, 2.0, 2.0), (bell, 2.0, 3.0)])
@each("numerator, denominator", [(-20.0, 60.0), (0.5, 40.0)])
def test_intervals_of_ratios_end_where_the_exact_chance_falls_below_one_in_twenty(kinds, numerator, denominator):
    kind, first, second = kinds
    laws = remeasured((kind(first), kind(second))), remeasured((kind(1.5 * first), kind(1.5 * second)))
    lower, upper = ratio_interval(numerator, denominator, *laws, numerator_step=0.5, confidence=0.95)
    assert lower < numerator / denominator < upper
    for end, outward in ((lower, -1e-6), (upper, 1e-6)):
        assert exact_chance(end + outward, numerator, denominator, laws, 0.5) <= 0.05
        inward = end - 0.02 * np.sign(outward) * (upper - lower)
        assert exact_chance(inward, numerator, denominator, laws, 0.5) > 0.05


@each("weights", [(0.5, 0.6), (1.5, -0.5), (1.0,)])
def test_weights_that_make_no_average_are_refused(weights):
    with pytest.raises(InvalidParameterError, match=r"^(weights|noises) must be"):
        RemeasuredNoise(noises=(laplace(1.0), laplace(1.0)), weights=weights)


def test_a_combined_sum_needs_a_combined_count():
    with pytest.raises(UnsupportedEventError):
        ratio_interval(5.0, 50.0, remeasured((laplace(1.0),) * 2), laplace(1.0), numerator_step=1.0, confidence=0.95)
