"""One open ledger: where it is, who it is, and its two kinds of transaction."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine, insert, make_url, select
from sqlalchemy.exc import ArgumentError

from dpengine.errors import LedgerError
from dpengine.ledger import sqlite
from dpengine.ledger.tables import METADATA, meta

VERSION = 1
Clock = Callable[[], datetime]


def universal_time() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """An engine with the identity that it had when it was opened; the secret stays here and signs fingerprints."""

    engine: Engine = field(repr=False)
    ledger_id: str
    secret: bytes = field(repr=False)
    clock: Clock = field(default=universal_time, repr=False)

    @classmethod
    def open(cls, path: Path, *, may_create: bool, patience: float, clock: Clock) -> Self:
        """The ledger in this file; with `may_create`, an empty or missing file becomes a new one."""
        if may_create:
            _create(path, patience=patience, clock=clock)
        engine = sqlite.sqlite_engine(path, create=False, patience=patience)
        with sqlite.writing(engine) as connection:
            ledger_id, secret = _identity(path, connection)
            sqlite.require_sound(connection)
        return cls(engine=engine, ledger_id=ledger_id, secret=secret, clock=clock)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent look at this very ledger."""
        with sqlite.reading(self.engine) as connection:
            self._require_same_ledger(connection)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The only writer of this very ledger, until it commits."""
        with sqlite.writing(self.engine) as connection:
            self._require_same_ledger(connection)
            yield connection

    def now(self) -> str:
        """The time of an entry, as text."""
        return self.clock().isoformat()

    def _require_same_ledger(self, connection: Connection) -> None:
        if connection.scalar(select(meta.c.ledger_id)) != self.ledger_id:
            raise LedgerError(
                "The ledger's file was exchanged for another one while it was in use. Nothing was changed."
            )


def path_of(url: str) -> Path:
    """The file that a ledger's URL names; only durable SQLite files so far."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise LedgerError('A ledger is named by a URL such as "sqlite:///budget.db".') from None
    if address.get_backend_name() != "sqlite":
        raise LedgerError("Ledgers are kept in SQLite files so far; PostgreSQL comes with several servers.")
    if address.database in (None, "", ":memory:") or address.query:
        raise LedgerError('A ledger needs a file that outlives the program, such as "sqlite:///budget.db".')
    return Path(address.database)


def _create(path: Path, *, patience: float, clock: Clock) -> None:
    if not path.parent.is_dir():
        raise LedgerError(f"The folder {path.parent} of the ledger does not exist.")
    _reserve(path)
    engine = sqlite.sqlite_engine(path, create=True, patience=patience)
    with sqlite.reading(engine) as connection:
        if sqlite.table_names(connection):
            return
    sqlite.turn_on_write_ahead_log(engine)
    with sqlite.writing(engine) as connection:
        if not sqlite.table_names(connection):
            sqlite.build(connection)
            connection.execute(
                insert(meta).values(only=1, version=VERSION, created=clock().isoformat(), **_new_identity())
            )


def _reserve(path: Path) -> None:
    """A file that only this user may read, since it will hold the secret; one that is there stays as it is."""
    try:
        path.touch(mode=0o600, exist_ok=True)
    except OSError:
        raise LedgerError(f"The ledger {path} cannot be written. Check the permissions of its folder.") from None


def _new_identity() -> dict[str, str | bytes]:
    return {"ledger_id": secrets.token_hex(16), "secret": secrets.token_bytes(32)}


def _identity(path: Path, connection: Connection) -> tuple[str, bytes]:
    if "meta" not in sqlite.table_names(connection):
        raise LedgerError(f"{path} is a database, but not a ledger. Name another file.")
    row = connection.execute(select(meta.c.version, meta.c.ledger_id, meta.c.secret)).one_or_none()
    if row is not None and row.version != VERSION:
        raise LedgerError(
            f"{path} was written by another version of this program (its ledger has version {row.version}, "
            f"this one reads {VERSION}). Use that version."
        )
    if row is None or not set(METADATA.tables) <= sqlite.table_names(connection):
        raise LedgerError(f"{path} is damaged: part of the ledger is missing. Restore it from a backup.")
    return row.ledger_id, row.secret
