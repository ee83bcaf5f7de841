"""What people in a room have said: guesses, epsilons they would choose, votes, what they attack with, answers."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sqlalchemy import ColumnElement, insert, select, update

from dpengine.errors import InvalidParameterError, RoomError
from dpengine.workshop import guessing, tables
from dpengine.workshop.checks import QUESTIONS
from dpengine.workshop.people import require_in
from dpengine.workshop.room import ATTACK, CHECK, CHOOSE, GUESS, SMALLER, Participant, Room, Saying
from dpengine.workshop.rooms import Rooms, require_going
from dpengine.workshop.smaller import AS_MANY, MORE, SO_MANY_TIMES_MORE

LARGEST_NUMBER = 100_000
_TABLE = tables.sayings
_STEPS: Mapping[str, tuple[str, ...]] = {
    "guess": (GUESS, ATTACK),
    "choice": (CHOOSE,),
    "vote": (SMALLER,),
    "hand": (ATTACK,),
    "check": (CHECK,),
}
KINDS = tuple(_STEPS)
_CHANGES = ("choice", "vote", "hand")
_FROM: Mapping[str, int] = {"choice": 0, "vote": 10, "hand": 20}
"""Votes and hands are kept as choices of a number from here on: databases of before know no kind of their names."""
_OF_ONE_KIND = 10


def say(rooms: Rooms, whom: Participant, kind: str, *, number: int, value: float) -> Saying:
    """Keep what somebody says; a choice may change while its round is open, a guess and an answer stay.

    Returns what is kept. Raises RoomError where the room is elsewhere, paused or closed.
    """
    if kind not in _STEPS or not 0 <= number <= LARGEST_NUMBER or not _is_offered(kind, number, value):
        raise InvalidParameterError(
            "saying", (kind, number, value), "a guess, a choice, a vote, a hand or an answer to the check"
        )
    with rooms.changing(whom.room) as (connection, room):
        require_going(room, steps=_STEPS[kind], over=lambda now: not _is_open(now, kind, number))
        require_in(connection, whom)
        kept_as, kept_number = ("choice", number + _FROM[kind]) if kind in _FROM else (kind, number)
        this = (_TABLE.c.participant == whom.id) & (_TABLE.c.kind == kept_as) & (_TABLE.c.number == kept_number)
        kept = connection.execute(select(_TABLE.c.value).where(this)).scalar()
        if kept is None:
            row = {"room": whom.room, "participant": whom.id, "kind": kept_as, "number": kept_number, "value": value}
            connection.execute(insert(_TABLE).values(row))
        elif kind in _CHANGES:
            connection.execute(update(_TABLE).where(this).values(value=value))
        else:
            value = float(kept)
    return Saying(participant=whom.id, number=number, value=value)


def _is_offered(kind: str, number: int, value: float) -> bool:
    """Whether a page offers it: a browser may send anything."""
    if kind == "check":
        return number < len(QUESTIONS) and value in range(len(QUESTIONS[number].choices))
    if kind == "vote":
        return value in (AS_MANY, SO_MANY_TIMES_MORE, MORE)
    return math.isfinite(value) and (kind != "choice" or value > 0.0)


def said(rooms: Rooms, room: Room, kind: str) -> tuple[Saying, ...]:
    """Everything of one kind that was said in a room, oldest first."""
    if kind not in _STEPS:
        raise RoomError(f"Nobody says a {kind!r} here.")
    return _kept(rooms, kind, _TABLE.c.room == room.id, order=_TABLE.c.id)


def said_by(rooms: Rooms, whom: Participant, kind: str) -> tuple[Saying, ...]:
    """What one person has said of one kind, in the order of their numbers."""
    return _kept(rooms, kind, _TABLE.c.participant == whom.id, order=_TABLE.c.number)


def _kept(rooms: Rooms, kind: str, where: ColumnElement[bool], *, order: ColumnElement[int]) -> tuple[Saying, ...]:
    with rooms.store.reading() as connection:
        found = connection.execute(select(_TABLE).where(_of_kind(kind), where).order_by(order))
        first = _FROM.get(kind, 0)
        return tuple(Saying(participant=row.participant, number=row.number - first, value=row.value) for row in found)


def _of_kind(kind: str) -> ColumnElement[bool]:
    """Choices, votes and hands are told apart by their numbers."""
    if kind not in _FROM:
        return _TABLE.c.kind == kind
    first = _FROM[kind]
    return (_TABLE.c.kind == "choice") & _TABLE.c.number.between(first, first + _OF_ONE_KIND - 1)


def _is_open(room: Room, kind: str, number: int) -> bool:
    """Whether this may be said in the room's phase: guesses and hands in their own, answers until they are shown."""
    if kind == "guess":
        return guessing.place_of(number) == guessing.place_now(room)
    return {
        CHOOSE: room.round == number,
        SMALLER: room.phase == number == 0,
        ATTACK: room.phase == number,
        CHECK: room.phase == 0,
    }[room.step]
