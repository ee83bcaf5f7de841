"""Planned questions: exact shares, noise that costs no more than its share, and epsilons that nobody can ask for."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from tests.ledgers import SCHEMA, asking

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE


def test_shares_are_what_a_person_typed():
    assert asking(0.1).shares(SCHEMA, AR) == (Fraction(1, 10),)
    assert asking(1.0, MeanQuery("age")).shares(SCHEMA, AR) == (Fraction(3, 5), Fraction(2, 5))


def test_what_does_not_divide_goes_to_the_last_part():
    assert asking(1e-8, MeanQuery("age")).shares(SCHEMA, AR) == (Fraction(6, 10**9), Fraction(4, 10**9))
    assert asking(1.1e-8, MeanQuery("age")).shares(SCHEMA, AR) == (Fraction(6, 10**9), Fraction(5, 10**9))


@given(epsilon=st.floats(1e-8, 1e9), neighbors=st.sampled_from(Neighbors))
def test_shares_sum_to_the_epsilon_rounded_down(epsilon, neighbors):
    shares = asking(epsilon, MeanQuery("age")).shares(SCHEMA, neighbors)
    assert all(share > 0 for share in shares)
    assert 0 <= Fraction(repr(epsilon)) - sum(shares) < Fraction(1, 10**9)


@given(epsilon=st.floats(1e-8, 1e6), neighbors=st.sampled_from(Neighbors))
def test_no_part_costs_more_than_its_share(epsilon, neighbors):
    planned = asking(epsilon, MeanQuery("age"))
    for share, mechanism in zip(planned.shares(SCHEMA, neighbors), planned.mechanisms(SCHEMA, neighbors), strict=True):
        assert isinstance(mechanism, DiscreteLaplaceMechanism)
        assert mechanism.exact_epsilon <= share
        assert mechanism.exact_epsilon >= share * (1 - Fraction(1, 10**15))


def test_noise_is_in_steps_of_the_grid():
    (mechanism,) = asking(0.5, HistogramQuery("ill")).mechanisms(SCHEMA, RP)
    assert isinstance(mechanism, DiscreteLaplaceMechanism)
    assert (mechanism.scale, mechanism.l1_sensitivity) == (4.0, 2)


def test_gaussian_noise_splits_epsilon_and_delta():
    planned = PlannedQuery(query=MeanQuery("age"), guarantee=Guarantee(epsilon=1, delta=1e-6), mechanism="gaussian")
    first, second = planned.mechanisms(SCHEMA, AR)
    assert isinstance(first, GaussianMechanism)
    assert first == GaussianMechanism.from_guarantee(
        Guarantee(epsilon=0.6, delta=6e-7), l2_sensitivity=planned.parts(SCHEMA, AR)[0].grid_sensitivity.l2
    )
    assert isinstance(second, GaussianMechanism)


def test_events_count_equal_parts_together():
    assert sum(asking(1.0, MeanQuery("age")).events(SCHEMA, AR).values()) == 2
    assert list(asking(1.0).events(SCHEMA, AR).values()) == [1]


def test_the_same_question_at_another_epsilon():
    assert asking(1.0).at(0.5) == asking(0.5)


@pytest.mark.parametrize("epsilon", [0.0, 9.9e-9, 1e-300])
def test_too_little_epsilon_to_be_shared(epsilon):
    with pytest.raises(InvalidParameterError, match="epsilon"):
        asking(epsilon)


@pytest.mark.parametrize("epsilon", [-1.0, math.nan, math.inf])
def test_no_epsilon_at_all(epsilon):
    with pytest.raises(InvalidParameterError, match="epsilon"):
        asking(epsilon)


@pytest.mark.parametrize("mechanism", ["numpy", "", None])
def test_unknown_noise(mechanism):
    with pytest.raises(InvalidParameterError, match="mechanism"):
        PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1), mechanism=mechanism)


@pytest.mark.parametrize("delta", [0.0, 1.0])
def test_gaussian_noise_needs_a_delta_between_0_and_1(delta):
    with pytest.raises(InvalidParameterError, match="delta"):
        PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1, delta=delta), mechanism="gaussian")


@pytest.mark.parametrize(
    "field, value",
    [("query", "count"), ("query", CountQuery), ("guarantee", 1.0), ("mechanism", ["laplace"]), ("mechanism", None)],
)
def test_a_field_of_another_kind_is_named(field, value):
    arguments = {"query": CountQuery(), "guarantee": Guarantee(epsilon=1.0)} | {field: value}
    with pytest.raises(InvalidParameterError, match=f"^{field} must be of the kind"):
        PlannedQuery(**arguments)
