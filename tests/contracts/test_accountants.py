"""What every accountant owes; a new one adds the events that it understands to UNDERSTANDS."""

import math
from itertools import pairwise

import numpy as np
import pytest

from dpengine.accounting import ACCOUNTANTS, consumption, epsilon, epsilon_curve
from dpengine.errors import UnsupportedEventError
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
)
from tests.running.cases import each

PURE: list[Event] = [
    LaplaceEvent(noise_multiplier=2.0),
    DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=2),
    PureEvent(epsilon=0.0),
    PureEvent(epsilon=1e-9),
    PureEvent(epsilon=1000.0),
    RandomizedResponseEvent(epsilon=0.5),
    BoundedRangeEvent(epsilon=1.0),
]
GAUSSIAN: list[Event] = [GaussianEvent(noise_multiplier=noise) for noise in (0.01, 4.0, 1e9)]
CONCENTRATED: list[Event] = [ConcentratedEvent(rho=rho) for rho in (0.0, 0.01, 100.0)]
APPROXIMATE: list[Event] = [
    ApproximateEvent(epsilon=0.2, delta=1e-9),
    ApproximateEvent(epsilon=1.0, delta=1.0),
    TruncatedLaplaceEvent(noise_multiplier=2.0, truncation=40.0),
]
DISCRETE: list[Event] = [
    DiscreteGaussianEvent(noise_multiplier=noise, sensitivity=steps)
    for noise, steps in ((0.3, 1), (3.0, 2), (1e9, 1000))
]
SHARES: list[Event] = [*PURE, *GAUSSIAN, *DISCRETE, *CONCENTRATED, *APPROXIMATE]
UNDERSTANDS: dict[str, list[Event]] = {
    "basic": SHARES,
    "textbook": SHARES,
    "advanced_2010": SHARES,
    "advanced": SHARES,
    "optimal": [*PURE, *APPROXIMATE],
    "concentrated": [*PURE, *GAUSSIAN, *DISCRETE, *CONCENTRATED],
    "renyi": [*PURE, *GAUSSIAN, *DISCRETE, *CONCENTRATED],
    "exact": SHARES,
}
PAIRS = [(name, event) for name, events in UNDERSTANDS.items() for event in events]
REPETITIONS = np.array([0, 1, 2, 7, 100, 1000, 10**6])
ONE_BY_ONE, A_FEW = REPETITIONS[[0, 1, 3, 6]], REPETITIONS[[0, 3]]
"""Those at which the curve is compared: none, one, a few and very many; at the ends of delta none and a few."""
UNKNOWN = type("UnknownEvent", (Event,), {"__slots__": ()})()


def test_every_accountant_is_held_to_the_contract() -> None:
    assert set(ACCOUNTANTS) <= set(UNDERSTANDS)


@each("name", ACCOUNTANTS)
def test_it_says_what_it_is(name: str) -> None:
    accountant = ACCOUNTANTS[name]
    assert accountant.name == name
    assert accountant.label
    assert accountant.sound is (name != "textbook")


@each(("name", "event"), PAIRS)
def test_the_curve_is_the_single_value_at_each_point(name: str, event: Event) -> None:
    for delta, places in ((0.0, A_FEW), (1e-300, A_FEW), (1e-6, ONE_BY_ONE), (1.0 - 1e-9, A_FEW), (1.0, A_FEW)):
        curve = epsilon_curve(event, repetitions=places, delta=delta, accountant=name)
        single = [epsilon({event: int(k)}, delta=delta, accountant=name) for k in places]
        assert curve == pytest.approx(single, rel=1e-12), delta
        assert np.all(curve >= 0.0), delta
        assert curve[0] == 0.0, delta


@each(("name", "event"), PAIRS)
def test_more_runs_never_cost_less(name: str, event: Event) -> None:
    curve = epsilon_curve(event, repetitions=REPETITIONS, delta=1e-6, accountant=name)
    assert all(later >= earlier * (1.0 - 1e-9) for earlier, later in pairwise(curve))


@each(("name", "event"), PAIRS)
def test_more_delta_never_costs_more(name: str, event: Event) -> None:
    deltas = [0.0, 1e-300, 1e-12, 1e-6, 1e-3, 0.5, 1.0]
    found = [epsilon({event: 100}, delta=delta, accountant=name) for delta in deltas]
    assert all(later <= earlier * (1.0 + 1e-9) for earlier, later in pairwise(found))


@each(("name", "event"), PAIRS)
def test_the_last_step_of_a_plan_is_the_whole_plan(name: str, event: Event) -> None:
    steps = consumption([{event: 3}, {event: 1}, {}], delta=1e-6, accountant=name)
    assert steps[1] == steps[2] == epsilon({event: 4}, delta=1e-6, accountant=name)


@each("name", ACCOUNTANTS)
def test_the_shape_of_the_repetitions_is_kept(name: str) -> None:
    event = UNDERSTANDS[name][0]
    assert epsilon_curve(event, repetitions=np.ones((2, 3)), delta=1e-6, accountant=name).shape == (2, 3)
    assert math.isfinite(float(epsilon_curve(event, repetitions=np.array(3), delta=1e-6, accountant=name)))


@each("name", ACCOUNTANTS)
def test_an_unknown_event_is_refused_and_shown(name: str) -> None:
    with pytest.raises(UnsupportedEventError, match="UnknownEvent"):
        epsilon({UNKNOWN: 1}, delta=1e-6, accountant=name)
