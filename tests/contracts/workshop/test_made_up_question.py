"""A made-up kind of question is asked in a room, answered once, and kept with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpengine.data import Comparison
from dpengine.privacy import Guarantee
from dpengine.queries.forms import KINDS
from dpengine.workshop import SPEND, Rooms, asking
from tests.contracts.workshop.conftest import OpenStage, on_one_database, planned, setting
from tests.examples.made_up import PartOfQuery


@on_one_database
def test_it_is_asked_in_a_room_and_kept_with_it(open_stage: OpenStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "PartOfQuery", PartOfQuery)
    asked = planned(PartOfQuery(Comparison("ill", "=", value=True)), 0.5)
    stage = open_stage(plan=replace(setting().plan, queries=(asked,)))
    whom = stage.join("Robin")
    stage.at(SPEND)
    found = asking.ask(stage.rooms, whom, asked, stage.table, number=0)
    assert found.state == "answered"
    assert stage.account.spent == Guarantee(epsilon=0.5)
    reopened = Rooms.of(stage.place.open()).room(stage.room.id)
    assert reopened.setting.plan.queries == (asked,)
    (answer,) = asking.answers(stage.rooms, reopened).values()
    assert answer.planned_query == asked
