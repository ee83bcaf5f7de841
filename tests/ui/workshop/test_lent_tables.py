"""Rows that a host's session lends to a room: there for it alone, as long as somebody has them, and gone with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import IsMissing, NumberColumn, read_table
from dpengine.queries import CountQuery
from dpengine.workshop import SPEND, asking
from pages.room import record, state, tables
from tests.examples.ledgers import ROWS, SCHEMA
from tests.examples.ledgers import people as of_people
from tests.examples.tables import read_here
from tests.ui.hosted import HOST, brought, leads_on, press, press_open, room
from tests.ui.in_a_room import EACH, gathered, looked, phone, pressed, projector
from tests.ui.reading import texts
from tests.unit.data.engines.test_one_failure import UNREADABLE, visits


def test_a_table_that_the_server_lost_is_asked_for_and_taken_back(new_app: Callable[[], AppTest]) -> None:
    host, rows = new_app(), of_people(ROWS)
    press_open(brought(host, rows))
    assert tables.is_here(room())
    tables._lent().clear()
    anew = new_app().switch_page(f"pages/{HOST}/page.py").run()
    assert "does not have the rows of" in texts(anew)
    assert not tables.is_here(room())
    assert "does not have the rows of" not in texts(brought(anew, rows))
    assert tables.is_here(room())


def test_a_closed_room_is_opened_again_by_whoever_has_its_rows(new_app: Callable[[], AppTest]) -> None:
    """The page of whoever had lent them lends them again by itself, asleep in another tab or not."""
    host = press(press_open(brought(new_app(), of_people(ROWS))), "Yes, close the room")
    other = new_app()
    other.query_params["room"] = str(room().id)
    seen = texts(other.switch_page(f"pages/{HOST}/page.py").run())
    assert "Somebody who has the rows of its table, declared as they are in the room, can open it again." in seen
    assert "Open it again" not in {button.label for button in other.button}
    press(host, "Open it again")
    assert room().state == "open"
    assert tables.is_here(room())


def test_rows_that_two_have_lent_stay_until_both_are_gone(new_app: Callable[[], AppTest]) -> None:
    """Another host of the same table leaves: the first one still has it, and so have the people in the room."""
    first, second = (read_here(b"age,ill\n30,yes\n41,no\n", schema=SCHEMA) for _ in range(2))
    press_open(brought(new_app(), first))
    tables.lend(room().account, second)
    second.close()
    assert tables.of(room()) is first
    first.close()
    assert not tables.is_here(room())


def test_the_same_rows_declared_otherwise_answer_for_no_room(new_app: Callable[[], AppTest]) -> None:
    """Another tab that brought them so, and looks at the host's page, changes nothing of what the room asks about."""
    press_open(brought(new_app(), of_people(ROWS)))
    before = tables.of(room())
    narrower = replace(SCHEMA, columns=(NumberColumn(name="age", lower=0, upper=2), *SCHEMA.columns[1:]))
    other = of_people(ROWS, narrower)
    looked = brought(new_app(), other)
    assert leads_on(looked), "The control: it is the same account's, whose room is shown."
    assert tables.of(room()) is before
    tables._lent().clear()
    assert "does not have the rows of" in texts(looked.run())
    assert not tables.is_here(room())


@pytest.mark.parametrize("ends", ["Yes, close the room", "Yes, delete it"])
def test_rows_that_were_lent_go_with_the_room(new_app: Callable[[], AppTest], ends: str) -> None:
    host = press_open(brought(new_app(), of_people(ROWS)))
    assert tables.is_here(room())
    if ends == "Yes, delete it":
        state.rooms().close(room())
        state.changed(room().id)
        host.run()
        assert tables._lent(), "The control."
    press(host, ends)
    assert not tables._lent()


def test_rows_are_kept_for_another_room_that_asks_the_same(new_app: Callable[[], AppTest]) -> None:
    host = press_open(brought(new_app(), of_people(ROWS)))
    press_open(press(host, "Open a new room"))
    state.rooms().close(room())
    tables.keep_for(state.rooms().all())
    assert tables._lent()
    tables.keep_for([one for one in state.rooms().all() if one.state == "closed"])
    assert not tables._lent()


def test_who_only_looks_at_a_room_lends_it_no_rows(new_app: Callable[[], AppTest]) -> None:
    """Nor takes any away, by forgetting a table of the same rows."""
    lent = of_people(ROWS)
    press_open(brought(new_app(), lent))
    mine = read_table(b"age,ill\n" + "".join(f"{age},{ill}\n" for age, ill in ROWS).encode(), schema=SCHEMA)
    looks = brought(new_app(), mine)
    assert tables.of(room()) is lent
    looks.switch_page("pages/explore/data/page.py").run().button(key="forget_table").click().run()
    assert mine.closed, "The control."
    assert tables.of(room()) is lent


def test_a_question_that_failed_on_its_rows_fails_once(new_app: Callable[[], AppTest], tmp_path: Path) -> None:
    """A phone asks again by itself what waits: the table would be out of use again as often as its host brings it."""
    questions = (CountQuery(), CountQuery(IsMissing("told")))
    here = gathered(SPEND, table=visits(tmp_path, UNREADABLE), queries=questions)
    (_, hers), (bob, his) = here.join("Anna"), here.join("Bob")
    page = phone(new_app, hers)
    page.radio(key="room_question").set_value(1).run()
    pressed(page, "Ask: costs")
    assert tables.of(here.room).failed
    tables.lend(here.account.id, visits(tmp_path, UNREADABLE))  # beside the one that failed, in another tab
    assert asking.FAILED in texts(looked(page))
    assert not tables.of(here.room).failed
    wall = projector(new_app, here.room)
    assert wall.title[0].value == "ε 0.9 is left, and nothing was answered"
    assert asking.FAILED in texts(wall)
    assert [(one.refused, one.release) for one in record._all_asked(here.room)] == [("", None)], "It is paid."
    pressed(phone(new_app, his), "Ask: costs")
    assert [one.state for one in asking.asks_of(here.rooms, bob)] == ["answered"]
    assert len(asking.answers(here.rooms, here.room)) == 1, "The control: Bob's, and both are paid."
    assert here.spent == 2 * EACH
