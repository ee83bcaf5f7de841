"""Judge this together: everybody answers on their phone, then sees what all said beside what the engine computes."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.errors import RoomError
from dpengine.promises import NOT_LOOKED_UP, Handling, Promise
from dpengine.reports import room_record
from dpengine.workshop import JUDGE, STEPS, judging, sayings
from dpengine.workshop.judging import ACCEPT, ASK_FIRST, COST
from pages.room import record, state
from tests.ui.in_a_room import Gathering, gathered, phone, pressed, projector
from tests.ui.reading import read_in, texts

NewApp = Callable[[], AppTest]
DAILY = Promise(
    name="How people [move](x)",
    by="Somebody",
    epsilon=2.0,
    delta=0.0,
    unit="person-day",
    every_days=1.0,
    for_days=math.inf,
    model="central",
    contribution=1,
    handling=Handling(code="open", audit=NOT_LOOKED_UP),
)
OPENED = "After one year, ε is at most 730 for one person"


@pytest.fixture
def gathering(new_app: NewApp) -> Gathering:
    return gathered(JUDGE, promise=DAILY)


def test_a_phone_shows_the_promise_and_keeps_the_last_answer_to_each_question(
    gathering: Gathering, new_app: NewApp
) -> None:
    whom, key = gathering.join("Blue Heron")
    page = phone(new_app, key)
    assert page.title[0].value == r"How people \[move\]\(x\) \(Somebody\)"
    for words in ("**ε\u00a02, δ\u00a00**", "**a person's day**", "**every day**", "Added up: **not said**"):
        assert words in texts(page)
    offered = [one.label for one in page.button if str(one.key).startswith("judge_0_")]
    assert offered == ["ε 2", "ε 60", "ε 730", "no ε can be named"]
    for beginning in ("ε 60", "ε 730", "exact numbers", "only if"):
        page = pressed(page, beginning)
    assert "✓ ε 730" in [one.label for one in page.button]
    assert "Thank you." in texts(page)
    kept = [(one.number, one.value) for one in sayings.said_by(gathering.rooms, whom, "judgment")]
    assert [number for number, _ in kept] == [COST, ASK_FIRST, ACCEPT]
    assert kept[COST] == (COST, judging.A_YEAR)


def test_once_opened_phones_and_wall_show_all_answers_and_the_figures(gathering: Gathering, new_app: NewApp) -> None:
    (whom, key), (other, _) = gathering.join("Blue Heron"), gathering.join("Robin")
    for who, value in ((whom, judging.A_RELEASE), (other, judging.A_YEAR)):
        sayings.say(gathering.rooms, who, "judgment", number=COST, value=value)
    state.changed(gathering.number)
    wall = texts(projector(new_app, gathering.room))
    assert "2 of 2 have answered" in wall
    assert "is at most" not in wall, "Nothing is told before it is opened."
    gathering.go_on()
    page, wall_page = phone(new_app, key), projector(new_app, gathering.room)
    assert page.title[0].value == wall_page.title[0].value == OPENED
    for words in (
        "You said: ε 2",
        "That is one release alone.",
        "| one release | 2 | 88.1 |",
        "| one year | 730 | 100 |",
    ):
        assert words in texts(page)
    assert "ε 2 · **1** (yours)" in texts(page)
    assert "it is from ε\u00a0661.1 to 730, with δ\u00a010⁻⁶." in texts(wall_page)
    assert "✓ ε 730** ● **1**" in texts(wall_page)
    (picture,) = wall_page.get("plotly_chart")
    assert "661.1 to 730" in picture.proto.spec
    assert "Heron" not in read_in(wall_page.main)
    with pytest.raises(RoomError):
        sayings.say(gathering.rooms, whom, "judgment", number=COST, value=judging.A_YEAR)


def test_the_record_has_the_promise_the_figures_and_the_answers(gathering: Gathering) -> None:
    whom, _ = gathering.join("Blue Heron")
    sayings.say(gathering.rooms, whom, "judgment", number=ACCEPT, value=2)
    found = record.filled(state.changed(gathering.number))
    assert found.judged is not None
    assert found.judged.answers[ACCEPT].given == (0, 0, 1)
    assert found.active == 1
    page = room_record(found)
    for words in ("How people [move](x)", OPENED, "<td>730</td>", "what the engine computes"):
        assert words in page
    assert "A promise, judged together" not in room_record(record.filled(gathered(STEPS[0]).room))
