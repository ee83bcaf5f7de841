"""Local against central: growth, people needed, and the band around an illustration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpengine.accuracy.lessons.local_and_central import (
    central_standard_error,
    laplace_over_response,
    laplace_standard_errors,
    likely_estimates,
    local_standard_error,
    people_for_local,
    rounded_standard_error,
    running_estimates,
    sampling_standard_error,
    times_as_many,
)
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import RandomizedResponse
from tests.running.cases import each


@each("epsilon", [0.1, 1.0, 5.0])
def test_local_error_halves_with_four_times_the_people_and_central_with_twice(epsilon):
    people = np.array([100, 400])
    local = local_standard_error(people, epsilon=epsilon)
    central = central_standard_error(people, epsilon=epsilon)
    assert local[0] / local[1] == pytest.approx(2.0)
    assert central[0] / central[1] == pytest.approx(4.0)
    e = math.exp(epsilon)
    assert local[0] == pytest.approx(math.sqrt(e / 100) / (e - 1))
    assert central[0] == pytest.approx(math.sqrt(2 * math.exp(-epsilon)) / -math.expm1(-epsilon) / 100)


@each("epsilon", [1e-6, 0.01, 0.5, 1.0, 2.0, 10.0, 700.0])
def test_local_laplace_errs_more_than_randomized_response_at_every_epsilon(epsilon):
    """By the square root of 2 at least, which it nears; as much as the quotient of both errors says."""
    times = laplace_over_response(epsilon=epsilon)
    assert times >= math.sqrt(2.0) * (1.0 - 1e-15)
    assert laplace_over_response(epsilon=epsilon / 2.0) <= times
    local, central = laplace_standard_errors(400, epsilon=epsilon)
    assert times == pytest.approx(local / local_standard_error(400, epsilon=epsilon))
    assert local / central == pytest.approx(20.0)


@each(("epsilon", "rounding_wins"), [(0.1, True), (2.2, True), (2.4, False), (8.0, False)])
def test_a_rounded_number_errs_less_than_with_laplace_noise_at_small_epsilons_only(epsilon, rounding_wins):
    local, _ = laplace_standard_errors(100, epsilon=epsilon, width=24.0)
    assert bool(rounded_standard_error(100, epsilon=epsilon, width=24.0) < local) is rounding_wins


@each("hours", [0.0, 7.0, 12.0, 24.0])
def test_a_rounded_number_has_no_bias_and_errs_no_more_than_stated(hours):
    """By the exact law of both coins; in the middle of the range the stated error is reached."""
    response, up = RandomizedResponse.from_epsilon(1.0), hours / 24.0
    yes = up * response.truth_probability + (1.0 - up) * response.other_probability
    high, low = (24.0 * float(response.estimate(report)) for report in (1.0, 0.0))
    assert yes * high + (1.0 - yes) * low == pytest.approx(hours, abs=1e-12)
    error, stated = math.sqrt(yes * (1.0 - yes)) * (high - low), rounded_standard_error(1, epsilon=1.0, width=24.0)
    assert error <= stated * (1.0 + 1e-12)
    assert (error == pytest.approx(stated)) is (hours == 12.0)


@each("share", [None, 0.0, 0.3])
@each("people", [1, 50, 10_000])
def test_people_needed_is_the_least_number_that_errs_no_more(share, people):
    needed = people_for_local(people, epsilon=1.0, share=share)

    def total(local: bool, count: int) -> float:
        noise = (local_standard_error if local else central_standard_error)(count, epsilon=1.0)
        return float(noise) ** 2 + (float(sampling_standard_error(count, share=share)) ** 2 if share else 0.0)

    assert total(True, needed) <= total(False, people) * (1 + 1e-9)
    assert needed == 1 or total(True, needed - 1) > total(False, people) * (1 - 1e-9)
    assert times_as_many(people, epsilon=1.0, share=share) == needed / people


@each("people", [1, 10, 1000])
@each("confidence", [0.5, 0.95])
def test_the_band_holds_the_estimate_at_least_so_often(people, confidence):
    lower, upper = likely_estimates(people, epsilon=1.0, share=0.3, confidence=confidence)
    response = RandomizedResponse.from_epsilon(1.0)
    reports = np.arange(people + 1)
    estimates = response.estimate(reports / people)
    reported = 0.3 * response.truth_probability + 0.7 * (1 - response.truth_probability)
    inside = (estimates >= lower - 1e-12) & (estimates <= upper + 1e-12)
    assert binom.pmf(reports, people, reported)[inside].sum() >= confidence - 1e-12


def test_for_many_people_the_band_has_the_width_of_the_variance():
    lower, upper = likely_estimates(1_000_000, epsilon=1.0, share=0.3, confidence=0.95)
    error = math.sqrt(RandomizedResponse.from_epsilon(1.0).variance_with_sampling(0.3, 1_000_000))
    assert (upper - lower) / 2 == pytest.approx(1.96 * error, rel=1e-3)


def test_the_illustration_is_the_same_for_the_same_seed_and_ends_in_its_band():
    people = np.array([10, 100, 10_000])
    first, again = (running_estimates(people, epsilon=1.0, share=0.3, rng=np.random.default_rng(7)) for _ in range(2))
    assert np.array_equal(first, again)
    lower, upper = likely_estimates(people, epsilon=1.0, share=0.3, confidence=0.999)
    assert np.all((first >= lower) & (first <= upper))
    other = running_estimates(people, epsilon=1.0, share=0.9, rng=np.random.default_rng(7))
    assert other[-1] > upper[-1]


def test_nonsense_is_refused():
    with pytest.raises(InvalidParameterError, match="share"):
        likely_estimates(10, epsilon=1.0, share=1.2, confidence=0.95)
    with pytest.raises(InvalidParameterError, match="people"):
        people_for_local(0, epsilon=1.0)
    with pytest.raises(InvalidParameterError):
        local_standard_error(10, epsilon=0.0)
    with pytest.raises(InvalidParameterError, match="epsilon"):
        laplace_over_response(epsilon=0.0)
    with pytest.raises(InvalidParameterError, match="width"):
        rounded_standard_error(10, epsilon=1.0, width=0.0)
    with pytest.raises(InvalidParameterError):
        laplace_standard_errors(10, epsilon=1.0, width=-1.0)
