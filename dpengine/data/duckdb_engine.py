"""The embedded engine: one private in-memory DuckDB per table, closed to files, the network and Python variables."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import duckdb
import ibis
import pyarrow as pa

from dpengine.errors import EngineError

_CONFIG = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "4GB",
    "temp_directory": "",
    "threads": "2",
    "lock_configuration": "true",
}
_QUOTING = (duckdb.Error, pa.ArrowException, ArithmeticError, ValueError, RuntimeError, MemoryError)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def _in_own_words(call: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Replace any error of DuckDB by ours, raised after the handler has ended: not even its context keeps the text."""

    @wraps(call)
    def guarded(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        try:
            return call(*args, **kwargs)
        except _QUOTING:
            pass
        raise EngineError

    return guarded


class DuckDBEngine:
    """Answers expressions from its own memory; errors of DuckDB never leave it, because they quote cells.

    Every question has a cursor of its own, so that several threads may ask at once.
    """

    __slots__ = ("_connection",)

    def __init__(self) -> None:
        self._connection = duckdb.connect(":memory:", config=dict(_CONFIG))

    @_in_own_words
    def keep(self, name: str, expression: ibis.Table, **arriving: pa.Table) -> None:
        """Compute an expression once and store it under a name; it may read Arrow data given by name."""
        for source, table in arriving.items():
            self._connection.register(source, table)
        self._connection.execute(f'CREATE TABLE "{name}" AS {_sql(expression)}')
        for source in arriving:
            self._connection.unregister(source)

    @_in_own_words
    def drop(self, name: str) -> None:
        """Forget what is stored under a name."""
        self._connection.execute(f'DROP TABLE "{name}"')

    @_in_own_words
    def arrow(self, expression: ibis.Table) -> pa.Table:
        """The result as Arrow; for intake only."""
        with self._connection.cursor() as cursor:
            return cursor.sql(_sql(expression)).to_arrow_table()

    @_in_own_words
    def integers(self, expression: ibis.Table) -> list[dict[str, int]]:
        """The result as exact integers of any size, one mapping from column to value for each row."""
        with self._connection.cursor() as cursor:
            rows = cursor.execute(_sql(expression)).fetchall()
        return [dict(zip(expression.columns, map(int, row), strict=True)) for row in rows]

    def close(self) -> None:
        """Free the memory; the engine answers nothing afterwards."""
        self._connection.close()


def _sql(expression: ibis.Table) -> str:
    return str(ibis.to_sql(expression, dialect="duckdb"))
