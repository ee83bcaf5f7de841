"""All rooms of one ledger's database: opened, found, moved on, closed, and deleted once their day has come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

from sqlalchemy import Connection, Row, delete, insert, select, update

from dpengine.errors import AccountMismatchError, LedgerError, RoomError, require_between, require_positive
from dpengine.ledger import Account, Ledger
from dpengine.ledger.storage.store import Store
from dpengine.workshop import codes, tables
from dpengine.workshop.room import LOBBY, MOST_PEOPLE, USUAL_PLACES, Room, Setting

QUIET, LONGER = timedelta(hours=1), timedelta(hours=12)
"""Nothing is deleted so soon after it was used, and so long after its day nothing is done but to prolong it.

By the same clock: nobody keeps a room by pressing, and one set days ahead deletes what is not used meanwhile."""
MOST_ROOMS = 200
_ROOMS = select(tables.rooms, tables.doors.c.shut, tables.doors.c.places).outerjoin(tables.doors)
_GONE = "No room opens with this code: check it letter by letter. Rooms are deleted on their last day."
_OVER = "This room is closed. Nothing can be done in it any more."
_PAUSED = "The room is paused. Nothing was changed; try again when it goes on."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rooms:
    """The workshop's part of a ledger's database; every change is one transaction of its only writer."""

    ledger: Ledger

    @classmethod
    def of(cls, ledger: Ledger) -> Self:
        """The rooms beside a ledger, with tables of their own where there are none yet."""
        with ledger.store.writing() as connection:
            tables.METADATA.create_all(connection)
            found = connection.scalar(select(tables.versions.c.version))
            if found is None:
                connection.execute(insert(tables.versions).values(single=1, version=tables.VERSION))
            elif found < tables.VERSION:
                connection.execute(update(tables.versions).values(version=tables.VERSION))
            elif found > tables.VERSION:
                raise LedgerError(
                    f"The rooms in this ledger were written by another version of this program (version {found}, this "
                    f"one reads {tables.VERSION}). Use that version, or wait until they are deleted on their last day."
                )
        return cls(ledger=ledger)

    def open(self, setting: Setting, account: Account) -> Room:
        """A new room in its lobby, about an account's table; raises RoomError where there are too many rooms.

        Raises AccountMismatchError where the account was opened under another rule or relation than the plan's.
        """
        _require_same_terms(setting, account)
        now = self.now()
        with self.store.writing() as connection:
            self._delete_expired(connection)
            if len(connection.execute(select(tables.rooms.c.id)).all()) >= MOST_ROOMS:
                raise RoomError(f"There are {MOST_ROOMS} rooms already. Close one, or wait until one is deleted.")
            added = connection.execute(
                insert(tables.rooms).values(
                    code=codes.new_code(),
                    screen=codes.new_key(),
                    setting=setting.to_json(),
                    account=account.id,
                    state="open",
                    step=LOBBY,
                    phase=0,
                    version=1,
                    pulse=1,
                    opened=now.isoformat(),
                    expires=(now + timedelta(days=setting.days)).isoformat(),
                    touched=now.isoformat(),
                )
            )
            return _room(connection, int((added.inserted_primary_key or (0,))[0]))

    def room(self, number: int) -> Room:
        """A room as it stands now; raises RoomError where it is gone."""
        with self.store.reading() as connection:
            return _room(connection, number)

    def by_code(self, code: str) -> Room:
        """The room that a typed code opens; raises RoomError, alike for a wrong code and for one that has expired."""
        return self._found(tables.rooms.c.code == codes.typed(code))

    def by_screen(self, key: str) -> Room:
        """The room whose projector view a key opens; raises RoomError."""
        return self._found(tables.rooms.c.screen == key)

    def all(self) -> tuple[Room, ...]:
        """Every room, the latest first; those whose day has come are deleted before."""
        with self.store.writing() as connection:
            self._delete_expired(connection)
            return tuple(_as_room(row) for row in connection.execute(_ROOMS.order_by(-tables.rooms.c.id)))

    def go(self, seen: Room, to: Room) -> Room:
        """Move a room to another step or phase; one that has moved since it was seen stays where it is."""
        return self._changed(seen, step=to.place, phase=to.phase)

    def pause(self, seen: Room) -> Room:
        """Let nobody do anything until the room goes on."""
        return self._changed(seen, state="paused")

    def resume(self, seen: Room) -> Room:
        """Go on, after a pause or after the room was closed."""
        return self._changed(seen, state="open")

    def close(self, seen: Room) -> Room:
        """Nobody joins or does anything any more; what was said can be read until the room is deleted."""
        return self._changed(seen, state="closed")

    def prolong(self, seen: Room) -> Room:
        """Let a room live as many days as it was opened for, counted from now."""
        expires = (self.now() + timedelta(days=seen.setting.days)).isoformat()
        return self._changed(seen, late=True, expires=expires)

    def admit(self, seen: Room, *, shut: bool, places: int) -> Room:
        """Whether nobody else joins, and how many people of one address may be in."""
        require_between("places for one address", places, 1, MOST_PEOPLE)
        with self.changing(seen.id) as (connection, now):
            if now.version != seen.version:
                return now
            connection.execute(delete(tables.doors).where(tables.doors.c.room == seen.id))
            connection.execute(insert(tables.doors).values(room=seen.id, shut=int(shut), places=places))
            return put(connection, seen.id, {})

    def choose_epsilon(self, seen: Room, epsilon: float | None) -> Room:
        """What each question costs from now on; None brings back the plan's own."""
        if epsilon is not None:
            require_positive("epsilon", epsilon)
        return self._changed(seen, epsilon=epsilon)

    def start_over(self, seen: Room, account: Account) -> Room:
        """Back to the lobby with nothing said and nothing asked, on a practice account that was restarted."""
        if not account.practice:
            raise RoomError("Only a room on a practice account can start over: a real budget never comes back.")
        with self.changing(seen.id) as (connection, _):
            for table in (tables.sayings, tables.requests, tables.asks):
                connection.execute(delete(table).where(table.c.room == seen.id))
            values = {"account": account.id, "step": LOBBY, "phase": 0, "state": "open", "epsilon": None}
            return put(connection, seen.id, values)

    def delete_expired(self) -> None:
        """Forget the rooms whose day has come, and that nobody has used for an hour."""
        with self.store.writing() as connection:
            self._delete_expired(connection)

    def delete(self, number: int) -> None:
        """Forget a room and everything said in it, at once; what was charged and released stays in the ledger."""
        with self.store.writing() as connection:
            _delete(connection, number)

    @property
    def store(self) -> Store:
        """The ledger's database."""
        return self.ledger.store

    def now(self) -> datetime:
        """The clock of the ledger."""
        return self.store.clock()

    @contextmanager
    def changing(self, number: int, *, late: bool = False) -> Iterator[tuple[Connection, Room]]:
        """The only writer, with the room as it stands, whose pulse beats once more at the end.

        Raises RoomError where it is gone; long after its day, too, unless it is `late` that counts.
        """
        with self.store.writing() as connection:
            room = _room(connection, number)
            if not late and self.now() - room.expires >= LONGER:
                raise RoomError(_GONE)
            yield connection, room
            beat = {"pulse": tables.rooms.c.pulse + 1, "touched": self.now().isoformat()}
            connection.execute(update(tables.rooms).where(tables.rooms.c.id == number).values(beat))

    def _changed(self, seen: Room, *, late: bool = False, **values: Any) -> Room:
        """The room with other values, unless somebody else has changed it since it was seen."""
        with self.changing(seen.id, late=late) as (connection, now):
            if now.version != seen.version:
                return now
            return put(connection, seen.id, values)

    def _found(self, where: Any) -> Room:
        with self.store.reading() as connection:
            room = _only(connection, where)
        if self.is_expired(room):
            raise RoomError(_GONE)
        return room

    def is_expired(self, room: Room) -> bool:
        """Whether the day on which the room is deleted has come."""
        return self.now() >= room.expires

    def _delete_expired(self, connection: Connection) -> None:
        now = self.now()
        for row in connection.execute(select(tables.rooms.c.id, tables.rooms.c.expires, tables.rooms.c.touched)):
            quiet, over = (now - datetime.fromisoformat(moment) for moment in (row.touched, row.expires))
            if over >= timedelta() and quiet >= QUIET:
                _delete(connection, row.id)


def _require_same_terms(setting: Setting, account: Account) -> None:
    plan = setting.plan
    for term, opened, asked in (("rule", account.rule, plan.rule), ("relation", account.neighbors, plan.neighbors)):
        if opened != asked:
            raise AccountMismatchError(term, opened, asked)


def require_going(room: Room, *, steps: Collection[str] = (), over: Callable[[Room], bool] = lambda _: False) -> None:
    """Raise RoomError unless people may do something now, in one of these steps if some are named."""
    if room.state == "closed":
        raise RoomError(_OVER)
    if room.state == "paused":
        raise RoomError(_PAUSED)
    if steps and (room.step not in steps or over(room)):
        raise RoomError("The room has moved on. Nothing was changed.")


def _room(connection: Connection, number: int) -> Room:
    return _only(connection, tables.rooms.c.id == number)


def _only(connection: Connection, where: Any) -> Room:
    row = connection.execute(_ROOMS.where(where)).first()
    if row is None:
        raise RoomError(_GONE)
    return _as_room(row)


def put(connection: Connection, number: int, values: Mapping[str, Any]) -> Room:
    """Within `changing`: the room with other values, of which every page takes note."""
    changed = {**values, "version": tables.rooms.c.version + 1}
    connection.execute(update(tables.rooms).where(tables.rooms.c.id == number).values(changed))
    room = _room(connection, number)
    return replace(room, pulse=room.pulse + 1)


def _delete(connection: Connection, number: int) -> None:
    for table in (
        *(tables.sayings, tables.requests, tables.asks),
        *(tables.arrivals, tables.doors, tables.participants),
    ):
        connection.execute(delete(table).where(table.c.room == number))
    connection.execute(delete(tables.rooms).where(tables.rooms.c.id == number))


def _as_room(row: Row[Any]) -> Room:
    return Room(
        id=row.id,
        code=row.code,
        screen=row.screen,
        setting=Setting.from_json(row.setting),
        account=row.account,
        state=row.state,
        place=row.step,
        phase=row.phase,
        epsilon=row.epsilon,
        version=row.version,
        pulse=row.pulse,
        opened=datetime.fromisoformat(row.opened),
        expires=datetime.fromisoformat(row.expires),
        shut=bool(row.shut),
        places=row.places or USUAL_PLACES,
    )
