"""How many smaller questions fit a room's budget: each rule against the accountants, and the figures of the script."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpengine import accounting
from dpengine.privacy import Guarantee
from dpengine.workshop import Room, Saying, smaller
from dpengine.workshop.smaller import AS_MANY, MORE, MOST, SO_MANY_TIMES_MORE, counted
from tests.contracts.workshop.conftest import planned, setting
from tests.examples.rooms import room_of

DELTA = 1e-6


def room(*, price: float, budget: float, rule: str = "basic") -> Room:
    plan = replace(setting(epsilon=budget, delta=DELTA, rule=rule).plan, queries=(planned(epsilon=price),))
    return room_of(setting(plan=plan))


@pytest.mark.parametrize(
    ("budget", "rule", "fits"),
    [
        (3.0, "basic", {"basic": 300, "advanced": 3064}),
        (1.0, "basic", {"basic": 100, "advanced": 393}),
        (3.0, "concentrated", {"concentrated": 3701, "basic": 300, "advanced": 3064}),
        (1.0, "concentrated", {"concentrated": 487, "basic": 100, "advanced": 393}),
    ],
)
def test_ten_times_smaller_the_rules_part(budget: float, rule: str, fits: dict[str, int]) -> None:
    here = room(price=0.1, budget=budget, rule=rule)
    found = smaller(here, here.setting.plan.budget, delta=DELTA)
    assert found.each == pytest.approx(0.01)
    assert (found.times, dict(found.fits), found.best_vote) == (10, fits, MORE)
    assert found.before == round(10 * budget)
    events = planned(epsilon=0.01).events(here.setting.plan.schema, here.setting.plan.neighbors)
    for rule_of, number in fits.items():
        if rule_of == "advanced":
            granted = Guarantee(epsilon=budget, delta=DELTA)
            assert accounting.affordable(events, budget=granted, accountant=rule_of) == number
        inside = found.spent[rule_of][found.questions <= number]
        beyond = found.spent[rule_of][found.questions > number]
        assert np.all(inside <= budget)
        assert np.all(beyond > budget)


def test_where_they_do_not_part_the_questions_are_smaller_still() -> None:
    here = room(price=1.0, budget=3.0)
    found = smaller(here, here.setting.plan.budget, delta=DELTA)
    assert (found.times, dict(found.fits)) == (100, {"basic": 300, "advanced": 3064})
    dear = room(price=3000.0, budget=3000.0)
    never = smaller(dear, dear.setting.plan.budget, delta=DELTA)
    assert (never.times, never.fits["basic"], never.best_vote) == (10, 10, SO_MANY_TIMES_MORE)


def test_more_than_are_followed_have_no_number() -> None:
    here = room(price=0.01, budget=3.0)
    assert smaller(here, here.setting.plan.budget, delta=DELTA).fits == {"basic": 3000, "advanced": None}
    assert MOST == 5000


def test_votes_are_counted_by_what_they_say() -> None:
    votes = [Saying(participant=number, number=0, value=value) for number, value in enumerate((2.0, 0.0, 2.0, 1.0))]
    assert counted(votes) == (1, 1, 2)
    assert [AS_MANY, SO_MANY_TIMES_MORE, MORE] == [0, 1, 2]
