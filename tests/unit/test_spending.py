"""A plan's consumption: where each rule stops, and what the pictures need of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from dpengine.accounting import Validity, consumption, epsilon, first_beyond
from dpengine.data import CategoryColumn, NumberColumn, Schema
from dpengine.errors import InvalidParameterError
from dpengine.plan import PlannedQuery
from dpengine.privacy import DiscreteLaplaceEvent, Event, Guarantee, Neighbors
from dpengine.queries import CountQuery, MeanQuery
from dpengine.scenario import Scenario
from dpengine.spending import DeltaUse, QuestionSpending, Spending, step_of
from tests.running.cases import each

SCHEMA = Schema(
    name="trial",
    columns=(NumberColumn(name="age", lower=0, upper=120), CategoryColumn(name="sex", categories=("f", "m"))),
)
BUDGET = Guarantee(epsilon=3.0, delta=1e-6)


def plan(*epsilons: float) -> Scenario:
    queries = tuple(PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=epsilon)) for epsilon in epsilons)
    return Scenario(table_name="trial", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, queries=queries, budget=BUDGET)


def spending(
    *epsilons: float, rounds: int = 1, budget: Guarantee = BUDGET, earlier: Sequence[QuestionSpending] = ()
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
    assert pure.spent("advanced") == pytest.approx(pure.spent("basic"), rel=1e-12)
    assert pure.textbook_threshold == np.inf


@each("rounds", [0, -1])
def test_rounds_start_at_one(rounds: int) -> None:
    with pytest.raises(InvalidParameterError, match="rounds"):
        spending(0.1, rounds=rounds)


def test_an_empty_list_spends_nothing_and_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="number of questions"):
        spending()


def step(epsilon: float) -> QuestionSpending:
    """What a count at an epsilon was charged."""
    (planned,) = plan(epsilon).queries
    return step_of(planned, SCHEMA, Neighbors.ADD_REMOVE)


EARLIER = (step(1.0), step(0.5))


def test_what_was_answered_earlier_begins_every_line() -> None:
    after = spending(0.1, rounds=20, earlier=EARLIER)
    assert after.spent("basic")[:3] == pytest.approx([1.0, 1.5, 1.6])
    assert after.questions[-1] == 22
    assert after.first_refused("basic") == 16
    assert after.before.epsilon == after.left_before.epsilon == 1_500_000_000
    assert after.asked.epsilon == 2_000_000_000
    assert spending(0.1).left_before.under("basic") == BUDGET


def test_an_overspent_budget_refuses_the_first_question() -> None:
    over = spending(0.1, budget=Guarantee(epsilon=1.2, delta=1e-6), earlier=EARLIER)
    assert over.first_refused("basic") == 1
    assert over.left_before.epsilon == 0
    assert over.left_out("basic") == (0,)
    assert over.room_for_more("basic") == 0


def test_what_could_go_makes_room_for_the_rest() -> None:
    assert spending(1.0, 0.5, 0.2, rounds=2).left_out("basic") == (0,)
    assert spending(1.0, 0.5, 0.2).left_out("basic") == ()
    assert spending(1.0, 1.0, 1.0, 1.0).left_out("basic") == (3,)
    assert spending(1.0, rounds=7).largest_total == 0.428571428
    assert spending(1.0, 0.5, 0.2).left_out("concentrated") == (0,)


@each(
    ("accountant", "earlier"),
    [
        *((accountant, ()) for accountant in ("basic", "advanced", "concentrated", "renyi", "exact")),
        *((accountant, (step(0.125),)) for accountant in ("basic", "concentrated", "exact")),
    ],
)
def test_room_for_more_is_where_a_longer_list_stops(accountant: str, earlier: Sequence[QuestionSpending]) -> None:
    short, long = spending(0.1, 0.05, earlier=earlier), spending(0.05, rounds=400, earlier=earlier)
    more = short.room_for_more(accountant)
    full = consumption([*short.steps, *(one.events for one in long.planned)], delta=BUDGET.delta, accountant=accountant)
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
    assert both.promised_to_group(4) == Guarantee(epsilon=1.2)


def test_a_budget_lets_out_no_more_than_itself() -> None:
    """By hand: 40 questions at 0.1 are 4, the budget lets out 3; what it never stopped is promised in full."""
    many = spending(0.1, rounds=40)
    assert many.let_out_to_group(1) == Guarantee(epsilon=3.0)
    assert many.let_out_to_group(4) == Guarantee(epsilon=12.0)
    assert many.promised_to_group(1).epsilon == pytest.approx(4.0)
    few = spending(0.1, rounds=20)
    assert few.let_out_to_group(4) == few.promised_to_group(4)
    earlier = spending(1.0, rounds=5).planned
    gone = spending(0.1, budget=Guarantee(epsilon=2.0), earlier=earlier)
    assert gone.let_out_to_group(1) == gone.promised_to_group(1), "What was charged before is above this budget."


def test_a_concentrated_budget_lets_out_its_own_guarantee() -> None:
    rhos = Spending(scenario=replace(plan(0.1), rule="concentrated"), rounds=300, budget=BUDGET)
    assert rhos.let_out_to_group(1) == BUDGET
    assert rhos.let_out_to_group(2) == BUDGET.for_group(2)


def test_a_familys_delta_grows_as_the_theorem_says() -> None:
    """Each Gaussian question by the generic theorem at its own epsilon, and the deltas added up."""
    gaussian = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.5, delta=1e-7), mechanism="gaussian")
    both = Spending(scenario=replace(plan(0.2), queries=(*plan(0.2).queries, gaussian)), rounds=2, budget=BUDGET)
    promised = both.promised_to_group(3)
    assert promised.epsilon == pytest.approx(2 * 3 * 0.7)
    assert promised.delta == pytest.approx(2 * 1e-7 * (1 + np.exp(0.5) + np.exp(1.0)), rel=1e-12)
    assert both.promised_to_group(1).delta == pytest.approx(2e-7)
    assert both.promised_to_group(10**4).delta == 1.0


def test_what_becomes_of_delta_is_told_for_each_rule() -> None:
    gaussian = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.5, delta=1e-7), mechanism="gaussian")
    pure, mixed = spending(0.2), Spending(scenario=replace(plan(), queries=(gaussian,)), rounds=3, budget=BUDGET)
    assert pure.delta_use("basic") == DeltaUse(questions=0.0, theorem=0.0)
    assert mixed.delta_use("basic") == DeltaUse(questions=3e-7, theorem=0.0)
    assert pure.delta_use("advanced") == DeltaUse(questions=0.0, theorem=1e-6)
    assert mixed.delta_use("advanced") == DeltaUse(questions=5e-7, theorem=5e-7)
    assert mixed.delta_use("concentrated") == mixed.delta_use("exact") == DeltaUse(questions=0.0, theorem=1e-6)


def test_gaussian_questions_stop_where_their_deltas_do() -> None:
    """Ten times 1e-7 is all of 1e-6, whatever epsilon is left; the line ends there, since no epsilon holds beyond."""
    gaussian = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.01, delta=1e-7), mechanism="gaussian")
    many = Spending(scenario=replace(plan(), queries=(gaussian,)), rounds=12, budget=BUDGET)
    assert many.first_refused("basic") == 11
    assert many.lacking("basic") == "delta"
    assert many.lacking("concentrated") == ""
    assert np.isfinite(many.spent("basic")).tolist() == [True] * 10 + [False] * 2


def test_optimal_composition_understands_equal_shares_only() -> None:
    assert spending(0.1, 0.1).understands("optimal")
    assert not spending(0.1, 0.2).understands("optimal")
