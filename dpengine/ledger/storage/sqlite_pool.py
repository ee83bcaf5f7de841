"""The ledger's file, kept open while it is in use, so that a commit costs one write to the disk rather than three.

Never for long: once nobody has asked for a second the last connection is closed, and SQLite moves what its -wal file
holds into the ledger's own file. Before each transaction a file that was deleted or exchanged is noticed, since an
open one would go on taking charges that nobody finds again, and since a -wal file belongs to one file alone; so is a
-wal file that is not the one that was there before. Nothing is open while this process is copied (forked): the copy
would take the other's locks for its own.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from weakref import WeakSet

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from dpengine.errors import LedgerError
from dpengine.ledger.storage.database import IN_USE
from dpengine.ledger.storage.sqlite_lock import OwnLock

IDLE_SECONDS = 1.0
READING, WRITING = "BEGIN", "BEGIN IMMEDIATE"
MISSING = "The ledger cannot be opened: its file or folder is missing or may not be used."
_EXCHANGED = (
    "The ledger was exchanged for another one while it was in use. Nothing was changed. Restart the program once the "
    "right file is in its place."
)
_COPIED = (
    "This process was copied (forked) from one that was using the ledger in that moment, and SQLite would lose "
    'charges. Start it anew: multiprocessing has "spawn" and "forkserver".'
)
_NAMED_TWICE = (
    "The ledger's file has another name on this disk (a hard link). Programs that use it under different names would "
    "not see each other's charges. Copy it to a file of its own, or delete the other name."
)
_PRAGMAS = ("synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON", "trusted_schema = OFF")


class KeptOpen:
    """The connections to one file; `patience`: seconds to wait while others write."""

    def __init__(self, path: Path, patience: float) -> None:
        self._path, self._patience = path, patience
        self._lock, self._users = threading.Lock(), set[object]()
        self._last_used, self._will_close = 0.0, False
        self._file: tuple[int, int] | None = None
        self._own_lock = OwnLock.of(path)
        _all.add(self)

    @contextmanager
    def transaction(self, begin: str) -> Iterator[Connection]:
        """What `begin` begins, until the commit at the end; an empty one stands for no transaction."""
        self._require_in_place()
        with self.in_use(), self._alone(begin), self._begun(begin) as connection:
            yield connection
            connection.commit()

    @contextmanager
    def _alone(self, begin: str) -> Iterator[None]:
        """Nobody else writes from before a change begins until it is committed."""
        if begin != WRITING:
            yield
            return
        with self._own_lock.alone(self, self._patience) as is_alone:
            if not is_alone:
                raise LedgerError(IN_USE)
            yield

    @contextmanager
    def _begun(self, begin: str) -> Iterator[Connection]:
        """A connection on which that has begun, with the -wal file that everybody uses."""
        while True:
            with self._engine.connect() as connection:
                if begin:
                    connection.exec_driver_sql(begin)
                if not begin or self._has_its_log(connection):
                    yield connection
                    return
                others = self._own_lock.shared_with_others() if any(self._log()) else nullcontext()
                with others:
                    connection.invalidate()
                    self._engine.dispose()

    def _has_its_log(self, connection: Connection) -> bool:
        """Whether the -wal file and its index are still those of this connection; now nobody takes them away.

        While there are none yet, the lock would keep from making them whoever makes a ledger of the file.
        """
        if any(self._log()) and not self._own_lock.take(self, self._patience):
            raise LedgerError(IN_USE)
        found = self._log()
        return bool(connection.info.setdefault("log", found) == found)

    def _log(self) -> tuple[int | None, ...]:
        """Which -wal file and which index of it are in their places."""
        return tuple(_number_of(Path(f"{self._path.resolve()}{end}")) for end in ("-wal", "-shm"))

    def connection(self) -> sqlite3.Connection:
        """One more connection to the file that is in its place; never makes a file."""
        self._require_in_place()
        address = f"{self._path.resolve().as_uri()}?mode=rw"
        opened = sqlite3.connect(
            address, uri=True, timeout=self._patience, isolation_level=None, check_same_thread=False
        )
        try:
            self._require_in_place()
        except LedgerError:
            opened.close()
            raise
        return opened

    def close(self) -> None:
        """Let go of the file; the next transaction opens it again."""
        self._engine.dispose()
        if not self._users:
            self._own_lock.let_go(self)

    @cached_property
    def _engine(self) -> Engine:
        engine = create_engine(
            "sqlite://", creator=self.connection, poolclass=QueuePool, max_overflow=-1, hide_parameters=True
        )
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "checkout", lambda *_: self._require_in_place())
        return engine

    def _require_in_place(self) -> None:
        """The first file that was found is the only one for the life of this object, whatever stands there later.

        Nothing is in its place in a copy of a process that was using it, neither a new connection nor an idle one.
        """
        if _copies:
            raise LedgerError(_COPIED)
        try:
            found = self._path.stat()
        except OSError:
            raise LedgerError(MISSING) from None
        self._file = self._file or (found.st_dev, found.st_ino)
        if self._file != (found.st_dev, found.st_ino):
            raise LedgerError(_EXCHANGED)
        if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            raise LedgerError(_NAMED_TWICE)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Nothing is closed meanwhile; afterwards somebody waits until nobody has asked for a while."""
        user = object()
        try:
            with self._lock:
                self._users.add(user)
            yield
        finally:
            with self._lock:
                self._users.discard(user)
                self._last_used = time.monotonic()
                if not self._will_close:
                    self._will_close = True
                    threading.Thread(target=self._close_when_idle, name="closes the idle ledger", daemon=True).start()

    def _close_when_idle(self) -> None:
        while self._will_close:
            time.sleep(IDLE_SECONDS)
            with self._lock:
                if not self._users and time.monotonic() - self._last_used >= IDLE_SECONDS:
                    self.close()
                    self._will_close = False

    def let_go(self) -> None:
        """Before this process is copied: nothing is open and nothing begins, unless it is in use; see `go_on`."""
        self._lock.acquire()
        if not self._users:
            self.close()

    def go_on(self, *, copied: bool) -> None:
        """Afterwards, in both; in the copy nobody is there who would close what is idle."""
        if copied and self._users:
            _copies.append(self)
        self._will_close = self._will_close and not copied
        self._lock.release()


_all: WeakSet[KeptOpen] = WeakSet()
_held: list[KeptOpen] = []
_copies: list[KeptOpen] = []
"""What was in use when this process was copied: SQLite would take locks for its own that it does not have."""


def _before_a_copy() -> None:
    _held[:] = _all
    for one in _held:
        one.let_go()


def _after_a_copy(*, copied: bool) -> None:
    while _held:
        _held.pop().go_on(copied=copied)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_a_copy,
        after_in_parent=partial(_after_a_copy, copied=False),
        after_in_child=partial(_after_a_copy, copied=True),
    )


def _number_of(file: Path) -> int | None:
    """Which file it is on its disk; None where there is none."""
    try:
        return file.stat().st_ino
    except OSError:
        return None


def _set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    """How we use a connection, and a first look, with which SQLite opens the -wal file."""
    for pragma in (*_PRAGMAS, "schema_version"):
        connection.execute(f"PRAGMA {pragma}")
