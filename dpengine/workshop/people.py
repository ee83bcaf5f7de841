"""Who is in a room: joined under a pseudonym, known again by a key that only their own browser has."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, func, insert, select

from dpengine.errors import RoomError
from dpengine.workshop import codes, tables
from dpengine.workshop.room import MOST_PEOPLE, Participant, Room
from dpengine.workshop.rooms import Rooms, require_going


def join(rooms: Rooms, room: Room, name: str) -> tuple[Participant, str]:
    """One more person, and the key that brings them back; raises RoomError in a sentence that says what to do."""
    shown = codes.pseudonym(name)
    if not shown:
        raise RoomError("Type a name of at least one letter or number. It need not be your own.")
    key = codes.new_key()
    with rooms.changing(room.id) as (connection, now):
        require_going(now)
        there = connection.execute(
            select(tables.participants.c.folded).where(tables.participants.c.room == room.id)
        ).scalars()
        folded = set(there)
        if len(folded) >= MOST_PEOPLE:
            raise RoomError(f"This room is full: {MOST_PEOPLE} people are in it.")
        if shown.casefold() in folded:
            raise RoomError("Somebody in this room has this name already. Take another one.")
        added = connection.execute(
            insert(tables.participants).values(
                room=room.id, name=shown, folded=shown.casefold(), trace=codes.trace(key)
            )
        )
        number = int((added.inserted_primary_key or (0,))[0])
    return Participant(id=number, room=room.id, name=shown), key


def back(rooms: Rooms, key: str) -> Participant:
    """Whoever has this key; raises RoomError where their room is gone."""
    with rooms.store.reading() as connection:
        row = connection.execute(
            select(tables.participants).where(tables.participants.c.trace == codes.trace(key))
        ).first()
    if row is None:
        raise RoomError("Your place in the room was not found: the room was deleted, or the link is not whole.")
    return _as_participant(row)


def everybody(rooms: Rooms, room: Room) -> tuple[Participant, ...]:
    """Everybody who has joined, in that order."""
    table = tables.participants
    with rooms.store.reading() as connection:
        found = connection.execute(select(table).where(table.c.room == room.id).order_by(table.c.id))
        return tuple(_as_participant(row) for row in found)


def how_many(rooms: Rooms, room: Room) -> int:
    """How many have joined."""
    table = tables.participants
    with rooms.store.reading() as connection:
        return int(connection.scalar(select(func.count()).where(table.c.room == room.id)) or 0)


def _as_participant(row: Row[Any]) -> Participant:
    return Participant(id=row.id, room=row.room, name=row.name)
