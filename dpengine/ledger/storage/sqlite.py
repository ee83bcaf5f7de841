"""The ledger in one SQLite file: everything that only SQLite says, from the first pragma to the last error.

WAL with synchronous=FULL, so that a commit survives a power cut; every change begins with BEGIN IMMEDIATE, so that
nobody reads a total that another one is about to change; triggers refuse whatever the code above should never ask for.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from dpengine.errors import LedgerError
from dpengine.ledger.storage import chain
from dpengine.ledger.storage.database import DISK_IS_FULL, IN_USE, RULES_WOULD_BREAK, create_private, sentence_of
from dpengine.ledger.storage.sqlite_pool import MISSING, READING, WRITING, KeptOpen
from dpengine.ledger.storage.sqlite_triggers import triggers
from dpengine.ledger.storage.tables import METADATA

OLDEST_SQLITE = (3, 37, 0)


@dataclass(frozen=True, kw_only=True)
class SqliteDatabase:
    """A ledger's file; `patience`: seconds to wait while others write."""

    path: Path
    patience: float = field(default=30.0)

    @classmethod
    def at(cls, address: URL, patience: float) -> Self:
        """The file that a URL names; raises LedgerError where nothing would outlive the program."""
        if not address.database or address.database == ":memory:" or address.query:
            raise LedgerError('A ledger needs a file that outlives the program, such as "sqlite:///budget.db".')
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise LedgerError(f"The ledger needs SQLite 3.37 or newer; this Python has {sqlite3.sqlite_version}.")
        return cls(path=Path(address.database), patience=patience)

    @property
    def place(self) -> str:
        return str(self.path)

    @property
    def marker(self) -> Path:
        """Beside the file: `budget.db.id`."""
        return self.path.with_name(f"{self.path.name}.id")

    @property
    def way_back(self) -> str:
        return "a backup made with SQLite's backup command (a plain copy needs its -wal file beside it)"

    def is_there(self) -> bool:
        """Whether the file is there; what is in it is another question."""
        try:
            self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            raise LedgerError(MISSING) from None
        return True

    def reserve(self) -> None:
        """A file that only this user may read, since it will hold the secret; WAL is a property of the file."""
        if not self.path.parent.is_dir():
            raise LedgerError(f"The folder {self.path.parent} of the ledger does not exist.")
        try:
            self.path.touch(mode=0o600, exist_ok=True)
        except OSError:
            raise LedgerError(
                f"The ledger {self.path} cannot be written. Check the permissions of its folder."
            ) from None
        with self.reading() as connection:
            foreign = bool(self.table_names(connection))
        if not foreign:
            self._turn_on_write_ahead_log()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent look at the ledger."""
        with _in_words(), self._file.transaction(READING) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The only writer, until the commit at the end; nothing is kept of it if anything is raised, whatever it is."""
        with _in_words(), self._file.transaction(WRITING) as connection:
            yield connection

    def require_own(self, connection: Connection) -> None:
        """Whose a file is, its folder says."""

    def table_names(self, connection: Connection) -> frozenset[str]:
        """What is in the file, be it a ledger or not."""
        return frozenset(connection.execute(text("SELECT name FROM sqlite_schema WHERE type = 'table'")).scalars())

    def build(self, connection: Connection) -> None:
        """All tables and triggers, within the caller's transaction."""
        METADATA.create_all(connection)
        for statement in triggers():
            connection.execute(text(statement))

    def require_sound(self, connection: Connection) -> None:
        """Refuse a file that cannot be written, which BEGIN IMMEDIATE alone does not tell, and one that is damaged."""
        connection.exec_driver_sql("PRAGMA user_version = 1")
        if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
            raise LedgerError(_SENTENCES["SQLITE_CORRUPT"])
        guards = text("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
        if not set(triggers()) <= set(connection.execute(guards).scalars()):
            raise LedgerError("The ledger's file is damaged: its guards are missing. Restore it from a backup.")

    def back_up(self, to: Path) -> None:
        """SQLite's own backup, which holds what is still in the -wal file too; the copy is read again."""
        create_private(to)
        try:
            with (
                contextlib.closing(sqlite3.connect(to)) as copy,
                self._file.in_use(),
                contextlib.closing(self._file.connection()) as original,
            ):
                original.backup(copy)
            self._require_whole(to)
        except sqlite3.Error as error:
            to.unlink(missing_ok=True)
            raise LedgerError(_sentence(error)) from None
        except LedgerError:
            to.unlink(missing_ok=True)
            raise

    def close(self) -> None:
        """Let go of the file, which then holds everything that its -wal file held."""
        self._file.close()

    @cached_property
    def _file(self) -> KeptOpen:
        return KeptOpen(self.path, self.patience)

    def _turn_on_write_ahead_log(self) -> None:
        """Not possible inside a transaction; SQLite does not wait for a writer here, so the wait is ours."""
        until = time.monotonic() + self.patience
        with _in_words(), self._file.transaction("") as connection:
            while (mode := _write_ahead_log(connection)) is None and time.monotonic() < until:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                connection.exec_driver_sql("ROLLBACK")
        if mode is None:
            raise LedgerError(IN_USE)
        if mode != "wal":
            raise LedgerError(
                "The ledger's disk does not support SQLite's write-ahead log; keep the ledger on a local disk."
            )

    def _require_whole(self, to: Path) -> None:
        copy = SqliteDatabase(path=to, patience=self.patience)
        try:
            with copy.writing() as connection:
                copy.require_sound(connection)
                if not chain.is_whole(connection):
                    raise LedgerError("The backup is not whole: the ledger was altered. Nothing was backed up.")
        finally:
            copy.close()


def _write_ahead_log(connection: Connection) -> str | None:
    """The journal mode after asking for a write-ahead log; None while somebody writes."""
    try:
        return str(connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar_one())
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorname", "") != "SQLITE_BUSY":
            raise
        return None


@contextmanager
def _in_words() -> Iterator[None]:
    """Turn the driver's errors, which quote statements, into our own sentences."""
    try:
        yield
    except DBAPIError as error:
        raise LedgerError(_sentence(error.orig)) from None
    except SQLAlchemyError as error:
        raise LedgerError(_sentence(error)) from None
    except UnicodeDecodeError:  # the driver reads no sentence of SQLite's own that quotes what is damaged
        raise LedgerError(_SENTENCES["SQLITE_CORRUPT"]) from None


def _sentence(error: BaseException | None) -> str:
    name = str(getattr(error, "sqlite_errorname", ""))
    return sentence_of(name, _SENTENCES, called=name or type(error).__name__)


_READ_ONLY = "The ledger cannot be written, so nothing can be charged. Check the permissions of its file and folder."
_SENTENCES: Mapping[str, str] = {
    "SQLITE_BUSY": IN_USE,
    "SQLITE_LOCKED": IN_USE,
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_PERM": _READ_ONLY,
    "SQLITE_CANTOPEN": MISSING,
    "SQLITE_NOTADB": "The ledger's file is not a database. Restore it from a backup, or name another file.",
    "SQLITE_CORRUPT": "The ledger's file is damaged. Restore it from a backup.",
    "SQLITE_FULL": DISK_IS_FULL,
    "SQLITE_IOERR": "The ledger's disk reports an error, so nothing can be charged.",
    "SQLITE_CONSTRAINT": RULES_WOULD_BREAK,
}
