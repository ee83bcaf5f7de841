"""A room at work: named steps, pause, start over, close; whoever comes back finds it where it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

from dpengine.errors import RoomError
from dpengine.workshop import LOBBY, people, sayings
from dpengine.workshop import tables as stored
from pages.room import state
from pages.widgets.escaping import whole
from tests.ui.hosted import HOST, OPEN, labels, leads_on, press, room, rooms, with_a_room
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
HOSTILE = ("[x](javascript:1)", "<b>Fox</b>", "`![i](http://a.b/c)`")
NAMED = [
    "Begin: Guess who",
    "Some noise: ε 1",
    "Hardly any noise: ε 5",
    "Next step: Choose epsilon",
    "Show the choices",
    "Second round",
    "Show both rounds",
    "Next step: Spend it together",
    "Next step: What if we had asked smaller?",
    "Show the staircases",
    "Next step: Attack it",
    "Subtract counts",
    "Reconstruct",
    "One person",
    "Next step: Check",
    "Show the answers",
]


@pytest.fixture(scope="module")
def with_room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with a new room, to be copied."""
    return with_a_room(tmp_path_factory.mktemp("room"))


@pytest.fixture
def host(with_room: Path, ledger_folder: Path, new_app: Callable[[], AppTest]) -> AppTest:
    """A host in the lobby of that room, whose number stands in the address."""
    for file in ledger_folder.iterdir():
        file.unlink()
    shutil.copytree(with_room, ledger_folder, dirs_exist_ok=True)
    page = new_app()
    page.query_params["room"] = "1"
    return page.switch_page(f"pages/{HOST}/page.py").run()


def test_the_button_says_where_it_leads_through_all_steps(host: AppTest) -> None:
    for name in NAMED:
        assert leads_on(host) == name
        press(host, name)
    assert leads_on(host) == ""
    assert room().place == 5
    press(host, "Back")
    assert leads_on(host) == NAMED[-1]


def test_from_the_first_step_back_leads_to_the_lobby(host: AppTest) -> None:
    press(host, NAMED[0])
    press(host, "Back")
    assert room().place == LOBBY
    assert leads_on(host) == NAMED[0]


def test_a_press_on_an_old_page_moves_nothing_twice(host: AppTest, open_page: OpenPage) -> None:
    other = open_page(HOST)
    press(host, NAMED[0])
    press(other, NAMED[0])
    assert room().place == 0
    assert leads_on(other) == NAMED[1]


def test_it_pauses_and_goes_on(host: AppTest) -> None:
    press(host, "Pause")
    assert room().state == "paused"
    assert "**Paused.**" in texts(host)
    press(host, "Go on")
    assert room().state == "open"


def test_close_asks_once_more_and_a_closed_room_can_be_opened_again(host: AppTest) -> None:
    press(host, "Yes, close the room")
    assert host.title[0].value == "This room is closed"
    assert room().state == "closed"
    press(host, "Open it again")
    assert (room().state, host.title[0].value) == ("open", "Let people in")


def test_the_record_of_a_closed_room_stands_first_on_a_page_that_is_opened_anew(
    host: AppTest, open_page: OpenPage
) -> None:
    press(host, "Yes, close the room")
    anew = open_page(HOST)
    assert anew.title[0].value == "This room is closed"
    assert "Take the record with you" in texts(anew)
    assert press(anew, "Open a new room").title[0].value == "Open a room", "The control."


def test_a_closed_room_can_be_deleted_at_once(host: AppTest) -> None:
    press(host, "Yes, close the room")
    press(host, "Yes, delete it")
    assert rooms().all() == ()
    assert host.title[0].value == "Open a room"


def test_a_closed_room_lives_longer(host: AppTest) -> None:
    press(host, "Yes, close the room")
    before = room().expires
    press(host, "Keep it 7 more days")
    assert room().expires > before


def test_a_room_whose_day_has_come_says_so_and_lives_on(host: AppTest) -> None:
    assert "day has come" not in texts(host)
    with rooms().store.writing() as connection:
        connection.execute(update(stored.rooms).values(expires="2020-01-05T12:00:00+00:00"))
    state.changed(room().id)
    host.run()
    assert "**This room's day has come** (Sunday, January 5)." in texts(host)
    press(host, "Keep it 7 more days")
    assert "day has come" not in texts(host)
    assert room().expires > rooms().now()


def test_start_over_forgets_what_was_said_and_the_budget_is_whole(host: AppTest) -> None:
    press(host, NAMED[0])
    whom, _ = people.join(rooms(), room(), "Blue Heron")
    sayings.say(rooms(), whom, "guess", number=0, value=1.0)
    press(host, "Yes, start over")
    assert room().place == LOBBY
    assert sayings.said(rooms(), room(), "guess") == ()
    assert people.everybody(rooms(), room()) == (whom,)


def test_counts_follow_and_names_are_shown_only_when_asked_for(host: AppTest) -> None:
    assert "Nobody is in yet." in texts(host)
    joined = [people.join(rooms(), room(), name)[0] for name in HOSTILE]
    press(host, NAMED[0])
    sayings.say(rooms(), joined[0], "guess", number=0, value=1.0)
    state.changed(room().id)
    host.run()
    assert "**3** people are in. **1 of 3** have guessed." in texts(host)
    assert not [name for name in HOSTILE if name in texts(host)]
    host.toggle(key="host_names").set_value(True).run()
    names = [whole(HOSTILE[0]), "`<b>Fox</b>`", whole(HOSTILE[2])]
    who = host.pills(key=f"host_who_{room().id}_{room().version}")
    assert who.options == names
    who.set_value([names[1]]).run()
    press(host, "Yes, let them go")
    assert "**2** people are in. **1 of 2** have guessed." in texts(host)
    assert [one.name for one in people.everybody(rooms(), room())] == [HOSTILE[0], HOSTILE[2]]


def test_many_are_let_go_at_once_by_when_and_whence_they_came(host: AppTest) -> None:
    guests = [people.join(rooms(), room(), name, address="192.0.2.7")[0] for name in ("Heron", "Wren", "Robin")]
    crowd = [people.join(rooms(), room(), f"Crow {number}", address="198.51.100.9")[0] for number in range(4)]
    with rooms().store.writing() as connection:
        early = stored.arrivals.c.participant.in_([one.id for one in guests[:2]])
        connection.execute(update(stored.arrivals).where(early).values(at="2020-01-05T12:00:00+00:00"))
    state.changed(room().id)
    host.run().toggle(key="host_names").set_value(True).run()
    assert [button for button in labels(host) if "(" in button] == [
        "in the last minute (5)",
        "from address 1 (4)",
        "from address 2 (3)",
    ]
    press(host, "in the last minute (5)")
    who = host.pills(key=f"host_who_{room().id}_{room().version}")
    assert sorted(who.value or ()) == sorted(one.id for one in (*crowd, guests[2]))
    who.set_value([name for name in who.options if "Crow" in name]).run()
    assert "Let **4 people** go?" in texts(host)
    assert "198.51.100.9" not in texts(host) + str(labels(host))
    press(host, "Yes, let them go")
    assert people.everybody(rooms(), room()) == tuple(guests)


def test_a_switch_lets_nobody_else_in_and_everybody_in_stays(host: AppTest) -> None:
    people.join(rooms(), room(), "Heron")
    host.toggle(key=f"host_shut_1_{room().version}").set_value(True).run()
    assert room().shut
    with pytest.raises(RoomError, match="Nobody else may join"):
        people.join(rooms(), room(), "Wren")
    assert [one.name for one in people.everybody(rooms(), room())] == ["Heron"]
    host.toggle(key=f"host_shut_1_{room().version}").set_value(False).run()
    people.join(rooms(), room(), "Wren")


def test_an_address_that_took_all_its_places_gets_more_from_the_host(host: AppTest) -> None:
    assert not [label for label in labels(host) if "from one address" in label]
    rooms().admit(room(), shut=False, places=1)
    people.join(rooms(), room(), "Heron")
    state.changed(room().id)
    host.run()
    assert "**1 person came from one address**" in texts(host)
    press(host, "Let in up to 200 from one address")
    assert (room().places, room().shut) == (200, False)


def test_a_hostile_title_stays_text(open_page: OpenPage) -> None:
    form = open_page(HOST)
    form.text_input(key="host_title").set_value(HOSTILE[0]).run()
    press(form, OPEN)
    told = [one.value for one in (*form.markdown, *form.title)]
    assert [value for value in told if "\\[x\\]\\(javascript" in value]
    assert not [value for value in told if HOSTILE[0] in value]
    press(form, "Open a new room")
    assert not [label for label in labels(form) if HOSTILE[0] in label]


def test_whoever_comes_back_leads_the_room_that_is_open(host: AppTest, open_page: OpenPage) -> None:
    press(host, NAMED[0])
    assert leads_on(open_page(HOST)) == NAMED[1]


def test_of_several_rooms_the_address_knows_which(host: AppTest, new_app: Callable[[], AppTest]) -> None:
    press(host, NAMED[0])
    press(host, "Open a new room")
    host.radio(key="host_shared").set_value("as it is").run()
    press(host, OPEN)
    again = new_app()
    again.query_params["room"] = "1"
    assert leads_on(again.switch_page(f"pages/{HOST}/page.py").run()) == NAMED[1]
    assert leads_on(host) == NAMED[0]
    earlier = next(label for label in labels(host) if label.startswith("Our workshop"))
    press(host, earlier)
    assert leads_on(host) == NAMED[1]


def test_a_practice_account_that_ended_elsewhere_is_said(host: AppTest, open_page: OpenPage) -> None:
    release = open_page("explore/release")
    press(release, "Start over")
    host.run()
    assert "started over elsewhere" in texts(host)
    press(host, "Yes, start over")
    assert "started over elsewhere" not in texts(host)


def test_a_host_leads_the_same_room_until_another_is_chosen(host: AppTest, new_app: Callable[[], AppTest]) -> None:
    """Another curator opens one meanwhile, which is the latest then."""
    led = host.query_params["room"]
    second = press(new_app().switch_page(f"pages/{HOST}/page.py").run(), "Open a new room")
    second.radio(key="host_shared").set_value("as it is").run()
    press(second, OPEN)
    assert len(rooms().all()) == 2, "The control."
    assert host.run().query_params["room"] == led


def test_whose_room_is_gone_leads_no_other(host: AppTest, new_app: Callable[[], AppTest]) -> None:
    """The first button of another curator's room would move everybody in it."""
    led = rooms().all()[0]
    second = press(new_app().switch_page(f"pages/{HOST}/page.py").run(), "Open a new room")
    second.radio(key="host_shared").set_value("as it is").run()
    press(second, OPEN)
    state.rooms().close(led)
    state.changed(led.id)
    assert "Yes, delete it" in labels(host.run())
    press(host, "Yes, delete it")
    assert [room.id for room in rooms().all()] == [led.id + 1], "The control: there is another."
    assert OPEN in labels(host)
    assert not leads_on(host)
