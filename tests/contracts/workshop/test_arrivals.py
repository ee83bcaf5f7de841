"""Who may still come into a room, under which name: no address fills it, nor all at once; the host may shut it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dpengine.errors import InvalidParameterError, RoomError
from dpengine.workshop import Participant, Rooms, arrivals, people, tables
from dpengine.workshop.pseudonyms import LONGEST_NAME
from dpengine.workshop.room import MOST_PEOPLE
from tests.contracts.workshop.conftest import OpenStage, Stage, on_one_database
from tests.contracts.workshop.test_rooms import Clock

HERE, ELSEWHERE = "192.0.2.7", "2001:db8::/64"
LEAST_AT_ONCE = 150


def join(stage: Stage, name: str, address: str = HERE) -> Participant:
    return people.join(stage.rooms, stage.room, name, address=address)[0]


@on_one_database
def test_a_room_behind_one_address_joins_at_once_and_a_flood_is_slowed(stage: Stage) -> None:
    for number in range(LEAST_AT_ONCE):
        join(stage, f"bird {number}")
    with pytest.raises(RoomError, match="150 people from your network are in already"):
        join(stage, "one more")
    stage.rooms.admit(stage.rooms.room(stage.room.id), shut=False, places=MOST_PEOPLE)
    with pytest.raises(RoomError, match="Many people from your network are joining"):
        join(stage, "one more")
    join(stage, "the control", ELSEWHERE)


@on_one_database
def test_a_flood_waits_ten_seconds_each_and_letting_go_does_not_end_it(
    open_stage: OpenStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "AT_ONCE", 3)
    clock = Clock()
    stage = open_stage(clock=clock)
    flood = [join(stage, f"bird {number}") for number in range(3)]
    people.let_go(stage.rooms, stage.room, flood)
    with pytest.raises(RoomError, match="Try again in 10 seconds"):
        join(stage, "bird 3")
    join(stage, "the control", ELSEWHERE)
    clock.now += timedelta(seconds=10)
    join(stage, "bird 3")
    clock.now += timedelta(seconds=9.5)
    with pytest.raises(RoomError, match="Try again in 1 seconds"):
        join(stage, "bird 4")
    clock.now += arrivals.WITHIN
    for number in range(4, 6):
        join(stage, f"bird {number}")


def test_one_address_has_its_places_and_another_its_own(stage: Stage) -> None:
    stage.rooms.admit(stage.room, shut=False, places=2)
    first, _ = join(stage, "Robin"), join(stage, "Wren")
    with pytest.raises(RoomError, match="2 people from your network"):
        join(stage, "Heron")
    join(stage, "Heron", ELSEWHERE)
    people.let_go(stage.rooms, stage.room, [first])
    join(stage, "Robin")
    came = arrivals.everybodys(stage.rooms, stage.room)
    assert [one.participant for one in came] == [one.id for one in people.everybody(stage.rooms, stage.room)]
    assert came[0].origin == came[2].origin != came[1].origin
    for places in (0, MOST_PEOPLE + 1):
        with pytest.raises(InvalidParameterError, match="places for one address"):
            stage.rooms.admit(stage.rooms.room(stage.room.id), shut=False, places=places)


@on_one_database
def test_nobody_else_joins_while_the_host_says_so_and_whoever_is_in_comes_back(stage: Stage) -> None:
    whom, key = people.join(stage.rooms, stage.room, "Robin")
    shut = stage.rooms.admit(stage.room, shut=True, places=stage.room.places)
    assert shut.shut
    assert shut.version > stage.room.version
    assert stage.rooms.admit(stage.room, shut=False, places=3) == shut, "A late press on an old page changes nothing."
    with pytest.raises(RoomError, match="Nobody else may join"):
        stage.join("Wren")
    assert people.back(stage.rooms, key) == whom
    assert stage.rooms.all() == (stage.rooms.room(stage.room.id),)
    stage.rooms.admit(shut, shut=False, places=shut.places)
    stage.join("Wren")


def test_no_address_is_stored(stage: Stage) -> None:
    join(stage, "Robin")
    stored = repr(stage.place.asked("SELECT * FROM workshop_arrivals"))
    assert HERE not in stored
    assert arrivals.origin(stage.room, HERE) in stored


def test_rooms_of_an_older_ledger_go_on(stage: Stage) -> None:
    robin = stage.join("Robin")
    with stage.rooms.store.writing() as connection:
        for table in (tables.arrivals, tables.doors):
            table.drop(connection)
    rooms = Rooms.of(stage.place.open())
    assert rooms.room(stage.room.id).places >= LEAST_AT_ONCE
    wren, _ = people.join(rooms, stage.room, "Wren")
    assert people.everybody(rooms, stage.room) == (robin, wren)
    assert [one.participant for one in arrivals.everybodys(rooms, stage.room)] == [wren.id]


@on_one_database
def test_a_name_that_nobody_could_read_is_refused(stage: Stage) -> None:
    for name, why in (
        ("", "at least one letter"),
        ("\u200b\n\t", "at least one letter"),
        ("R\ud800", "cannot be shown"),
    ):
        with pytest.raises(RoomError, match=why):
            stage.join(name)


@on_one_database
def test_a_long_or_hostile_name_is_cut_and_steers_nothing(stage: Stage) -> None:
    assert len(stage.join("A" * 1000).name) == LONGEST_NAME
    assert stage.join("a\r\nc").name == "a c"
