"""Exact amounts: rounded up when charged, down when granted, and never a float in a sum."""

import math
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpengine.accounting import rho_from_guarantee
from dpengine.data import Comparison
from dpengine.errors import RefusedQueryError, UnusedDeltaWarning
from dpengine.ledger import Amounts, Charge
from dpengine.ledger.entries.entry import text_of
from dpengine.ledger.entries.terms import LARGEST_EPSILON
from dpengine.ledger.storage.amounts import COUNTED, cost_of, granted_by
from dpengine.losses import concentrated_epsilon
from dpengine.mechanisms import DiscreteGaussianMechanism
from dpengine.plan import PlannedQuery
from dpengine.plan.remembered import remembered
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, Part
from dpengine.scenario.scenario import RULES
from tests.examples.ledgers import SCHEMA, asking
from tests.running.cases import each

AR = Neighbors.ADD_REMOVE


def test_every_rule_of_a_plan_is_a_rule_of_the_ledger():
    assert set(COUNTED) == set(RULES)


@each("epsilon, nanos", [(0.1, 100_000_000), (0.3, 300_000_000), (1, 10**9), (1.0000000009, 10**9)])
def test_a_question_costs_the_epsilon_that_its_noise_is_made_for(epsilon, nanos):
    assert cost_of(asking(epsilon), SCHEMA, AR).epsilon == nanos


def test_the_parts_of_a_mean_cost_the_whole_under_basic_and_less_under_concentrated():
    cost = cost_of(asking(1.0, MeanQuery("age")), SCHEMA, AR)
    assert cost == Amounts(epsilon=10**9, rho=260_000_000)  # (0.6**2 + 0.4**2) / 2


def test_rho_is_rounded_up_so_that_no_question_is_free():
    assert cost_of(asking(1e-8), SCHEMA, AR) == Amounts(epsilon=10, rho=1)
    third = cost_of(asking(0.333333333), SCHEMA, AR).rho
    assert third - 1 < Fraction(333333333, 10**9) ** 2 / 2 * 10**9 <= third


def test_a_budget_is_rounded_down():
    assert granted_by(Guarantee(epsilon=0.1234567899)) == Amounts(epsilon=123456789)
    assert granted_by(Guarantee(epsilon=1, delta=1.9e-18)).delta == 1


def test_a_budget_is_translated_to_rho_rounded_down():
    budget = Guarantee(epsilon=1.0, delta=1e-6)
    granted = granted_by(budget)
    assert granted.rho == pytest.approx(0.02436e9, rel=1e-3)
    assert 0 <= Fraction(rho_from_guarantee(budget)) * 10**9 - granted.rho < 1


BUDGETS = [(1.0, 1.9e-18), (1.0, 9.99e-18), (3.3333333339, 1.23456789e-15), (0.1, 1e-6), (1e4, 0.5), (1e-9, 0.999)]


def test_rho_converts_back_within_the_budget_that_the_account_states():
    for epsilon, delta in BUDGETS:
        granted = granted_by(Guarantee(epsilon=epsilon, delta=delta))
        stated = granted.under("basic")
        assert isinstance(stated, Guarantee), (epsilon, delta)
        assert float(concentrated_epsilon(np.array(granted.rho / 10**9), stated.delta)) <= stated.epsilon, (
            epsilon,
            delta,
        )
        assert float(concentrated_epsilon(np.array((granted.rho + 2) / 10**9), stated.delta)) > stated.epsilon, (
            epsilon,
            delta,
        )


@each("delta", [1e-18, 1e-6, 0.5, 1 - 1e-16])
def test_totals_of_the_largest_budget_fit_whatever_is_asked(delta):
    """Each part costs epsilon^2 / 2 and at least a billionth, so 2 parts bound what the other rule does not count."""
    granted = granted_by(Guarantee(epsilon=LARGEST_EPSILON, delta=delta))
    assert granted.storable
    largest_rho = granted.epsilon**2 // (2 * 10**9) + granted.epsilon // 10
    largest_epsilon = granted.rho * math.isqrt(4 * 10**9)
    assert Amounts(epsilon=largest_epsilon, rho=largest_rho).storable


def test_a_total_beyond_its_column_is_not_storable():
    full = Amounts(rho=2**63 - 1)
    full.require_storable()
    with pytest.raises(RefusedQueryError, match="cannot hold so large a total"):
        (full + Amounts(rho=1)).require_storable()


def test_what_exceeds_every_float_is_read_as_the_largest():
    cost = cost_of(asking(1.7e308), SCHEMA, AR)
    assert cost.under("concentrated") == ConcentratedEvent(rho=sys.float_info.max)
    assert Charge(rule="basic", amounts=cost).rho == sys.float_info.max


def test_a_pure_budget_stands_for_no_rho():
    assert granted_by(Guarantee(epsilon=5.0)).rho == 0


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("query", [CountQuery(), MeanQuery("age"), HistogramQuery("ill")], ids=repr)
@pytest.mark.parametrize("delta", [1e-6, 1e-9 / 3.0])
def test_gaussian_noise_is_charged_epsilon_and_delta_and_the_rho_of_its_own_scale(query, neighbors, delta):
    schema = replace(SCHEMA, people=5)
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.7, delta=delta), mechanism="gaussian")
    cost = cost_of(planned, schema, neighbors)
    assert cost.epsilon == 700_000_000
    assert cost.delta == math.floor(Fraction(repr(delta)) * 10**18)
    squares = [
        Fraction(part.grid_sensitivity.l2) ** 2 / (2 * Fraction(mechanism.scale) ** 2)
        for part, mechanism in zip(planned.parts(schema, neighbors), planned.mechanisms(schema, neighbors), strict=True)
        if isinstance(part, Part) and isinstance(mechanism, DiscreteGaussianMechanism)
    ]
    assert len(squares) == len(planned.parts(schema, neighbors))
    assert 0 <= cost.rho - sum(squares) * 10**9 < 1 + Fraction(1, 10**5)
    assert concentrated_epsilon(np.array(cost.rho / 10**9), delta) <= 0.85, "of the order of the promise itself"


def test_laplace_noise_costs_no_delta_even_where_one_was_planned():
    with pytest.warns(UnusedDeltaWarning):
        planned = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1, delta=1e-6))
    assert cost_of(planned, SCHEMA, AR) == cost_of(asking(1.0), SCHEMA, AR)


def test_each_rule_counts_its_own_amounts():
    granted = Amounts(epsilon=10, delta=5, rho=3)
    assert Amounts(epsilon=10, delta=5, rho=99).within(granted, "basic")
    assert not Amounts(epsilon=11, delta=0).within(granted, "basic")
    assert not Amounts(epsilon=1, delta=6).within(granted, "basic")
    assert Amounts(epsilon=99, delta=99, rho=3).within(granted, "concentrated")
    assert not Amounts(rho=4).within(granted, "concentrated")


def test_amounts_read_as_exact_decimals():
    amounts = Amounts(epsilon=300_000_000, delta=10**12, rho=1)
    assert amounts.in_words("basic") == "epsilon 0.3, delta 0.000001"
    assert amounts.in_words("concentrated") == "rho 0.000000001"
    assert Amounts(epsilon=20 * 10**9).in_words("basic") == "epsilon 20"
    assert Amounts().in_words("basic") == "epsilon 0"


def test_a_charge_reads_under_its_rule():
    amounts = Amounts(epsilon=10**9, delta=0, rho=5 * 10**8)
    basic, concentrated = Charge(rule="basic", amounts=amounts), Charge(rule="concentrated", amounts=amounts)
    assert (basic.counted, str(basic)) == (Guarantee(epsilon=1.0), "epsilon 1")
    assert (concentrated.counted, str(concentrated)) == (ConcentratedEvent(rho=0.5), "rho 0.5")
    assert (basic.epsilon, basic.delta, basic.rho) == (1.0, 0.0, 0.5)


def test_what_is_remembered_of_one_question_is_not_taken_for_an_equal_one_of_other_types():
    """1 == True, but only one of them is an answer to yes or no."""
    asked = [asking(1.0, CountQuery(where=Comparison("ill", "=", value))) for value in (True, 1)]
    assert asked[0] == asked[1]
    assert [text_of(one) for one in asked] == [text_of(replace(one)) for one in asked]
    assert text_of(asked[0]) != text_of(asked[1])
    assert cost_of(asked[0], SCHEMA, AR).epsilon == 10**9
    with pytest.raises(RefusedQueryError):
        cost_of(asked[1], SCHEMA, AR)


def test_a_refusal_is_not_remembered_as_a_cost_and_a_cost_is_worked_out_once():
    worked = []

    @remembered
    def once(value):
        worked.append(value)
        if value.epsilon > 1:
            raise RefusedQueryError("too much")
        return value.epsilon

    small, large = Guarantee(epsilon=0.5), Guarantee(epsilon=2.0)
    assert [once(small), once(small), once(replace(small))] == [0.5, 0.5, 0.5]
    assert len(worked) == 2
    for _ in range(2):
        with pytest.raises(RefusedQueryError):
            once(large)
