"""Parquet by path, from the server's configuration: a file, a folder or a pattern, read where it lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import ibis
import ibis.expr.datatypes as dt
from ibis.backends.sql.datatypes import DuckDBType

from dpengine.data.aggregates.stored_rows import TABLE_NAME, StoredRows
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.connected_report import connected_report
from dpengine.data.connected.connected_rows import rows_as_read, staged_rows
from dpengine.data.connected.parquet_files import PATTERN, files_named, folders_named, place_at
from dpengine.data.declared.schema import Schema
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.engines.engine import Opened
from dpengine.data.engines.scratch import Scratch
from dpengine.data.engines.stopping import stoppable
from dpengine.data.files.reading import UNWATCHED, ReadingWatch
from dpengine.data.typed.contents import placed
from dpengine.errors import EngineError, IntakeError

MEMORY_LIMIT = "3GB"
ROWS_A_PORTION = 12_500_000
"""How many rows are put into each person's order at once, within that memory."""
_SOURCE = "files_read"


def open_parquet(
    address: Address,
    schema: Schema,
    salt: str,
    *,
    reading: ReadingWatch = UNWATCHED,
    rows_a_portion: int = ROWS_A_PORTION,
    room: Path | None = None,
) -> Opened:
    """The rows at an address such as parquet:///data/visits.parquet, of which no more than a portion is in memory.

    Where every row is another person, each question reads the files anew. Otherwise the rows are put into each person's
    repeatable order once, now, on disk in `room`: later questions do not see later changes of the files. The identity
    is the place and not the content, so that a changed file has no fresh budget. `reading` hears of each portion, and
    may stop it. Raises IntakeError.
    """
    address.require_options(())
    paths = files_at(address)
    engine = DuckDBEngine(readable=paths, scratch=Scratch(room), memory_limit=MEMORY_LIMIT)
    try:
        source, count = _source(engine, address, paths)
        portions = max(math.ceil(count / rows_a_portion), 1)
        with stoppable(engine.interrupt, reading):
            rows = _rows(engine, source, schema, salt, portions, reading)
    except BaseException:
        engine.close()
        raise
    return Opened(
        engine=engine,
        rows=rows,
        identity=Address(scheme=address.scheme, path=place_at(address.path)).identity(),
        report=cache(lambda: connected_report(engine, source, schema, rows)),
    )


def parquet_source(address: Address) -> tuple[DuckDBEngine, ibis.Table]:
    """The files at an address for a look at them, with an engine that keeps nothing; raises IntakeError."""
    paths = files_at(address)
    engine = DuckDBEngine(readable=paths, memory_limit=MEMORY_LIMIT)
    try:
        return engine, _source(engine, address, paths)[0]
    except BaseException:
        engine.close()
        raise


def files_at(address: Address) -> list[str]:
    """The files of an address, sorted, each once: see files_named."""
    if address.host or not address.path.startswith("/"):
        raise IntakeError(
            "The address of a Parquet file has three slashes and the whole path: parquet:///data/t.parquet"
        )
    found = files_named(address.path)
    if not found:
        raise IntakeError("There is no Parquet file at this address; names that begin with . or _ are not read.")
    if any(PATTERN & set(file) for file in found):
        raise IntakeError("Names of Parquet files may not have the signs * ? [ in them.")
    return found


def _source(engine: DuckDBEngine, address: Address, paths: Sequence[str]) -> tuple[ibis.Table, int]:
    """The files as one table, and how many rows their footers promise."""
    try:
        columns, count = engine.parquet(_SOURCE, paths, folders=folders_named(address.path, paths))
    except EngineError:
        pass
    else:
        return ibis.table({name: _type(kind) for name, kind in columns.items()}, name=_SOURCE), count
    raise IntakeError(
        "The Parquet files at this address cannot be read, or do not have the same columns, each of the same type: "
        "write them alike."
    )


def _type(kind: str) -> dt.DataType:
    """The type of a column; one that is not known here can only be left undeclared."""
    try:
        return DuckDBType.from_string(kind)
    except (ValueError, KeyError):
        return dt.unknown


def _rows(
    engine: DuckDBEngine, source: ibis.Table, schema: Schema, salt: str, portions: int, reading: ReadingWatch
) -> tuple[StoredRows, ...]:
    """As read where every row is another person; otherwise stored in portions, each person's rows in one of them."""
    if schema.one_row_each:
        return (rows_as_read(source, schema),)
    staged = staged_rows(source, schema)
    for i in range(portions):
        reading.tell(i / portions, "Putting each person's rows in order")
        portion = staged if portions == 1 else staged.filter(_portion(staged.person, portions) == i)
        engine.keep(_name(i), placed(portion, schema.unit, salt))
    kind = str(staged.person.type())
    return tuple(StoredRows.of(schema, name=_name(i), person=kind) for i in range(portions))


def _portion(person: ibis.Value, portions: int) -> ibis.Value:
    """Which portion a person is in, from 0; hashes may be negative."""
    return (person.hash() % portions + portions) % portions


def _name(index: int) -> str:
    return f"{TABLE_NAME}_{index}"
