"""Curves that ask a dear rule at some places only: never below the full computation, equal to it where it counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from dpengine.accounting import (
    ACCOUNTANTS,
    affordable,
    consumption,
    drawn_consumption,
    drawn_curve,
    drawn_repeated,
    drawn_to_budget,
    epsilon,
    epsilon_curve,
    first_beyond,
    first_refused,
    repeated,
)
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.privacy import (
    ApproximateEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    RandomizedResponseEvent,
)
from tests.running.cases import each

COUNT, SUM = (
    DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1),
    DiscreteLaplaceEvent(noise_multiplier=4.0, sensitivity=500),
)
GAUSSIAN = GaussianEvent(noise_multiplier=20.0)
DISCRETE = DiscreteGaussianEvent(noise_multiplier=14.0, sensitivity=1)
SINGLE: list[Event] = [
    LaplaceEvent(noise_multiplier=1.0),
    COUNT,
    GAUSSIAN,
    DISCRETE,
    RandomizedResponseEvent(epsilon=0.3),
]
FORTY: list[Mapping[Event, int]] = [{LaplaceEvent(noise_multiplier=5.0 + i): 1} for i in range(40)]
BEFORE: Mapping[Event, int] = {LaplaceEvent(noise_multiplier=0.1): 1}
PLANS: Mapping[str, list[Mapping[Event, int]]] = {
    "equal": [{COUNT: 1}] * 100,
    "two kinds": [{COUNT: 1}, {SUM: 1}, {COUNT: 1, SUM: 1}] * 30,
    "mixed noise": [{COUNT: 1} if i < 50 else {GAUSSIAN: 1} for i in range(100)],
    "forty kinds": FORTY * 2,
}
GRANULARITY = 1e-4
"""How far two upper bounds of the exact rule may lie apart, relative; its own promise."""


def looked_at(most: int) -> NDArray[np.int64]:
    """All of the first numbers, later ones at uneven distances, so that many lie between drawn points, and the last."""
    later = 30 + np.cumsum([7, 4, 9, 5] * most)
    return np.array([*range(31), *later[later < most], most])


@cache
def full_consumption(plan: str, name: str) -> NDArray[np.float64]:
    """What every beginning of a plan costs, all of it computed."""
    return consumption(PLANS[plan], delta=1e-6, accountant=name)


@each("event", SINGLE)
@each("name", ACCOUNTANTS)
def test_a_curve_is_above_the_full_one_and_close(event: Event, name: str) -> None:
    ks, seen = np.arange(0, 401), looked_at(400)
    try:
        full = epsilon_curve(event, repetitions=seen, delta=1e-6, accountant=name)
    except UnsupportedEventError:
        with pytest.raises(UnsupportedEventError):
            drawn_curve(event, repetitions=ks, delta=1e-6, accountant=name)
        return
    curve = drawn_curve(event, repetitions=ks, delta=1e-6, accountant=name)
    assert np.all(curve[seen] >= full * (1.0 - GRANULARITY))
    assert np.all(curve[seen] - full <= 0.05 * full[-1]), "a small part of the picture's height"
    assert np.all(np.diff(curve) >= 0.0)
    if name != "exact" and event != DISCRETE:
        assert np.array_equal(curve[seen], full)


@each("event", SINGLE)
def test_the_exact_rule_is_asked_where_it_was_said(event: Event) -> None:
    ks = np.arange(1, 1001)
    curve = drawn_curve(event, repetitions=ks, delta=1e-6, accountant="exact", exactly=[137, 731, 5000])
    for k in (1, 2, 3, 137, 731, 1000):
        assert curve[k - 1] == pytest.approx(epsilon({event: k}, delta=1e-6, accountant="exact"), rel=GRANULARITY)
    assert len(np.unique(curve)) < 200 or isinstance(event, GaussianEvent)


def test_any_order_and_shape_of_repetitions() -> None:
    ks = np.array([[1000, 1], [50, 1000]])
    curve = drawn_curve(COUNT, repetitions=ks, delta=1e-6, accountant="exact")
    assert curve.shape == (2, 2)
    assert curve == pytest.approx(epsilon_curve(COUNT, repetitions=ks, delta=1e-6, accountant="exact"), rel=GRANULARITY)


@each("name", ["basic", "advanced", "exact"])
def test_a_question_of_two_parts_is_above_its_full_curve(name: str) -> None:
    ks, seen = np.arange(0, 301), np.append(looked_at(300), 211)
    events: Mapping[Event, int] = {COUNT: 1, SUM: 2}
    full = repeated(events, repetitions=seen, delta=1e-6, accountant=name)
    curve = drawn_repeated(events, repetitions=ks, delta=1e-6, accountant=name, exactly=[211])
    assert np.all(curve[seen] >= full * (1.0 - GRANULARITY))
    asked = np.isin(seen, [0, 1, 211, 300])
    assert curve[seen[asked]] == pytest.approx(full[asked], rel=GRANULARITY)


def test_nothing_costs_nothing() -> None:
    assert np.array_equal(drawn_curve(COUNT, repetitions=[0, 0], delta=1e-6, accountant="exact"), [0.0, 0.0])
    assert first_refused([{}, {}], budget=Guarantee(epsilon=1.0, delta=1e-6), accountant="exact") is None


@each("plan", PLANS)
@each("name", ["basic", "advanced", "textbook", "concentrated", "renyi", "exact"])
def test_a_plan_is_above_its_full_consumption(plan: str, name: str) -> None:
    full = full_consumption(plan, name)
    spent = drawn_consumption(PLANS[plan], delta=1e-6, accountant=name, exactly=[77])
    assert np.all(spent >= full * (1.0 - GRANULARITY))
    assert spent[76] == pytest.approx(full[76], rel=GRANULARITY)
    assert spent[-1] == pytest.approx(full[-1], rel=GRANULARITY)


@each("plan", PLANS)
@each("name", ["basic", "advanced", "concentrated", "renyi", "exact"])
@each("share", [0.05, 0.9])
def test_the_first_refused_step_is_that_of_the_full_computation(plan: str, name: str, share: float) -> None:
    full = full_consumption(plan, name)
    budget = Guarantee(epsilon=float(full[-1]) * share * (1.0 + 2.0 * GRANULARITY), delta=1e-6)
    place = first_beyond(full, budget=budget.epsilon)
    found = first_refused(PLANS[plan], budget=budget, accountant=name)
    if name != "exact":
        assert found == (None if place is None else place + 1)
        return
    near = budget.epsilon * GRANULARITY
    assert found is None or full[found - 1] > budget.epsilon - near
    assert place is None or found in (None, 1) or full[found - 2] <= budget.epsilon + near


@each("plan", PLANS)
@each("name", ["renyi", "exact"])
def test_a_curve_to_the_budget_is_asked_exactly_where_it_stops(plan: str, name: str) -> None:
    budget = Guarantee(epsilon=0.6 * float(full_consumption(plan, name)[-1]), delta=1e-6)
    number = first_refused(PLANS[plan], budget=budget, accountant=name)
    assert number is not None
    assert number > 1
    spent = drawn_to_budget(PLANS[plan], budget=budget, accountant=name)
    apart = drawn_consumption(PLANS[plan], delta=1e-6, accountant=name, exactly=[number - 1, number])
    assert spent == pytest.approx(apart, rel=1e-6)
    assert first_beyond(spent, budget=budget.epsilon) == number - 1


@each("name", ["basic", "advanced", "concentrated", "renyi", "exact"])
@each(
    ("events", "before"),
    [
        ({COUNT: 1}, {}),
        ({SUM: 1, COUNT: 2}, {LaplaceEvent(noise_multiplier=5.0): 3}),
        ({GAUSSIAN: 1}, {}),
        ({GAUSSIAN: 1}, {LaplaceEvent(noise_multiplier=5.0): 3}),
    ],
)
def test_as_many_fit_as_are_affordable_and_not_one_more(
    name: str, events: Mapping[Event, int], before: Mapping[Event, int]
) -> None:
    budget = Guarantee(epsilon=4.0, delta=1e-6)
    times = affordable(events, budget=budget, accountant=name, after=before)
    assert times > 0
    for more, fits in ((0, True), (1, False)):
        spent = consumption([before, *[events] * (times + more)], delta=1e-6, accountant=name)
        assert (first_beyond(spent, budget=4.0) is None) is fits


def test_what_was_spent_before_may_leave_no_room() -> None:
    for name in ("basic", "exact"):
        assert affordable({COUNT: 1}, budget=Guarantee(epsilon=4.0, delta=1e-6), accountant=name, after=BEFORE) == 0


def test_a_rule_that_lacks_its_cheaper_ones_is_still_drawn() -> None:
    """Concentrated privacy knows nothing of an approximate event."""
    event = ApproximateEvent(epsilon=0.1, delta=1e-9)
    curve = drawn_curve(event, repetitions=np.arange(1, 200), delta=1e-6, accountant="exact")
    assert curve[99] == pytest.approx(epsilon({event: 100}, delta=1e-6, accountant="exact"), rel=0.1)
    assert affordable({event: 1}, budget=Guarantee(epsilon=1.0, delta=1e-6), accountant="exact") >= 10


def test_an_unknown_rule_is_refused_by_name() -> None:
    with pytest.raises(InvalidParameterError, match="accountant"):
        drawn_curve(COUNT, repetitions=[1, 2], delta=1e-6, accountant="moments")
