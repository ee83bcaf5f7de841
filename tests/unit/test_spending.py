"""A plan's consumption: where each rule stops, and what the pictures need of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from dpengine.accounting import Validity, consumption, epsilon, first_beyond
from dpengine.data import CategoryColumn, NumberColumn, Schema
from dpengine.errors import InvalidParameterError
from dpengine.plan import PlannedQuery
from dpengine.privacy import DiscreteLaplaceEvent, Event, Guarantee, LaplaceEvent, Neighbors
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


def spending(
    *epsilons: float, rounds: int = 1, budget: Guarantee = BUDGET, earlier: Sequence[Mapping[Event, int]] = ()
) -> Spending:
    return Spending(scenario=plan(*epsilons), rounds=rounds, budget=budget, earlier=earlier)


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
    assert last < many.worth_drawing() < 2 * last
    assert spending(0.1, rounds=10).worth_drawing() == 10


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


EARLIER: Sequence[Mapping[Event, int]] = (
    {LaplaceEvent(noise_multiplier=1.0): 1},
    {LaplaceEvent(noise_multiplier=2.0): 1},
)


def test_what_was_answered_earlier_begins_every_line() -> None:
    after = spending(0.1, rounds=20, earlier=EARLIER)
    assert after.spent("basic")[:3] == pytest.approx([1.0, 1.5, 1.6])
    assert after.questions[-1] == 22
    assert after.first_refused("basic") == 16
    assert after.left_before == pytest.approx(1.5)
    assert spending(0.1).left_before == BUDGET.epsilon


def test_an_overspent_budget_refuses_the_first_question() -> None:
    over = spending(0.1, budget=Guarantee(epsilon=1.2, delta=1e-6), earlier=EARLIER)
    assert over.first_refused("basic") == 1
    assert over.left_before == 0.0
    assert over.room_for_more("basic") == 0


@pytest.mark.parametrize("accountant", ["basic", "advanced", "concentrated", "renyi", "exact"])
@pytest.mark.parametrize("earlier", [(), ({LaplaceEvent(noise_multiplier=8.0): 1},)])
def test_room_for_more_is_where_a_longer_list_stops(accountant: str, earlier: Sequence[Mapping[Event, int]]) -> None:
    short, long = spending(0.1, 0.05, earlier=earlier), spending(0.05, rounds=400, earlier=earlier)
    more = short.room_for_more(accountant)
    full = consumption([*short.steps, *long.planned], delta=BUDGET.delta, accountant=accountant)
    assert first_beyond(full, budget=BUDGET.epsilon) == len(short.steps) + more


def test_the_exact_line_crosses_the_budget_where_the_rule_does() -> None:
    many = spending(0.1, rounds=500)
    refused = many.first_refused("exact")
    assert refused is not None
    event = next(iter(many.steps[0]))
    assert epsilon({event: refused}, delta=1e-6, accountant="exact") > 3.0
    assert epsilon({event: refused - 1}, delta=1e-6, accountant="exact") <= 3.0
    assert many.worth_drawing(["basic", "exact"]) > refused


def test_a_family_is_promised_what_its_own_noise_gives() -> None:
    """Adding up: four times as much; the exact rule: noise of a quarter of the size."""
    both = spending(0.1, 0.2)
    assert both.for_group(4, accountant="basic") == pytest.approx(1.2)
    family: dict[Event, int] = {
        DiscreteLaplaceEvent(noise_multiplier=2.5, sensitivity=4): 1,
        DiscreteLaplaceEvent(noise_multiplier=1.25, sensitivity=4): 1,
    }
    assert both.for_group(4, accountant="exact") == pytest.approx(epsilon(family, delta=1e-6, accountant="exact"))
    assert both.for_group(1, accountant="basic") == pytest.approx(0.3)


def test_optimal_composition_understands_equal_shares_only() -> None:
    assert spending(0.1, 0.1).understands("optimal")
    assert not spending(0.1, 0.2).understands("optimal")
