"""Laws that every error obeys, whatever the numbers."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.accuracy import CombinedError, NoiseError, RatioError, SamplingError, ratio_interval
from dpengine.calibration import epsilon_for_belief, smallest_epsilon
from dpengine.mechanisms import DiscreteLaplaceMechanism

epsilons = st.floats(1e-4, 1e3)
confidences = st.floats(0.5, 0.9999)
probabilities = st.floats(1e-6, 1 - 1e-6)
records = st.one_of(st.integers(0, 3), st.floats(4, 1e7))
few = settings(max_examples=20)


def noise(epsilon, step=1.0):
    return NoiseError(mechanism=DiscreteLaplaceMechanism(scale=1 / epsilon, l1_sensitivity=1), step=step)


def share(epsilon, count, middle_to_share):
    return RatioError(
        numerator=DiscreteLaplaceMechanism(scale=1 / (0.6 * epsilon), l1_sensitivity=1),
        denominator=DiscreteLaplaceMechanism(scale=1 / (0.4 * epsilon), l1_sensitivity=1),
        numerator_step=0.5,
        ratio=middle_to_share,
        records=float(count),
        lowest=-0.5 - middle_to_share,
        highest=0.5 - middle_to_share,
    )


@given(epsilons, confidences, st.floats(1e-6, 1e6))
def test_half_widths_of_noise_meet_their_confidence(epsilon, confidence, step):
    law = noise(epsilon, step)
    assert law.tail(law.quantile(confidence)) <= (1 - confidence) * (1 + 1e-9)


@few
@given(epsilons, confidences, records, st.floats(-0.5, 0.5))
def test_half_widths_of_shares_meet_their_confidence_and_no_shorter_ones_do(epsilon, confidence, count, ratio):
    law = share(epsilon, count, ratio)
    half_width = law.quantile(confidence)
    assert law.tail(half_width) <= 1 - confidence or half_width == max(-law.lowest, law.highest)
    assert half_width < 1e-9 or law.tail(half_width * (1 - 1e-6)) > (1 - confidence) * (1 - 1e-9)


@few
@given(epsilons, confidences, st.floats(1e-3, 1e6))
def test_half_widths_of_both_errors_meet_their_confidence_and_no_shorter_ones_do(epsilon, confidence, deviation):
    law = CombinedError(noise=noise(epsilon), sampling=SamplingError(standard_deviation=deviation))
    half_width = law.quantile(confidence)
    assert law.tail(half_width) <= 1 - confidence
    assert law.tail(half_width * (1 - 1e-6)) > (1 - confidence) * (1 - 1e-9)


@few
@given(epsilons, confidences, records, st.floats(-0.5, 0.5), st.floats(1e-4, 1.0))
def test_both_errors_of_a_share_meet_their_confidence(epsilon, confidence, count, ratio, deviation):
    law = CombinedError(noise=share(epsilon, count, ratio), sampling=SamplingError(standard_deviation=deviation))
    assert law.tail(law.quantile(confidence)) <= 1 - confidence


@few
@given(epsilons, records, st.floats(-0.5, 0.5))
def test_tails_fall_from_at_most_one(epsilon, count, ratio):
    law = share(epsilon, count, ratio)
    t = np.linspace(0.0, 1.0, 80)
    tails = law.tail(t)
    assert np.all((tails >= 0.0) & (tails <= 1.0))
    assert np.all(np.diff(tails) <= 1e-11)


@few
@given(st.floats(1e-3, 100), st.floats(1.02, 10), st.integers(20, 10**6), confidences)
def test_more_epsilon_never_means_more_error(epsilon, factor, count, confidence):
    assert noise(epsilon * factor).quantile(confidence) <= noise(epsilon).quantile(confidence)
    less = share(epsilon * factor, count, 0.1).quantile(confidence)
    assert less <= share(epsilon, count, 0.1).quantile(confidence) * (1 + 1e-6) + 1e-9


@few
@given(epsilons, st.floats(1e-2, 1e5), confidences)
def test_both_errors_are_wider_than_either(epsilon, deviation, confidence):
    sampling = SamplingError(standard_deviation=deviation)
    both = CombinedError(noise=noise(epsilon), sampling=sampling).quantile(confidence)
    assert both >= sampling.quantile(confidence) * (1 - 1e-8)
    # Discrete noise of less than one step has a half-width of whole steps; a step of slack says the same of both.
    assert both + 1.0 >= noise(epsilon).quantile(confidence)


@few
@given(st.floats(0.6, 1e4), confidences)
def test_calibrated_noise_meets_its_target(error, confidence):
    epsilon = smallest_epsilon(noise, error=error, confidence=confidence)
    assert noise(epsilon).tail(error) <= 1 - confidence


@given(probabilities, probabilities)
def test_a_calibrated_belief_is_never_exceeded(first, second):
    prior, belief = sorted((first, second))
    if prior == belief:
        return
    epsilon = epsilon_for_belief(prior=prior, belief=belief)
    assert epsilon > 0
    posterior = prior / (prior + (1 - prior) * math.exp(-epsilon))
    assert posterior <= belief * (1 + 1e-12)


@few
@given(epsilons, st.floats(-1e4, 1e4), st.floats(-1e4, 1e4), confidences)
def test_an_interval_holds_its_own_ratio(epsilon, numerator, denominator, confidence):
    laws = [DiscreteLaplaceMechanism(scale=1 / epsilon, l1_sensitivity=1)] * 2
    lower, upper = ratio_interval(numerator, denominator, *laws, numerator_step=0.5, confidence=confidence)
    assert lower <= upper
    if denominator > 0:
        assert lower <= numerator / denominator <= upper
