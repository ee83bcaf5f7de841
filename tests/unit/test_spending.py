"""A plan's consumption: where each rule stops, and what the pictures need of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpengine.accounting import Validity
from dpengine.data import CategoryColumn, NumberColumn, Schema
from dpengine.errors import InvalidParameterError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, MeanQuery
from dpengine.scenario import Scenario
from dpengine.spending import Spending

SCHEMA = Schema(
    name="trial",
    columns=(NumberColumn(name="age", lower=0, upper=120), CategoryColumn(name="sex", categories=("f", "m"))),
)
BUDGET = Guarantee(epsilon=3.0, delta=1e-6)


def plan(*epsilons: float) -> Scenario:
    queries = tuple(PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=epsilon)) for epsilon in epsilons)
    return Scenario(table_name="trial", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, queries=queries, budget=BUDGET)


def spending(*epsilons: float, rounds: int = 1, budget: Guarantee = BUDGET) -> Spending:
    return Spending(scenario=plan(*epsilons), rounds=rounds, budget=budget)


def test_naive_adding_steps_up_by_each_share() -> None:
    assert spending(0.1, 0.5, 0.2).spent("basic") == pytest.approx([0.1, 0.6, 0.8])


def test_thirty_tenths_fit_in_three_and_the_thirty_first_does_not() -> None:
    assert spending(0.1, rounds=30).first_refused("basic") is None
    assert spending(0.1, rounds=31).first_refused("basic") == 31


def test_the_textbook_formula_crosses_at_eight_logarithms() -> None:
    many = spending(0.1, rounds=200)
    assert many.textbook_threshold == pytest.approx(110.524, abs=1e-3)
    assert many.first_below("textbook") == 111
    assert many.first_below("advanced") == 30


def test_the_textbook_formula_turns_false_where_the_optimum_says_so() -> None:
    verdicts = spending(1.0, rounds=210).textbook_validity
    assert verdicts[110] is Validity.TRUE or verdicts[110] is Validity.PROVED
    assert verdicts.index(Validity.FALSE) + 1 == 206


def test_a_mean_is_two_events_in_one_step() -> None:
    mean = PlannedQuery(query=MeanQuery("age"), guarantee=Guarantee(epsilon=1.0))
    one = Spending(scenario=replace(plan(), queries=(mean,)), rounds=1, budget=BUDGET)
    assert sum(one.steps[0].values()) == 2
    assert one.spent("basic") == pytest.approx([1.0])


def test_what_is_worth_drawing_reaches_past_the_last_refusal() -> None:
    many = spending(0.1, rounds=3000)
    last = max(many.first_refused("basic") or 0, many.first_refused("advanced") or 0)
    assert last < many.worth_drawing < 2 * last
    assert spending(0.1, rounds=10).worth_drawing == 10


def test_without_delta_advanced_is_naive() -> None:
    pure = spending(0.1, rounds=50, budget=Guarantee(epsilon=3.0))
    assert np.array_equal(pure.spent("advanced"), pure.spent("basic"))
    assert pure.textbook_threshold == np.inf


@pytest.mark.parametrize("rounds", [0, -1])
def test_rounds_start_at_one(rounds: int) -> None:
    with pytest.raises(InvalidParameterError, match="rounds"):
        spending(0.1, rounds=rounds)


def test_an_empty_list_spends_nothing_and_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="number of questions"):
        spending()
