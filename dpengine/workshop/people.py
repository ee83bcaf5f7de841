"""Who is in a room: joined under a pseudonym, known again by a key that only their own browser has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from dpengine.errors import RoomError
from dpengine.seen_text import look
from dpengine.workshop import arrivals, codes, tables
from dpengine.workshop.pseudonyms import pseudonym
from dpengine.workshop.room import MOST_PEOPLE, Participant, Room
from dpengine.workshop.rooms import Rooms, put, require_going

_TABLE = tables.participants


def join(rooms: Rooms, room: Room, name: str, *, address: str = "") -> tuple[Participant, str]:
    """One more person, and the key that brings them back; raises RoomError in a sentence that says what to do.

    `address` is where they come from, the same for all whose address is unknown.
    """
    shown, key, whence = pseudonym(name), codes.new_key(), arrivals.origin(room, address)
    with rooms.changing(room.id) as (connection, now):
        require_going(now)
        arrivals.require_let_in(connection, now, whence, rooms.now())
        _require_free(connection, room, shown)
        added = connection.execute(
            insert(_TABLE).values(room=room.id, name=shown, folded=shown.casefold(), trace=codes.trace(key))
        )
        number = int((added.inserted_primary_key or (0,))[0])
        arrivals.note(connection, room, number, whence, rooms.now())
    return Participant(id=number, room=room.id, name=shown), key


def back(rooms: Rooms, key: str) -> Participant:
    """Whoever has this key; raises RoomError where their room is gone, or they are no longer in it."""
    with rooms.store.reading() as connection:
        row = connection.execute(select(_TABLE).where(_TABLE.c.trace == codes.trace(key))).first()
    if row is None:
        raise RoomError(
            "Your place in the room was not found: the room was deleted, the host removed you, or the link is not "
            "whole."
        )
    return _as_participant(row)


def everybody(rooms: Rooms, room: Room) -> tuple[Participant, ...]:
    """Everybody who has joined and is still in, in that order."""
    with rooms.store.reading() as connection:
        found = connection.execute(select(_TABLE).where(_in(room)).order_by(_TABLE.c.id))
        return tuple(_as_participant(row) for row in found)


def let_go(rooms: Rooms, room: Room, whom: Sequence[Participant]) -> None:
    """People are no longer in: their keys open nothing, their names are free, what they said is forgotten.

    What they asked was charged, and stays. A second time changes nothing.
    """
    gone = [one.id for one in whom]
    with rooms.changing(room.id) as (connection, _):
        these = (_TABLE.c.room == room.id) & _TABLE.c.id.in_(gone)
        connection.execute(update(_TABLE).where(these).values(folded=None, trace=None))
        said = (tables.sayings.c.room == room.id) & tables.sayings.c.participant.in_(gone)
        connection.execute(delete(tables.sayings).where(said))
        put(connection, room.id, {})


def require_in(connection: Connection, whom: Participant) -> None:
    """Raise RoomError where somebody is no longer in their room."""
    if connection.scalar(select(_TABLE.c.trace).where(_TABLE.c.id == whom.id)) is None:
        raise RoomError("You are no longer in this room. Nothing was changed; join again under another name.")


def _require_free(connection: Connection, room: Room, shown: str) -> None:
    """Raise RoomError where the room is full, or somebody in it has this name, or one that looks like it."""
    taken = list(connection.execute(select(_TABLE.c.name).where(_in(room))).scalars())
    if len(taken) >= MOST_PEOPLE:
        raise RoomError(f"This room is full: {MOST_PEOPLE} people are in it.")
    if shown.casefold() in {name.casefold() for name in taken}:
        raise RoomError(
            "Somebody in this room has this name already. Take another one; if it is you, in another browser, the "
            "host can let the first one go."
        )
    if look(shown) in {look(name) for name in taken}:
        raise RoomError("Somebody in this room has a name that looks like this one. Take one that tells you apart.")


def _in(room: Room) -> ColumnElement[bool]:
    return (_TABLE.c.room == room.id) & _TABLE.c.trace.is_not(None)


def _as_participant(row: Row[Any]) -> Participant:
    return Participant(id=row.id, room=row.room, name=row.name)
