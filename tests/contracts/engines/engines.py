"""The same cells in every engine: as text, in a table of that engine's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyarrow as pa
import pyarrow.parquet as pq
from psycopg.sql import SQL, Identifier

from dpengine.data import Schema, Table
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.connections import open_connected
from dpengine.data.connected.parquet_path import open_parquet
from dpengine.data.files.cells import Cells
from tests.contracts.engines.rows_oracle import FILE
from tests.examples.tables import cells_here
from tests.servers.databases import Cluster, Databases

CELLS = cells_here(FILE)
"""The dirty file as read; no engine changes it."""


def in_duckdb(databases: Databases, cells: Cells, schema: Schema, salt: str) -> Table:
    return Table.of_cells(cells, schema=schema, salt=salt)


def in_postgresql(databases: Databases, cells: Cells, schema: Schema, salt: str) -> Table:
    filled(databases.cluster, "dirty", cells)
    url = databases.cluster.url("public.dirty")
    return Table(open_connected(url, schema=schema, salt=salt), schema=schema)


def in_parquet(databases: Databases, cells: Cells, schema: Schema, salt: str) -> Table:
    """A Parquet file of text columns with these cells, read where it lies."""
    path = databases._folder / "dirty.parquet"
    pq.write_table(pa.table(list(cells.columns), names=list(cells.names)), path)
    return Table(open_connected(f"parquet://{path}", schema=schema, salt=salt), schema=schema)


def in_portions(databases: Databases, cells: Cells, schema: Schema, salt: str) -> Table:
    """The same file, people spread over several portions."""
    in_parquet(databases, cells, schema, salt).close()
    address = Address.of(f"parquet://{databases._folder / 'dirty.parquet'}")
    return Table(open_parquet(address, schema, salt, rows_a_portion=150), schema=schema)


def in_spark(databases: Databases, cells: Cells, schema: Schema, salt: str) -> Table:
    path = databases.path("spark.parquet")
    pq.write_table(pa.table(list(cells.columns), names=list(cells.names)), path, row_group_size=150)
    return Table(open_connected(databases.spark(parquet=path), schema=schema, salt=salt), schema=schema)


def filled(cluster: Cluster, name: str, cells: Cells) -> None:
    """A table of text columns with these cells."""
    table, columns = Identifier(name), SQL(", ").join(SQL("{} text").format(Identifier(name)) for name in cells.names)
    with cluster.connect() as connection, connection.cursor() as cursor:
        cursor.execute(SQL("DROP TABLE IF EXISTS {}").format(table))
        cursor.execute(SQL("CREATE TABLE {} ({})").format(table, columns))
        with cursor.copy(SQL("COPY {} FROM STDIN").format(table)) as copy:
            for row in zip(*(column.to_pylist() for column in cells.columns), strict=True):
                copy.write_row(row)


ENGINES: Mapping[str, Callable[[Databases, Cells, Schema, str], Table]] = {
    "duckdb": in_duckdb,
    "parquet by path": in_parquet,
    "parquet in portions": in_portions,
    "postgresql": in_postgresql,
    "spark": in_spark,
}
