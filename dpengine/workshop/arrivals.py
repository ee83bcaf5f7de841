"""Who may still come into a room, and when and whence people came: one address fills no room, nor all at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select

from dpengine.errors import RoomError
from dpengine.workshop import codes, tables
from dpengine.workshop.room import Room
from dpengine.workshop.rooms import Rooms

AT_ONCE = 150
"""So many join from one address as fast as they like: a room behind one Wi-Fi has one address."""
WITHIN, APART = timedelta(minutes=10), timedelta(seconds=10)
"""Whoever comes after so many within that time waits until nobody has come from there for as long as this."""
_TABLE, _PEOPLE = tables.arrivals, tables.participants


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """When somebody joined; `origin` is the same for two who came from one address, and does not say which."""

    participant: int
    at: datetime
    origin: str = field(repr=False)


def origin(room: Room, address: str) -> str:
    """What is stored of an address; the room's own secret is in it, so it means nothing in another room."""
    return codes.trace(f"{room.screen} {address}")


def everybodys(rooms: Rooms, room: Room) -> tuple[Arrival, ...]:
    """The arrival of everybody who is still in, in that order."""
    with rooms.store.reading() as connection:
        still = select(_PEOPLE.c.id).where(_PEOPLE.c.trace.is_not(None))
        found = connection.execute(_came(room).where(_TABLE.c.participant.in_(still)).order_by(_TABLE.c.id))
        return tuple(_as_arrival(row) for row in found)


def require_let_in(connection: Connection, room: Room, whence: str, now: datetime) -> None:
    """Raise RoomError where nobody else may join, or nobody from there, or not so soon."""
    if room.shut:
        raise RoomError("Nobody else may join at the moment. Ask the host to let you in.")
    still = select(_PEOPLE.c.id).where(_PEOPLE.c.trace.is_not(None))
    there = _came(room).where(_TABLE.c.origin == whence)
    if len(connection.execute(there.where(_TABLE.c.participant.in_(still))).all()) >= room.places:
        raise RoomError(f"{room.places} people from your network are in already. Ask the host to let in more.")
    latest = connection.execute(there.order_by(-_TABLE.c.id).limit(AT_ONCE)).all()
    if len(latest) == AT_ONCE and now - _as_arrival(latest[-1]).at < WITHIN:
        wait = _as_arrival(latest[0]).at + APART - now
        if wait > timedelta(0):
            seconds = math.ceil(wait.total_seconds())
            raise RoomError(f"Many people from your network are joining. Try again in {seconds} seconds.")


def note(connection: Connection, room: Room, participant: int, whence: str, now: datetime) -> None:
    """Somebody has joined."""
    connection.execute(insert(_TABLE).values(room=room.id, participant=participant, at=now.isoformat(), origin=whence))


def _came(room: Room) -> Select[Any]:
    return select(_TABLE).where(_TABLE.c.room == room.id)


def _as_arrival(row: Row[Any]) -> Arrival:
    return Arrival(participant=row.participant, at=datetime.fromisoformat(row.at), origin=row.origin)
