"""Laws of belief."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpengine.beliefs import (
    advantage,
    best_success,
    chance_bounds,
    discrete_laplace_log_likelihood_ratio,
    gaussian_log_likelihood_ratio,
    laplace_log_likelihood_ratio,
    likely_posterior_bounds,
    odds_of,
    odds_out_of_100,
    posterior,
    posterior_bounds,
    posterior_exceedance,
    posterior_law,
    world_posterior_bounds,
)
from dpengine.losses import delta_of
from dpengine.privacy import (
    ApproximateEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
    TruncatedLaplaceEvent,
)

priors = st.floats(1e-6, 1.0 - 1e-6)
scales = st.floats(1e-2, 1e2)
answers = st.floats(-1e6, 1e6)
named_events: st.SearchStrategy[Event] = st.one_of(
    st.builds(lambda x: LaplaceEvent(noise_multiplier=x), scales),
    st.builds(lambda x: GaussianEvent(noise_multiplier=x), scales),
    st.builds(lambda x, s: DiscreteLaplaceEvent(noise_multiplier=x, sensitivity=s), scales, st.integers(1, 100)),
    st.builds(lambda x, y: TruncatedLaplaceEvent(noise_multiplier=x, truncation=y), scales, st.floats(0.6, 50.0)),
)


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


@given(named_events, priors, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_belief_law_falls_and_leans_towards_the_truth(event: Event, prior: float, one: float, other: float) -> None:
    law = posterior_law(event, prior=prior)
    low, high = sorted((one, other))
    assert law.overall.exceedance(high) <= law.overall.exceedance(low) + 1e-14
    assert law.when_out.exceedance(low) <= law.when_in.exceedance(low) + 1e-9
    assert law.when_out.mean <= prior * (1.0 + 1e-8)
    assert law.when_in.mean >= prior * (1.0 - 1e-8)


@given(named_events, priors, st.floats(0.0, 5.0), st.floats(0.0, 5.0))
def test_no_law_moves_beliefs_more_often_than_its_guarantee_allows(
    event: Event, prior: float, epsilon: float, more: float
) -> None:
    guarantee = Guarantee(epsilon=epsilon, delta=delta_of(event, epsilon=epsilon))
    belief = posterior(prior, log_likelihood_ratio=epsilon + more)
    allowed = posterior_exceedance(guarantee, loss=(epsilon + more) * (1.0 - 1e-6))
    assert posterior_law(event, prior=prior).when_in.exceedance(belief) <= allowed + 1e-7


@example(chance=1e-15, one=21.0, other=21.0, some=0.0, more=0.0)
@given(st.floats(0.0, 1.0), st.floats(0.0, 50.0), st.floats(0.0, 50.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_weaker_promise_lets_chances_move_further(
    chance: float, one: float, other: float, some: float, more: float
) -> None:
    (less, most), (small, large) = sorted((one, other)), sorted((some, more))
    low, high = chance_bounds(chance, guarantee=Guarantee(epsilon=less, delta=small))
    wide_low, wide_high = chance_bounds(chance, guarantee=Guarantee(epsilon=most, delta=large))
    assert 0.0 <= wide_low <= low <= chance * (1.0 + 1e-14)
    assert chance - 1e-14 <= high <= wide_high <= 1.0
    against = 1.0 - chance  # of which 1 - against is the exact complement, as against itself may not be of the chance
    other_low, _ = chance_bounds(against, guarantee=Guarantee(epsilon=less, delta=small))
    _, exact_high = chance_bounds(1.0 - against, guarantee=Guarantee(epsilon=less, delta=small))
    assert other_low <= 1.0 - exact_high + 1e-9


@given(st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=8), st.floats(0.0, 20.0), st.floats(1.0, 3.0))
def test_beliefs_over_worlds_lie_around_the_priors(weights: list[float], epsilon: float, distance: float) -> None:
    chances = np.array(weights) / np.sum(weights)
    lower, upper = world_posterior_bounds(chances, epsilon=epsilon, distances=distance)
    assert np.all((lower <= chances * (1.0 + 1e-12)) & (chances <= upper * (1.0 + 1e-12)))
    alone = posterior_bounds(chances, epsilon=distance * epsilon)
    assert lower == pytest.approx(alone[0], rel=1e-9)
    assert upper == pytest.approx(alone[1], rel=1e-9)
