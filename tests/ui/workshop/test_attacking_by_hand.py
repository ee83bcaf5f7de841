"""Every act of the attack gives phones something to do, and the wall shows what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.queries import CountPeopleQuery, CountQuery, Query
from dpengine.workshop import ATTACK, SPEND, guessing, sayings
from pages.room.in_or_out import IN
from pages.room.steps import guess
from tests.ui.hosted import labels
from tests.ui.in_a_room import Gathering, gathered, looked, phone, pressed, projector
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]
MUMPS = CountQuery(where=Comparison("disease", "=", "mumps"))


def at_act(
    act: int, *asked: int, sample: str = "patients", queries: tuple[Query, ...] = (MUMPS, CountQuery())
) -> Gathering:
    """A room in an act of its attack, with answers to these questions of its list, all asked by Owl."""
    gathering = gathered(SPEND, ATTACK, sample=sample, queries=queries, prices=(0.1,) * len(queries))
    asker, _ = gathering.join("Owl")
    for index in asked or (0,):
        gathering.ask(asker, index)
    for _ in range(act + 1):
        gathering.go_on()
    return gathering


def test_each_press_averages_one_more_answer_and_the_wall_closes_in(new_app: NewApp) -> None:
    gathering = at_act(0, 0, 0)
    (robin, key), (_, other) = gathering.join("Robin"), gathering.join("Wren")
    assert "noise shrinks" in projector(new_app, gathering.room).title[0].value
    page = phone(new_app, key)
    for _ in range(3):
        pressed(page, "Average one more answer")
    pressed(phone(new_app, other), "Average one more answer")
    assert [(one.number, one.value) for one in sayings.said_by(gathering.rooms, robin, "hand")] == [(0, 3.0)]
    assert "You added **3**." in texts(phone(new_app, key))
    said = projector(new_app, gathering.room).title[0].value
    assert re.fullmatch(r"The average of 6 answers \(4 played\) is [\d.]+ from the exact count", said), said


def test_of_rows_that_are_not_public_nothing_is_drawn(new_app: NewApp) -> None:
    ill = CountPeopleQuery(where=Comparison("ill", "=", value=True))
    gathering = at_act(0, 0, sample="", queries=(ill,))
    _, key = gathering.join("Robin")
    page = phone(new_app, key)
    assert "only our own answers are averaged" in texts(page)
    assert "Average one more answer" not in labels(page)


def test_what_most_choose_is_subtracted(new_app: NewApp) -> None:
    flu = CountQuery(where=Comparison("disease", "=", "flu"))
    gathering = at_act(1, 0, 1, 2, queries=(MUMPS, flu, CountQuery()))
    keys = [gathering.join(name)[1] for name in ("Robin", "Wren")]
    first = texts(projector(new_app, gathering.room))
    for key in keys:
        page = phone(new_app, key)
        page.button(key="hand_subtract_1").click()
        assert any(label.startswith("●") for label in labels(looked(page)))
    assert texts(projector(new_app, gathering.room)) != first


@pytest.mark.parametrize(
    ("place", "words"), [(0, "nothing but noise"), (1, "no single person"), (2, "Yes: what is left")]
)
def test_without_a_pair_a_phone_is_asked_which_second_count_would_do(new_app: NewApp, place: int, words: str) -> None:
    gathering = at_act(1)
    _, key = gathering.join("Robin")
    page = phone(new_app, key)
    assert words not in texts(page)
    page.button(key=f"hand_subtract_{place}").click()
    assert words in texts(looked(page))


def test_a_phone_opens_its_invented_person_and_the_wall_counts_who_is_out(new_app: NewApp) -> None:
    gathering = at_act(2)
    _, key = gathering.join("Robin")
    page = phone(new_app, key)
    assert re.search(r"You are person \*\*2\*\* of \d+", texts(page)), "Owl is the first."
    pressed(page, "What does the attacker say?")
    assert re.search(r"\*\*Without noise\*\* they say \*\*(yes|no)\*\*: ✗ your secret is out", texts(page))
    assert "**With the whole budget’s noise** they say" in texts(page)
    drawn = " ".join(element.proto.spec for element in projector(new_app, gathering.room).get("plotly_chart"))
    assert "Without noise: 1 of 1 guessed right" in drawn


def test_the_last_act_is_played_with_one_answer_at_the_whole_budget(new_app: NewApp) -> None:
    gathering = at_act(3)
    whom, key = gathering.join("Robin")
    assert "The noisy count is" in phone(new_app, key).header[0].value
    guess._guess(gathering.room, whom, guessing.WHOLE_BUDGET * guessing.MOST_GUESSES, IN)
    assert re.search(r"ε 1: right in \*\*[01] of 1\*\* rounds", texts(phone(new_app, key)))
    assert re.search(r"at the whole budget: right in \*\*[01] of 1\*\*", texts(projector(new_app, gathering.room)))


def test_a_press_of_an_act_that_is_over_changes_nothing(new_app: NewApp) -> None:
    gathering = at_act(0)
    whom, key = gathering.join("Robin")
    page = phone(new_app, key)
    gathering.go_on()
    page.button(key="hand_average").click()
    assert "The room has moved on. Nothing was changed." in texts(looked(page))
    assert sayings.said_by(gathering.rooms, whom, "hand") == ()
