"""Bounds on choices against their exact chances, and simulated errors of variances against a larger simulation."""

import itertools
import math

import numpy as np
import pytest

from dpengine.accuracy import Guess
from dpengine.accuracy.laws.chosen import SelectionError
from dpengine.accuracy.laws.ratio import RatioError
from dpengine.accuracy.laws.variance_error import VarianceError
from dpengine.data import BooleanColumn, NumberColumn, Schema
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    ReportNoisyMax,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import GroupedMeanQuery, ModeQuery, QuantileQuery, VarianceQuery, largest_variance
from tests.running.cases import each

CHOICES: list[ExponentialMechanism | ReportNoisyMax] = [
    ExponentialMechanism(epsilon=0.8, score_sensitivity=1),
    ExponentialMechanism(epsilon=0.8, score_sensitivity=5, monotone=True),
    ReportNoisyMax(epsilon=0.8, score_sensitivity=1, noise="exponential"),
    ReportNoisyMax(epsilon=3.0, score_sensitivity=2, monotone=True, noise="exponential"),
]


def hard_scores(scale: float) -> list[np.ndarray]:
    """One best candidate and many that are equally bad, where the bound is nearest; stairs; ties; one; chance."""
    rng = np.random.default_rng(3)
    gaps = scale * np.array([0.2, 1.0, 2.0, math.log(30), 5.0, 9.0])
    alone = [np.array([0.0] + [-gap] * others) for gap, others in itertools.product(gaps, (1, 2, 30, 500))]
    return [*alone, np.zeros(7), np.zeros(1), -np.arange(40.0), *(-rng.exponential(scale * 3, 25) for _ in range(10))]


@each("mechanism", CHOICES)
def test_the_tail_of_a_choice_is_never_below_its_true_chance(mechanism):
    nearest = 0.0
    for scores in hard_scores(SelectionError(mechanism=mechanism, candidates=1).scale):
        law = SelectionError(mechanism=mechanism, candidates=len(scores), step=0.5)
        chances, lost = mechanism.probabilities(scores), (scores.max() - scores) * 0.5
        for t in {0.0, *(lost * (1 - 1e-9)), *lost}:
            true = float(chances[lost > t].sum())
            assert true <= law.tail(t) + 1e-12
            nearest = max(nearest, true / law.tail(t))
        for confidence in (0.5, 0.95, 0.999):
            assert chances[lost <= law.quantile(confidence)].sum() >= confidence - 1e-12
        assert chances @ lost <= law.expected_absolute_error
        assert chances @ lost**2 <= law.standard_deviation**2
    assert nearest > 0.5, "a bound that nothing comes near would be no use"


def test_the_bound_of_a_plan_is_that_of_the_mechanism():
    law = SelectionError(mechanism=CHOICES[0], candidates=30, step=0.5)
    assert law.quantile(0.95) == pytest.approx(CHOICES[0].utility_bound(0.95, 30) * 0.5, rel=1e-12)
    assert law.expected_largest_error(3) == pytest.approx(law.surely + law.scale * (1 + 1 / 2 + 1 / 3), rel=1e-12)


def test_a_bound_that_does_not_hold_for_laplace_noise_is_not_claimed_for_it():
    with pytest.raises(InvalidParameterError, match="noise"):
        SelectionError(mechanism=ReportNoisyMax(epsilon=1.0, score_sensitivity=1, noise="laplace"), candidates=3)


def laplace(scale: float) -> DiscreteLaplaceMechanism:
    return DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)


def bell(deviation: float) -> DiscreteGaussianMechanism:
    return DiscreteGaussianMechanism(standard_deviation=deviation, l2_sensitivity=1)


def spread(**given: object) -> VarianceError:
    ordinary = {
        "squares": laplace(2.4e6),
        "distances": laplace(6e4),
        "count": laplace(4.0),
        "step": 2.0**-8,
        "variance": 600.0,
        "mean": 20.0,
        "records": 900.0,
        "largest": 3600.0,
    }
    return VarianceError(**(ordinary | given))  # type: ignore[arg-type]


SPREADS = {
    "ordinary": spread(),
    "in the middle": spread(mean=0.0),
    "Gaussian": spread(squares=bell(2e6), distances=bell(5e4), count=bell(4.0)),
    "few people": spread(records=25.0),
    "hardly any": spread(records=3.0, variance=3000.0),
    "no spread": spread(variance=0.0, mean=60.0, squares=laplace(1e5)),
}


def simulated(law: VarianceError, draws: int = 2**19) -> np.ndarray:
    """From the definition of what is released, in as many draws as needed to see a few hundredths."""
    rng, nothing = np.random.default_rng(99), np.zeros(draws)
    people = np.maximum(law.records + law.count.simulate(nothing, rng), 1.0)
    square = law.records * (law.variance + law.mean**2) + law.squares.simulate(nothing, rng) * law.step**2
    mean = (law.records * law.mean + law.distances.simulate(nothing, rng) * law.step) / people
    return np.sort(np.abs(np.clip(square / people - mean**2, 0.0, law.largest) - law.variance))


@each("name", SPREADS)
def test_half_widths_of_a_variance_are_at_least_the_true_ones_and_not_much_more(name):
    law = SPREADS[name]
    errors = simulated(law)
    for confidence, above in ((0.5, 1.05), (0.8, 1.05), (0.95, 1.05), (0.99, 1.1)):
        true = errors[int(confidence * len(errors))]
        noise = 6 * np.sqrt(confidence * (1 - confidence) / len(errors))
        surely_below = errors[int((confidence - noise) * len(errors))]
        assert law.quantile(confidence) >= surely_below
        assert law.quantile(confidence) <= true * above + 0.03 * errors.mean()
        share = np.mean(errors > law.quantile(confidence))
        assert share <= law.tail(law.quantile(confidence)) <= (1 - confidence) * (1 + 1e-9)
        assert share - 6 * np.sqrt(share / len(errors)) <= law.tail(law.quantile(confidence))
    assert law.expected_absolute_error == pytest.approx(errors.mean(), rel=0.03)
    assert law.standard_deviation == pytest.approx(np.sqrt(np.mean(errors**2)), rel=0.04)


def test_the_control_sees_noise_that_is_a_tenth_too_wide():
    errors = simulated(spread(squares=laplace(2.4e6 * 1.1), distances=laplace(6.6e4), count=laplace(4.4)))
    assert errors[int(0.95 * len(errors))] > spread().quantile(0.95) * 1.02


@each("name", SPREADS)
def test_nothing_lies_beyond_the_public_range(name):
    law = SPREADS[name]
    assert law.tail(law.farthest) == law.above(3600.0) == law.below(law.variance) == 0.0
    assert law.quantile(1 - 1e-12) == law.farthest
    assert law.tail(law.farthest * (1 - 1e-9)) > 0.0
    if law.variance:
        assert law.above(law.largest - law.variance) == 0.0


def test_a_target_is_reached_where_the_tail_is_known_to_be_0():
    """At the confidence 0.9999 a simulation alone knows nothing; the public range does."""
    schema = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=100),))
    planned = PlannedQuery(query=VarianceQuery("x"), guarantee=Guarantee(epsilon=1.0))
    guess = Guess(records=1000.0, answer=500.0, mean=50.0)
    least = planned.least_epsilon(schema, Neighbors.ADD_REMOVE, guess, error=2001.0, confidence=0.9999)
    assert least == 1e-4
    enough = planned.least_epsilon(schema, Neighbors.ADD_REMOVE, guess, error=100.0, confidence=0.95)
    assert planned.at(enough).error(schema, Neighbors.ADD_REMOVE, guess).tail(100.0) <= 0.05


def test_the_largest_variance_is_that_of_half_at_either_bound():
    schema = Schema(name="t", columns=(NumberColumn(name="x", lower=10, upper=30),))
    squares, distances, _ = VarianceQuery("x").parts(schema, Neighbors.ADD_REMOVE)
    assert largest_variance(squares.aggregate) == largest_variance(distances.aggregate) == 100.0


def test_means_by_group_have_the_law_of_one_group_of_average_size():
    schema = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=100), BooleanColumn(name="ill")))
    planned = PlannedQuery(query=GroupedMeanQuery("x", "ill"), guarantee=Guarantee(epsilon=1.0))
    law = planned.error(schema, Neighbors.ADD_REMOVE, Guess(records=800.0, answer=(40.0, 90.0)))
    assert isinstance(law, RatioError)
    assert (law.records, law.ratio, law.lowest, law.highest) == (400.0, 40.0, -90.0, 10.0)


def test_choices_need_no_guess_and_are_measured_in_rows():
    schema = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=100), BooleanColumn(name="ill")))
    for query, candidates in ((QuantileQuery("x", 0.5, (1, 2, 3)), 3), (ModeQuery("ill"), 2)):
        planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=1.0))
        law = planned.error(schema, Neighbors.ADD_REMOVE)
        assert isinstance(law, SelectionError)
        assert law.candidates == candidates
        assert law.scale == 1.0
        assert planned.shift(schema, Neighbors.ADD_REMOVE, Guess(records=9.0)) == (0.5 if candidates == 3 else 1.0)
