"""Beliefs before and after an answer."""

import math

import numpy as np
import pytest

from dpengine.beliefs import (
    best_success,
    highest_world_posterior,
    likely_posterior_bounds,
    posterior,
    posterior_bounds,
    posterior_exceedance,
)
from dpengine.errors import InvalidParameterError
from dpengine.privacy import ApproximateEvent, GaussianEvent, Guarantee, LaplaceEvent, PureEvent
from tests.running.cases import each

LEAKY = Guarantee(epsilon=1.0, delta=1e-6)


def test_a_uniform_prior_becomes_the_logistic() -> None:
    assert posterior_bounds(0.5, epsilon=1.0) == pytest.approx((1.0 / (1.0 + math.e), math.e / (1.0 + math.e)))


def test_bayes_rule() -> None:
    assert posterior(0.2, log_likelihood_ratio=math.log(3.0)) == pytest.approx(0.6 / 1.4)


def test_certainty_stays() -> None:
    assert posterior_bounds(0.0, epsilon=1000.0) == (0.0, 0.0)
    assert posterior_bounds(1.0, epsilon=1000.0) == (1.0, 1.0)


def test_arrays_broadcast_and_numbers_stay_numbers() -> None:
    lower, upper = posterior_bounds(np.array([0.1, 0.5]), epsilon=1.0)
    assert lower.shape == upper.shape == (2,)
    assert isinstance(posterior(0.1, log_likelihood_ratio=1.0), float)


@each("bad", [-0.1, 1.1, math.nan, "half", None, True])
def test_bad_priors_are_named(bad: float) -> None:
    for call in (
        lambda: posterior(bad, log_likelihood_ratio=0.0),
        lambda: posterior_bounds(bad, epsilon=1.0),
        lambda: best_success(PureEvent(epsilon=1.0), prior=bad),
        lambda: likely_posterior_bounds(bad, guarantee=LEAKY, failure_probability=0.1),
    ):
        with pytest.raises(InvalidParameterError, match="prior"):
            call()


@each("bad", [-1.0, math.nan, math.inf])
def test_bad_epsilon_is_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        posterior_bounds(0.5, epsilon=bad)


def test_exceedance_at_twice_epsilon() -> None:
    assert posterior_exceedance(LEAKY, loss=2.0) == pytest.approx(1e-6 / (1.0 - math.exp(-1.0)))
    assert posterior_exceedance(LEAKY, loss=2.0, two_sided=True) == pytest.approx(2e-6 / (1.0 - math.exp(-1.0)))


def test_exceedance_says_nothing_up_to_epsilon_unless_pure() -> None:
    assert posterior_exceedance(LEAKY, loss=np.array([0.5, 1.0])).tolist() == [1.0, 1.0]
    assert posterior_exceedance(Guarantee(epsilon=1.0), loss=np.array([0.5, 1.0, 2.0])).tolist() == [1.0, 0.0, 0.0]


def test_exceedance_holds_for_the_gaussian() -> None:
    event = GaussianEvent(noise_multiplier=4.2246789)
    shift = 1.0 / event.noise_multiplier
    for loss in (1.001, 1.1, 1.5):
        truth = 0.5 * math.erfc((loss / shift - shift / 2.0) / math.sqrt(2.0))
        assert truth <= posterior_exceedance(LEAKY, loss=loss)


def test_likely_bounds_are_the_exceedance_solved() -> None:
    lower, upper = likely_posterior_bounds(0.5, guarantee=LEAKY, failure_probability=0.01)
    step = math.log(upper / (1.0 - upper))
    assert posterior_exceedance(LEAKY, loss=step, two_sided=True) == pytest.approx(0.01)
    assert lower == pytest.approx(1.0 - upper)


def test_likely_bounds_give_up_where_delta_is_too_large() -> None:
    assert likely_posterior_bounds(0.5, guarantee=LEAKY, failure_probability=1e-6) == (0.0, 1.0)


@each("prior", [1e-6, 0.1, 0.5, 0.9, 1.0 - 1e-9])
@each("event", [LaplaceEvent(noise_multiplier=1.0), ApproximateEvent(epsilon=1.0, delta=0.01)])
def test_best_success_is_the_best_point_of_the_trade_off_curve(
    event: LaplaceEvent | ApproximateEvent, prior: float
) -> None:
    from dpengine.losses import false_negative_rate

    rates = np.linspace(0.0, 1.0, 200_001)
    errors = (1.0 - prior) * rates + prior * false_negative_rate(event, false_positive_rate=rates)
    assert best_success(event, prior=prior) == pytest.approx(1.0 - errors.min(), abs=1e-6)


def test_success_of_a_certain_attacker() -> None:
    assert best_success(PureEvent(epsilon=1.0), prior=np.array([0.0, 1e-300, 1.0])).tolist() == [1.0, 1.0, 1.0]


def test_ten_worlds_under_add_remove_are_two_steps_apart() -> None:
    assert highest_world_posterior(epsilon=1.0, worlds=10, distance=2) == pytest.approx(0.4508, abs=1e-4)
    assert highest_world_posterior(epsilon=1.0, worlds=10) == pytest.approx(0.2320, abs=1e-4)
    assert highest_world_posterior(epsilon=1000.0, worlds=10) == pytest.approx(1.0)


def test_an_infinite_weight_of_evidence_is_certainty() -> None:
    assert posterior(0.5, log_likelihood_ratio=math.inf) == 1.0
    assert posterior(0.5, log_likelihood_ratio=-math.inf) == 0.0
    found = posterior(np.array([0.0, 1e-9, 1.0]), log_likelihood_ratio=np.array([math.inf, math.inf, -math.inf]))
    assert found.tolist() == [0.0, 1.0, 1.0], "a prior of 0 or 1 is a certainty that no answer changes"
    with pytest.raises(InvalidParameterError, match="log_likelihood_ratio must be a number"):
        posterior(0.5, log_likelihood_ratio=math.nan)
