"""The ledger's file, kept open while it is in use, so that a commit costs one write to the disk rather than three.

Never for long: once nobody has asked for a second the last connection is closed, and SQLite moves what its -wal file
holds into the ledger's own file. Before each transaction a file that was deleted or exchanged is noticed, since an
open one would go on taking charges that nobody finds again, and since a -wal file belongs to one file alone.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from dpengine.errors import LedgerError
from dpengine.ledger.forks import leave_behind_in_children

IDLE_SECONDS = 1.0
MISSING = "The ledger cannot be opened: its file or folder is missing or may not be used."
_EXCHANGED = (
    "The ledger was exchanged for another one while it was in use. Nothing was changed. Restart the program once the "
    "right file is in its place."
)
_PRAGMAS = ("synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON", "trusted_schema = OFF")


class KeptOpen:
    """The connections to one file; `patience`: seconds to wait while others write."""

    def __init__(self, path: Path, patience: float) -> None:
        self._path, self._patience = path, patience
        self._lock, self._in_use, self._last_used, self._will_close = threading.Lock(), 0, 0.0, False
        self._file: tuple[int, int] | None = None

    @contextmanager
    def transaction(self, begin: str) -> Iterator[Connection]:
        """What `begin` begins, until the commit at the end; an empty one stands for no transaction."""
        with self._used(), self._engine.connect() as connection:
            if begin:
                connection.exec_driver_sql(begin)
            yield connection
            connection.commit()

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

    @cached_property
    def _engine(self) -> Engine:
        engine = create_engine(
            "sqlite://", creator=self.connection, poolclass=QueuePool, max_overflow=-1, hide_parameters=True
        )
        event.listen(engine, "connect", _set_pragmas)
        leave_behind_in_children(engine)
        event.listen(engine, "checkout", lambda *_: self._require_in_place())
        return engine

    def _require_in_place(self) -> None:
        """The first file that was found is the only one for the life of this object, whatever stands there later."""
        try:
            found = self._path.stat()
        except OSError:
            raise LedgerError(MISSING) from None
        self._file = self._file or (found.st_dev, found.st_ino)
        if self._file != (found.st_dev, found.st_ino):
            raise LedgerError(_EXCHANGED)

    @contextmanager
    def _used(self) -> Iterator[None]:
        """Nothing is closed meanwhile; afterwards somebody waits until nobody has asked for a while."""
        with self._lock:
            self._in_use += 1
        try:
            yield
        finally:
            with self._lock:
                self._in_use, self._last_used = self._in_use - 1, time.monotonic()
                if not self._will_close:
                    self._will_close = True
                    threading.Thread(target=self._close_when_idle, name="closes the idle ledger", daemon=True).start()

    def _close_when_idle(self) -> None:
        while self._will_close:
            time.sleep(IDLE_SECONDS)
            with self._lock:
                if not self._in_use and time.monotonic() - self._last_used >= IDLE_SECONDS:
                    self.close()
                    self._will_close = False


def _set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
