"""Laws of numerical composition, for any mix of any laws at any delta."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.accounting import epsilon
from dpengine.accounting.advanced import least_form
from dpengine.accounting.shares import most_generous
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
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
)

SHOWN = 1e-4
"""What the grid may add to epsilon."""

costs = st.floats(-9.0, 3.0).map(lambda x: 10.0**x)
steps = st.floats(0.0, 6.0).map(lambda x: int(10.0**x))
deltas = st.one_of(st.floats(-300.0, -0.1), st.floats(-12.0, -0.5)).map(lambda x: 10.0**x)
events: st.SearchStrategy[Event] = st.one_of(
    costs.map(lambda x: LaplaceEvent(noise_multiplier=1.0 / x)),
    costs.map(lambda x: GaussianEvent(noise_multiplier=1.0 / x)),
    costs.map(lambda x: RandomizedResponseEvent(epsilon=x)),
    costs.map(lambda x: BoundedRangeEvent(epsilon=x)),
    costs.map(lambda x: ConcentratedEvent(rho=min(x, 100.0))),
    st.builds(lambda x, y: DiscreteLaplaceEvent(noise_multiplier=1.0 / x, sensitivity=y), costs, steps),
    st.builds(lambda x, y: DiscreteGaussianEvent(noise_multiplier=1.0 / x, sensitivity=min(y, 10_000)), costs, steps),
    st.builds(lambda x, y: ApproximateEvent(epsilon=x, delta=10.0**y), costs, st.floats(-300.0, -1.0)),
    st.builds(lambda x, y: TruncatedLaplaceEvent(noise_multiplier=1.0 / x, truncation=y), costs, st.floats(0.1, 1e4)),
)
mixes = st.dictionaries(events, st.floats(0.0, 4.0).map(lambda x: int(10.0**x)), min_size=1, max_size=3)


@settings(max_examples=25)
@given(mix=mixes, delta=deltas)
def test_a_number_at_most_every_closed_form(mix: dict[Event, int], delta: float) -> None:
    found = epsilon(mix, delta=delta, accountant="exact")
    assert found >= 0.0
    for rule in ("basic", "advanced", "concentrated"):
        try:
            assert found <= epsilon(mix, delta=delta, accountant=rule) * (1.0 + 1e-12)
        except UnsupportedEventError:
            assert rule == "concentrated"


@settings(max_examples=25)
@given(mix=mixes, delta=deltas)
def test_rules_of_shares_that_are_passed_over_would_have_said_more(mix: dict[Event, int], delta: float) -> None:
    floor = float(least_form(most_generous({event: np.array([runs]) for event, runs in mix.items()}, delta=delta))[0])
    for rule in ("basic", "advanced"):
        assert epsilon(mix, delta=delta, accountant=rule) >= floor * (1.0 - 1e-12)


@settings(max_examples=20)
@given(mix=mixes, delta=deltas, more=events)
def test_another_run_never_makes_it_less(mix: dict[Event, int], delta: float, more: Event) -> None:
    fewer = epsilon(mix, delta=delta, accountant="exact")
    grown = epsilon({**mix, more: mix.get(more, 0) + 1}, delta=delta, accountant="exact")
    assert grown >= fewer * (1.0 - 3.0 * SHOWN) - 1e-9


@settings(max_examples=20)
@given(mix=mixes, delta=deltas)
def test_the_order_does_not_matter(mix: dict[Event, int], delta: float) -> None:
    found = epsilon(mix, delta=delta, accountant="exact")
    backwards = epsilon(dict(reversed(mix.items())), delta=delta, accountant="exact")
    assert found == backwards or math.isclose(found, backwards, rel_tol=1e-9, abs_tol=1e-12)
