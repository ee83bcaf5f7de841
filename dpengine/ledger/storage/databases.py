"""Which database a ledger's URL names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import URL

from dpengine.errors import LedgerError
from dpengine.ledger.storage.database import Database, address_of
from dpengine.ledger.storage.postgres import PostgresDatabase
from dpengine.ledger.storage.sqlite import SqliteDatabase

_KINDS: Mapping[str, Callable[[URL, float], Database]] = {
    "sqlite": SqliteDatabase.at,
    "postgresql": PostgresDatabase.at,
}


def database_of(url: str, *, patience: float) -> Database:
    """The database at a URL, not yet opened; `patience`: seconds to wait while others write.

    Raises LedgerError in a sentence that quotes no password.
    """
    address = address_of(url)
    kind = _KINDS.get(address.get_backend_name())
    if kind is None:
        raise LedgerError(
            "A ledger is kept in an SQLite file or in a PostgreSQL database: sqlite:///... or postgresql://..."
        )
    return kind(address, patience)
