"""Planned questions: exact shares, noise that costs no more than its share, and epsilons that nobody can ask for."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.data import Comparison, PrivacyUnit, Schema, TextColumn
from dpengine.errors import InvalidParameterError, ScenarioError, UnusedDeltaWarning
from dpengine.losses import delta_of
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ProportionQuery, VarianceQuery
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


def split(percent, query=None):
    return replace(asking(1.0, query or MeanQuery("age")), percent_for_sum=percent)


@each("query", [MeanQuery("age"), ProportionQuery(Comparison("ill", "=", True))])
def test_the_sum_gets_the_per_cent_that_is_planned_and_the_count_the_rest(query):
    assert split(82, query).shares(SCHEMA, AR) == (Fraction(82, 100), Fraction(18, 100))
    assert [part.share for part in split(82, query).parts(SCHEMA, AR)] == [Fraction(82, 100), Fraction(18, 100)]
    first, second = split(82, query).mechanisms(SCHEMA, AR)
    own_first, own_second = split(None, query).mechanisms(SCHEMA, AR)
    assert first.scale == pytest.approx(own_first.scale * 60 / 82, rel=1e-12)
    assert second.scale == pytest.approx(own_second.scale * 40 / 18, rel=1e-12)
    assert split(60, query).mechanisms(SCHEMA, AR) == split(None, query).mechanisms(SCHEMA, AR)


def test_delta_follows_the_split_of_epsilon():
    planned = PlannedQuery(
        query=MeanQuery("age"), guarantee=Guarantee(epsilon=1, delta=1e-6), mechanism="gaussian", percent_for_sum=5
    )
    assert planned.delta_shares(SCHEMA, AR) == (Fraction(5, 10**8), Fraction(95, 10**8))


def test_a_split_is_without_effect_where_no_sum_and_count_share_epsilon():
    public = Schema(name="people", columns=(replace(SCHEMA.number("age"), complete=True),), people=50)
    assert split(82).shares(public, RP) == (1,)
    assert not split(82).has_sum_and_count(public, RP)
    assert split(82).has_sum_and_count(public, AR)
    for query in (CountQuery(), HistogramQuery("ill"), VarianceQuery("age")):
        assert split(82, query).shares(SCHEMA, AR) == split(None, query).shares(SCHEMA, AR)
        assert not split(82, query).has_sum_and_count(SCHEMA, AR)


@given(epsilon=st.floats(1e-8, 1e6), percent=st.integers(1, 99))
def test_whatever_the_split_each_part_has_a_share_and_all_of_epsilon_is_charged(epsilon, percent):
    shares = replace(asking(epsilon, MeanQuery("age")), percent_for_sum=percent).shares(SCHEMA, AR)
    assert all(share > 0 for share in shares)
    assert 0 <= Fraction(repr(epsilon)) - sum(shares) < Fraction(1, 10**9)


def test_another_epsilon_and_noise_keep_the_split_and_a_question_of_another_kind_drops_it():
    planned = split(82)
    assert planned.at(0.5).percent_for_sum == 82
    assert planned.with_mechanism("gaussian", delta=1e-6).percent_for_sum == 82
    assert planned.asking(MeanQuery("age", Comparison("ill", "=", True))).percent_for_sum == 82
    assert planned.asking(CountQuery()) == split(None, CountQuery())


@each(
    ("percent", "rule"),
    [
        *((wrong, r"a number in \[1, 99\]") for wrong in (0, 100, -3)),
        *((wrong, "of the kind") for wrong in (True, 60.5, 60.0, math.nan, "60")),
    ],
)
def test_a_split_in_no_whole_per_cent_is_refused(percent, rule):
    with pytest.raises(InvalidParameterError, match=f"^percent_for_sum must be {rule}"):
        split(percent)


def test_a_split_is_stored_where_there_is_one_and_changes_no_older_text():
    assert "percent_for_sum" not in to_plain(split(None))
    assert to_plain(split(82))["percent_for_sum"] == 82
    assert [from_plain(to_plain(split(one))) for one in (None, 60, 82)] == [split(None), split(60), split(82)]
    with pytest.raises(ScenarioError, match="percent_for_sum must be a number in"):
        from_plain(to_plain(split(82)) | {"percent_for_sum": 100})


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
