"""The ledger in a PostgreSQL database that several servers share: everything that only PostgreSQL says.

It lives in a schema of its own, so that other tables may stand beside it. Every change first takes the one lock of
all writers, so that nobody reads a total that another one is about to change; commits are synchronous, whatever the
server's default is; triggers refuse whatever the code above should never ask for.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self
from weakref import finalize

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, DisconnectionError, NoSuchModuleError

from dpengine import known_postgres
from dpengine.errors import LedgerError
from dpengine.ledger.storage import postgres_owners
from dpengine.ledger.storage.database import create_private
from dpengine.ledger.storage.postgres_in_words import READ_ONLY, RESTORE, in_words
from dpengine.ledger.storage.postgres_triggers import NAMESPACE, triggers
from dpengine.ledger.storage.tables import METADATA
from dpengine.listeners import (
    STRANGER_LISTENS,
    USUAL_FOLDER,
    is_told,
    leads_here,
    no_certificate_tells,
    strangers_listen,
    ways_to_prove,
)
from dpengine.way_to_postgres import port_of_ours

_LOCK = 0x657073696C6F6E  # "epsilon": a number that other programs' locks are unlikely to be
_USUAL_PORT, _CONNECT_SECONDS = 5432, 10
_MOST_CONNECTIONS = 15
_CONNECTED = {
    "connect_timeout": _CONNECT_SECONDS,
    **known_postgres.WITHIN_A_MINUTE,
    "application_name": "Epsilon Explorer ledger",
    # The environment's would lead to another server than the URL names, or take the triggers away. Where names are
    # looked for is said before the first statement, which the driver makes: else the database's owner says it.
    "hostaddr": "",
    "options": "-c search_path=pg_catalog",
}
_LEADING_ELSEWHERE = ("PGHOSTADDR", "PGOPTIONS", "PGSERVICE", "PGSERVICEFILE")
_ALONE = f"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock({_LOCK})"
"""In one go: taken before anything is read, so that every statement after it sees what the writer before committed."""
_LOOK = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_OPTIONS = frozenset({"sslmode", "sslrootcert", "sslcert", "sslkey", "require_auth"})
_ENCRYPTED = {"sslmode": "verify-full", "sslrootcert": "system"}
"""Else the driver does without encryption where somebody on the way says that there is none."""
_HERE = re.compile(r"|localhost|127(\.\d+){3}|::1|/.*")


@dataclass(frozen=True, kw_only=True)
class PostgresDatabase:
    """A ledger's database; `patience`: seconds to wait while others write, or for the server to answer."""

    address: URL = field(repr=False)
    patience: float = field(default=30.0)

    @classmethod
    def at(cls, address: URL, patience: float) -> Self:
        """The database that a URL names; raises LedgerError where the URL or the driver will not do."""
        if not address.database:
            raise LedgerError('A ledger in PostgreSQL needs a database\'s name: "postgresql://user@host/database".')
        unknown = sorted(set(address.query) - _OPTIONS)
        if unknown:
            raise LedgerError(f"A ledger's URL takes no {unknown[0]!r}; it may have {', '.join(sorted(_OPTIONS))}.")
        if not _HERE.fullmatch(address.host or "") and "sslmode" not in address.query:
            address = address.update_query_dict({**_ENCRYPTED, **address.query})
        if "require_auth" not in address.query:
            address = address.update_query_dict({"require_auth": ways_to_prove(address.password)})
        if address.host:
            address = address.set(port=address.port or _USUAL_PORT)  # and not the environment's
        return cls(address=address.set(drivername="postgresql+psycopg"), patience=patience)

    @property
    def place(self) -> str:
        return f"PostgreSQL database {self.address.database!r} on {self.address.host or 'this machine'}"

    @property
    def marker(self) -> Path:
        """In the current folder: `budget.ledger.id` for a database of the name `budget`."""
        name = "".join(letter if letter.isalnum() else "_" for letter in str(self.address.database))
        return Path(f"{name}.ledger.id")

    @property
    def way_back(self) -> str:
        return "a backup made with pg_dump"

    def is_there(self) -> bool:
        """Whether the ledger's tables are there; raises LedgerError where the server does not answer."""
        with self.reading() as connection:
            return bool(self.table_names(connection))

    def reserve(self) -> None:
        """The ledger's own schema; one at a time, since two that begin together would both try to make it."""
        with self.writing() as connection:
            if not connection.scalar(text("SELECT to_regnamespace(:name)"), {"name": NAMESPACE}):
                connection.execute(text(f"CREATE SCHEMA {NAMESPACE}"))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent look at the ledger."""
        with in_words(), self._begun(_LOOK) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The only writer, until the commit at the end; nothing is kept of it if anything is raised, whatever it is."""
        with in_words(), self._begun(_ALONE) as connection:
            yield connection

    def require_own(self, connection: Connection) -> None:
        """Refuse what another role made, or may change."""
        postgres_owners.require_own(connection, self.place)

    def table_names(self, connection: Connection) -> frozenset[str]:
        """What is in the ledger's schema, be it a ledger or not."""
        named = text("SELECT table_name FROM information_schema.tables WHERE table_schema = :name")
        return frozenset(connection.execute(named, {"name": NAMESPACE}).scalars())

    def build(self, connection: Connection) -> None:
        """All tables and triggers, within the caller's transaction."""
        METADATA.create_all(connection)
        for statement in triggers():
            connection.exec_driver_sql(statement)

    def require_sound(self, connection: Connection) -> None:
        """Refuse a database that only follows another one, and a ledger that lost a trigger."""
        if connection.scalar(text("SELECT pg_is_in_recovery()")):
            raise LedgerError(READ_ONLY)
        guards = text(
            "SELECT count(*) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            "WHERE relnamespace = to_regnamespace(:name) AND NOT tgisinternal AND tgenabled IN ('O', 'A')"
        )
        if connection.scalar(guards, {"name": NAMESPACE}) != sum("CREATE TRIGGER" in made for made in triggers()):
            raise LedgerError(f"The ledger in the {self.place} is damaged: its guards are missing. {RESTORE}")
        if connection.scalar(text("SELECT current_setting('fsync')")) != "on":
            raise LedgerError(
                f"The {self.place} does not wait for its disk (fsync is off), so a power cut would bring budgets back. "
                "Turn fsync on."
            )

    def back_up(self, to: Path) -> None:
        """What pg_dump writes of the ledger's schema; `pg_restore` reads it. The password is not seen by others."""
        _require_no_strangers(self.address)
        create_private(to)
        try:
            with self._way_for_programs() as place:
                self._dumped(to, place)
        except FileNotFoundError:
            to.unlink(missing_ok=True)
            raise LedgerError("The program pg_dump, which comes with PostgreSQL, was not found. Install it.") from None
        except subprocess.CalledProcessError:
            to.unlink(missing_ok=True)
            raise LedgerError("pg_dump could not write the backup; nothing of the ledger was changed.") from None

    def _dumped(self, to: Path, place: Mapping[str, str | int | None]) -> None:
        own = {"username": self.address.username, "dbname": self.address.database}
        where = [f"--{name}={value}" for name, value in {**place, **own}.items() if value]
        command = ["pg_dump", "--format=custom", f"--schema={NAMESPACE}", f"--file={to}", "--no-password", *where]
        secret = {"PGPASSWORD": password} if (password := self._password()) else {}
        options = {f"PG{name.upper()}": str(value) for name, value in self.address.query.items()}
        inherited = {name: value for name, value in os.environ.items() if name not in _LEADING_ELSEWHERE}
        subprocess.run(  # noqa: S603  our own program's name and an administrator's address
            command, env=inherited | secret | options, check=True, stdin=subprocess.DEVNULL, capture_output=True
        )

    def _password(self) -> str:
        """That of the address, or what the driver finds for it elsewhere: pg_dump is led to a place no file names."""
        if self.address.password:
            return str(self.address.password)
        with suppress(DBAPIError), self._engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            return str(driver.info.password)
        return ""

    def close(self) -> None:
        """Let go of every connection that nobody uses at this moment."""
        self._engine.dispose()

    @cached_property
    def _engine(self) -> Engine:
        try:
            engine = create_engine(
                self.address,
                hide_parameters=True,
                max_overflow=_MOST_CONNECTIONS,
                pool_timeout=self.patience,
                connect_args={**_CONNECTED, **self._by_socket},
            )
        except (ImportError, NoSuchModuleError):
            raise LedgerError(
                "A ledger in PostgreSQL needs a driver: pip install -r requirements-postgresql.txt."
            ) from None
        event.listen(engine, "do_connect", partial(_connected, self.address))
        event.listen(engine, "connect", partial(_set_session, self.patience))
        event.listen(engine, "connect", _belongs_here)
        event.listen(engine, "checkout", _require_own)
        finalize(self, engine.dispose)
        return engine

    @contextmanager
    def _begun(self, begin: str) -> Iterator[Connection]:
        """What `begin` begins, until the commit at the end.

        A connection that waited in the pool while the server was restarted shows here at the latest, where nothing was
        asked yet; then all that waited are given up, and a new one begins.
        """
        try:
            connection = self._connected(begin)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            connection = self._connected(begin)
        with connection:
            yield connection
            connection.commit()

    def _connected(self, begin: str) -> Connection:
        connection = self._engine.connect()
        try:
            connection.exec_driver_sql(begin)
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def _by_socket(self) -> Mapping[str, str | int]:
        """The place where a URL names no host: the environment's is another one."""
        return {} if self.address.host else {"host": USUAL_FOLDER, "port": self.address.port or _USUAL_PORT}

    @contextmanager
    def _way_for_programs(self) -> Iterator[Mapping[str, str | int | None]]:
        """Where a program finds the server: at a port of ours where no certificate tells whose the server's is."""
        place = {"host": self.address.host, "port": self.address.port, **self._by_socket}
        if not (is_told() and _asks_who_listens(self.address) and leads_here(self.address.host or "")):
            yield place
            return
        with port_of_ours(str(place["host"]), int(place["port"] or _USUAL_PORT)) as port:
            yield {"host": "127.0.0.1", "port": port}


def _connected(address: URL, _dialect: object, _record: object, given: list[Any], named: dict[str, Any]) -> Any:
    """A connection where a certificate does not tell whose the server is; None where it does, for the driver's own."""
    if not _asks_who_listens(address):
        return None
    _require_no_strangers(address)
    with suppress(known_postgres.StrangerListensError):
        return known_postgres.connect(*given, **named)
    raise LedgerError(f"{STRANGER_LISTENS} Nothing was changed.")


def _require_no_strangers(address: URL) -> None:
    """Whoever listens in the place of a server of this machine may pass on how it proves itself, and read along."""
    if _asks_who_listens(address) and strangers_listen(address.host or "", address.port or _USUAL_PORT):
        raise LedgerError(f"{STRANGER_LISTENS} Nothing was changed.")


def _asks_who_listens(address: URL) -> bool:
    return no_certificate_tells(address.host or "", address.query.get("sslmode"))


def _belongs_here(_connection: object, record: Any) -> None:
    record.info["process"] = os.getpid()


def _require_own(_connection: object, record: Any, proxy: Any) -> None:
    """A copied process forgets the other's connections unclosed, and opens its own: two on one would mix words."""
    if record.info["process"] != os.getpid():
        record.dbapi_connection = proxy.dbapi_connection = None
        raise DisconnectionError("The connection belongs to another process.")


def _set_session(patience: float, connection: Any, _record: object) -> None:
    """What holds for every transaction, whatever the server's defaults are."""
    milliseconds = max(1, int(patience * 1000))
    settings = (
        f"search_path = {NAMESPACE}",
        "synchronous_commit = on",
        f"lock_timeout = {milliseconds}",
        f"statement_timeout = {milliseconds + 1000}",
        "idle_in_transaction_session_timeout = 60000",
        "client_encoding = 'UTF8'",
        "plan_cache_mode = force_generic_plan",
    )
    with connection.cursor() as cursor:
        cursor.execute("; ".join(f"SET {setting}" for setting in settings))
    connection.commit()
    connection.autocommit = True  # or the driver would begin transactions, with a word of its own to the server each
