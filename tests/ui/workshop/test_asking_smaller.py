"""What if we had asked smaller: everybody votes, then the staircases climb on the wall."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from dpengine.errors import RoomError
from dpengine.release import release
from dpengine.workshop import SMALLER, SPEND, sayings
from dpengine.workshop import tables as stored
from pages.room.steps.smaller import MOSTLY_THEY_CANCEL
from tests.ui.in_a_room import Gathering, gathered, looked, phone, projector
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]
QUESTION = "Same budget, questions ten times smaller: how many fit?"


@pytest.fixture
def gathering(new_app: NewApp) -> Gathering:
    return gathered(SMALLER, budget=1.0, prices=(0.1, 0.1), delta=1e-6)


def vote(page: AppTest, beginning: str) -> AppTest:
    (button,) = (one for one in page.button if one.label.startswith(beginning))
    button.click()
    return looked(page)


def test_a_vote_may_change_until_the_staircases_are_shown(gathering: Gathering, new_app: NewApp) -> None:
    whom, key = gathering.join("Blue Heron")
    page = phone(new_app, key)
    assert page.title[0].value == QUESTION
    assert "At ε 0.1 each, **10** fit the budget of ε 1. At ε 0.01 each" in texts(page)
    page = vote(vote(page, "10, as many as before"), "many more")
    assert [one.value for one in sayings.said_by(gathering.rooms, whom, "vote")] == [2.0]
    assert "✓ many more than that" in [one.label for one in page.button]
    wall = texts(projector(new_app, gathering.room))
    assert QUESTION in wall
    assert "1 of 1 has voted" in wall
    assert "advanced" not in wall, "Nothing is told before the vote has ended."
    gathering.go_on()
    assert "You said: many more than that." in texts(phone(new_app, key))
    with pytest.raises(RoomError):
        sayings.say(gathering.rooms, whom, "vote", number=0, value=1)


@pytest.mark.parametrize(
    ("rule", "title"),
    [
        ("basic", "Questions that fit: naive 100, advanced 393"),
        ("concentrated", "Questions that fit: naive 100, advanced 393, concentrated 487"),
    ],
)
def test_the_wall_tells_how_many_fit_by_each_rule_and_why(new_app: NewApp, rule: str, title: str) -> None:
    gathering = gathered(SMALLER, budget=1.0, prices=(0.1, 0.1), delta=1e-6, rule=rule)
    gathering.go_on()
    page = projector(new_app, gathering.room)
    assert page.title[0].value == title
    assert MOSTLY_THEY_CANCEL in texts(page)
    (chart,) = page.get("plotly_chart")
    assert "many more than that (advanced): **0**" in texts(page)
    for number in re.findall(r"\d+", title):
        assert f": {number}" in chart.proto.spec


def test_the_rooms_dot_is_what_the_room_asked_and_not_what_was_charged_elsewhere(new_app: NewApp) -> None:
    gathering = gathered(SPEND, SMALLER, budget=1.0, prices=(0.1, 0.1), delta=1e-6)
    release(gathering.room.planned(0).at(0.25), gathering.table, gathering.account, request_id="elsewhere")
    whom, _ = gathering.join("Blue Heron")
    for _ in range(2):
        gathering.ask(whom)
    assert gathering.spent == pytest.approx(0.45)
    for _ in range(2):
        gathering.go_on()
    (chart,) = projector(new_app, gathering.room).get("plotly_chart")
    notes = [note["text"] for note in json.loads(chart.proto.spec)["layout"]["annotations"]]
    assert "this room: 2 for ε 0.2" in notes


def test_votes_are_kept_beside_choices_and_are_none(gathering: Gathering) -> None:
    """A database of an older version knows no other kind, and would refuse it."""
    whom, _ = gathering.join("Blue Heron")
    sayings.say(gathering.rooms, whom, "vote", number=0, value=1)
    assert sayings.said(gathering.rooms, gathering.room, "choice") == ()
    (kept,) = sayings.said(gathering.rooms, gathering.room, "vote")
    assert (kept.number, kept.value) == (0, 1.0)
    with gathering.rooms.store.reading() as connection:
        assert connection.execute(select(stored.sayings.c.kind)).scalars().all() == ["choice"]
