"""The ledger in one SQLite file: everything that only SQLite says, from the first pragma to the last error.

WAL with synchronous=FULL, so that a commit survives a power cut; every change begins with BEGIN IMMEDIATE, so that
nobody reads a total that another one is about to change; triggers refuse whatever the code above should never ask for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from dpengine.errors import LedgerError
from dpengine.ledger.tables import METADATA

OLDEST_SQLITE = (3, 37, 0)
BEGIN = "ledger_begin"
_PRAGMAS = ("synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON", "trusted_schema = OFF")


def sqlite_engine(path: Path, *, create: bool, patience: float) -> Engine:
    """An engine that opens the file anew for each transaction, and never makes one unless told to.

    A connection that stays open would go on writing into a deleted file. `patience`: seconds to wait for others.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise LedgerError(f"The ledger needs SQLite 3.37 or newer; this Python has {sqlite3.sqlite_version}.")
    address = f"{path.resolve().as_uri()}?mode={'rwc' if create else 'rw'}"

    def connection() -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)

    engine = create_engine("sqlite://", creator=connection, poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One consistent look at the ledger."""
    with _in_words(), engine.execution_options(**{BEGIN: "BEGIN"}).begin() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """The only writer, until the commit at the end; nothing is kept of it if anything is raised, whatever it is."""
    with _in_words(), engine.execution_options(**{BEGIN: "BEGIN IMMEDIATE"}).begin() as connection:
        yield connection


def build(connection: Connection) -> None:
    """All tables and triggers, within the caller's transaction."""
    METADATA.create_all(connection)
    for statement in _triggers():
        connection.execute(text(statement))


def turn_on_write_ahead_log(engine: Engine) -> None:
    """WAL is a property of the file; it cannot be set inside a transaction."""
    with _in_words(), engine.connect().execution_options(**{BEGIN: ""}) as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar_one()
    if mode != "wal":
        raise LedgerError(
            "The ledger's disk does not support SQLite's write-ahead log; keep the ledger on a local disk."
        )


def table_names(connection: Connection) -> frozenset[str]:
    """What is in the file, be it a ledger or not."""
    return frozenset(connection.execute(text("SELECT name FROM sqlite_schema WHERE type = 'table'")).scalars())


def require_sound(connection: Connection) -> None:
    """Refuse a file that cannot be written, which BEGIN IMMEDIATE alone does not tell, and one that is damaged."""
    connection.exec_driver_sql("PRAGMA user_version = 1")
    if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
        raise LedgerError(_SENTENCES["SQLITE_CORRUPT"])


def _set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    statement = connection.get_execution_options().get(BEGIN, "BEGIN IMMEDIATE")
    if statement:
        connection.exec_driver_sql(statement)


@contextmanager
def _in_words() -> Iterator[None]:
    """Turn the driver's errors, which quote statements, into our own sentences."""
    try:
        yield
    except DBAPIError as error:
        raise LedgerError(_sentence(error)) from None


def _sentence(error: DBAPIError) -> str:
    name = str(getattr(error.orig, "sqlite_errorname", ""))
    for code, sentence in _SENTENCES.items():
        if name.startswith(code):
            return sentence
    return f"The ledger could not be used ({name or type(error.orig).__name__}). Nothing was changed."


_IN_USE = "Another program has been using the ledger for too long. Nothing was changed; try again."
_READ_ONLY = "The ledger cannot be written, so nothing can be charged. Check the permissions of its file and folder."
_SENTENCES: Mapping[str, str] = {
    "SQLITE_BUSY": _IN_USE,
    "SQLITE_LOCKED": _IN_USE,
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_PERM": _READ_ONLY,
    "SQLITE_CANTOPEN": "The ledger cannot be opened: its file or folder is missing or may not be used.",
    "SQLITE_NOTADB": "The ledger's file is not a database. Restore it from a backup, or name another file.",
    "SQLITE_CORRUPT": "The ledger's file is damaged. Restore it from a backup.",
    "SQLITE_FULL": "The disk is full, so nothing can be charged.",
    "SQLITE_IOERR": "The ledger's disk reports an error, so nothing can be charged.",
    "SQLITE_CONSTRAINT": "The ledger refused a change that would break its own rules. Nothing was changed.",
}


def _triggers() -> Iterator[str]:
    for name in METADATA.tables:
        for verb in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {name}_never_{verb.lower()} BEFORE {verb} ON {name} "
                "BEGIN SELECT RAISE(ABORT, 'append only'); END"
            )
    for name, same in _ONLY_ONCE.items():
        there = f"SELECT 1 FROM {name} WHERE {same}"  # noqa: S608  nothing but our own names
        yield (
            f"CREATE TRIGGER {name}_only_once BEFORE INSERT ON {name} WHEN EXISTS ({there}) "
            "BEGIN SELECT RAISE(ABORT, 'already there'); END"
        )
    yield _WITHIN_BUDGET


_ONLY_ONCE = {
    "meta": "1",
    "accounts": "id = NEW.id OR "
    "(fingerprint = NEW.fingerprint AND practice = NEW.practice AND generation = NEW.generation)",
    "charges": "id = NEW.id OR (account = NEW.account AND request_id = NEW.request_id)",
    "answers": "charge = NEW.charge",
    "links": "position = NEW.position OR (entity = NEW.entity AND key = NEW.key)",
}
"""INSERT OR REPLACE would delete the row that is in its way."""

_WITHIN_BUDGET = """
CREATE TRIGGER charges_within_budget BEFORE INSERT ON charges WHEN NOT EXISTS (
  SELECT 1 FROM accounts WHERE accounts.id = NEW.account AND CASE accounts.rule
    WHEN 'basic' THEN
      NEW.epsilon <= granted_epsilon - (SELECT coalesce(sum(epsilon), 0) FROM charges WHERE account = NEW.account)
      AND NEW.delta <= granted_delta - (SELECT coalesce(sum(delta), 0) FROM charges WHERE account = NEW.account)
    ELSE NEW.rho <= granted_rho - (SELECT coalesce(sum(rho), 0) FROM charges WHERE account = NEW.account)
  END
) BEGIN SELECT RAISE(ABORT, 'over budget'); END
"""
