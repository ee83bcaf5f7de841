"""The room's last steps: questions whose first answer stays, attacks on what was released, and the record."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.queries import CountQuery
from dpengine.reports import room_record
from dpengine.workshop import ATTACK, CHECK, SPEND, asking, sayings
from dpengine.workshop.checks import QUESTIONS
from dpengine.workshop.hands import SUBTRACT
from pages.room import record, state
from pages.room.attack_words import NAMES
from pages.room.steps import attack
from pages.room.steps.attack_hands import QUIZ
from tests.ui.in_a_room import EACH, ILL, Gathering, gathered, looked, phone, projector
from tests.ui.reading import read_in, texts

NewApp = Callable[[], AppTest]
MUMPS = CountQuery(where=Comparison("disease", "=", "mumps"))


def sent(page: AppTest, number: int, choice: int) -> AppTest:
    """Choose an answer, then send it."""
    page.radio(key=f"check_{number}").set_value(choice)
    looked(page)
    page.button(key=f"check_send_{number}").click()
    return looked(page)


def test_answers_are_sent_one_by_one_and_the_first_one_stays(new_app: NewApp) -> None:
    gathering = gathered(CHECK)
    whom, key = gathering.join("Robin")
    page, late = phone(new_app, key), phone(new_app, key)
    page.button(key="check_send_0").click()
    assert "Choose an answer first" in texts(looked(page))
    assert sayings.said_by(gathering.rooms, whom, "check") == ()
    late.radio(key="check_0").set_value(1)
    looked(late)
    sent(page, 0, 0)
    assert f"Sent: {QUESTIONS[0].choices[0].text}" in texts(page)
    late.button(key="check_send_0").click()
    assert f"Sent: {QUESTIONS[0].choices[0].text}" in texts(looked(late))
    assert [(one.number, one.value) for one in sayings.said_by(gathering.rooms, whom, "check")] == [(0, 0.0)]
    assert "1 of 1 has answered" in texts(projector(new_app, gathering.room))


def test_once_shown_each_phone_learns_why_and_the_projector_marks_the_right_one(new_app: NewApp) -> None:
    gathering = gathered(CHECK)
    whom, key = gathering.join("Robin")
    wrong = (QUESTIONS[0].right + 1) % len(QUESTIONS[0].choices)
    for number, value in enumerate((wrong, QUESTIONS[1].right)):
        sayings.say(gathering.rooms, whom, "check", number=number, value=value)
    assert QUESTIONS[1].because not in texts(phone(new_app, key))
    gathering.go_on()
    page, wall = phone(new_app, key), projector(new_app, gathering.room)
    assert page.title[0].value == "1 right, 2 not answered"
    assert f"You said: {QUESTIONS[0].choices[wrong].text}. {QUESTIONS[0].choices[wrong].because}" in texts(page)
    assert f"**✓ Right:** {QUESTIONS[1].choices[QUESTIONS[1].right].text}" in texts(page)
    assert wall.title[0].value == "1 of 2 answers sent is right"
    assert all(question.because in texts(page) for question in QUESTIONS)
    assert all(question.text in texts(wall) for question in QUESTIONS)


@pytest.mark.parametrize("sample", ["", "patients"])
def test_four_acts_follow_one_another_on_phone_and_projector(new_app: NewApp, sample: str) -> None:
    queries = (MUMPS, CountQuery()) if sample else (ILL, CountQuery())
    gathering = gathered(SPEND, ATTACK, sample=sample, queries=queries)
    whom, key = gathering.join("Robin")
    for index in (0, 0, 1):
        gathering.ask(whom, index)
    titles = []
    for _ in range(4):
        gathering.go_on()
        wall, page = projector(new_app, gathering.room), phone(new_app, key)
        titles.append(wall.title[0].value)
        assert page.title[0].value == NAMES[len(titles) - 1]
        if len(titles) == 2:
            page.button(key="hand_subtract_0").click()
            looked(page)
        told = titles[-1] in texts(page)
        assert told == (len(titles) > 1 or not sample), "An average that phones add to is said on the wall alone."
        assert "You asked for 3 of the room's 3 answers." in texts(page)
        assert "Robin" not in read_in(wall.main)
    shrunk = re.fullmatch(r"Asked 2 times, the noise shrinks from ±30 to ±([\d.]+)", titles[0])
    assert shrunk is not None
    assert 20.0 < float(shrunk[1]) < 25.0
    assert titles[1].startswith("One count minus another leaves ")
    assert titles[2].endswith("out of 100 secrets")
    assert titles[3] == "About any one person: from 50 to at most 57.5 out of 100"


def test_without_two_counts_to_subtract_the_next_one_is_shown(new_app: NewApp) -> None:
    gathering = gathered(SPEND, ATTACK)
    whom, key = gathering.join("Robin")
    gathering.ask(whom)
    for _ in range(2):
        gathering.go_on()
    found = "One more count, of all but one person: that one is known only within ±41"
    asking, page = projector(new_app, gathering.room), phone(new_app, key)
    assert asking.title[0].value == QUIZ
    assert found not in texts(asking) + texts(page), "It would answer what the phone asks."
    page.button(key="hand_subtract_2").click()
    assert found in texts(looked(page))
    wall = projector(new_app, gathering.room)
    assert wall.title[0].value == found
    assert "The noise of our answer and that of the new one stay" in texts(wall)
    assert "The count of all but one person: **1**" in texts(projector(new_app, gathering.room))


@pytest.mark.parametrize("budget", [EACH, 3 * EACH])
def test_where_the_budget_is_gone_the_next_count_is_refused(new_app: NewApp, budget: float) -> None:
    gathering = gathered(SPEND, ATTACK, budget=budget)
    whom, _ = gathering.join("Robin")
    gathering.ask(whom)
    for _ in range(2):
        gathering.go_on()
    sayings.say(gathering.rooms, whom, "hand", number=SUBTRACT, value=2)
    state.changed(gathering.number)
    wall = texts(projector(new_app, gathering.room))
    assert ("The budget refuses that count now" in wall) is (budget == EACH)


def test_a_refused_question_is_no_answer_of_ones_own(new_app: NewApp) -> None:
    gathering = gathered(SPEND, ATTACK, budget=EACH)
    whom, key = gathering.join("Robin")
    assert [gathering.ask(whom).state for _ in range(2)] == ["answered", "refused"]
    gathering.go_on()
    assert "You asked for 1 of the room's 1 answer." in texts(phone(new_app, key))


def test_only_public_rows_are_put_to_the_test(new_app: NewApp) -> None:
    real, public = gathered(SPEND, ATTACK), gathered(SPEND, ATTACK, sample="patients", queries=(MUMPS,))
    said = []
    for gathering in (real, public):
        gathering.ask(gathering.join("Robin")[0])
        for _ in range(3):
            gathering.go_on()
        said.append(texts(projector(new_app, gathering.room)))
    assert "nobody of the table is tested" in said[0]
    assert "invented" not in said[1]
    assert "whether they had mumps" in said[1]


def test_without_an_answer_there_is_nothing_to_attack(new_app: NewApp) -> None:
    gathering = gathered(ATTACK)
    _, key = gathering.join("Robin")
    assert projector(new_app, gathering.room).title[0].value == attack.NOTHING[0]
    assert phone(new_app, key).title[0].value == attack.NOTHING[0]


def test_the_record_names_nobody_unless_asked_to(new_app: NewApp) -> None:
    gathering: Gathering = gathered(SPEND, CHECK, budget=0.15)
    whom, _ = gathering.join("Robin Hood")
    gathering.ask(whom)
    gathering.ask(whom)
    gathering.go_on()
    sayings.say(gathering.rooms, whom, "check", number=0, value=1)
    found = record.filled(state.changed(gathering.number), "http://127.0.0.1/budget?plan=x")
    assert [one.release is not None for one in found.asked] == [True, False]
    assert found.checks[0].given == (0, 1, 0, 0)
    assert found.head == gathering.rooms.ledger.head
    without, named = room_record(found), room_record(found, names=True)
    assert "Took part</th><td>1 of 1 person who joined." in without
    assert "Robin" not in without
    assert "Robin Hood" in named
    assert "0.05 is left of the budget" in without


def test_an_answer_that_was_cut_off_comes_in_the_next_step_too(new_app: NewApp) -> None:
    gathering = gathered(SPEND, ATTACK)
    whom, key = gathering.join("Robin")
    asking._reserved(gathering.rooms, whom, gathering.room.planned(0), 0)
    gathering.go_on()
    assert projector(new_app, gathering.room).title[0].value == attack.NOTHING[0]
    assert "You asked for 1 of the room's 1 answer." in texts(phone(new_app, key))
    assert gathering.spent == EACH
