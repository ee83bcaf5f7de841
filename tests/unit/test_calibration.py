"""From a wanted error or a tolerable belief to epsilon."""

from __future__ import annotations

import math

import pytest

from dpengine import calibration
from dpengine.accuracy import Guess, NoiseError, SamplingError, answer_error
from dpengine.calibration import epsilon_for_belief, epsilon_for_error, epsilon_for_odds, smallest_epsilon
from dpengine.data import BooleanColumn, Comparison, NumberColumn, Schema
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, MeanQuery, ProportionQuery, SumQuery
from tests.running.cases import each

SCHEMA = Schema(
    name="patients",
    columns=(NumberColumn(name="age", lower=17.3, upper=99.6), BooleanColumn(name="smokes")),
)
SMOKES = Comparison("smokes", "=", value=True)
ADD_REMOVE = Neighbors.ADD_REMOVE


def count_at(epsilon):
    return NoiseError(mechanism=DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1))


@each(
    "query, error, guess",
    [
        (CountQuery(SMOKES), 30.0, None),
        (CountQuery(SMOKES), 0.5, None),
        (SumQuery("age"), 1e4, None),
        (MeanQuery("age"), 1.0, Guess(records=500, answer=40.0)),
        (ProportionQuery(SMOKES), 0.02, Guess(records=2000, answer=0.3)),
    ],
)
@each("confidence", [0.8, 0.95, 0.999])
def test_planned_at_the_result_the_target_is_met_and_a_hair_less_misses_it(query, error, guess, confidence):
    epsilon = epsilon_for_error(query, SCHEMA, ADD_REMOVE, error=error, confidence=confidence, guess=guess)

    def missed(at):
        planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=at))
        mechanisms = planned.mechanisms(SCHEMA, ADD_REMOVE)
        return answer_error(query, planned.parts(SCHEMA, ADD_REMOVE), mechanisms, guess).tail(error)

    assert missed(epsilon) <= 1 - confidence < missed(epsilon * 0.998)


def test_fine_grids_agree_with_the_textbook():
    epsilon = epsilon_for_error(SumQuery("age"), SCHEMA, ADD_REMOVE, error=1e4, confidence=0.95)
    assert epsilon == pytest.approx(99.6 * math.log(20) / 1e4, rel=1.1e-3)


def test_gaussian_noise_is_calibrated_too():
    epsilon = epsilon_for_error(
        CountQuery(), SCHEMA, ADD_REMOVE, error=30.0, confidence=0.95, mechanism="gaussian", delta=1e-6
    )
    planned = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=epsilon, delta=1e-6), mechanism="gaussian")
    (mechanism,) = planned.mechanisms(SCHEMA, ADD_REMOVE)
    assert isinstance(mechanism, DiscreteGaussianMechanism)
    law = NoiseError(mechanism=mechanism)
    assert 0.049 < law.tail(30.0) <= 0.05


def test_all_coordinates_together_cost_more():
    one = smallest_epsilon(count_at, error=10.0, confidence=0.95)
    many = smallest_epsilon(count_at, error=10.0, confidence=0.95, coordinates=50)
    assert many > one
    assert (1 - count_at(many).tail(10.0)) ** 50 >= 0.95


def test_the_result_has_four_digits_and_lies_in_range():
    assert smallest_epsilon(count_at, error=1e9, confidence=0.5) == calibration.LOWEST_EPSILON
    for error in (0.5, 3.0, 77.0, 1234.0):
        epsilon = smallest_epsilon(count_at, error=error, confidence=0.95)
        assert float(f"{epsilon:.4g}") == epsilon


def test_every_choice_is_larger_than_the_one_before():
    choices = [calibration._number_at(place, calibration._DECADES) for place in range(63_001)]
    assert choices == sorted(set(choices))
    assert (choices[0], choices[-1]) == (calibration.LOWEST_EPSILON, calibration.HIGHEST_EPSILON)


@each("edge", (1e-6, 1e-4, 0.0001001, 0.1234, 0.12345, 0.9999, 1.0, 1.0005, 3, 999.9, 1000, 1000.1))
def test_the_least_epsilon_is_the_same_wherever_the_search_begins(edge):
    expected = calibration.least_epsilon(lambda epsilon: epsilon >= edge)
    assert expected is None or edge <= expected < max(edge * 1.0011, 1.1e-4)
    for near in (1e-9, 1e-4, 0.123, 0.99999, 1.0, 5.5, 999.0, 1000.0, 1e7):
        assert calibration.least_epsilon(lambda epsilon: epsilon >= edge, near=near) == expected


def test_a_search_that_begins_where_it_ends_asks_twice():
    asked = []

    def enough(epsilon):
        asked.append(epsilon)
        return epsilon >= 0.4321

    assert calibration.least_epsilon(enough, near=0.4321) == 0.4321
    assert asked == [0.4321, 0.432]


def test_what_no_epsilon_can_do_is_said():
    with pytest.raises(InvalidParameterError, match="not even epsilon 1000"):
        smallest_epsilon(lambda _: SamplingError(standard_deviation=5.0), error=1.0, confidence=0.95)


@each(
    "changes, name",
    [
        ({"error": 0.0}, "error"),
        ({"error": math.nan}, "error"),
        ({"confidence": 1.0}, "confidence"),
        ({"confidence": 0.0}, "confidence"),
        ({"mechanism": "magic"}, "mechanism"),
        ({"coordinates": 0}, "coordinates"),
    ],
)
def test_nonsense_is_refused_by_name(changes, name):
    with pytest.raises(InvalidParameterError, match=rf"^{name} must be"):
        epsilon_for_error(CountQuery(), SCHEMA, ADD_REMOVE, **({"error": 1.0, "confidence": 0.9} | changes))


@each(
    "prior, belief, epsilon",
    [(0.5, 0.75, 1.098), (0.5, 0.9, 2.197), (0.01, 0.02, 0.7032), (1e-6, 0.5, 13.81), (0.5, 0.5 + 1e-12, 3.999e-12)],
)
def test_belief_to_epsilon_rounds_down(prior, belief, epsilon):
    assert epsilon_for_belief(prior=prior, belief=belief) == epsilon


def test_beliefs_at_either_end():
    assert epsilon_for_belief(prior=1e-300, belief=1 - 1e-16) == pytest.approx(690.7755 + 36.7368, abs=0.06)
    with pytest.raises(InvalidParameterError, match=r"^belief must be above the prior, 0.5: an attacker already"):
        epsilon_for_belief(prior=0.5, belief=0.5)
    for wrong in ({"prior": 0.0, "belief": 0.5}, {"prior": 0.5, "belief": 1.0}, {"prior": math.nan, "belief": 0.5}):
        with pytest.raises(InvalidParameterError):
            epsilon_for_belief(**wrong)


def test_odds_to_epsilon():
    assert epsilon_for_odds(odds=3.0) == 1.098
    assert math.exp(epsilon_for_odds(odds=1.0001)) <= 1.0001
    for odds in (1.0, 0.5, math.inf, math.nan):
        with pytest.raises(InvalidParameterError, match=r"^odds must be"):
            epsilon_for_odds(odds=odds)
