"""Two promises side by side: who is stronger, what had to be assumed, and why nobody can tell."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.privacy import Neighbors
from dpengine.promises import FAMILY_OF_FOUR, NOT_LOOKED_UP, TEN_TIMES_THE_EVENTS, Promise
from dpengine.promises.comparing import OVERLAP, PromiseComparison, Stronger, compared
from tests.running.cases import each

DAILY = Promise(
    name="Daily", epsilon=1.0, delta=0.0, unit="person-day", neighbors=Neighbors.REPLACE_ONE, every_days=1.0
)
TWICE = replace(DAILY, name="Twice", epsilon=2.0)
ONCE = replace(DAILY, name="Once", unit="person", every_days=math.inf)


def _compared(one: Promise, other: Promise, days: float = 365.0, **more: Any) -> PromiseComparison:
    return compared(one, other, days=days, **more)


def test_smaller_under_every_rule_is_stronger_though_the_ranges_overlap() -> None:
    found = _compared(DAILY, TWICE)
    assert found.first is not None
    assert found.second is not None
    assert (found.first.most, found.second.most) == (365.0, 730.0)
    assert found.second.least > found.first.least
    assert found.stronger is Stronger.FIRST
    assert found.finding == "Daily is the stronger promise over 365 days."
    assert found.cannot == ()
    close = _compared(DAILY, replace(DAILY, name="Close", epsilon=1.2))
    assert (close.first.most if close.first else 0.0) > (close.second.least if close.second else 0.0)
    assert close.stronger is Stronger.FIRST


def test_it_is_said_whose_delta_both_are_read_at() -> None:
    loose = replace(TWICE, name="Loose", delta=1e-4)
    whole = replace(loose, epsilon=1.0, name="Whole")
    assert _compared(DAILY, TWICE).assumed[0] == "Both are read at a total δ of 10⁻⁶; neither needs a larger one."
    assert (
        _compared(DAILY, loose).assumed[0].endswith("the larger of the two: Loose comes to it by itself in this time.")
    )
    assert _compared(loose, DAILY).assumed[0] == _compared(DAILY, loose).assumed[0]
    assert "each of them comes by itself" in _compared(loose, whole).assumed[0]


def test_one_promise_is_as_strong_as_itself() -> None:
    found = _compared(DAILY, DAILY)
    assert found.stronger is Stronger.ALIKE
    assert found.names == ("Promise 1", "Promise 2")


def test_rules_that_disagree_settle_nothing() -> None:
    known = replace(ONCE, name="Known", epsilon=300.0)
    found = _compared(known, DAILY)
    assert found.stronger is Stronger.UNTOLD
    assert found.cannot == (OVERLAP,)
    assert _compared(replace(known, epsilon=200.0), DAILY).stronger is Stronger.FIRST
    assert _compared(replace(known, epsilon=400.0), DAILY).stronger is Stronger.SECOND


def test_which_is_stronger_may_depend_on_delta() -> None:
    found = _compared(DAILY, replace(DAILY, name="Small", epsilon=0.3, delta=1e-5))
    assert found.stronger is Stronger.BY_DELTA
    assert found.cannot == ("At a total δ of 10⁻⁶ the loss of Daily is smaller, at 0.0037 that of Small.",)
    assert found.delta == pytest.approx(0.00365)
    tiny = _compared(DAILY, replace(DAILY, name="Small", epsilon=0.3, delta=1e-12))
    assert tiny.stronger is Stronger.SECOND


def test_a_delta_below_a_millionth_tells_nobody_apart() -> None:
    assert _compared(ONCE, replace(ONCE, name="With", delta=1e-9)).stronger is Stronger.ALIKE
    assert _compared(ONCE, replace(ONCE, name="With", delta=1e-3)).stronger is Stronger.FIRST


@each(
    ("field", "sentence"),
    [
        ("every_days", "Open: how often results are published was not looked up, so its loss has no upper end."),
        ("unit", "Open: whom it protects was not looked up, so its loss has no upper end."),
        ("delta", "Open: its δ was not looked up, so its loss has no upper end."),
    ],
)
def test_an_open_range_is_no_stronger_and_weaker_only_at_its_best(field: str, sentence: str) -> None:
    gap: dict[str, Any] = {field: NOT_LOOKED_UP}
    opened = replace(ONCE, name="Open", **gap)
    found = _compared(opened, replace(ONCE, epsilon=5.0))
    assert found.stronger is Stronger.UNTOLD
    assert found.cannot == (sentence, OVERLAP)
    assert sentence not in found.assumed
    weaker = _compared(opened, replace(ONCE, epsilon=0.5))
    assert weaker.stronger is Stronger.SECOND
    assert sentence in weaker.assumed


@each(
    ("fields", "asked"),
    [
        ({"unit": "event"}, "Open: it protects single events. Say how many a day one person has."),
        ({"unit": "device"}, "Open: it protects devices. Say how many one person has."),
        ({"epsilon": NOT_LOOKED_UP}, "Open: neither ε nor ρ nor the noise is stated, so it has no size."),
    ],
)
def test_what_is_missing_is_asked_for_and_never_guessed(fields: dict[str, Any], asked: str) -> None:
    found = _compared(replace(ONCE, name="Open", **fields), ONCE)
    assert found.stronger is Stronger.MISSING
    assert found.cannot == (asked,)
    assert found.first is None
    assert found.second is not None
    assert found.finding == "The two promises cannot be compared as they stand."


def test_events_and_devices_of_a_person_count_as_often_as_somebody_says() -> None:
    events = replace(DAILY, name="Events", unit="event")
    told = _compared(events, ONCE, one_events=20.0)
    assert told.first is not None
    assert (told.first.units.least, told.first.most) == (20, 7_300.0)
    assert "Events: 20 events of each person count in one release." in told.assumed
    bounded = _compared(replace(events, contribution=5), ONCE, one_events=20.0)
    assert bounded.first is not None
    assert bounded.first.units.least == 5
    assert "Events: 5 events of each person count in one release." in bounded.assumed
    busy = _compared(events, ONCE, one_events=20.0, subject=TEN_TIMES_THE_EVENTS)
    assert busy.first is not None
    assert busy.first.units.least == 200
    weekly = _compared(replace(events, every_days=7.0), ONCE, one_events=0.5)
    assert weekly.first is not None
    assert weekly.first.units.least == 4
    devices = _compared(replace(ONCE, name="Devices", unit="device"), ONCE, devices=3, subject=FAMILY_OF_FOUR)
    assert devices.first is not None
    assert devices.first.units.least == 12
    assert "Devices: each person has 3 of these devices." in devices.assumed


def test_events_of_releases_that_nobody_counts_are_least_one_by_one_or_bounded() -> None:
    noise = {"epsilon": NOT_LOOKED_UP, "noise": "gaussian", "noise_multiplier": 50.0}
    opened: dict[str, Any] = {"name": "Open", "unit": "event", "every_days": NOT_LOOKED_UP, **noise}
    found = _compared(replace(ONCE, **opened), ONCE, days=10.0, one_events=5.0)
    each = replace(ONCE, **{**opened, "unit": "person", "every_days": 0.2}).over(days=10.0, delta=1e-6)
    assert found.first is not None
    assert each is not None
    assert (found.first.least, found.first.most) == (each.least, math.inf)
    assert "Open: each person has 50 events in all." in found.assumed + found.cannot
    bounded = _compared(replace(ONCE, **opened, contribution=2), ONCE, days=10.0, one_events=5.0)
    together = replace(ONCE, **{**opened, "unit": "person", "noise_multiplier": 25.0}).release(delta=1e-6)
    assert bounded.first is not None
    assert together is not None
    assert bounded.first.least == together.least < each.least


def test_replaced_costs_up_to_twice_added_or_removed_as_a_range_and_said() -> None:
    added = replace(ONCE, name="Added", neighbors=Neighbors.ADD_REMOVE)
    found = _compared(added, replace(ONCE, epsilon=1.5))
    assert found.first is not None
    assert (found.first.least, found.first.most) == (1.0, 2.0)
    assert found.stronger is Stronger.UNTOLD
    assert any(sentence.startswith("Added: it is about somebody added or removed.") for sentence in found.assumed)
    assert _compared(added, replace(ONCE, epsilon=2.5)).stronger is Stronger.FIRST
    alike = _compared(added, replace(added, name="Other", epsilon=1.5))
    assert alike.stronger is Stronger.FIRST
    unsaid = replace(ONCE, name="Unsaid", neighbors=NOT_LOOKED_UP)
    both = _compared(unsaid, replace(unsaid, name="Other", epsilon=1.5))
    assert both.stronger is Stronger.FIRST
    assert sum("was not looked up. Both are taken to mean the same." in one for one in both.assumed) == 2
    assert _compared(replace(unsaid, model="local"), replace(ONCE, epsilon=1.5)).stronger is Stronger.FIRST


def test_a_group_of_two_whose_delta_is_of_no_use_is_read_at_that_of_one() -> None:
    added = replace(ONCE, name="Added", epsilon=12.0, delta=5.8e-6, neighbors=Neighbors.ADD_REMOVE)
    found = _compared(added, replace(DAILY, epsilon=2.0))
    assert found.delta == 5.8e-6
    assert found.stronger is Stronger.UNTOLD
    assert found.cannot == ("Added: at this total δ its largest loss has no upper end.", OVERLAP)
    smaller = _compared(replace(added, epsilon=3.0), replace(DAILY, epsilon=2.0))
    assert smaller.delta == pytest.approx(5.8e-6 * (1.0 + math.exp(3.0)))
    assert smaller.first is not None
    assert smaller.first.most == 6.0


def test_homes_trust_and_a_shorter_time_are_said() -> None:
    home = replace(ONCE, name="Home", unit="household", model="central", for_days=30.0)
    found = _compared(home, replace(DAILY, model="local"))
    assert "Home: it protects everybody at home together; for one person its figure is a limit." in found.assumed
    assert "Daily: nobody has to be trusted with raw data. No figure here counts that." in found.assumed
    assert "Home: it goes on for 30 days only." in found.assumed


def test_neither_promises_anything_where_both_deltas_reach_one() -> None:
    lost = replace(DAILY, name="Lost", delta=0.9)
    assert _compared(lost, replace(lost, name="Too", epsilon=3.0)).finding == "Neither promises anything over 365 days."


def test_more_releases_than_can_be_added_up_are_a_sentence() -> None:
    found = _compared(replace(DAILY, name="Often", every_days=1e-6), ONCE)
    assert found.stronger is Stronger.MISSING
    assert found.cannot[0].startswith("Often: every_days must be")


@each("more", [{"days": 0.0}, {"days": 1e6}, {"one_events": -1.0}, {"other_events": math.inf}, {"devices": 0}])
def test_nonsense_is_refused(more: dict[str, float]) -> None:
    with pytest.raises(InvalidParameterError):
        _compared(DAILY, ONCE, **more)


@each("days", [1.0, 36_525.0, 0.25])
def test_a_finding_has_at_most_twelve_words(days: float) -> None:
    named = (
        replace(DAILY, name="One name of five words"),
        replace(TWICE, name="A much longer name that no title carries"),
    )
    for one, other in (named, (named[0], TWICE), (DAILY, DAILY), (replace(DAILY, epsilon=NOT_LOOKED_UP), ONCE)):
        assert len(_compared(one, other, days=days).finding.split()) <= 12
