"""Laws of promises: time, company and events never make one worth more."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dpengine.promises import FAMILY_OF_FOUR, MONTH, NOT_SAID, ONE_PERSON, RECORDED, UNITS, Promise, Subject, Total

_PROMISES = st.builds(
    Promise,
    epsilon=st.floats(0.001, 20.0),
    delta=st.sampled_from([0.0, 1e-12, 1e-5, 0.01, NOT_SAID]),
    unit=st.sampled_from([*UNITS, NOT_SAID]),
    every_days=st.sampled_from([0.25, 1, 7, 30, MONTH, math.inf, NOT_SAID]),
    for_days=st.sampled_from([10.0, 400.0, math.inf, NOT_SAID]),
    contribution=st.sampled_from([1, 5, math.inf, NOT_SAID]),
    rule=st.sampled_from(["basic", "advanced", "optimal", "exact", NOT_SAID]),
)
_DAYS = st.floats(0.1, 2_000.0)


def _over(promise: Promise, days: float, subject: Subject | None = None, delta: float | None = None) -> Total:
    total = promise.over(days=days, subject=subject or Subject(), delta=delta)
    assert total is not None
    return total


def _require_no_less(promise: Promise, more: tuple[float, Subject], less: tuple[float, Subject]) -> None:
    """Each end at the delta of the larger total: epsilons at two deltas cannot be compared. Up to the last digits."""
    many = _over(promise, *more)
    assert many.least >= _over(promise, *less, delta=many.least_delta).least * (1.0 - 1e-9)
    assert many.most >= _over(promise, *less, delta=many.delta).most * (1.0 - 1e-9)


@given(_PROMISES, _DAYS, _DAYS)
def test_longer_never_costs_less(promise: Promise, some: float, other: float) -> None:
    short, long = sorted((some, other))
    _require_no_less(promise, (long, ONE_PERSON), (short, ONE_PERSON))


@given(_PROMISES, _DAYS, st.integers(1, 5), st.integers(1, 5))
def test_a_family_is_never_told_less_than_one(promise: Promise, days: float, people: int, more: int) -> None:
    _require_no_less(promise, (days, Subject(people=people + more)), (days, Subject(people=people)))


@given(_PROMISES, _DAYS, st.integers(1, 20), st.integers(1, 20))
def test_more_events_never_cost_less(promise: Promise, days: float, events: int, more: int) -> None:
    _require_no_less(promise, (days, Subject(events=events + more)), (days, Subject(events=events)))


@given(_PROMISES, _DAYS, st.integers(1, 20))
def test_the_range_is_a_range_of_the_rules(promise: Promise, days: float, events: int) -> None:
    total = _over(promise, days, Subject(events=events))
    assert 0.0 <= total.least <= total.most
    assert 0.0 <= total.delta <= 1.0
    assert total.least_odds.with_data <= total.odds.with_data


@given(_PROMISES, _DAYS)
def test_a_stated_rule_lies_in_the_range_without_it(promise: Promise, days: float) -> None:
    silent = Promise(
        **{
            name: getattr(promise, name)
            for name in ("epsilon", "delta", "unit", "every_days", "for_days", "contribution")
        }
    )
    stated, open_ = _over(promise, days), _over(silent, days)
    assert open_.least * (1.0 - 1e-9) <= stated.least
    assert stated.most <= open_.most * (1.0 + 1e-9)


@given(st.sampled_from(sorted(RECORDED)), _DAYS, _DAYS, st.sampled_from([ONE_PERSON, FAMILY_OF_FOUR]))
def test_no_recorded_promise_refuses_itself_and_longer_never_costs_less(
    name: str, some: float, other: float, subject: Subject
) -> None:
    promise = replace(RECORDED[name].promise)
    assert promise == RECORDED[name].promise
    short, long = sorted((some, other))
    _require_no_less(promise, (long, subject), (short, subject))
