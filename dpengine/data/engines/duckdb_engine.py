"""The embedded engine: a private DuckDB per table, closed to other files, the network and Python variables."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

import duckdb
import ibis
import pyarrow as pa
from ibis.expr.operations import UnboundTable

from dpengine.data.engines.duckdb_sql import duckdb_sql
from dpengine.data.engines.error_masking import in_own_words
from dpengine.data.engines.scratch import Scratch
from dpengine.errors import EngineError

MEMORY_LIMIT = "4GB"
SPILL_LIMIT = "20GB"
"""What an engine with a folder may write for one question; without a folder nothing is written at all."""
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # The system keeps what was read of a file; a second copy would count as ours.
    "enable_external_file_cache": "false",
    # Nothing is true of a value because a Parquet file's statistics say so: they leave NaN out, a column whose least
    # number is its largest would be taken for a constant, NaN and all, and a file may tell others.
    "disabled_optimizers": "filter_pushdown,statistics_propagation",
    "threads": "2",
}
State = tuple[tuple[int, ...], ...]
Read = TypeVar("Read")
_STOPPING_SECONDS, _NUDGE_SECONDS = 5.0, 0.005
_MOST_TRIES, _TICK_NANOSECONDS = 5, 20_000_000
"""A file system's clock goes in steps: of what changed within one, a later change may have the same time."""


def _quoting() -> tuple[type[Exception], ...]:
    return (duckdb.Error, pa.ArrowException)


_FORMS = """
    SELECT DISTINCT list((name, duckdb_type, num_children) ORDER BY name, duckdb_type)::text
    FROM parquet_schema($paths) WHERE column_id > 0 GROUP BY file_name
"""
"""The different sets of columns; in what order they stand in a file does not matter."""
_ORDERS = """
    SELECT DISTINCT list({'name': name, 'within': coalesce(num_children, 0)} ORDER BY column_id)
    FROM parquet_schema($paths) GROUP BY file_name
"""
"""The columns and what is within them, in their order."""
_CHANGED = "The files changed while they were read, or have other columns or types now. Open them anew once written."


@dataclass(slots=True, kw_only=True)
class _Files:
    """Parquet files that are read under a name: their columns when they were opened, and their latest known state.

    `folders`: those that lead to them and may be exchanged for others.
    """

    name: str
    paths: tuple[str, ...]
    folders: tuple[str, ...]
    form: str = ""
    known: State = ()

    def form_now(self, connection: duckdb.DuckDBPyConnection) -> str:
        """Columns and types of every file; nothing where they differ, or DuckDB would take two columns for one."""
        forms, orders = (
            connection.execute(asked, {"paths": list(self.paths)}).fetchall() for asked in (_FORMS, _ORDERS)
        )
        columns = (_top(order) for (order,) in orders)
        if len(forms) != 1 or any(len({name.casefold() for name in names}) < len(names) for names in columns):
            return ""
        return str(forms[0][0])

    def read_at_rest(self, read: Callable[[State], Read]) -> Read:
        """What is read while nothing changes; where only a folder did, as by somebody's other file, it is read anew."""
        for _ in range(_MOST_TRIES):
            before = self.at_rest()
            found = read(before)
            after = self.state()
            if after == before:
                return found
            if after[: len(self.paths)] != before[: len(self.paths)]:
                break
        raise EngineError(_CHANGED)

    def at_rest(self) -> State:
        """The state, once any later change has a later time; EngineError where there is no end to changes."""
        for _ in range(_MOST_TRIES):
            found = self.state()
            if not any(0 <= time.time_ns() - changed < _TICK_NANOSECONDS for *_, changed in found):
                return found
            time.sleep(_TICK_NANOSECONDS / 1e9)
        raise EngineError(_CHANGED)

    def state(self) -> State:
        """Which files and folders there are, how long, and when they changed; each file once, and by no link."""
        try:
            found = [os.lstat(path) for path in (*self.paths, *self.folders)]
        except OSError:
            raise EngineError(_CHANGED) from None
        different = {(one.st_dev, one.st_ino) for one in found}
        if len(different) < len(found) or any(os.path.realpath(path) != path for path in self.paths):
            raise EngineError(_CHANGED)
        return tuple((one.st_dev, one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in found)


class DuckDBEngine:
    """Answers expressions from its own memory; errors of DuckDB never leave it, because they quote cells.

    Every question has a cursor of its own, so that several threads may ask at once. `readable` are the only files that
    it may open; with a `scratch` folder, which it then owns, what it keeps lies there on disk.
    """

    __slots__ = ("_changed", "_closed", "_connection", "_files", "_running", "_scratch")

    def __init__(
        self, *, readable: Sequence[str] = (), scratch: Scratch | None = None, memory_limit: str = MEMORY_LIMIT
    ) -> None:
        kept = ":memory:" if scratch is None else str(scratch.folder / "kept.duckdb")
        spill = "" if scratch is None else str(scratch.folder / "spill")
        limits = {"memory_limit": memory_limit, "max_temp_directory_size": SPILL_LIMIT, "temp_directory": spill}
        self._connection = duckdb.connect(kept, config=_CONFIG | limits)
        self._allow(readable)
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")
        self._scratch = scratch
        self._files: _Files | None = None
        self._running: set[duckdb.DuckDBPyConnection] = set()
        self._changed = threading.Condition()
        self._closed = False

    def _allow(self, readable: Sequence[str]) -> None:
        """DuckDB allows what links lead to: where one stands in a file's place just now, that is another file."""
        self._connection.execute("SET allowed_paths = $paths", {"paths": list(readable)})
        (allowed,) = self._connection.execute("SELECT current_setting('allowed_paths')").fetchone() or ([],)
        if sorted(allowed) != sorted(readable):
            raise EngineError(_CHANGED)

    @in_own_words(_quoting)
    def keep(self, name: str, expression: ibis.Table, **arriving: pa.Table) -> None:
        """Compute an expression once and store it under a name; it may read Arrow data given by name."""
        with self._cursor() as cursor:
            for source, table in arriving.items():
                cursor.register(source, table)
            statement = f'CREATE OR REPLACE TABLE "{name}" AS {duckdb_sql(expression)}'
            self._as_opened(expression, cursor, lambda: cursor.execute(statement))

    @in_own_words(_quoting)
    def drop(self, name: str) -> None:
        """Forget what is stored under a name."""
        self._connection.execute(f'DROP TABLE "{name}"')

    @in_own_words(_quoting)
    def parquet(self, name: str, paths: Sequence[str], *, folders: Sequence[str]) -> tuple[dict[str, str], int]:
        """Read Parquet files under a name of ours; gives the columns with their types, and the rows of the footers.

        `folders` lead to the files: nothing is answered while one of them changes.

        Raises EngineError unless all have the same columns of the same types: DuckDB takes those of the first file,
        rounds the others' values to them, and fails at the first one that does not fit.
        """
        files = _Files(name=name, paths=tuple(paths), folders=tuple(folders))
        found = files.read_at_rest(lambda now: self._opened(files, now))
        self._files = files
        return found

    @in_own_words(_quoting)
    def arrow(self, expression: ibis.Table) -> pa.Table:
        """The result as Arrow; for intake only."""
        with self._cursor() as cursor:
            return self._as_opened(expression, cursor, lambda: cursor.sql(duckdb_sql(expression)).to_arrow_table())

    @in_own_words(_quoting)
    def integers(self, expression: ibis.Table) -> list[dict[str, int]]:
        """The result as exact integers of any size, one mapping from column to value for each row."""
        with self._cursor() as cursor:
            statement = duckdb_sql(expression)
            rows = self._as_opened(expression, cursor, lambda: cursor.execute(statement).fetchall())
        return [dict(zip(expression.columns, map(_whole, row), strict=True)) for row in rows]

    def interrupt(self) -> None:
        """Stop what is being computed, if anything is; waits until it has stopped.

        DuckDB forgets a stop that comes just before a statement begins, so each is told until it has ended.
        """
        with self._changed:
            stopping, end = set(self._running), time.monotonic() + _STOPPING_SECONDS
            while stopping & self._running and time.monotonic() < end:
                for cursor in stopping & self._running:
                    cursor.interrupt()
                self._changed.wait(_NUDGE_SECONDS)

    def close(self) -> None:
        """Stop what is computed, free the memory and delete what was written; the engine answers nothing afterwards.

        DuckDB does not close while a statement runs: what cannot be stopped in time closes it when it has ended.
        """
        self._closed = True
        self.interrupt()
        self._end()

    def _end(self) -> None:
        with self._changed:
            if self._running:
                return
            self._connection.close()
        if self._scratch is not None:
            self._scratch.close()

    def _opened(self, files: _Files, now: State) -> tuple[dict[str, str], int]:
        """Columns, types and rows of files that are read from now on."""
        files.known, files.form = now, files.form_now(self._connection)
        if not files.form:
            raise EngineError
        read = self._connection.read_parquet(list(files.paths), hive_partitioning=False, union_by_name=False)
        read.create_view(files.name)
        # What a file says of its least and largest moment is read with any question: it would fail each of them.
        self._connection.execute(f'SELECT 1 FROM "{files.name}" LIMIT 0')  # noqa: S608  a name of ours
        footers = "SELECT sum(num_rows) FROM parquet_file_metadata($paths)"
        rows = self._connection.execute(footers, {"paths": list(files.paths)}).fetchone()
        return dict(zip(read.columns, map(str, read.types), strict=True)), int(rows[0]) if rows else 0

    def _as_opened(self, expression: ibis.Table, cursor: duckdb.DuckDBPyConnection, read: Callable[[], Read]) -> Read:
        """What is read; files that a question reads have the types with which they were opened, and stay meanwhile."""
        files = self._files
        if files is None or files.name not in {one.name for one in expression.op().find(UnboundTable)}:
            return read()

        def of_known_types(now: State) -> Read:
            if now != files.known:
                if files.form_now(cursor) != files.form:
                    raise EngineError(_CHANGED)
                files.known = now
            return read()

        return files.read_at_rest(of_known_types)

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._changed:
            if self._closed:
                raise EngineError
            cursor = self._connection.cursor()
            self._running.add(cursor)
        try:
            yield cursor
        finally:
            with self._changed:
                self._running.discard(cursor)
                self._changed.notify_all()
            cursor.close()
            if self._closed:
                self._end()


def _top(order: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the columns themselves: the first is that of the file, and each is followed by what is within it."""
    names, waiting = [], 0
    for column in order[1:]:
        if not waiting:
            names.append(str(column["name"]))
        waiting = max(waiting - 1, 0) + int(column["within"])
    return names


def _whole(value: object) -> int:
    """An exact integer; a floating point number may already have been rounded, so it is refused."""
    if isinstance(value, int | Decimal) and value == int(value):
        return int(value)
    raise EngineError
