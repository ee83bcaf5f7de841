"""What releases come to, against sums over every outcome and lists of every day."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from itertools import product

import mpmath
import pytest

from dpengine.beliefs import odds_out_of_100
from dpengine.privacy import Guarantee
from dpengine.promises import MONTH, NOT_SAID, TEN_TIMES_THE_EVENTS, WEEK, YEAR, Assumption, Promise, Subject, Total
from dpengine.promises.totals import SLACK
from tests.running.cases import each


def told(total: Total | None) -> Total:
    assert total is not None
    return total


def lost(epsilon: float, delta: float, runs: int, beyond: mpmath.mpf) -> mpmath.mpf:
    """Delta at `beyond` of runs that reveal all with chance delta, and else answer truthfully e^epsilon to 1.

    No promise of epsilon and delta allows more. Every outcome of all runs is listed.
    """
    truth = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))
    each_delta = mpmath.mpf(repr(delta))
    answers = [(truth, 1 - truth), (1 - truth, truth)]
    one_run = [(each_delta, mpmath.mpf(0)), *(((1 - each_delta) * p, (1 - each_delta) * q) for p, q in answers)]
    total = mpmath.mpf(0)
    for outcome in product(one_run, repeat=runs):
        with_data, without = (mpmath.fprod(pair[side] for pair in outcome) for side in (0, 1))
        total += max(with_data - mpmath.exp(beyond) * without, mpmath.mpf(0))
    return total


@each(
    "epsilon, delta, runs, total",
    [
        (0.3, 1e-5, 2, None),
        (1.0, 1e-5, 5, None),
        (1.0, 1e-3, 5, 0.02),
        (0.1, 0.01, 5, 0.08),
        (2.0, 0.05, 4, 0.3),
        (0.01, 1e-9, 5, 1e-3),
    ],
)
def test_the_least_is_the_loss_of_the_worst_mechanism(
    epsilon: float, delta: float, runs: int, total: float | None
) -> None:
    promise = Promise(epsilon=epsilon, delta=delta, unit="person", every_days=1)
    found = told(promise.over(days=runs, delta=total))
    with mpmath.workdps(30):
        least = mpmath.mpf(found.least)
        assert lost(epsilon, delta, runs, least) <= found.least_delta * (1 + 1e-15)
        assert lost(epsilon, delta, runs, least * (1 - 1e-8)) > found.least_delta
        assert lost(epsilon, delta, runs, mpmath.mpf(found.most)) <= found.delta
    assert found.least < found.most == pytest.approx(runs * epsilon, rel=1e-15)


@each("size, epsilon, delta", [(2, 0.5, 1e-6), (4, 1.0, 1e-5), (4, 2.0, 1e-9), (7, 0.1, 1e-3)])
def test_a_group_has_each_members_delta_grown_by_those_before(size: int, epsilon: float, delta: float) -> None:
    group = told(Promise(epsilon=epsilon, delta=delta, unit="person").release(subject=Subject(people=size)))
    grown = mpmath.fsum(mpmath.exp(epsilon * before) * mpmath.mpf(repr(delta)) for before in range(size))
    assert group.most == pytest.approx(size * epsilon, rel=1e-15)
    assert grown * (1 - 1e-15) <= group.delta <= grown * (1 + 1e-12)


def touched(days: float, release: float, period: float) -> list[int]:
    """How many protected periods each release has, by going through all quarters of days."""
    quarters, step, length = (round(4 * time) for time in (days, release, period))
    starts = range(0, quarters, step)
    return [len({moment // length for moment in range(start, start + min(step, quarters))}) for start in starts]


@each(
    "unit, period, every, days",
    [
        ("person-day", 1, 1, 30),
        ("person-day", 1, 0.25, 3),
        ("person-day", 1, 7, 28),
        ("person-day", 1, 7, 10),
        ("person-day", 1, 2.5, 30),
        ("person-week", 7, 7, 365),
        ("person-week", 7, 1, 365),
        ("person-week", 7, 10, 365),
        ("person-week", 7, 3, 100),
        ("person-week", 7, 16, 8),
        ("device-six-hours", 0.25, 1, 30),
        ("device-day", 1, 0.75, 30),
    ],
)
def test_releases_and_periods_are_those_that_a_list_of_days_has(
    unit: str, period: float, every: float, days: float
) -> None:
    total = told(Promise(epsilon=0.5, delta=0.0, unit=unit, every_days=every, contribution=1).over(days=days))
    listed = touched(days, every, period)
    assert total.runs.least == total.runs.most == len(listed)
    assert total.units.least <= min(listed)
    assert max(listed) <= total.units.most <= max(listed) + 1
    assert total.least <= 0.5 * sum(listed) <= total.most
    assert (Assumption.PERIODS_CUT in total.assumed) is (total.units.most > total.units.least)


def calendar(first: date, group: Callable[[date], object], protected: Callable[[date], object]) -> list[int]:
    """How many protected periods each release of a year has, by going through all days."""
    days = [first + timedelta(days=after) for after in range(365)]
    releases: dict[object, set[object]] = {}
    for day in days:
        releases.setdefault(group(day), set()).add(protected(day))
    return [len(periods) for periods in releases.values()]


def month(day: date) -> object:
    return day.year, day.month


@each(
    "unit, every, group, protected",
    [
        ("person-month", MONTH, month, month),
        ("person-month", 1, date.toordinal, month),
        ("person-month", WEEK, lambda day: day.toordinal() // 7, month),
        ("person-month", 30, lambda day: day.toordinal() // 30, month),
        ("person-day", MONTH, month, date.toordinal),
        ("person-week", MONTH, month, lambda day: day.toordinal() // 7),
    ],
)
def test_a_year_of_the_calendar_lies_within_the_range(
    unit: str, every: float, group: Callable[[date], object], protected: Callable[[date], object]
) -> None:
    promise = Promise(epsilon=1.0, delta=0.0, rule="basic", unit=unit, every_days=every, contribution=1)
    total = told(promise.over(days=365))
    for year in (2023, 2025, 2026):
        listed = calendar(date(year, 1, 1), group, protected)
        assert sum(listed) <= total.most
        assert total.units.least <= Fraction(sum(listed), len(listed)) + (len(listed) > total.runs.most)


def test_the_lists_of_days_tell_a_cut_week_from_a_whole_one() -> None:
    """Of the eleven months that begin within 2026, three begin with a week."""
    weeks = calendar(date(2026, 1, 1), lambda day: day.toordinal() // 7, month)
    assert (len(weeks), sum(weeks), max(weeks)) == (53, 53 + 11 - 3, 2)
    assert touched(365, 7, 7) == [1] * 53


@each("unit", ["person-day", "person-week", "person-month", "device-six-hours"])
def test_unknown_releases_have_each_period_once_in_the_least(unit: str) -> None:
    """All periods in one release would cost their square in rho."""
    silent = told(Promise(rho=0.01, unit=unit).over(days=365, delta=1e-6))
    for every in (0.25, 1, WEEK, MONTH, 365, math.inf):
        stated = told(Promise(rho=0.01, unit=unit, every_days=every, contribution=1).over(days=365, delta=1e-6))
        assert silent.least <= stated.least * (1 + 1e-12)
    assert silent.most == math.inf


def test_the_least_has_a_delta_of_its_own() -> None:
    """The largest figure of a busy person promises nothing; the least is that of somebody whom a bound holds to one."""
    open_bound = Promise(epsilon=1.0, delta=1e-3, unit="person", every_days=math.inf)
    busy = told(open_bound.release(subject=TEN_TIMES_THE_EVENTS))
    assert (busy.least, busy.least_delta, busy.most, busy.delta) == (1.0, 1e-3, math.inf, 1.0)
    assert busy.least_odds.with_data == pytest.approx(100 * (math.e + 1e-3) / (1 + math.e))
    assert busy.odds.with_data == 100.0
    year = told(Promise(epsilon=1.5, delta=1e-5, unit="person", every_days=1).over(days=365))
    assert 1 - (1 - 1e-5) ** 365 < year.least_delta < year.delta == pytest.approx(365e-5)


@each(
    "fields, days, subject",
    [
        ({"epsilon": 1e6, "delta": 0.999999}, 36_525.0, Subject()),
        ({"epsilon": 1e-300, "delta": 1e-300}, 36_525.0, Subject(people=10**6, events=10**6)),
        ({"rho": 1e6}, 36_525.0, Subject(people=10**6, events=10**9)),
        ({"noise": "gaussian", "noise_multiplier": 1e-6, "delta": NOT_SAID}, 1.0, Subject(people=10**6, events=10**9)),
        ({"noise": "laplace", "noise_multiplier": 1e-6}, 36_525.0, Subject(events=10**9)),
        ({"noise": "laplace", "noise_multiplier": 1e300}, 36_525.0, Subject()),
        ({"epsilon": 700.0, "noise": "randomized_response", "delta": 0.0}, 36_525.0, Subject(events=10**6)),
    ],
)
@pytest.mark.parametrize("unit", ["event", "person"])
def test_extreme_promises_are_still_ranges(fields: dict[str, object], days: float, subject: Subject, unit: str) -> None:
    promise = Promise(unit=unit, every_days=1.0, **fields)  # type: ignore[arg-type]
    total = told(promise.over(days=days, subject=subject))
    assert 0.0 <= total.least <= total.most
    assert total.least_odds.with_data <= total.odds.with_data <= 100.0


DAILY = Promise(epsilon=2.19, delta=1e-5, unit="person-day", every_days=1.0)


def test_where_the_largest_loss_has_no_limit_the_least_odds_keep_theirs() -> None:
    total = DAILY.release(subject=TEN_TIMES_THE_EVENTS)
    assert total is not None
    assert (total.least, total.least_delta, total.delta) == (2.19, 1e-5, 1.0)
    assert total.least_odds == odds_out_of_100(Guarantee(epsilon=2.19, delta=1e-5))
    assert total.odds.with_data == 100.0


def test_equal_counts_of_runs_have_one_delta() -> None:
    total = DAILY.over(days=YEAR)
    assert total is not None
    assert total.least_delta <= total.delta == pytest.approx(0.00365)


def test_below_the_releases_own_delta_there_is_no_finite_epsilon() -> None:
    total = DAILY.over(days=YEAR)
    assert total is not None
    assert total.own_delta == pytest.approx(1 - (1 - 1e-5) ** 365, rel=1e-9)
    below, above = (DAILY.over(days=YEAR, delta=share * total.own_delta) for share in (0.999, 1.001))
    assert below is not None
    assert above is not None
    assert set(below.rules.values()) == {math.inf}
    assert math.isfinite(above.least)


def test_a_rho_is_told_at_the_delta_that_its_promise_states() -> None:
    """2.56 at 10⁻¹⁰ is published as 17.14; by another conversion and a rounded rho."""
    stated_there = Promise(rho=2.56, delta=1e-10, unit="person").release()
    alone = Promise(rho=2.56, unit="person").release()
    assert stated_there is not None
    assert alone is not None
    assert (stated_there.delta, alone.delta) == (1e-10, SLACK)
    assert stated_there.most == pytest.approx(17.14, abs=0.05)
    assert alone.most < 14.0


def test_a_smallest_loss_by_the_naive_rule_holds_at_the_naive_delta() -> None:
    """Four times 0.01 is 0.04; kept with probability 0.99 to the power of 4, a finer rule has 0.0394."""
    naive = told(Promise(epsilon=1.0, delta=0.01, unit="person", every_days=1, rule="basic").over(days=4))
    assert (naive.least, naive.least_delta) == (4.0, 0.04)
    finer = told(Promise(epsilon=1.0, delta=0.01, unit="person", every_days=1, rule="optimal").over(days=4))
    assert finer.least_delta == pytest.approx(1.0 - 0.99**4, abs=1e-6)
