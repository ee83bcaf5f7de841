"""Planned questions: exact shares, noise that costs no more than its share, and epsilons that nobody can ask for."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.data import PrivacyUnit, Schema, TextColumn
from dpengine.errors import InvalidParameterError, UnusedDeltaWarning
from dpengine.losses import delta_of
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from dpengine.scenario import from_plain, to_plain
from tests.examples.ledgers import SCHEMA, asking
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE


def bell(query, delta=1e-6):
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=1, delta=delta), mechanism="gaussian")


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
    planned = bell(MeanQuery("age"))
    parts, mechanisms = planned.parts(SCHEMA, AR), planned.mechanisms(SCHEMA, AR)
    assert planned.delta_shares(SCHEMA, AR) == (Fraction(6, 10**7), Fraction(4, 10**7))
    for part, mechanism, epsilon, delta in zip(parts, mechanisms, (0.6, 0.4), (6e-7, 4e-7), strict=True):
        alone = DiscreteGaussianMechanism.from_guarantee(
            Guarantee(epsilon=epsilon, delta=delta), l2_sensitivity=part.grid_sensitivity.l2
        )
        assert mechanism.scale == pytest.approx(alone.scale, rel=1e-14)
        assert delta_of(mechanism.event, epsilon=epsilon) <= delta


@given(delta=st.floats(1e-17, 0.999), neighbors=st.sampled_from(Neighbors))
def test_delta_shares_sum_to_the_delta_rounded_down(delta, neighbors):
    shares = bell(MeanQuery("age"), delta=delta).delta_shares(SCHEMA, neighbors)
    assert all(share > 0 for share in shares)
    assert 0 <= Fraction(repr(delta)) - sum(shares) < Fraction(1, 10**18)


def test_laplace_noise_takes_no_delta_and_says_so_where_the_question_is_planned():
    with pytest.warns(UnusedDeltaWarning, match=r"^delta 1e-06 is not used: only Gaussian noise needs one\.") as said:
        planned = PlannedQuery(query=MeanQuery("age"), guarantee=Guarantee(epsilon=1, delta=1e-6))
    assert [one.filename for one in said] == [__file__]
    assert planned.delta_shares(SCHEMA, AR) == (Fraction(0), Fraction(0))
    assert (planned.used_delta, planned.unused_delta) == (0.0, str(said[0].message))
    assert planned.at(2.0).guarantee == Guarantee(epsilon=2.0)
    assert (bell(CountQuery()).used_delta, bell(CountQuery()).unused_delta) == (1e-6, "")


def test_a_stored_question_keeps_its_unused_delta_and_is_silent():
    with pytest.warns(UnusedDeltaWarning):
        planned = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1, delta=1e-6))
    assert from_plain(to_plain(planned)) == planned


def test_gaussian_noise_for_a_histogram_is_exact_where_one_count_moves_and_through_rho_where_two_do():
    (one,) = bell(HistogramQuery("ill")).mechanisms(SCHEMA, AR)
    (two,) = bell(HistogramQuery("ill")).mechanisms(SCHEMA, RP)
    assert one == bell(CountQuery()).mechanisms(SCHEMA, AR)[0]
    assert isinstance(two.event, ConcentratedEvent)
    assert two.l2_sensitivity == math.sqrt(2.0)
    assert two.scale > math.sqrt(2.0) * one.scale


def test_several_rows_in_several_cells_go_through_rho():
    """One person may move one cell by 3, or three by 1: no single shift is known."""
    columns = (*SCHEMA.columns, TextColumn(name="id"))
    visits = Schema(name="people", columns=columns, unit=PrivacyUnit(identifier="id", rows=3))
    (cells,), (count,) = (bell(query).mechanisms(visits, AR) for query in (HistogramQuery("ill"), CountQuery()))
    assert (cells.l2_sensitivity, count.l2_sensitivity) == (3, 3)
    assert not cells.one_coordinate
    assert count.one_coordinate
    assert cells.scale > count.scale


def test_events_count_equal_parts_together():
    assert sum(asking(1.0, MeanQuery("age")).events(SCHEMA, AR).values()) == 2
    assert list(asking(1.0).events(SCHEMA, AR).values()) == [1]


def test_the_same_question_at_another_epsilon():
    assert asking(1.0).at(0.5) == asking(0.5)


@each("epsilon", [0.0, 9.9e-9, 1e-300])
def test_too_little_epsilon_to_be_shared(epsilon):
    with pytest.raises(InvalidParameterError, match="epsilon"):
        asking(epsilon)


@each("epsilon", [-1.0, math.nan, math.inf])
def test_no_epsilon_at_all(epsilon):
    with pytest.raises(InvalidParameterError, match="epsilon"):
        asking(epsilon)


@each("mechanism", ["numpy", "", None])
def test_unknown_noise(mechanism):
    with pytest.raises(InvalidParameterError, match="mechanism"):
        PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1), mechanism=mechanism)


@each("delta", [0.0, 1e-18, 9.9e-18, 1.0])
def test_gaussian_noise_needs_a_delta_between_0_and_1(delta):
    with pytest.raises(InvalidParameterError, match="delta"):
        PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1, delta=delta), mechanism="gaussian")


@each(
    "field, value",
    [("query", "count"), ("query", CountQuery), ("guarantee", 1.0), ("mechanism", ["laplace"]), ("mechanism", None)],
)
def test_a_field_of_another_kind_is_named(field, value):
    arguments = {"query": CountQuery(), "guarantee": Guarantee(epsilon=1.0)} | {field: value}
    with pytest.raises(InvalidParameterError, match=f"^{field} must be of the kind"):
        PlannedQuery(**arguments)
