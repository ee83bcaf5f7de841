"""Laws of belief."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.beliefs import (
    advantage,
    best_success,
    discrete_laplace_log_likelihood_ratio,
    gaussian_log_likelihood_ratio,
    laplace_log_likelihood_ratio,
    likely_posterior_bounds,
    odds_of,
    odds_out_of_100,
    posterior,
    posterior_bounds,
)
from dpengine.privacy import ApproximateEvent, DiscreteLaplaceEvent, Guarantee, LaplaceEvent, PureEvent

priors = st.floats(1e-6, 1.0 - 1e-6)
scales = st.floats(1e-2, 1e2)
answers = st.floats(-1e6, 1e6)


@given(priors, scales, answers)
def test_after_any_laplace_answer_the_belief_is_within_its_bounds(prior: float, scale: float, observed: float) -> None:
    ratio = laplace_log_likelihood_ratio(observed, answer_with=1.0, answer_without=0.0, scale=scale)
    lower, upper = posterior_bounds(prior, epsilon=1.0 / scale)
    assert lower <= posterior(prior, log_likelihood_ratio=ratio) <= upper


@given(priors, scales, st.integers(-1000, 1000))
def test_after_any_discrete_answer_the_belief_is_within_its_bounds(prior: float, scale: float, observed: int) -> None:
    ratio = discrete_laplace_log_likelihood_ratio(observed, answer_with=1, answer_without=0, scale=scale)
    lower, upper = posterior_bounds(prior, epsilon=1.0 / scale)
    assert lower <= posterior(prior, log_likelihood_ratio=ratio) <= upper


@given(priors, scales, answers)
def test_a_gaussian_answer_beyond_the_middle_speaks_for_the_person(prior: float, scale: float, observed: float) -> None:
    ratio = gaussian_log_likelihood_ratio(observed, answer_with=1.0, answer_without=0.0, standard_deviation=scale)
    assert (ratio > 0.0) is (observed > 0.5)
    belief = posterior(prior, log_likelihood_ratio=ratio)
    assert belief >= prior * (1.0 - 1e-9) if observed > 0.5 else belief <= prior * (1.0 + 1e-9)


@given(priors, st.floats(0.0, 700.0), st.floats(0.0, 700.0))
def test_more_epsilon_widens_the_bounds(prior: float, one: float, other: float) -> None:
    (low, high), (wide_low, wide_high) = (posterior_bounds(prior, epsilon=x) for x in sorted((one, other)))
    assert wide_low <= low <= prior * (1.0 + 1e-9)
    assert prior * (1.0 - 1e-9) <= high <= wide_high


@given(priors, st.floats(0.0, 20.0), st.floats(0.0, 0.1))
def test_likely_bounds_are_wider_than_pure_ones(prior: float, epsilon: float, delta: float) -> None:
    lower, upper = posterior_bounds(prior, epsilon=epsilon)
    likely = likely_posterior_bounds(prior, guarantee=Guarantee(epsilon=epsilon, delta=delta), failure_probability=0.25)
    assert likely[0] <= lower
    assert likely[1] >= upper


@given(st.floats(0.0, 50.0), st.floats(0.0, 1.0), priors)
def test_an_attacker_does_at_least_as_well_as_the_better_guess(epsilon: float, delta: float, prior: float) -> None:
    success = best_success(ApproximateEvent(epsilon=epsilon, delta=delta), prior=prior)
    assert max(prior, 1.0 - prior) - 1e-12 <= success <= 1.0
    upper = posterior_bounds(prior, epsilon=epsilon)[1]
    lower = posterior_bounds(prior, epsilon=epsilon)[0]
    assert success <= max(upper, 1.0 - lower) + delta + 1e-12


@given(st.floats(0.0, 50.0), st.floats(0.0, 1.0))
def test_success_on_a_fair_coin_is_half_the_advantage_above_a_half(epsilon: float, delta: float) -> None:
    success = best_success(ApproximateEvent(epsilon=epsilon, delta=delta), prior=0.5)
    assert success == pytest.approx(0.5 + advantage(Guarantee(epsilon=epsilon, delta=delta)) / 2.0, rel=1e-12)


@given(st.floats(1e-3, 50.0), st.integers(1, 100))
def test_a_named_mechanism_never_has_worse_odds_than_the_worst_case(epsilon: float, sensitivity: int) -> None:
    worst = odds_out_of_100(Guarantee(epsilon=epsilon))
    named = (
        LaplaceEvent(noise_multiplier=1.0 / epsilon),
        DiscreteLaplaceEvent(noise_multiplier=1.0 / epsilon, sensitivity=sensitivity),
        PureEvent(epsilon=epsilon),
    )
    for event in named:
        odds = odds_of(event)
        assert odds.with_data <= worst.with_data * (1.0 + 1e-12)
        assert odds.at_most[0] <= odds.without_data
        assert math.isclose(odds.with_data + odds.without_data, 100.0)
        assert np.sum(odds.nearest) == 100
