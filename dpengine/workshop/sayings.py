"""What people in a room have said: guesses, epsilons, votes, what they attack with, answers, judgments."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from sqlalchemy import ColumnElement, insert, select, update

from dpengine.errors import InvalidParameterError, RoomError
from dpengine.workshop import guessing, judging, tables
from dpengine.workshop.checks import QUESTIONS
from dpengine.workshop.people import require_in
from dpengine.workshop.room import ATTACK, CHECK, CHOOSE, GUESS, JUDGE, SMALLER, Participant, Room, Saying
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
    "judgment": (JUDGE,),
}
KINDS = tuple(_STEPS)
_CHANGES = ("choice", "vote", "hand", "judgment")
_FROM: Mapping[str, int] = {"choice": 0, "vote": 10, "hand": 20, "judgment": 30}
"""Votes, hands and judgments are kept as choices of a number from here on: older databases know no kind of theirs."""
_OF_ONE_KIND = 10


def say(rooms: Rooms, whom: Participant, kind: str, *, number: int, value: float) -> Saying:
    """Keep what somebody says; a choice may change while its round is open, a guess and an answer stay.

    Returns what is kept. Raises RoomError where the room is elsewhere, paused or closed.
    """
    with rooms.changing(whom.room) as (connection, room):
        if kind not in _STEPS or not 0 <= number <= LARGEST_NUMBER or not _OFFERED[kind](room, number, value):
            raise InvalidParameterError(
                "saying", (kind, number, value), f"what a page offers: one of {', '.join(KINDS)}"
            )
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


def _is_a_number(_: Room, __: int, value: float) -> bool:
    return math.isfinite(value)


def _is_judgment(room: Room, number: int, value: float) -> bool:
    promise = room.setting.promise
    return promise is not None and judging.judged(promise).offers(number, value)


_OFFERED: Mapping[str, Callable[[Room, int, float], bool]] = {
    "guess": _is_a_number,
    "choice": lambda _, __, value: math.isfinite(value) and value > 0.0,
    "vote": lambda _, __, value: value in (AS_MANY, SO_MANY_TIMES_MORE, MORE),
    "hand": _is_a_number,
    "check": lambda _, number, value: number < len(QUESTIONS) and value in range(len(QUESTIONS[number].choices)),
    "judgment": _is_judgment,
}
"""Whether a page offers it: a browser may send anything."""


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
    """Choices, votes, hands and judgments are told apart by their numbers."""
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
        JUDGE: room.phase == 0,
    }[room.step]
