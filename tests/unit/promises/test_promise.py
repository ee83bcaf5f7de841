"""A promise as a value: what it refuses, what it leaves open, and what its releases come to."""

from __future__ import annotations

import math

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.privacy import (
    ApproximateEvent,
    ConcentratedEvent,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
)
from dpengine.promises import (
    FAMILY_OF_FOUR,
    MONTH,
    NOT_LOOKED_UP,
    TEN_TIMES_THE_EVENTS,
    YEAR,
    Assumption,
    Handling,
    Promise,
    Span,
    Subject,
    Total,
)
from tests.running.cases import each

DAILY = Promise(epsilon=1.5, delta=1e-5, unit="person-day", every_days=1, contribution=5)


def told(total: Total | None) -> Total:
    assert total is not None
    return total


@each(
    "fields, word",
    [
        ({"epsilon": 1.0, "delta": 1.0}, "nothing is promised"),
        ({"epsilon": 0.0}, "no answer depends on the data"),
        ({"epsilon": 1.0, "people": 1}, "the whole table"),
        ({"epsilon": -1.0}, "epsilon"),
        ({"epsilon": math.inf}, "epsilon"),
        ({"epsilon": 1.0, "delta": -1e-9}, "delta"),
        ({"rho": 0.0}, "rho"),
        ({"rho": 1e300}, "rho"),
        ({"noise": "gaussian", "noise_multiplier": 1e-300}, "noise_multiplier"),
        ({"for_days": 40_000.0}, "for_days must be above 0 and at most 36,525"),
        ({"every_days": -1.0}, "above 0"),
        ({"for_days": math.nan}, "above 0"),
        ({"contribution": 1.5}, "whole number"),
        ({"noise": "magic"}, "one of"),
        ({"unit": "planet"}, "one of"),
        ({"rule": "textbook"}, "one of"),
        ({"model": "cloud"}, "one of"),
        ({"epsilon": 1.0, "noise": "laplace", "noise_multiplier": 0.9}, "large enough"),
        ({"epsilon": 1.0, "delta": 1e-5, "noise": "gaussian", "noise_multiplier": 3.7}, "large enough"),
    ],
)
def test_what_contradicts_itself_gets_a_sentence(fields: dict[str, object], word: str) -> None:
    with pytest.raises(InvalidParameterError, match=word):
        Promise(**fields)  # type: ignore[arg-type]


@each(
    "fields",
    [
        {},
        {"epsilon": 1.0, "noise": "laplace", "noise_multiplier": 1.0},
        {"epsilon": 1.0, "delta": 1e-5, "noise": "gaussian", "noise_multiplier": 3.75},
        {"epsilon": 1.0, "people": 2, "every_days": math.inf, "for_days": math.inf, "contribution": math.inf},
    ],
)
def test_what_is_possible_is_taken(fields: dict[str, object]) -> None:
    Promise(**fields)  # type: ignore[arg-type]


def test_handling_takes_only_its_own_answers() -> None:
    assert Handling(sampler="exact").sampler == "exact"
    with pytest.raises(InvalidParameterError, match="sampler"):
        Handling(sampler="yes")


@each(
    "promise, event",
    [
        (Promise(), None),
        (Promise(epsilon=1.0), PureEvent(epsilon=1.0)),
        (Promise(epsilon=1.0, delta=1e-5), ApproximateEvent(epsilon=1.0, delta=1e-5)),
        (Promise(epsilon=17.14, delta=1e-10, rho=2.56), ConcentratedEvent(rho=2.56)),
        (Promise(noise="gaussian", noise_multiplier=4.0), GaussianEvent(noise_multiplier=4.0)),
        (Promise(noise="laplace", noise_multiplier=4.0), LaplaceEvent(noise_multiplier=4.0)),
        (Promise(epsilon=1.0, noise="laplace"), PureEvent(epsilon=1.0)),
        (Promise(epsilon=1.0, noise="randomized_response"), RandomizedResponseEvent(epsilon=1.0)),
    ],
)
def test_the_event_of_a_release_is_the_most_that_is_stated(promise: Promise, event: object) -> None:
    assert promise.event == event


def test_a_promise_without_a_size_has_no_figures() -> None:
    silent = Promise(unit="person-day", every_days=1)
    assert (silent.release(), silent.over(days=YEAR), silent.whole(), silent.odds()) == (None, None, None, None)


def test_a_daily_promise_adds_up_to_a_range_over_a_year() -> None:
    year = told(DAILY.over(days=YEAR))
    assert year.runs == Span(least=365, most=365)
    assert year.most == 365 * 1.5
    assert year.least == year.rules["optimal"] < year.rules["advanced"] < year.most
    assert year.delta == pytest.approx(365e-5)


def test_below_the_releases_own_delta_no_epsilon_is_finite() -> None:
    own = -math.expm1(365 * math.log1p(-1e-5))
    assert own == pytest.approx(0.00364, abs=5e-6)
    assert told(DAILY.over(days=YEAR, delta=own * 0.999)).promises_nothing
    assert not told(DAILY.over(days=YEAR, delta=own * 1.001)).promises_nothing


@each(
    "unit, every, days, runs, units",
    [
        ("person", math.inf, 365.0, 1, 1),
        ("person", 1.0, 365.0, 365, 1),
        ("person-day", 1.0, 0.5, 1, 1),
        ("person-day", math.inf, 30.0, 1, 30),
        ("person-day", 7.0, 14.0, 2, 7),
        ("person-month", MONTH, YEAR, 12, 1),
        ("device-six-hours", 0.25, 1.0, 4, 1),
        ("event", 1.0, 30.0, 30, 1),
    ],
)
def test_releases_and_the_units_in_each(unit: str, every: float, days: float, runs: int, units: int) -> None:
    total = told(Promise(epsilon=0.5, delta=0.0, unit=unit, every_days=every).over(days=days))
    assert (total.runs.most, total.units.most) == (runs, units)
    assert total.most == 0.5 * runs * units


def test_a_time_that_ends_stops_the_sum() -> None:
    ended = Promise(epsilon=1.0, delta=0.0, unit="person", every_days=1, for_days=10)
    assert told(ended.over(days=YEAR)).most == told(ended.whole()).most == 10.0
    assert Promise(epsilon=1.0, unit="person", every_days=1, for_days=math.inf).whole() is None


@each(
    "fields, family, busy",
    [
        ({"unit": "person", "contribution": 3}, (4.0, 4.0), (1.0, 1.0)),
        ({"unit": "person"}, (4.0, 4.0), (1.0, 10.0)),
        ({"unit": "household", "contribution": 3}, (1.0, 1.0), (1.0, 1.0)),
        ({"unit": "household"}, (1.0, 1.0), (1.0, 10.0)),
        ({"unit": "event"}, (4.0, 4.0), (10.0, 10.0)),
        ({"unit": "event", "contribution": 3}, (4.0, 4.0), (3.0, 3.0)),
        ({}, (1.0, math.inf), (1.0, math.inf)),
    ],
)
def test_a_family_and_a_busy_person(
    fields: dict[str, object], family: tuple[float, float], busy: tuple[float, float]
) -> None:
    promise = Promise(epsilon=1.0, delta=0.0, every_days=math.inf, **fields)  # type: ignore[arg-type]
    for subject, expected in ((FAMILY_OF_FOUR, family), (TEN_TIMES_THE_EVENTS, busy)):
        total = told(promise.release(subject=subject))
        assert (total.least, total.most) == expected


def test_a_family_may_be_promised_nothing() -> None:
    family = told(Promise(epsilon=12.0, delta=5.8e-6, unit="person").release(subject=FAMILY_OF_FOUR))
    assert family.promises_nothing
    assert family.delta == 1.0
    assert family.odds.with_data == 100.0


def test_what_is_not_stated_leaves_the_upper_end_open() -> None:
    when = told(Promise(epsilon=1.0, delta=0.0, unit="person").over(days=YEAR))
    assert (when.least, when.most) == (1.0, math.inf)
    assert Assumption.RELEASES_UNKNOWN in when.assumed
    days = told(Promise(epsilon=1.0, delta=1e-9, unit="person-day").over(days=30.0))
    assert (days.runs, days.units.most) == (Span(least=30, most=math.inf), 1)
    assert days.least == pytest.approx(30.0, rel=0.01)
    delta = told(Promise(epsilon=1.0, unit="person", every_days=math.inf).release())
    assert (delta.least, delta.most) == (1.0, math.inf)
    assert Assumption.DELTA_IS_ZERO in delta.assumed
    whom = told(Promise(epsilon=1.0, delta=0.0, every_days=math.inf).release())
    assert whom.most == math.inf
    assert Assumption.UNIT_UNKNOWN in whom.assumed


def test_not_looked_up_is_as_open_as_not_said() -> None:
    total = told(Promise(epsilon=1.0, delta=NOT_LOOKED_UP, unit="person", every_days=math.inf).release())
    assert total.most == math.inf


def test_known_noise_is_added_up_exactly_and_a_stated_rule_is_followed() -> None:
    noise = Promise(noise="gaussian", noise_multiplier=3.0, unit="person-day", every_days=1, contribution=1)
    year = told(noise.over(days=YEAR, delta=1e-5))
    assert year.least == year.most == year.rules["exact"] < year.rules["concentrated"]
    naive = told(Promise(epsilon=1.5, delta=1e-5, unit="person", every_days=1, rule="basic").over(days=YEAR))
    assert naive.least == naive.most == 547.5


@each("fields", [{"epsilon": 1.0, "noise": "randomized_response"}, {"noise": "laplace", "noise_multiplier": 1.0}])
def test_one_release_of_noise_without_a_delta_needs_none(fields: dict[str, object]) -> None:
    one = told(Promise(delta=0.0, unit="person", every_days=math.inf, contribution=1, **fields).release())  # type: ignore[arg-type]
    assert (one.least, one.most, one.delta) == (1.0, 1.0, 0.0)


def test_a_rule_that_cannot_be_followed_leaves_the_range() -> None:
    """Concentrated needs a rho, pure epsilon or a known mechanism."""
    year = told(Promise(epsilon=1.5, delta=1e-5, unit="person", every_days=1, rule="concentrated").over(days=YEAR))
    assert "concentrated" not in year.rules
    assert year.least < year.most


def test_naive_may_promise_nothing_where_a_finer_rule_still_does() -> None:
    """A hundred deltas of 0.01 add up to 1, but something is kept with probability 0.99 to the power of 100."""
    total = told(Promise(epsilon=0.1, delta=0.01, unit="person", every_days=1).over(days=100))
    assert total.most == math.inf
    assert total.least < 10.0
    assert total.delta == pytest.approx(1.0 - 0.99**100, abs=1e-6)


@each("days", [0.0, -1.0, math.nan, 40_000.0])
def test_absurd_times_get_a_sentence(days: float) -> None:
    with pytest.raises(InvalidParameterError, match="days"):
        DAILY.over(days=days)


@each("delta", [-0.1, 2.0, math.nan])
def test_an_impossible_delta_gets_a_sentence(delta: float) -> None:
    with pytest.raises(InvalidParameterError, match="delta"):
        DAILY.over(days=1.0, delta=delta)


@each("size", [0, -1, 2.5, 10**13, math.inf])
def test_a_subject_is_a_whole_number_of_people_and_events(size: int) -> None:
    for name in ("people", "events"):
        with pytest.raises(InvalidParameterError, match=name):
            Subject(**{name: size})


def test_absurdly_many_releases_get_a_sentence() -> None:
    with pytest.raises(InvalidParameterError, match="10,000,000 releases"):
        Promise(epsilon=1.0, unit="event", every_days=1e-7).over(days=YEAR)


def test_odds_are_an_upper_limit() -> None:
    odds = Promise(epsilon=1.0, delta=0.0, unit="person", every_days=math.inf).odds()
    assert odds is not None
    assert odds.with_data == pytest.approx(100 * math.e / (1 + math.e))
