"""What the whole room sees has nothing to press and nobody's name; a phone comes back to where it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpengine.errors import RoomError
from dpengine.workshop import Room, people
from pages.access import roles
from pages.room import inviting, joining, place_memory, state
from pages.room.hosting import inviting_panel
from pages.serving.network import addresses
from pages.serving.tries import Tries
from tests.ui.hosted import HOST, press, room, rooms, with_a_room
from tests.ui.in_a_room import seen
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]
HOSTILE, NAME = "Rent [x](javascript:1) <b>b</b>", "`Fox` [y](z)"


@pytest.fixture(scope="module")
def new_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with a room of a hostile title, to be copied."""
    return with_a_room(tmp_path_factory.mktemp("room"), title=HOSTILE)


@pytest.fixture
def opened(ledger_folder: Path) -> Room:
    """That room, with somebody in it."""
    assert ledger_folder.exists()
    people.join(rooms(), room(), NAME)
    return room()


def projector(new_app: NewApp, key: str) -> AppTest:
    """The wall, once this server has looked at the rooms anew."""
    for one in rooms().all():
        state.changed(one.id)
    return seen(new_app, "projector", screen=key)


def phone(new_app: NewApp, **address: str) -> AppTest:
    return seen(new_app, "room", **address)


def pressable(page: AppTest) -> list[object]:
    """Everything that somebody could press or type in, links included, in the page and at its side."""
    widgets = (*page.button, *page.text_input, *page.toggle, *page.expander, *page.checkbox)
    return [*widgets, *page.get("page_link"), *page.get("link_button"), *page.get("popover")]


def test_the_wall_has_nothing_to_press_and_no_names(opened: Room, new_app: NewApp) -> None:
    page = projector(new_app, opened.screen)
    assert pressable(page) == []
    assert opened.spaced_code in texts(page)
    assert "**1** person is in." in texts(page)
    assert "Fox" not in texts(page)
    assert pressable(new_app().switch_page(f"pages/{HOST}/page.py").run())


def test_a_hostile_title_stays_text_on_the_wall(opened: Room, new_app: NewApp) -> None:
    page = projector(new_app, opened.screen)
    assert "\\[x\\]\\(javascript\\:" in page.title[0].value
    assert "<b>" not in page.title[0].value.replace("\\<", "")


def test_the_wall_is_the_rooms_in_every_step_and_never_has_a_control(opened: Room, new_app: NewApp) -> None:
    now: Room | None = opened
    while (now := now.after() if now else None) is not None:
        moved = rooms().go(room(), now)
        page = projector(new_app, opened.screen)
        assert not page.exception
        assert pressable(page) == []
        assert "Fox" not in texts(page)
        now = moved


@pytest.mark.parametrize(
    ("ends", "title"), [("pause", "A moment, please"), ("close", "Thank you. This room is closed.")]
)
def test_the_wall_says_when_nothing_happens(opened: Room, new_app: NewApp, ends: str, title: str) -> None:
    getattr(rooms(), ends)(opened)
    assert projector(new_app, opened.screen).title[0].value == title


@pytest.mark.parametrize("key", ["", "wrong", "1"])
def test_without_its_key_the_wall_shows_no_room(opened: Room, new_app: NewApp, key: str) -> None:
    page = projector(new_app, key)
    assert page.title[0].value == "This is a room's projector view"
    assert opened.spaced_code not in texts(page)


def test_shared_the_wall_says_where_to_go(opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_shared", ["http://192.168.1.7:8501"])
    page = projector(new_app, opened.screen)
    assert "`192.168.1.7:8501/room`" in texts(page)
    assert inviting.link(opened) == f"http://192.168.1.7:8501/room?code={opened.code}"
    assert [html for html in page.get("html") if "data:image/svg+xml" in str(html.proto)]


def test_the_host_reads_how_to_share_and_asks_for_the_token(
    opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--share" in texts(new_app().switch_page(f"pages/{HOST}/page.py").run())
    monkeypatch.setattr(addresses, "_shared", ["http://192.168.1.7:8501"])
    host = new_app().switch_page(f"pages/{HOST}/page.py").run()
    assert "--share" not in texts(host)
    assert "The curator enters with" not in texts(host)
    host.toggle(key="host_token").set_value(True).run()
    assert "The curator enters with" in texts(host)
    assert opened.spaced_code in texts(host)


@pytest.mark.parametrize(("here", "entered"), [(True, False), (False, True), (False, False)])
def test_a_host_by_a_sign_in_is_not_told_the_token(
    opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch, *, here: bool, entered: bool
) -> None:
    """Which would open when the sign-in has ended."""
    monkeypatch.setattr(addresses, "_shared", ["http://192.168.1.7:8501"])
    monkeypatch.setattr(inviting_panel, "visit", SimpleNamespace(is_here=lambda: here, by_a_test=lambda: False))
    monkeypatch.setattr(roles, "entered", lambda: entered)
    host = new_app().switch_page(f"pages/{HOST}/page.py").run()
    assert opened.spaced_code in texts(host)
    assert bool([one for one in host.toggle if one.key == "host_token"]) is (here or entered)


def test_a_phone_comes_back_by_its_address(opened: Room, new_app: NewApp) -> None:
    page = phone(new_app, code=opened.code)
    page.text_input(key="join_name").set_value("Blue Heron")
    press(page, "Join")
    assert page.title[0].value == "You are in"
    key = "".join(page.query_params["me"])
    assert phone(new_app, me=key).title[0].value == "You are in"
    assert people.back(rooms(), key).name == "Blue Heron"


def test_a_wall_shows_no_way_in_while_nobody_else_joins(opened: Room, new_app: NewApp) -> None:
    shut = rooms().admit(opened, shut=True, places=opened.places)
    page = projector(new_app, shut.screen)
    assert "Nobody else joins now." in texts(page)
    assert "**1** person is in." in texts(page)
    assert opened.spaced_code not in texts(page)
    rooms().go(shut, shut.after() or shut)
    assert "Nobody else joins now. · 1 in" in texts(projector(new_app, shut.screen))
    page = phone(new_app, code=opened.code)
    page.text_input(key="join_name").set_value("Blue Heron")
    assert "Nobody else may join at the moment." in texts(press(page, "Join"))


def test_wrong_codes_keep_nobody_out(opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "WRONG_CODES", Tries(free=2))
    page = phone(new_app)
    page.text_input(key="join_name").set_value("Blue Heron")
    for number in range(60):
        joining.WRONG_CODES.wrong("" if number % 2 else f"192.0.2.{number}")
    page.text_input(key="join_code").set_value("ABCD2345")
    assert "Too many wrong codes from your network" in texts(press(page, "Join"))
    page.text_input(key="join_code").set_value(opened.spaced_code)
    assert press(page, "Join").title[0].value == "You are in"


def test_a_phone_may_go_on_as_it_was(opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    _, key = people.join(rooms(), opened, "Blue Heron")
    monkeypatch.setattr(place_memory, "kept", lambda: key)
    page = phone(new_app, code=opened.code)
    press(page, "Go on as `Blue Heron`")
    assert (page.title[0].value, "".join(page.query_params["me"])) == ("You are in", key)


def test_a_second_press_on_join_takes_the_place_of_the_first(
    opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may end the first one's run right after the name is taken: by this phone. The control is another phone."""
    stand_at, presses = joining._stand_at, iter((True, False))

    def interrupted(key: str) -> None:
        if next(presses):
            st.stop()
        stand_at(key)

    monkeypatch.setattr(joining, "_stand_at", interrupted)
    page = phone(new_app, code=opened.code)
    page.text_input(key="join_name").set_value("Wren")
    press(page, "Join")
    assert "me" not in page.query_params
    press(page, "Join")
    assert page.title[0].value == "You are in"
    assert [one.name for one in people.everybody(rooms(), opened)].count("Wren") == 1
    monkeypatch.setattr(joining, "_stand_at", stand_at)
    other = phone(new_app, code=opened.code)
    other.text_input(key="join_name").set_value("wren")
    assert "has this name already" in texts(press(other, "Join"))


@pytest.mark.parametrize("kept_of", ["this room", "another room", "nowhere"])
def test_the_name_that_a_browser_had_in_this_room_takes_it_back(
    opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch, kept_of: str
) -> None:
    another = rooms().open(opened.setting, rooms().ledger.account(opened.account))
    keys = {
        name: people.join(rooms(), one, "Blue Heron")[1]
        for name, one in (("this room", opened), ("another room", another))
    }
    before, own = people.everybody(rooms(), opened), kept_of == "this room"
    monkeypatch.setattr(place_memory, "kept", lambda: keys.get(kept_of, ""))
    page = phone(new_app, code=opened.code)
    page.text_input(key="join_name").set_value("blue  heron")
    press(page, "Join")
    assert ("has this name already" in texts(page)) is not own
    assert ("me" in page.query_params) is own
    assert people.everybody(rooms(), opened) == before


def test_what_a_browser_remembers_opens_nothing_else(
    opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = people.join(rooms(), opened, "Blue Heron")
    monkeypatch.setattr(place_memory, "kept", lambda: "A" * 22)
    assert [button.label for button in phone(new_app, code=opened.code).main.button] == ["Join"]
    monkeypatch.setattr(place_memory, "kept", lambda: key)
    assert [button.label for button in phone(new_app, code="ABCD2345").main.button] == ["Join"]
    assert len(phone(new_app, code=opened.code).main.button) == 2


@pytest.mark.parametrize("deleted", [True, False])
def test_a_place_that_is_gone_says_so(opened: Room, new_app: NewApp, deleted: bool) -> None:
    whom, key = people.join(rooms(), opened, "Blue Heron")
    open_page = phone(new_app, me=key)
    if deleted:
        rooms().delete(opened.id)
    else:
        people.let_go(rooms(), opened, [whom])
    assert open_page.run().title[0].value == "You are in no room"
    with pytest.raises(RoomError):
        people.back(rooms(), key)
    page = phone(new_app, me=key)
    assert page.title[0].value == "You are in no room"
    assert press(page, "Join a room").title[0].value == "Join a room"
