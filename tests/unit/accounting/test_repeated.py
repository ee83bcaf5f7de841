"""How often a planned question fits: agreement with adding up by hand, and with the rule itself."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.accounting import MOST_REPETITIONS, affordable, consumption, first_beyond, repeated
from dpengine.privacy import DiscreteLaplaceEvent, Event, Guarantee
from tests.running.cases import each

TENTH: dict[Event, int] = {DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1): 1}
MIXED: dict[Event, int] = {
    DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1): 2,
    DiscreteLaplaceEvent(noise_multiplier=4.0, sensitivity=3): 1,
}


@each("accountant", ["basic", "advanced", "textbook", "concentrated"])
@each("events", [TENTH, MIXED])
def test_repeating_is_consuming_the_same_step_again(events: dict[Event, int], accountant: str) -> None:
    step_by_step = consumption([events] * 40, delta=1e-6, accountant=accountant)
    at_once = repeated(events, repetitions=np.arange(1, 41), delta=1e-6, accountant=accountant)
    assert at_once == pytest.approx(step_by_step, rel=1e-12)


@each(("budget", "times"), [(3.0, 30), (2.9999, 29), (0.1, 1), (0.0999, 0)])
def test_naive_adding_affords_the_quotient(budget: float, times: int) -> None:
    assert affordable(TENTH, budget=Guarantee(epsilon=budget), accountant="basic") == times


def test_the_advanced_rule_affords_what_it_says_and_no_more() -> None:
    budget = Guarantee(epsilon=6.0, delta=1e-6)
    times = affordable(TENTH, budget=budget, accountant="advanced")
    spent = repeated(TENTH, repetitions=[times, times + 1], delta=1e-6, accountant="advanced")
    assert times > 60
    assert spent[0] <= 6.0 < spent[1]


def test_tiny_costs_are_counted_up_to_a_limit() -> None:
    tiny: dict[Event, int] = {DiscreteLaplaceEvent(noise_multiplier=1e8, sensitivity=1): 1}
    assert affordable(tiny, budget=Guarantee(epsilon=3.0), accountant="basic") == MOST_REPETITIONS


@each(("nanos", "place"), [(300_000_001, None), (300_000_000, None), (299_999_999, 2)])
def test_one_billionth_too_much_is_too_much(nanos: int, place: int | None) -> None:
    assert first_beyond(np.array([0.1, 0.2, 0.1 + 0.2]), budget=nanos / 1e9) == place
    assert affordable(TENTH, budget=Guarantee(epsilon=nanos / 1e9), accountant="basic") == (3 if place is None else 2)


def test_a_budget_is_counted_down_to_whole_billionths_as_it_is_granted() -> None:
    assert first_beyond(np.array([0.3, 0.300000001]), budget=0.3000000009) == 1


def test_a_huge_budget_affords_everything() -> None:
    assert affordable(TENTH, budget=Guarantee(epsilon=1e300), accountant="basic") == MOST_REPETITIONS


def test_repeating_keeps_the_shape() -> None:
    found = repeated(MIXED, repetitions=[[0, 1], [2, 3]], delta=0.0, accountant="basic")
    assert found == pytest.approx(np.array([[0.0, 0.45], [0.9, 1.35]]))


@each(("budget", "place"), [(0.3, None), (0.2999, 2), (0.05, 0)])
def test_first_beyond_counts_to_the_billionth(budget: float, place: int | None) -> None:
    assert first_beyond(np.array([0.1, 0.2, 0.1 + 0.2]), budget=budget) == place
