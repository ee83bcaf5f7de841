"""Where ledgers live in tests: a file of SQLite, and a database in a private PostgreSQL, behind one face."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import psycopg

from dpengine.ledger import Ledger
from dpengine.ledger.storage.postgres_triggers import NAMESPACE
from tests.servers.databases import Cluster

PATIENCE = 30.0


class Place(Protocol):
    """One place for one ledger, and ways past the ledger's code."""

    @property
    def url(self) -> str:
        """The ledger's address."""

    @property
    def marker(self) -> Path:
        """The file that remembers the ledger."""

    def open(self, **options: Any) -> Ledger:
        """The ledger, opened anew as another process would."""

    def asked(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database itself says, past the ledger; ? stands for a value."""

    def tampered(self, statement: str, *values: Any) -> str:
        """What the database itself says to a change past the ledger; empty where it went through."""

    def held(self) -> contextlib.AbstractContextManager[None]:
        """While somebody else is the one writer."""

    def unguarded(self, *statements: str) -> None:
        """Changes by somebody who takes down the ledger's guards first."""

    def restore(self, backup: Path) -> None:
        """Put a backup in the ledger's place, as the README says, and leave the marker as it is."""


def opened_at(place: Place, options: dict[str, Any]) -> Ledger:
    """A ledger that waits for others, unless told otherwise."""
    given: dict[str, Any] = {"marker": place.marker, "patience": PATIENCE}
    return Ledger.open(place.url, **(given | options))


@dataclass(frozen=True, kw_only=True)
class FilePlace:
    """A file in a folder of its own."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "budget.db"

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    @property
    def marker(self) -> Path:
        return self.folder / "ledger.id"

    def open(self, **options: Any) -> Ledger:
        return opened_at(self, options)

    def asked(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with contextlib.closing(sqlite3.connect(self.path)) as connection, connection:
            return connection.execute(statement, values).fetchall()

    def tampered(self, statement: str, *values: Any) -> str:
        try:
            self.asked(statement, *values)
        except (sqlite3.Error, OverflowError) as error:
            return str(error) or type(error).__name__
        return ""

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield

    def unguarded(self, *statements: str) -> None:
        with contextlib.closing(sqlite3.connect(self.path)) as connection, connection:
            for (guard,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {guard}")
            for statement in statements:
                connection.execute(statement)

    def restore(self, backup: Path) -> None:
        for beside in self.folder.glob("budget.db*"):
            beside.unlink()
        shutil.copy(backup, self.path)


@dataclass(frozen=True, kw_only=True)
class ServerPlace:
    """A ledger's schema in a cluster's only database; a new place begins by emptying it."""

    cluster: Cluster
    folder: Path

    @property
    def url(self) -> str:
        password = quote(self.cluster.password, safe="")
        return f"postgresql://{self.cluster.user}:{password}@127.0.0.1:{self.cluster.port}/{self.cluster.database}"

    @property
    def marker(self) -> Path:
        return self.folder / "ledger.id"

    def open(self, **options: Any) -> Ledger:
        return opened_at(self, options)

    def emptied(self) -> ServerPlace:
        """The same place without the ledger that an earlier test left there."""
        self.asked(f"DROP SCHEMA IF EXISTS {NAMESPACE} CASCADE")
        return self

    def asked(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self.cluster.connect() as connection:
            connection.execute(f"SET search_path = {NAMESPACE}")
            cursor = connection.execute(statement.replace("?", "%s"), values or None)
            return cursor.fetchall() if cursor.description else []

    def tampered(self, statement: str, *values: Any) -> str:
        try:
            self.asked(statement, *values)
        except (psycopg.Error, OverflowError) as error:
            return str(error) or type(error).__name__
        return ""

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        with self.cluster.connect() as connection:
            connection.execute("BEGIN")
            connection.execute(f"SELECT pg_advisory_xact_lock({0x657073696C6F6E})")
            yield

    def unguarded(self, *statements: str) -> None:
        with self.cluster.connect() as connection:
            connection.execute(f"SET search_path = {NAMESPACE}")
            connection.execute("SET session_replication_role = replica")
            for statement in statements:
                connection.execute(statement)

    def restore(self, backup: Path) -> None:
        self.emptied()
        cluster = self.cluster
        place = (
            "--host=127.0.0.1",
            f"--port={cluster.port}",
            f"--username={cluster.user}",
            f"--dbname={cluster.database}",
        )
        subprocess.run(
            ["pg_restore", "--exit-on-error", *place, str(backup)],
            env=os.environ | {"PGPASSWORD": cluster.password},
            check=True,
        )
