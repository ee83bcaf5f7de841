"""Randomized response, optimized unary encoding and local Laplace noise: single facts."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import LaplaceMechanism, LocalLaplace, OptimizedUnaryEncoding, RandomizedResponse
from dpengine.privacy import LaplaceEvent, PureEvent, RandomizedResponseEvent
from tests.running.cases import each


def test_a_fair_coin_is_a_truth_probability_of_three_quarters() -> None:
    told, total = RandomizedResponse.from_coin(0.5), RandomizedResponse.from_truth_probability(0.75)
    assert told == total
    assert told.truth_probability == pytest.approx(0.75, rel=1e-15)
    assert told.event.epsilon == pytest.approx(math.log(3.0), rel=2e-15)
    assert RandomizedResponse.from_truth_probability(0.5) != RandomizedResponse.from_coin(0.5), "the trap"


def test_a_random_category_may_be_the_truth_by_luck() -> None:
    assert RandomizedResponse.from_coin(0.4, categories=4).truth_probability == pytest.approx(0.4 + 0.6 / 4)


def test_lying_reveals_as_much_as_the_truth() -> None:
    honest, liar = (RandomizedResponse.from_truth_probability(p) for p in (0.75, 0.25))
    assert honest.event == liar.event == RandomizedResponseEvent(epsilon=honest.log_odds)
    assert liar.estimate(0.25) == pytest.approx(1.0)
    assert liar.variance(0.3, 10) == pytest.approx(honest.variance(0.3, 10))


@each("build", [RandomizedResponse.from_truth_probability, RandomizedResponse.from_coin])
def test_certainty_is_refused_with_the_reason(build) -> None:
    with pytest.raises(InvalidParameterError, match="reveal everything"):
        build(1.0)
    with pytest.raises(InvalidParameterError, match=r"coin|truth_probability"):
        build(1.1)


def test_never_telling_the_truth_reveals_everything_too() -> None:
    with pytest.raises(InvalidParameterError, match="reveal everything"):
        RandomizedResponse.from_truth_probability(0.0)
    assert RandomizedResponse.from_coin(0.0).event.epsilon == 0.0


@each("truth", [0.51, 0.75, 0.9, 0.3, 0.500001, 1e-300, 0.999999999999])
@each("categories", [2, 3, 100])
def test_epsilon_is_never_below_the_exact_one(truth: float, categories: int) -> None:
    from mpmath import mp, mpf

    mechanism = RandomizedResponse.from_truth_probability(truth, categories=categories)
    told = Fraction(repr(truth))
    with mp.workdps(50):
        ratio = told * (categories - 1) / (1 - told)
        exact = abs(mp.log(mpf(ratio.numerator) / ratio.denominator))
        assert exact <= mpf(mechanism.event.epsilon) <= exact * (1 + 2 * mpf(10) ** -15)


def test_the_textbook_variances() -> None:
    g, n, k, e = 0.75, 1000, 10, math.e
    assert RandomizedResponse.from_truth_probability(g).variance(0.4, n) == pytest.approx(g * (1 - g) / (n * 0.25))
    many = RandomizedResponse.from_epsilon(1.0, categories=k)
    assert many.variance(0.0, n) == pytest.approx((k - 2 + e) / (n * (e - 1) ** 2))
    p, q = e / (e + k - 1), 1 / (e + k - 1)
    with_share = q * (1 - q) / (n * (p - q) ** 2) + 0.3 * (1 - p - q) / (n * (p - q))
    assert many.variance(0.3, n) == pytest.approx(with_share)
    bits = OptimizedUnaryEncoding(epsilon=1.0, categories=k)
    assert bits.variance(0.0, n) == pytest.approx(4 * e / (n * (e - 1) ** 2))
    assert bits.variance(0.3, n) == pytest.approx(4 * e / (n * (e - 1) ** 2) + 0.3 / n)


@each("epsilon", [0.01, 0.5, 1.0, 3.0])
@each("categories", [2, 3, 5, 6, 10, 11, 62, 63, 1000])
def test_when_unary_encoding_beats_randomized_response(epsilon: float, categories: int) -> None:
    bits = OptimizedUnaryEncoding(epsilon=epsilon, categories=categories)
    one = RandomizedResponse.from_epsilon(epsilon, categories=categories)
    assert bits.beats_randomized_response is (bits.variance(0.0, 1) < one.variance(0.0, 1))


def test_unary_encoding_claims_a_pure_event() -> None:
    assert OptimizedUnaryEncoding(epsilon=2.0, categories=3).event == PureEvent(epsilon=2.0)


def test_probabilities_sum_to_one() -> None:
    chances = RandomizedResponse.from_epsilon(0.7, categories=6).probabilities(2)
    assert chances.sum() == pytest.approx(1.0, rel=1e-15)
    assert int(np.argmax(chances)) == 2
    assert chances[2] / chances[0] == pytest.approx(math.exp(0.7))


def test_local_laplace_is_the_square_root_of_people_times_worse() -> None:
    local = LocalLaplace(epsilon=0.5, lower=20.0, upper=120.0)
    central = LaplaceMechanism.from_epsilon(0.5, l1_sensitivity=100.0 / 400)
    assert local.event == LaplaceEvent(noise_multiplier=2.0)
    assert local.scale == 200.0
    assert local.central_variance(400) == pytest.approx(central.standard_deviation**2)
    assert math.sqrt(local.variance(400)) / central.standard_deviation == pytest.approx(local.error_ratio(400))


def test_local_laplace_has_no_bias_but_that_of_the_bounds() -> None:
    local, rng = LocalLaplace(epsilon=1.0, lower=0.0, upper=10.0), np.random.default_rng(5)
    answers = np.tile([-5.0, 5.0, 30.0], (4000, 20))
    found = local.estimate(np.array([local.tally(row) for row in local.simulate(answers, rng)]))
    stated = local.variance(60)
    assert abs(found.mean() - 5.0) < 5.0 * math.sqrt(stated / 4000)
    assert found.var() / stated == pytest.approx(1.0, abs=0.15)
    assert found.var() / (1.25 * stated) != pytest.approx(1.0, abs=0.12)


def test_people_needed_by_local_laplace() -> None:
    local = LocalLaplace(epsilon=1.0, lower=0.0, upper=1.0)
    assert local.people_needed(0.01) in (20_000, 20_001)
    assert local.people_needed(0.01, standard_deviation=0.5) in (22_500, 22_501)
    assert local.variance_with_sampling(22_501, 0.5) <= 0.01**2
    assert LocalLaplace(epsilon=1.0, lower=0.0, upper=1e-300).people_needed(1e-200) == 1


@each(
    ("name", "fields"),
    [
        ("epsilon", {"epsilon": 0.0}),
        ("lower", {"lower": 2.0}),
        ("lower", {"lower": math.nan}),
        ("upper", {"upper": math.inf}),
        ("upper - lower", {"upper": 1e200}),
        ("scale", {"epsilon": 1e-200}),
    ],
)
def test_bad_fields_of_local_laplace_are_named(name: str, fields: dict[str, float]) -> None:
    with pytest.raises(InvalidParameterError, match=name):
        LocalLaplace(**{"epsilon": 1.0, "lower": 0.0, "upper": 1.0, **fields})


@each("bad", [-1.0, math.nan, math.inf, "1", None, True])
def test_bad_fields_of_the_others_are_named(bad: Any) -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        RandomizedResponse.from_epsilon(bad)
    with pytest.raises(InvalidParameterError, match="epsilon"):
        OptimizedUnaryEncoding(epsilon=bad, categories=3)
    with pytest.raises(InvalidParameterError, match="truth_probability"):
        RandomizedResponse.from_truth_probability(bad)
    refused: list[Any] = [1, 2.5, bad]
    for categories in refused:
        with pytest.raises(InvalidParameterError, match="categories"):
            RandomizedResponse.from_epsilon(1.0, categories=categories)
