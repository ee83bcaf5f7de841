"""The same answer many times: each rule's number, in order, and where rules change places."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.accounting import Crossover, Repetition, Validity, epsilon, epsilon_curve
from dpengine.errors import InvalidParameterError
from dpengine.privacy import DiscreteLaplaceEvent, Event, GaussianEvent, LaplaceEvent, RandomizedResponseEvent
from tests.running.cases import each

ONE = RandomizedResponseEvent(epsilon=1.0)
TENTH = DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1)


def repetition(event: Event = TENTH, *, chosen: int = 300, delta: float = 1e-6) -> Repetition:
    return Repetition(event=event, delta=delta, chosen=chosen)


def test_every_rule_says_its_number_the_least_first() -> None:
    said = repetition().at_chosen
    assert list(said) == [
        "exact", "optimal", "renyi", "concentrated", "advanced", "advanced_2010", "textbook", "basic",
    ]  # fmt: skip
    assert list(said.values()) == pytest.approx(sorted(said.values()), rel=1e-6)
    for name, value in said.items():
        assert value == epsilon({TENTH: 300}, delta=1e-6, accountant=name)


def test_a_rule_that_does_not_understand_the_noise_is_left_out() -> None:
    said = repetition(GaussianEvent(noise_multiplier=14.0)).at_chosen
    assert "optimal" not in said
    assert next(iter(said)) == "exact"


def test_smooth_noise_costs_less_than_its_epsilon_alone_allows() -> None:
    said = repetition(LaplaceEvent(noise_multiplier=1.0), chosen=100).at_chosen
    assert said["exact"] < 0.9 * said["optimal"]


@each("name", ["basic", "optimal", "exact"])
def test_a_curve_meets_its_rule_at_the_chosen_number(name: str) -> None:
    here = repetition(chosen=137)
    full = epsilon_curve(TENTH, repetitions=np.arange(1, 1001), delta=1e-6, accountant=name)
    assert here.curve(name)[136] == pytest.approx(here.at_chosen[name], rel=1e-4)
    assert np.all(here.curve(name) >= full * (1.0 - 1e-4))


@each(("epsilon_each", "false"), [(1.0, 206), (0.5, 611), (2.0, 115), (0.1, None)])
def test_where_the_textbook_formula_turns_false(epsilon_each: float, false: int | None) -> None:
    found = repetition(RandomizedResponseEvent(epsilon=epsilon_each))
    assert found.first_false == false
    assert (Validity.FALSE in found.validity) is (false is not None)


@each(("epsilon_each", "always"), [(1.0, 206), (0.5, 613), (0.1, None)])
def test_from_where_on_it_is_always_false(epsilon_each: float, always: int | None) -> None:
    """At 0.5 it is false at 611, true at 612."""
    found = repetition(RandomizedResponseEvent(epsilon=epsilon_each))
    assert found.false_from == always
    if always is not None:
        assert set(found.validity[always - 1 :]) == {Validity.FALSE}


@each(("epsilon_each", "again"), [(1.0, []), (0.5, [612]), (0.1, [])])
def test_where_it_holds_once_more(epsilon_each: float, again: list[int]) -> None:
    assert list(repetition(RandomizedResponseEvent(epsilon=epsilon_each)).holds_again) == again


@each("event", [TENTH, ONE, GaussianEvent(noise_multiplier=14.0)])
def test_an_exact_curve_with_a_closed_form_has_no_steps(event: Event) -> None:
    here, numbers = repetition(event), np.array([1, 7, 149, 562, 611, 999, 1000])
    exact = epsilon_curve(event, repetitions=numbers, delta=1e-6, accountant="exact")
    assert here.curve("exact")[numbers - 1] == pytest.approx(exact, rel=1e-9)
    assert here.steps_between == 0


@each("event", [LaplaceEvent(noise_multiplier=2.0), DiscreteLaplaceEvent(noise_multiplier=4.0, sensitivity=2)])
def test_another_exact_curve_has_small_steps_and_is_never_below_the_truth(event: Event) -> None:
    here, numbers = repetition(event), np.array([50, 149, 562, 611, 995])
    exact = epsilon_curve(event, repetitions=numbers, delta=1e-6, accountant="exact")
    above = here.curve("exact")[numbers - 1] / exact
    assert np.all(above >= 1.0 - 1e-9)
    assert np.all(above < 1.05)
    assert here.steps_between == 120
    assert np.unique(here.curve("exact")).size >= 120


def test_where_advanced_adding_begins_to_win() -> None:
    assert repetition().crossover == Crossover(textbook=111, advanced=30)


@each(("name", "bad"), [("chosen", 0), ("chosen", 1001), ("delta", 1.5), ("most", 0)])
def test_nonsense_is_refused_by_name(name: str, bad: float) -> None:
    with pytest.raises(InvalidParameterError, match=name):
        Repetition(**({"event": ONE, "delta": 1e-6, "chosen": 1, "most": 1000} | {name: bad}))  # type: ignore[arg-type]
