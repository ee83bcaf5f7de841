"""A room spends what its table's account held when it was opened, whoever raises the budget later."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dpengine.errors import RoomError
from dpengine.privacy import Guarantee
from dpengine.workshop import SPEND, asking, burning
from dpengine.workshop.rooms import LONGER
from tests.contracts.workshop.conftest import OpenStage, on_one_database, planned
from tests.contracts.workshop.test_rooms import Clock


@on_one_database
@pytest.mark.parametrize(("rule", "epsilon"), [("basic", 0.2), ("concentrated", 1.0)])
def test_a_budget_that_is_raised_later_is_not_the_rooms(open_stage: OpenStage, rule: str, epsilon: float) -> None:
    stage = open_stage(epsilon=epsilon, delta=1e-6, rule=rule)
    whom = stage.join("Robin")
    room, account = stage.at(SPEND), stage.account
    number = 0
    while (found := asking.ask(stage.rooms, whom, planned(), stage.table, number=number)).state == "answered":
        number += 1
    assert found.state == "refused"
    assert number >= 2, "All of it is spent."
    spent = account.spent
    account.top_up(Guarantee(epsilon=5.0, delta=1e-6), reason="for my own last question")
    found = asking.ask(stage.rooms, whom, planned(), stage.table, number=number + 1)
    assert found.state == "refused"
    assert account.spent == spent
    granted = asking.trusted_with(room.setting, account)
    burnt = burning(account, asking.asks(stage.rooms, room), account.charges(), schema=account.schema, granted=granted)
    assert burnt.budget.epsilon == pytest.approx(epsilon)
    account.charge("of the curator", planned(epsilon=0.5))
    assert account.spent != spent, "The control: the account holds more."


@on_one_database
def test_nobody_keeps_a_room_beyond_its_day_by_pressing(open_stage: OpenStage) -> None:
    clock = Clock()
    stage = open_stage(clock=clock, days=1)
    whom, number = stage.join("Robin"), 0
    stage.at(SPEND)
    clock.now += timedelta(days=1)
    while clock.now < stage.room.expires + LONGER:
        asking.ask(stage.rooms, whom, planned(), stage.table, number=number)
        number += 1
        clock.now += timedelta(minutes=54)
        assert stage.rooms.all(), "The control: it is still there."
    with pytest.raises(RoomError, match="deleted on their last day"):
        asking.ask(stage.rooms, whom, planned(), stage.table, number=number)
    clock.now += timedelta(minutes=6)
    assert stage.rooms.all() == ()
