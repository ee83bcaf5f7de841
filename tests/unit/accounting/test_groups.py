"""Several people together: the generic theorem against each mechanism's own law."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpengine.accounting import epsilon, events_for_group, for_group, loose_group_guarantee
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses import delta_of
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
)
from tests.golden.rows import number, rows
from tests.running.cases import each


@each(
    ("event", "group"),
    [
        (LaplaceEvent(noise_multiplier=6.0), LaplaceEvent(noise_multiplier=2.0)),
        (GaussianEvent(noise_multiplier=6.0), GaussianEvent(noise_multiplier=2.0)),
        (
            DiscreteLaplaceEvent(noise_multiplier=6.0, sensitivity=2),
            DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=6),
        ),
        (
            DiscreteGaussianEvent(noise_multiplier=6.0, sensitivity=2),
            DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=6),
        ),
        (
            TruncatedLaplaceEvent(noise_multiplier=6.0, truncation=30.0),
            TruncatedLaplaceEvent(noise_multiplier=2.0, truncation=10.0),
        ),
        (PureEvent(epsilon=0.5), PureEvent(epsilon=1.5)),
        (RandomizedResponseEvent(epsilon=0.5), PureEvent(epsilon=1.5)),
        (BoundedRangeEvent(epsilon=0.5), BoundedRangeEvent(epsilon=1.5)),
        (ConcentratedEvent(rho=0.5), ConcentratedEvent(rho=4.5)),
        (PureEvent(epsilon=0.0), PureEvent(epsilon=0.0)),
    ],
)
def test_three_people(event: Event, group: Event) -> None:
    assert for_group(event, 3) == group
    assert events_for_group({event: 2}, 1) == {event: 2}


def test_one_person_is_no_group() -> None:
    for event in (LaplaceEvent(noise_multiplier=0.1), ApproximateEvent(epsilon=0.3, delta=1e-9)):
        assert for_group(event, 1) == event


@each("row", rows("group_privacy"))
def test_the_generic_theorem(row: dict[str, str]) -> None:
    size = int(row["group_size"])
    alone = ApproximateEvent(epsilon=number(row, "epsilon"), delta=number(row, "delta"))
    group = for_group(alone, size)
    assert isinstance(group, ApproximateEvent)
    assert group.epsilon == pytest.approx(number(row, "group_epsilon"), rel=1e-15)
    assert group.delta == pytest.approx(number(row, "group_delta"), rel=1e-12)
    assert group.delta >= number(row, "group_delta") * (1.0 - 1e-15), "a bound is never below the truth"
    loose = loose_group_guarantee(Guarantee(epsilon=alone.epsilon, delta=alone.delta), size)
    assert loose.epsilon == group.epsilon
    assert loose.delta >= group.delta


def test_the_form_often_quoted() -> None:
    alone = Guarantee(epsilon=0.5, delta=1e-6)
    assert loose_group_guarantee(alone, 5).delta == pytest.approx(5.0 * math.exp(2.0) * 1e-6)
    assert loose_group_guarantee(alone, 5).delta > 2.0 * alone.for_group(5).delta
    assert loose_group_guarantee(Guarantee(epsilon=10.0, delta=0.1), 1000) == Guarantee(epsilon=10_000.0, delta=1.0)
    assert loose_group_guarantee(Guarantee(epsilon=0.0, delta=1e-3), 7).delta == pytest.approx(7e-3)


@each("size", [2, 5, 20])
@each(
    "event",
    [
        LaplaceEvent(noise_multiplier=3.0),
        GaussianEvent(noise_multiplier=3.0),
        DiscreteLaplaceEvent(noise_multiplier=3.0, sensitivity=2),
        TruncatedLaplaceEvent(noise_multiplier=3.0, truncation=100.0),
        PureEvent(epsilon=0.3),
        RandomizedResponseEvent(epsilon=0.3),
        BoundedRangeEvent(epsilon=0.3),
        ApproximateEvent(epsilon=0.3, delta=1e-4),
    ],
)
def test_the_own_law_is_never_worse_than_the_generic_theorem(event: Event, size: int) -> None:
    own = for_group(event, size)
    for x in np.linspace(0.0, 0.5, 6):
        generic = Guarantee(epsilon=x, delta=min(delta_of(event, epsilon=float(x)), 1.0)).for_group(size)
        assert delta_of(own, epsilon=generic.epsilon) <= generic.delta * (1.0 + 1e-12)


def test_gaussian_noise_is_better_than_the_generic_theorem() -> None:
    event = GaussianEvent(noise_multiplier=5.0)
    alone = epsilon({event: 1}, delta=1e-9, accountant="exact")
    generic = Guarantee(epsilon=alone, delta=1e-9).for_group(10)
    assert epsilon({for_group(event, 10): 1}, delta=generic.delta, accountant="exact") < 0.9 * generic.epsilon


@each("size", [2, 3])
def test_discrete_laplace_is_the_ratio_of_its_laws_that_far_apart(size: int) -> None:
    event = DiscreteLaplaceEvent(noise_multiplier=1.5, sensitivity=2)
    z = np.arange(-300, 301)
    law = np.exp(-np.abs(z) / 3.0) * math.tanh(1.0 / 6.0)
    moved = np.exp(-np.abs(z - 2 * size) / 3.0) * math.tanh(1.0 / 6.0)
    for x in (0.0, 0.4, 1.0):
        exact = np.maximum(law - math.exp(x) * moved, 0.0).sum()
        assert delta_of(for_group(event, size), epsilon=x) == pytest.approx(exact, rel=1e-9)


def test_a_group_answers_randomized_response_once_each() -> None:
    """All pairs of answers of two people, against two runs."""
    bit, x = RandomizedResponseEvent(epsilon=1.0), 0.7
    truth = 1.0 / (1.0 + math.exp(-1.0))
    law = np.array([a * b for a, b in itertools.product((truth, 1.0 - truth), repeat=2)])
    exact = np.maximum(law - math.exp(x) * law[::-1], 0.0).sum()
    assert events_for_group({bit: 1}, 2) == {bit: 2}
    assert epsilon(events_for_group({bit: 1}, 2), delta=float(exact), accountant="optimal") == pytest.approx(x)
    assert events_for_group({bit: 5, PureEvent(epsilon=1.0): 2}, 3) == {bit: 15, PureEvent(epsilon=3.0): 2}


def test_a_path_of_exponential_mechanisms_keeps_its_range() -> None:
    """Scores that move by at most 1 at each of three steps: ranges of losses add up, and the bound is reached."""
    rng = np.random.default_rng(5)
    widest = 0.0
    for _ in range(300):
        path = np.cumsum([rng.uniform(-5.0, 5.0, 4), *rng.choice([-1.0, 1.0], size=(3, 4))], axis=0)
        laws = np.exp(0.5 * path * 0.4)
        losses = np.log(laws[-1] / laws[-1].sum()) - np.log(laws[0] / laws[0].sum())
        widest = max(widest, float(np.ptp(losses)))
    group = for_group(BoundedRangeEvent(epsilon=0.4), 3)
    assert isinstance(group, BoundedRangeEvent)
    assert widest <= group.epsilon * (1.0 + 1e-12)
    assert widest == pytest.approx(group.epsilon)


def test_equal_events_of_a_group_are_counted_together() -> None:
    found = events_for_group({BoundedRangeEvent(epsilon=1.0): 1, PureEvent(epsilon=1.0): 2}, 2)
    assert found == {BoundedRangeEvent(epsilon=2.0): 1, PureEvent(epsilon=2.0): 2}


def test_sizes_beyond_all_numbers_are_refused_by_name() -> None:
    for event in (LaplaceEvent(noise_multiplier=1e-300), PureEvent(epsilon=1e300), ConcentratedEvent(rho=1.0)):
        assert for_group(event, 2) != event
        with pytest.raises(InvalidParameterError, match="size"):
            for_group(event, 10**200)


@each("bad", [0, -1, 1.5, math.nan, "2", True])
def test_a_bad_size_is_named(bad: int) -> None:
    for call in (for_group, lambda event, size: events_for_group({event: 1}, size)):
        with pytest.raises(InvalidParameterError, match="size"):
            call(PureEvent(epsilon=1.0), bad)


def test_an_unknown_event_is_refused_and_shown() -> None:
    unknown = type("UnknownEvent", (Event,), {"__slots__": ()})()
    with pytest.raises(UnsupportedEventError, match=r"Group privacy.*UnknownEvent"):
        for_group(unknown, 2)
