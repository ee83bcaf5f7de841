"""Rooms as this server sees them: one look at the database serves all browsers for as long as nothing has happened."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dpengine.data import Table
from dpengine.ledger import Ledger, Release
from dpengine.workshop import (
    Burning,
    Fitting,
    Hands,
    Participant,
    Room,
    Rooms,
    Saying,
    Smaller,
    arrivals,
    asking,
    attacked,
    burning,
    fitting_at,
    guessing,
    hands,
    people,
    sayings,
)
from dpengine.workshop.arrivals import Arrival
from dpengine.workshop.attacked import Findings
from dpengine.workshop.guessing import Wins
from dpengine.workshop.room import Ask
from dpengine.workshop.smaller import smaller as of_smaller
from pages.plan import accounts
from pages.room import sweeping, tables
from pages.serving.once import Once

FRESH = 0.2
"""Seconds for which a look at a room holds for everybody else on this server."""
MOST_KEPT = 400
_Read = TypeVar("_Read")


@dataclass(slots=True)
class _LastRead:
    """What was read last: rooms with the moment of the look, and what was read of them by their pulse."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    reading: dict[tuple[int, str], threading.Lock] = field(default_factory=dict)
    rooms: dict[int, tuple[float, Room]] = field(default_factory=dict)
    read: dict[tuple[int, str], tuple[int, Hashable, Any]] = field(default_factory=dict)


@Once
def _rooms(ledger: Ledger) -> tuple[Rooms, _LastRead]:
    """One for each ledger."""
    rooms = Rooms.of(ledger)
    sweeping.begin(rooms, tables.keep_for)
    return rooms, _LastRead()


def rooms() -> Rooms:
    """The rooms of the server's ledger."""
    return _of_this_server()[0]


def _of_this_server() -> tuple[Rooms, _LastRead]:
    return _rooms(accounts.ledger())


def now(number: int) -> Room:
    """A room as it stands, at most FRESH seconds ago; raises RoomError where it is gone."""
    where, seen = _of_this_server()
    with seen.lock:
        looked, room = seen.rooms.get(number, (0.0, None))
        if room is None or time.monotonic() - looked > FRESH:
            room = where.room(number)
            seen.rooms[number] = (time.monotonic(), room)
    return room


def changed(number: int) -> Room:
    """A room right after this session has changed it."""
    _, seen = _of_this_server()
    with seen.lock:
        seen.rooms.pop(number, None)
    return now(number)


def said(room: Room, kind: str) -> tuple[Saying, ...]:
    """Everything of one kind that was said in a room."""
    return _once(room, kind, lambda where: sayings.said(where, room, kind))


def won(room: Room) -> tuple[Wins, ...]:
    """How all guesses of a room stand together, at each of the epsilons and at the whole budget."""

    def read(where: Rooms) -> tuple[Wins, ...]:
        guesses = sayings.said(where, room, "guess")
        return tuple(guessing.wins(room, guesses, place) for place in range(guessing.WHOLE_BUDGET + 1))

    return _once(room, "won", read)


def everybody(room: Room) -> tuple[Participant, ...]:
    """Everybody who has joined."""
    return _once(room, "people", lambda where: people.everybody(where, room))


def arrivals_in(room: Room) -> tuple[Arrival, ...]:
    """When everybody who is in has joined, and who came from one address."""
    return _once(room, "arrivals", lambda where: arrivals.everybodys(where, room))


def asked(room: Room) -> tuple[Ask, ...]:
    """Everything that was asked of the shared account."""
    return _once(room, "asks", lambda where: asking.asks(where, room))


def answers(room: Room) -> dict[str, Release]:
    """The answers to what was asked, by request id."""
    return _once(room, "answers", lambda where: asking.answers(where, room))


def burnt(room: Room) -> Burning:
    """How the shared budget burns."""

    def read(where: Rooms) -> Burning:
        account = where.ledger.account(room.account)
        granted = asking.trusted_with(room.setting, account)
        return burning(
            account, asking.asks(where, room), account.charges(), schema=room.setting.plan.schema, granted=granted
        )

    return _once(room, "burning", read)


def smaller(room: Room) -> Smaller:
    """What the room could have asked instead, of its whole budget."""
    now = burnt(room)
    return _once(room, "smaller", lambda _: of_smaller(room, now.budget, delta=now.delta))


def fits(room: Room, epsilon: float) -> Fitting:
    """How many questions at this epsilon what is left of the budget holds."""

    def read(where: Rooms) -> Fitting:
        account = where.ledger.account(room.account)
        left = account.exact_spent().left_of(asking.trusted_with(room.setting, account))
        return fitting_at(room.setting, epsilon, left)

    return _once(room, "fits", read, made_of=(epsilon, room.pulse))


def done(room: Room) -> Hands:
    """What phones have done in the attack."""
    return hands.counted(said(room, "hand"))


def findings(room: Room, rows: Callable[[], Table | None]) -> Findings | None:
    """What the attacks find in the room's answers; dear, so that one browser finds it for all, until there are more."""
    told = answers(room)

    def read(where: Rooms) -> Findings | None:
        return attacked.findings(room, where.ledger.account(room.account), told, rows())

    return _once(room, "findings", read, made_of=(room.epsilon, burnt(room).budget, frozenset(told)))


def _once(room: Room, name: str, read: Callable[[Rooms], _Read], *, made_of: Hashable = None) -> _Read:
    """Something read of a room, once for each beat of its pulse: whoever comes first reads, all others wait for it.

    Once for all that it is made of, where that is said.
    """
    where, seen = _of_this_server()
    key = room.id, name
    with seen.lock:
        reading = seen.reading.setdefault(key, threading.Lock())
    with reading:
        pulse, before, kept = seen.read.get(key, (-1, None, None))
        if (pulse >= room.pulse) if made_of is None else (before == made_of):
            return kept  # type: ignore[no-any-return]
        found = read(where)
        with seen.lock:
            if len(seen.read) >= MOST_KEPT:
                seen.read.clear()
            seen.read[key] = (room.pulse, made_of, found)
        return found
