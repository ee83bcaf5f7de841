"""The embedded engine: one private in-memory DuckDB per table, closed to files, the network and Python variables."""

from __future__ import annotations

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
_BROKEN = (duckdb.Error, ArithmeticError, ValueError, RuntimeError)


class DuckDBEngine:
    """Answers expressions from its own memory; errors of DuckDB never leave it, because they quote cells."""

    __slots__ = ("_connection",)

    def __init__(self) -> None:
        self._connection = duckdb.connect(":memory:", config=dict(_CONFIG))

    def load(self, name: str, table: pa.Table) -> None:
        """Copy Arrow data into a table of this engine."""
        try:
            self._connection.register("arriving", table)
            self._connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM arriving')
            self._connection.unregister("arriving")
        except _BROKEN:
            raise EngineError("The engine could not take in the rows.") from None

    def keep(self, name: str, expression: ibis.Table) -> None:
        """Compute an expression once and store it under a name."""
        self._execute(self._connection, f'CREATE TABLE "{name}" AS {_sql(expression)}')

    def drop(self, name: str) -> None:
        """Forget a stored table."""
        self._execute(self._connection, f'DROP TABLE "{name}"')

    def arrow(self, expression: ibis.Table) -> pa.Table:
        """The result as Arrow; for intake only."""
        with self._cursor() as cursor:
            try:
                return cursor.sql(_sql(expression)).to_arrow_table()
            except _BROKEN:
                raise EngineError from None

    def integers(self, expression: ibis.Table) -> list[tuple[int, ...]]:
        """The result as exact integers of any size; safe to call from several threads."""
        with self._cursor() as cursor:
            rows = self._execute(cursor, _sql(expression)).fetchall()
        return [tuple(int(number) for number in row) for row in rows]

    def close(self) -> None:
        """Free the memory; the engine answers nothing afterwards."""
        self._connection.close()

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        try:
            return self._connection.cursor()
        except _BROKEN:
            raise EngineError("This table was closed.") from None

    @staticmethod
    def _execute(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyConnection:
        try:
            return connection.execute(sql)
        except _BROKEN:
            raise EngineError from None


def _sql(expression: ibis.Table) -> str:
    return str(ibis.to_sql(expression, dialect="duckdb"))
