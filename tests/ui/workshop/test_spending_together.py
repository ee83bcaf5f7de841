"""Asking from phones: one intent one charge, caps and refusals in words, nobody's name on the projector."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.errors import LedgerError
from dpengine.formatting import billionths
from dpengine.privacy.amounts import NANO
from dpengine.queries import CountPeopleQuery, HistogramQuery
from dpengine.reports import room_record
from dpengine.workshop import SPEND, Room, asking, burning
from pages.room import record, saying, spending_words, state, tables
from pages.room.steps import spend, spend_screen
from tests.ui.in_a_room import EACH, Gathering, gathered, looked, phone, pressed, projector
from tests.ui.reading import button, read_in, texts

NewApp = Callable[[], AppTest]
ASK = "Ask: costs"
NAME = "Blue Heron"


@pytest.fixture
def gathering(new_app: NewApp) -> Gathering:
    """A room that spends, of a table of real people."""
    return gathered(SPEND)


def test_a_press_is_answered_at_once_and_the_answer_is_the_ledgers(gathering: Gathering, new_app: NewApp) -> None:
    whom, key = gathering.join(NAME)
    page = pressed(phone(new_app, key), ASK)
    (one,) = asking.asks_of(gathering.rooms, whom)
    answer = asking.answers(gathering.rooms, gathering.room)[one.request_id]
    assert spending_words.answer(answer).replace("\\", "") in texts(page)
    assert "Paid: **ε 0.1**" in texts(page)
    assert gathering.spent == EACH


def test_an_answer_of_many_numbers_shows_each(new_app: NewApp) -> None:
    gathering = gathered(SPEND, queries=(HistogramQuery("ill"),))
    _, key = gathering.join(NAME)
    page = pressed(phone(new_app, key), ASK)
    (answer,) = asking.answers(gathering.rooms, gathering.room).values()
    for shown in (texts(page), texts(projector(new_app, gathering.room))):
        for label, value in zip(answer.labels, answer.values, strict=True):
            assert f"`{label}` **{value:g}**" in shown


def test_pages_of_one_intent_pressed_three_times_make_one_charge(gathering: Gathering, new_app: NewApp) -> None:
    _, key = gathering.join(NAME)
    pages = [phone(new_app, key) for _ in range(3)]
    for page in pages:
        pressed(page, ASK)
    assert gathering.spent == EACH
    assert all("Paid: **ε 0.1**" in texts(page) for page in pages)
    pressed(phone(new_app, key), ASK)
    assert gathering.spent == 2 * EACH


def test_another_question_in_a_second_tab_is_told_to_look_first(gathering: Gathering, new_app: NewApp) -> None:
    _, key = gathering.join(NAME)
    first, second = phone(new_app, key), phone(new_app, key)
    pressed(first, ASK)
    second.radio(key="room_question").set_value(1)
    pressed(second, ASK)
    assert "You asked something else a moment ago" in texts(second)
    assert gathering.spent == EACH


def test_a_cap_refuses_in_words_and_leaves_the_budget(new_app: NewApp) -> None:
    gathering = gathered(SPEND, cap=EACH)
    _, key = gathering.join(NAME)
    page = pressed(phone(new_app, key), ASK)
    assert "**ε 0.9** is left for everybody · **ε 0** for you" in texts(page)
    for _ in range(2):
        pressed(page, ASK)
        assert "**Refused: more than is left of your own part.**" in texts(page)
        assert "ε 0 is left of the ε 0.1 that each person here may spend. Nothing was charged." in texts(page)
    assert gathering.spent == EACH
    wall = texts(projector(new_app, gathering.room))
    assert wall.count("beyond that person’s own cap") == 1
    assert "ε 0.9 is left, after 1 answer" in wall
    kept = room_record(record.filled(gathering.room))
    assert "is left of the ε 0.1 that each person here may spend" in kept


def test_the_first_refusal_explains_itself_on_phone_and_projector(new_app: NewApp) -> None:
    gathering = gathered(SPEND, budget=0.15)
    whom, key = gathering.join(NAME)
    assert "ε 0.15 is left" in texts(projector(new_app, gathering.room))
    page = pressed(phone(new_app, key), ASK)
    pressed(page, ASK)
    assert "**Refused, for everybody.**" in texts(page)
    assert "It asks for ε 0.1, more than is left. Nothing was charged." in texts(page)
    wall = texts(projector(new_app, gathering.room))
    assert "Refused, for ever" in wall
    assert "no waiting and no restart brings budget back" in wall
    assert "With this question" not in wall, "The sentence has the wall to itself."
    assert gathering.spent == EACH
    assert whom.name not in wall
    burnt = burning(
        gathering.account,
        asking.asks(gathering.rooms, gathering.room),
        gathering.account.charges(),
        schema=gathering.room.setting.plan.schema,
    )
    assert burnt.beyond is not None
    sums = spending_words.beyond(gathering.room, burnt, burnt.beyond)[1]
    assert "With this question all add up to ε 0.2: more than there is." in sums
    tried = spend_screen._drawn(burnt).refused
    assert np.isnan(tried[0])
    assert tried[1] == pytest.approx(0.2), "Where the refused question would have led."


def test_once_refused_nobody_need_press_again(new_app: NewApp) -> None:
    gathering = gathered(SPEND, budget=EACH)
    first, second = (gathering.join(name)[1] for name in (NAME, "Robin"))
    page = pressed(phone(new_app, first), ASK)
    other = phone(new_app, second)
    for one in (page, other):
        assert last_button(one) == ("Ask: costs ε 0.1", False), "The first refusal is there to be seen."
    pressed(page, ASK)
    for one in (page, looked(other)):
        assert last_button(one) == (spending_words.NOTHING_LEFT, True)
        assert one.title[0].value == spending_words.NOTHING_MORE


def last_button(page: AppTest) -> tuple[str, bool]:
    """What the button that asks says, and whether it is off."""
    asks = [button for button in page.button if str(button.key).startswith("room_ask")]
    return asks[-1].label, asks[-1].disabled


def test_nobody_is_named_on_the_projector_but_what_was_asked_is(gathering: Gathering, new_app: NewApp) -> None:
    for name in ("Robin Hood", "Wren Day"):
        gathering.ask(gathering.join(name)[0])
    state.changed(gathering.number)
    wall = read_in(projector(new_app, gathering.room).main)
    assert wall.count("How many people have `ill` = yes?") == 2
    assert "after 2 answers" in wall
    assert not [name for name in ("Robin", "Wren") if name in wall]


def test_the_projector_shows_the_questions_asked_last(gathering: Gathering, new_app: NewApp) -> None:
    whom, _ = gathering.join(NAME)
    for index in (1, *(0,) * spend_screen.LAST_SHOWN):
        gathering.ask(whom, index)
    state.changed(gathering.number)
    shown = projector(new_app, gathering.room).main
    wall, balance = read_in(shown), state.burnt(gathering.room).balance
    (bar,) = (one.proto.body for one in shown.get("html") if 'class="strip"' in one.proto.body)
    spent, left = (billionths(one.epsilon / NANO) for one in (balance.spent, balance.left))
    assert f'aria-label="spent ε {spent}, left ε {left}"' in bar
    assert wall.count("How many people have `ill` = yes?") == spend_screen.LAST_SHOWN
    assert "How many people are there?" not in wall


def test_a_press_on_a_page_that_the_room_has_left_asks_nothing(gathering: Gathering, new_app: NewApp) -> None:
    _, key = gathering.join(NAME)
    page = phone(new_app, key)
    paused = gathering.rooms.pause(gathering.room)
    state.changed(gathering.number)
    pressed(page, ASK)
    assert "A moment, please" in texts(page)
    gathering.rooms.resume(paused)
    state.changed(gathering.number)
    looked(page)
    assert gathering.spent == 0.0
    gathering.rooms.resume(gathering.rooms.pause(gathering.room))
    state.changed(gathering.number)
    pressed(page, ASK)
    assert spend.CHANGED in texts(page)
    assert gathering.spent == 0.0
    pressed(page, ASK)
    assert gathering.spent == EACH


def test_a_press_pays_the_price_that_its_button_said_or_nothing(new_app: NewApp) -> None:
    """A dearer question is chosen, and the button pressed before it says so."""
    gathering = gathered(SPEND, prices=(EACH, 0.5))
    _, key = gathering.join(NAME)
    page = phone(new_app, key)
    page.radio(key="room_question").set_value(1)
    pressed(page, "Ask: costs ε 0.1")
    assert spend.CHANGED in texts(page)
    assert gathering.spent == 0.0
    pressed(page, "Ask: costs ε 0.5")
    assert gathering.spent == 0.5, "The control: now the button says so."


def test_a_press_asks_the_count_that_stood_beside_its_button_or_nothing(new_app: NewApp) -> None:
    """Another column is chosen, and the button pressed before the phone shows which of its values would be counted."""
    gathering = gathered(SPEND, columns=("age", "ill"))
    _, key = gathering.join(NAME)
    page = phone(new_app, key)
    page.radio(key="room_question").set_value(spend.OWN)
    looked(page)
    page.number_input[0].set_value(40.0)
    looked(page)
    page.selectbox(key="own_column").set_value("ill")
    pressed(page, ASK)
    assert spend.CHANGED in texts(page)
    assert gathering.spent == 0.0
    pressed(page, ASK)
    assert gathering.spent == EACH, "The control: now it is shown."


def test_another_question_or_another_count_has_another_button(new_app: NewApp) -> None:
    """A tap on the button that a slow phone still shows is then a press of nothing, never of what it does not say."""
    gathering = gathered(SPEND, columns=("age", "ill"))
    _, key = gathering.join(NAME)
    page = phone(new_app, key)
    keys = [button(page, "room_ask_").key]
    looked(page)
    assert button(page, "room_ask_").key == keys[0], "The control: it is the same while nothing changes."
    for choice in (1, spend.OWN):
        page.radio(key="room_question").set_value(choice)
        looked(page)
        keys.append(button(page, "room_ask_").key)
    for column in ("ill", "age"):
        page.selectbox(key="own_column").set_value(column)
        looked(page)
        keys.append(button(page, "room_ask_").key)
    assert all(one != following for one, following in pairwise(keys)), keys


@pytest.mark.parametrize("chosen", [0, 1])
def test_a_press_that_could_not_be_heard_is_not_heard_later(
    gathering: Gathering, new_app: NewApp, monkeypatch: pytest.MonkeyPatch, chosen: int
) -> None:
    """Nor does it ask another question, where what was chosen is forgotten with the page that could not be drawn."""
    _, key = gathering.join(NAME)
    page = phone(new_app, key)
    page.radio(key="room_question").set_value(chosen)

    def unreachable(_: int) -> Room:
        raise LedgerError("The ledger /srv/budget.db could not be used.")

    with monkeypatch.context() as broken:
        broken.setattr(state, "now", unreachable)
        pressed(page, ASK)
        assert saying.AWAY in texts(page)
        assert "/srv/budget.db" not in texts(page)
    looked(page)
    assert gathering.spent == 0.0
    pressed(page, ASK)
    assert gathering.spent == EACH, "The control."


def test_a_table_that_is_not_here_charges_nothing(new_app: NewApp) -> None:
    gathering = gathered(SPEND, lent=False)
    whom, key = gathering.join(NAME)
    page = pressed(phone(new_app, key), ASK)
    assert tables.MISSING in texts(page)
    assert asking.asks_of(gathering.rooms, whom) == ()
    assert gathering.spent == 0.0


def test_what_a_stopped_server_left_is_answered_when_its_owner_comes_back(
    gathering: Gathering, new_app: NewApp
) -> None:
    whom, key = gathering.join(NAME)
    waiting = asking._reserved(gathering.rooms, whom, gathering.room.planned(0), 0)
    gathering.account.charge(waiting.request_id, waiting.planned, gathering.table.schema)
    state.changed(gathering.number)
    tables._lent().clear()
    assert spend.WAITS in texts(phone(new_app, key))
    tables.lend(gathering.account.id, gathering.table)
    assert "Paid: **ε 0.1**" in texts(phone(new_app, key))
    assert [one.state for one in asking.asks_of(gathering.rooms, whom)] == ["answered"]
    assert gathering.spent == EACH


def test_a_count_of_ones_own_about_the_columns_that_are_open(new_app: NewApp) -> None:
    gathering = gathered(SPEND, columns=("age",))
    whom, key = gathering.join(NAME)
    page = phone(new_app, key)
    page.radio(key="room_question").set_value(spend.OWN)
    looked(page)
    assert next(one for one in page.button if one.label == "Type a number first.").disabled
    page.number_input[0].set_value(40.0)
    looked(page)
    pressed(page, ASK)
    (one,) = asking.asks_of(gathering.rooms, whom)
    assert one.planned.query == CountPeopleQuery(where=Comparison("age", ">=", 40))
    assert (one.state, gathering.spent) == ("answered", EACH)


def test_without_open_columns_there_is_no_count_of_ones_own(gathering: Gathering, new_app: NewApp) -> None:
    _, key = gathering.join(NAME)
    assert len(phone(new_app, key).radio(key="room_question").options) == 2


def test_the_rooms_epsilon_is_the_price_on_the_button(gathering: Gathering, new_app: NewApp) -> None:
    gathering.rooms.choose_epsilon(gathering.room, 0.25)
    state.changed(gathering.number)
    _, key = gathering.join(NAME)
    page = phone(new_app, key)
    assert "Ask: costs ε 0.25" in [button.label for button in page.button]


def test_a_room_that_adds_up_rho_reads_every_price_in_it(new_app: NewApp) -> None:
    gathering = gathered(SPEND, rule="concentrated", delta=1e-6)
    _, key = gathering.join(NAME)
    page = phone(new_app, key)
    assert "Ask: costs ρ 0.005" in [button.label for button in page.button]
    assert "Paid: **ρ 0.005**" in texts(pressed(page, ASK))
