"""What a room owes to those who judge a promise in it: only what is offered is kept, once, until it is shown."""

from __future__ import annotations

import json
import math

import pytest

from dpengine.errors import InvalidParameterError, RoomError
from dpengine.promises import Promise
from dpengine.workshop import ATTACK, CHOOSE, JUDGE, Setting, judging, sayings
from dpengine.workshop.judging import ACCEPT, ASK_FIRST, COST
from tests.contracts.workshop.conftest import OpenStage, Stage, on_one_database, setting

DAILY = Promise(name="Reports", epsilon=2.0, delta=0.0, unit="person-day", every_days=1.0, for_days=math.inf)


@pytest.fixture
def stage(open_stage: OpenStage) -> Stage:
    return open_stage(steps=(CHOOSE, ATTACK, JUDGE), promise=DAILY)


def test_a_judgment_is_kept_once_for_each_question_and_may_change_until_it_is_shown(stage: Stage) -> None:
    stage.at(JUDGE)
    whom = stage.join("Heron")
    for number, value in ((COST, judging.A_RELEASE), (COST, judging.A_YEAR), (ACCEPT, 1)):
        sayings.say(stage.rooms, whom, "judgment", number=number, value=value)
    kept = [(one.number, one.value) for one in sayings.said(stage.rooms, stage.room, "judgment")]
    assert kept == [(COST, judging.A_YEAR), (ACCEPT, 1.0)]
    stage.at(JUDGE, 1)
    with pytest.raises(RoomError, match="moved on"):
        sayings.say(stage.rooms, whom, "judgment", number=ACCEPT, value=0)


@on_one_database
def test_what_no_phone_offers_is_not_kept(stage: Stage) -> None:
    stage.at(JUDGE)
    whom = stage.join("Heron")
    odd = [(COST, judging.IF_DAILY), (COST, 0.5), (COST, math.nan), (COST, -1), (ACCEPT, 3), (ASK_FIRST, 1e9)]
    for number, value in [*odd, (3, 0), (-1, 0), (10, 0)]:
        with pytest.raises(InvalidParameterError):
            sayings.say(stage.rooms, whom, "judgment", number=number, value=value)
    assert sayings.said(stage.rooms, stage.room, "judgment") == ()
    sayings.say(stage.rooms, whom, "judgment", number=COST, value=judging.NO_LIMIT)
    assert len(sayings.said(stage.rooms, stage.room, "judgment")) == 1, "The control."


@on_one_database
def test_judgments_lie_beside_choices_and_hands_and_are_neither(stage: Stage) -> None:
    """A database of an older version knows no kind of their name, and would refuse it."""
    stage.at(CHOOSE)
    whom = stage.join("Heron")
    sayings.say(stage.rooms, whom, "choice", number=0, value=0.5)
    with pytest.raises(RoomError, match="moved on"):
        sayings.say(stage.rooms, whom, "judgment", number=COST, value=judging.A_YEAR)
    stage.at(JUDGE)
    sayings.say(stage.rooms, whom, "judgment", number=COST, value=judging.A_YEAR)
    said = {kind: [one.value for one in sayings.said(stage.rooms, stage.room, kind)] for kind in sayings.KINDS}
    assert {kind: values for kind, values in said.items() if values} == {"choice": [0.5], "judgment": [judging.A_YEAR]}
    assert set(stage.place.asked("SELECT kind FROM workshop_sayings")) == {("choice",)}


def test_the_promise_is_kept_with_its_room(stage: Stage) -> None:
    assert stage.rooms.room(stage.room.id).setting.promise == DAILY


def test_a_room_of_before_has_no_promise_and_is_written_as_it_was() -> None:
    usual = setting()
    text = usual.to_json()
    fields = {"title", "steps", "cap", "columns", "people", "dialed", "days", "plan"}
    assert set(json.loads(text)) == fields, "As the version before wrote and reads it."
    assert Setting.from_json(text) == usual
    judged = setting(steps=(JUDGE,), promise=DAILY)
    assert set(json.loads(judged.to_json())) == {*fields, "promise"}
    assert Setting.from_json(judged.to_json()) == judged


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"promise": DAILY}, "promise must be there where the room judges one"),
        ({"steps": (JUDGE,)}, "promise must be there where the room judges one"),
        ({"steps": (JUDGE,), "promise": Promise(name="Trust us")}, "nothing to add up"),
    ],
)
def test_the_step_and_a_promise_with_a_size_come_together(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidParameterError, match=said):
        setting(**wrong)  # type: ignore[arg-type]
