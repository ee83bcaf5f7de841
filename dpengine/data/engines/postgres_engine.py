"""PostgreSQL, by connection URL: the rows stay where they are, and nothing is ever written there."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import ibis

from dpengine import known_postgres
from dpengine.data.engines.error_masking import in_own_words
from dpengine.data.engines.postgres_sql import postgres_sql
from dpengine.data.engines.postgres_watch import Column, TableWatch
from dpengine.errors import EngineError, IntakeError
from dpengine.listeners import STRANGER_LISTENS, strangers_listen

MOST_IDLE = 4
_STOPPING_SECONDS, _NUDGE_SECONDS = 10.0, 0.05
_SET = (
    "SELECT pg_catalog.set_config(name, value, false) "
    "FROM unnest(%s::pg_catalog.text[], %s::pg_catalog.text[]) AS one (name, value)"
)
"""With whole names: until it has run, the database or the user may say where others are looked for; `unnest` of several
lists is the system's own, wherever names are looked for."""
_CHANGED = "The table has other columns or types than when it was opened, so it is not asked. Open it anew."
NOT_INSTALLED = (
    "Tables in PostgreSQL need the driver psycopg, which is not installed: pip install -r requirements-postgresql.txt"
)


def _driver() -> Any:
    """The driver, which a server without PostgreSQL does not need."""
    try:
        return import_module("psycopg")
    except ImportError:
        raise IntakeError(NOT_INSTALLED) from None


def _errors() -> tuple[type[Exception], ...]:
    return (_driver().Error,)


def _close(connections: list[Any]) -> None:
    while connections:
        connections.pop().close()


def _looked_at(watch: TableWatch, connection: Any) -> list[Column]:
    """Within a transaction, until whose end nobody changes what is read; raises IntakeError for a stranger's."""
    locks = connection.execute(watch.lock, watch.values).fetchall()
    if not locks:
        raise watch.missing()
    for (lock,) in locks:
        connection.execute(lock)
    for owner, foreign in connection.execute(watch.strangers, watch.values).fetchall():
        if owner is not None:
            raise watch.refused(owner)
        if foreign is not None:
            raise watch.foreign(foreign)
    return list(connection.execute(watch.columns, watch.values).fetchall())


def _as_made(columns: list[Column]) -> list[tuple[object, ...]]:
    """What has to stay from question to question: a table that is made anew in the same way is the same one."""
    return [column[:-1] for column in columns]


class PostgreSQLEngine:
    """Answers expressions through read-only connections; errors of PostgreSQL never leave it, because they quote cells.

    Every question has a connection of its own, so that several threads may ask at once. `settings` are arguments of
    psycopg.connect, which are told to no stranger's program at this machine's port where it `asks_who_listens`,
    `session` what is set before each question, whatever the environment, the database, the user or
    code within the question before has set.
    """

    __slots__ = (
        *("__weakref__", "_asked", "_asks_who_listens", "_closed", "_columns", "_idle", "_lock", "_session"),
        *("_settings", "_stopped", "_stored", "_watch"),
    )

    def __init__(
        self, settings: Mapping[str, str], session: Mapping[str, str], *, asks_who_listens: bool = False
    ) -> None:
        self._settings, self._session, self._asks_who_listens = settings, session, asks_who_listens
        self._stored: dict[str, str] = {}
        self._idle: list[Any] = []
        self._asked: set[Any] = set()
        self._stopped: set[Any] = set()
        self._watch: TableWatch | None = None
        self._columns: list[tuple[object, ...]] = []
        self._lock, self._closed = threading.Lock(), False
        weakref.finalize(self, _close, self._idle)

    def connect(self) -> None:
        """Find out whether the database is there and lets us in; raises EngineError."""
        with self._lent():
            return

    @in_own_words(_errors)
    def watch(self, watch: TableWatch) -> list[Column]:
        """The columns of a table; from now on it is looked at before each question. IntakeError for a stranger's."""
        with self._lent() as connection, connection.transaction():
            found = _looked_at(watch, connection)
        if not found:
            raise watch.missing()
        self._watch, self._columns = watch, _as_made(found)
        return found

    def name(self, name: str, expression: ibis.Table) -> ibis.Table:
        """A table of this name that stands for an expression in every question; nothing is computed or stored."""
        self._stored[name] = postgres_sql(expression)
        return ibis.table(expression.schema(), name=name)

    @in_own_words(_errors)
    def integers(self, expression: ibis.Table) -> list[dict[str, int]]:
        """The result as exact integers of any size, one mapping from column to value for each row."""
        return [dict(zip(expression.columns, map(int, row), strict=True)) for row in self.rows(expression)]

    def rows(self, expression: ibis.Table) -> list[tuple[Any, ...]]:
        """The rows of an expression, for looks at a table by its curator."""
        return self._rows(postgres_sql(expression, **self._stored))

    @in_own_words(_errors)
    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self._lent() as connection, connection.transaction():
            if (watch := self._watch) is None:
                return list(connection.execute(statement).fetchall())
            found = _looked_at(watch, connection)
            if _as_made(found) != self._columns:
                raise EngineError(_CHANGED)
            rows = list(connection.execute(statement).fetchall())
            if connection.execute(watch.columns, watch.values).fetchall() != found:
                raise EngineError(_CHANGED)
            return rows

    @in_own_words(_errors)
    def texts(self, statement: str, values: tuple[object, ...] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a statement of our own, such as one about the catalog."""
        with self._lent() as connection:
            return list(connection.execute(statement, values).fetchall())

    def interrupt(self) -> None:
        """Cancel the running statements; a connection that was told so is not used again, lest a late cancel hits."""
        with self._lock:
            asked = list(self._asked)
            self._stopped.update(asked)
        for connection in asked:
            with suppress(*_errors()):
                connection.cancel_safe()

    def close(self) -> None:
        """Stop what is being answered, and close the connections; the engine answers nothing afterwards.

        Told again until each has ended: a statement may begin just after it was canceled.
        """
        with self._lock:
            self._closed = True
            _close(self._idle)
        deadline = time.monotonic() + _STOPPING_SECONDS
        while self._asked and time.monotonic() < deadline:
            self.interrupt()
            time.sleep(_NUDGE_SECONDS)

    @contextmanager
    def _lent(self) -> Iterator[Any]:
        connection = self._living() or self._new()
        with self._lock:
            self._asked.add(connection)
        try:
            if self._closed:
                raise EngineError
            yield connection
        finally:
            with self._lock:
                self._asked.discard(connection)
                reusable = not self._closed and connection not in self._stopped and len(self._idle) < MOST_IDLE
                self._stopped.discard(connection)
                if reusable:
                    self._idle.append(connection)
            if not reusable:
                connection.close()

    def _living(self) -> Any | None:
        """A connection from earlier that still answers: the server may have been started anew since.

        It is as new: code within a view may have set anything for the rest of a connection, such as writing.
        """
        while True:
            with self._lock:
                if self._closed:
                    raise EngineError
                if not self._idle:
                    return None
                connection = self._idle.pop()
            try:
                connection.execute("DISCARD ALL")
                return self._set_up(connection)
            except _errors():
                connection.close()

    def _set_up(self, connection: Any) -> Any:
        connection.execute(_SET, (list(self._session), list(self._session.values())))
        return connection

    def _new(self) -> Any:
        if self._asks_who_listens and strangers_listen(self._settings["host"], int(self._settings["port"])):
            raise EngineError(STRANGER_LISTENS)
        try:
            made = known_postgres.connect if self._asks_who_listens else _driver().connect
            return self._set_up(made(**self._settings, autocommit=True, prepare_threshold=None))
        except _errors():
            is_a_strangers = False
        except known_postgres.StrangerListensError:
            is_a_strangers = True
        if is_a_strangers:
            raise EngineError(STRANGER_LISTENS)
        raise EngineError(
            f"PostgreSQL at {self._settings['host']}:{self._settings['port']} does not answer or refused access; "
            "check host, port, database, user and password. On another machine its certificate has to be known here, "
            "unless the address says otherwise: &sslmode=... A password is told by SCRAM alone: &require_auth=..."
        )
