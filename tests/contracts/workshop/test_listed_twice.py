"""A question that a room lists more than once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpengine.errors import RoomError
from dpengine.privacy import Guarantee
from dpengine.workshop import SPEND, asking
from tests.contracts.workshop.conftest import EACH, OpenStage, on_one_database, planned, setting


@on_one_database
def test_a_question_that_is_listed_twice_is_asked_at_each_of_its_prices(open_stage: OpenStage) -> None:
    twice = replace(setting().plan, queries=(planned(), planned(epsilon=0.3)))
    stage = open_stage(plan=twice)
    whom = stage.join("Robin")
    stage.at(SPEND)
    assert asking.ask(stage.rooms, whom, planned(epsilon=0.3), stage.table, number=0).state == "answered"
    assert asking.ask(stage.rooms, whom, planned(), stage.table, number=1).state == "answered"
    with pytest.raises(RoomError, match="costs something else now"):
        asking.ask(stage.rooms, whom, planned(epsilon=0.2), stage.table, number=2)
    assert stage.account.spent == Guarantee(epsilon=EACH + 0.3)
