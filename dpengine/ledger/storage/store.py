"""One open ledger: where it is, who it is, and its two kinds of transaction."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, insert, select, true

from dpengine.errors import LedgerError
from dpengine.ledger.storage import high_water
from dpengine.ledger.storage.account_state import AccountStanding, standing
from dpengine.ledger.storage.chain import WRITTEN, Link, last_links, require_whole
from dpengine.ledger.storage.database import Database
from dpengine.ledger.storage.prepared import Prepared
from dpengine.ledger.storage.tables import METADATA, meta

VERSION = 3
_LAST = last_links().subquery()
_WHO = Prepared(select(meta.c.ledger_id, _LAST.c.id, _LAST.c.head).select_from(meta.outerjoin(_LAST, true())))
"""Which ledger this is, and its newest entry."""
_EXCHANGED = "The ledger was exchanged for another one while it was in use. Nothing was changed."
Clock = Callable[[], datetime]


def universal_time() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A database with the identity that it had when it was opened; the secret stays here and signs fingerprints.

    With a marker, nothing is read or charged that ends below its mark, and whatever was read or committed is below it
    before anybody sees it.
    """

    database: Database = field(repr=False)
    ledger_id: str
    secret: bytes = field(repr=False)
    clock: Clock = field(default=universal_time, repr=False)
    marker: Path | None = field(default=None, repr=False)

    @classmethod
    def open(cls, database: Database, *, may_create: bool, clock: Clock) -> Self:
        """The ledger in this database; with `may_create`, an empty or missing one becomes a new ledger."""
        if may_create:
            _create(database, clock)
        with database.writing() as connection:
            database.require_own(connection)
            ledger_id, secret = _identity(database, connection)
            database.require_sound(connection)
        with database.reading() as connection:
            require_whole(connection)
        return cls(database=database, ledger_id=ledger_id, secret=secret, clock=clock)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent look at this very ledger."""
        with high_water.opened(self.marker) as mark, self.database.reading() as connection:
            newest = self._newest(connection)
            mark.require_reached(connection, newest, self.database.place)
            mark.raise_to(newest)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The only writer of this very ledger, until it commits."""
        with high_water.opened(self.marker) as mark:
            with self.database.writing() as connection:
                newest = self._newest(connection)
                mark.require_reached(connection, newest, self.database.place)
                connection.info.pop(WRITTEN, None)
                yield connection
                newest = connection.info.pop(WRITTEN, newest)
            mark.raise_to(newest)

    @contextmanager
    def writing_to(self, account: int, request_id: str) -> Iterator[tuple[Connection, AccountStanding]]:
        """The only writer, with all that a charge or an answer needs to know, found out in one go."""
        with high_water.opened(self.marker) as mark:
            with self.database.writing() as connection:
                now = standing(connection, account, request_id)
                self._require_same(now.ledger_id)
                mark.require_reached(connection, now.newest, self.database.place)
                connection.info.pop(WRITTEN, None)
                yield connection, now
                newest = connection.info.pop(WRITTEN, now.newest)
            mark.raise_to(newest)

    def now(self) -> str:
        """The time of an entry, as text."""
        return self.clock().isoformat()

    def _newest(self, connection: Connection) -> Link:
        """The newest entry of this very ledger."""
        found = _WHO.first(connection, {})
        self._require_same(None if found is None else found["ledger_id"])
        return high_water.NOTHING if found is None or found["id"] is None else Link(found["id"], found["head"])

    def _require_same(self, ledger_id: str | None) -> None:
        if ledger_id != self.ledger_id:
            raise LedgerError(_EXCHANGED)


def _create(database: Database, clock: Clock) -> None:
    database.reserve()
    with database.writing() as connection:
        database.require_own(connection)
        if not database.table_names(connection):
            database.build(connection)
            connection.execute(
                insert(meta).values(single=1, version=VERSION, created=clock().isoformat(), **_new_identity())
            )


def _new_identity() -> dict[str, str | bytes]:
    return {"ledger_id": secrets.token_hex(16), "secret": secrets.token_bytes(32)}


def _identity(database: Database, connection: Connection) -> tuple[str, bytes]:
    there = database.table_names(connection)
    if meta.name not in there:
        raise LedgerError(f"{database.place} is a database, but not a ledger. Name another one.")
    row = connection.execute(select(meta.c.version, meta.c.ledger_id, meta.c.secret)).one_or_none()
    if row is not None and row.version != VERSION:
        raise LedgerError(
            f"{database.place} was written by another version of this program (its ledger has version {row.version}, "
            f"this one reads {VERSION}). Use that version."
        )
    if row is None or not set(METADATA.tables) <= there:
        raise LedgerError(f"{database.place} is damaged: part of the ledger is missing. Restore it from a backup.")
    return row.ledger_id, bytes(row.secret)
