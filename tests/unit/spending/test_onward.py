"""A list that is asked on: each rule refuses what it refuses one by one, and no line is below the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.accounting import consumption
from dpengine.errors import InvalidParameterError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, MeanQuery
from dpengine.spending import QuestionSpending, Spending
from dpengine.spending.onward import MOST_FOLLOWED, TIMES, number_after, onward
from tests.running.cases import each
from tests.unit.test_spending import BUDGET, plan, spending, step

RULES = ("basic", "advanced", "exact")
EVERY = (*RULES, "concentrated", "renyi")


def mixed(*, budget: Guarantee = BUDGET, rounds: int = 1, earlier: Sequence[QuestionSpending] = ()) -> Spending:
    """A count, a mean of two parts, and a count with Gaussian noise."""
    queries = (
        PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.1)),
        PlannedQuery(query=MeanQuery("age"), guarantee=Guarantee(epsilon=0.3)),
        PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.2, delta=1e-9), mechanism="gaussian"),
    )
    return Spending(scenario=replace(plan(), queries=queries), rounds=rounds, budget=budget, earlier=earlier)


@each("earlier", [(), (step(1.0), step(0.5)), (step(2.95),), (step(3.5),)])
def test_each_rule_refuses_what_it_refuses_when_all_are_asked_one_by_one(earlier: tuple[QuestionSpending, ...]) -> None:
    found = onward(mixed(earlier=earlier), EVERY)
    long = mixed(rounds=60, earlier=earlier)
    one_by_one = [long.first_refused(rule) for rule in EVERY]
    assert None not in one_by_one
    assert found.refused == [long.number_drawn(number) for number in one_by_one if number]


def test_at_a_twentieth_each_of_three() -> None:
    """Sixty are exactly the budget; the others against asking the rule after every single question."""
    found = onward(spending(0.05), RULES)
    after_each = {
        rule: consumption(spending(0.05, rounds=200).steps, delta=1e-6, accountant=rule) for rule in RULES[1:]
    }
    assert found.refused[0] == 61
    assert found.refused[1:] == [int(np.argmax(spent > 3.0)) + 1 for spent in after_each.values()]
    assert found.refused == [61, 123, 171]


@each("rounds", [8, 30])
def test_no_line_is_below_the_truth_and_few_questions_are_all_told(rounds: int) -> None:
    """The truth is what the ledger's numbers, or the rule itself, say after every question."""
    budget = Guarantee(epsilon=0.55 * rounds, delta=1e-6)
    found, long = onward(mixed(budget=budget), RULES), mixed(budget=budget, rounds=8 * rounds)
    every = {"basic": long.spent("basic")} | {
        rule: consumption(long.steps, delta=1e-6, accountant=rule) for rule in RULES[1:]
    }
    for rule, spent in zip(RULES, found.spent, strict=True):
        truth = every[rule][found.questions - 1]
        assert np.all(spent >= truth * (1 - 1e-12))
        exactly = slice(None) if rule == "basic" else np.isin(found.questions, [3, 6, 9])
        assert spent[exactly] == pytest.approx(truth[exactly], rel=1e-9)
        assert np.all(np.diff(spent) >= 0.0)
    assert found.steps_are_questions is (rounds == 8)


def test_what_was_spent_is_known_after_each_round_number_of_times() -> None:
    asked = spending(0.02, 0.03)
    found = onward(asked, RULES)
    wanted = [number_after(asked, times, alike=False) for times in TIMES]
    assert wanted[:3] == [2, 4, 6]
    assert {number for number in wanted if number <= found.questions[-1]} <= set(found.questions.tolist())
    exact = consumption(spending(0.02, 0.03, rounds=100).steps, delta=1e-6, accountant="exact")
    place = found.questions.tolist().index(100)
    assert found.spent[2][place] == pytest.approx(exact[99], rel=1e-9)


def test_what_follows_may_be_like_the_last_question() -> None:
    """1 and 0.5, then 0.5 again and again: four times in all are 3."""
    asked = spending(1.0, 0.5)
    assert onward(asked, ["basic"], alike=True).refused == [6]
    assert onward(asked, ["basic"]).refused == [5], "The control: 1, 0.5, 1, 0.5, and then 1 is too much."
    assert [number_after(asked, times, alike=True) for times in (1, 2, 10)] == [2, 3, 11]


def test_so_many_are_followed_and_the_list_always() -> None:
    found = onward(spending(0.001), RULES)
    assert (found.refused, found.followed, found.questions[-1]) == ([None] * 3, MOST_FOLLOWED, MOST_FOLLOWED)
    assert onward(spending(*[0.001] * 50), ["basic"], most=10).followed == 50
    assert onward(spending(1.0), ["basic"]).questions.tolist() == [1, 2, 3, 4, 5, 6]


@each("wrong", [{"most": 0}, {"points": 3}])
def test_nothing_is_followed_for_less_than_a_picture(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidParameterError):
        onward(spending(0.1), ["basic"], **wrong)  # type: ignore[arg-type]


AMOUNTS = st.integers(5, 60).map(lambda hundredths: hundredths / 100)


@settings(max_examples=15)
@given(st.lists(AMOUNTS, min_size=1, max_size=4), AMOUNTS, st.integers(1, 30))
def test_more_budget_refuses_later_and_dearer_questions_sooner(
    each_epsilon: list[float], more: float, tenths: int
) -> None:
    def refused(asked: list[float], epsilon: float) -> list[int]:
        found = onward(spending(*asked, budget=Guarantee(epsilon=epsilon, delta=1e-6)), RULES)
        return [number or MOST_FOLLOWED + 1 for number in found.refused]

    budget = tenths / 10
    base = refused(each_epsilon, budget)
    assert all(later >= one for later, one in zip(refused(each_epsilon, budget + more), base, strict=True))
    dearer = [epsilon + more for epsilon in each_epsilon]
    assert all(sooner <= one for sooner, one in zip(refused(dearer, budget), base, strict=True))
    basic, advanced, exact = base
    assert basic <= advanced <= exact
