"""No cell that a database keeps makes a question fail, however its column is declared: it would be seen to be there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import (
    Aggregate,
    And,
    BooleanColumn,
    CategoryColumn,
    Column,
    Comparison,
    ConditionCounts,
    DateColumn,
    FixedPointSum,
    IsMissing,
    Not,
    NumberColumn,
    Or,
    PrivacyUnit,
    RowCount,
    Schema,
    Table,
    TextColumn,
)
from dpengine.data.connected.connections import open_connected
from dpengine.data.typed.native_casts import LONGEST
from dpengine.errors import IntakeError
from tests.servers.databases import Databases

CELLS = {
    "numeric": (
        "1e400",
        "-1e400",
        "1e-400",
        "1e131071",
        "1e-16383",
        "NaN",
        "Infinity",
        "-Infinity",
        "9007199254740993",
    ),
    "numeric(38,10)": ("9999999999999999999999999999", "-0.0000000001"),
    "float8": ("1.7976931348623157e308", "5e-324", "NaN", "-Infinity", "-0.0"),
    "float4": ("3.4028235e38", "1e-45", "NaN", "Infinity"),
    "bigint": ("9223372036854775807", "-9223372036854775808"),
    "smallint": ("-32768", "32767"),
    "boolean": ("true", "false"),
    "date": ("infinity", "-infinity", "5874897-12-31", "4713-01-01 BC"),
    "timestamp": ("infinity", "-infinity", "294276-12-31 23:59:59.999999", "4713-01-01 BC"),
    "time": ("24:00:00", "00:00:00"),
    "uuid": ("ffffffff-ffff-ffff-ffff-ffffffffffff",),
    "text": (
        "1e400",
        "1e-400",
        "infinity",
        "9" * 400,
        "0." + "0" * 400 + "1",
        "5874897-12-31",
        "0000-00-00",
        "\u00a0",
        "\ufffd",
    ),
    "char(12)": ("1e400", "2023-02-30"),
}
BIG = 10**38 - 1
STORED: Mapping[str, tuple[pa.DataType, Sequence[Any]]] = {
    "nanoseconds": (pa.timestamp("ns"), (0, 2**63 - 1, -(2**63) + 1)),
    "microseconds": (pa.timestamp("us"), (0, 2**63 - 1, -(2**63) + 2)),
    "decimal(38, 0)": (pa.decimal128(38, 0), (Decimal(BIG), Decimal(-BIG), Decimal(1))),
    "decimal(38, 38)": (pa.decimal128(38, 38), (Decimal("0." + "9" * 38), Decimal("0." + "0" * 37 + "1"))),
    "decimal(38, 30)": (
        pa.decimal128(38, 30),
        tuple(map(Decimal, ("99999999." + "9" * 30, "-99999999." + "9" * 30, "12"))),
    ),
    "half": (pa.float16(), (np.float16(65504), np.float16("nan"), np.float16(6e-8))),
    "double": (pa.float64(), (1.7976931348623157e308, 5e-324, float("nan"), float("-inf"), -0.0, 2.0**63)),
    "unsigned": (pa.uint64(), (2**64 - 1, 0)),
    "day": (pa.date32(), (2**31 - 1, -(2**31), -719162)),
    "text": (pa.string(), (*CELLS["text"], "\0", "1e" + "9" * 50, "0" * 5000 + "1")),
}
"""Parquet by path; days and moments by their number."""
COLUMNS: tuple[Column, ...] = (
    NumberColumn(name="cell", lower=0, upper=2),
    TextColumn(name="cell"),
    CategoryColumn(name="cell", categories=("1", "12")),
    BooleanColumn(name="cell"),
    DateColumn(name="cell", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
    DateColumn(name="cell", earliest=date.min, latest=date.max),
)


def answers(table: Table, column: Column) -> list[list[int]]:
    asked: list[Aggregate] = [RowCount(), ConditionCounts(conditions=(IsMissing("cell"),))]
    if isinstance(column, TextColumn):
        asked.append(ConditionCounts(conditions=(Comparison("cell", "=", "12"), Comparison("cell", "!=", "12"))))
    if isinstance(column, NumberColumn):
        asked.append(FixedPointSum(column="cell", fraction_bits=10, lower=0, upper=2**11))
        asked.append(ConditionCounts(conditions=(Comparison("cell", ">", 1.5),)))
    return [table.run(aggregate).tolist() for aggregate in asked]


@pytest.mark.parametrize("kind", CELLS)
def test_every_cell_of_a_type_is_read_or_missing(databases: Databases, kind: str) -> None:
    with databases.cluster.connect() as owner:
        owner.execute("DROP TABLE IF EXISTS extreme")
        owner.execute(f"CREATE TABLE extreme (cell {kind})")
        for cell in CELLS[kind]:
            owner.execute(f"INSERT INTO extreme VALUES (CAST(%s AS {kind}))", (cell,))
    assert {*rows_read(databases.cluster.url("extreme"))} == {len(CELLS[kind])}


@pytest.mark.parametrize("kind", STORED)
def test_every_cell_of_a_file_is_read_or_missing(tmp_path: Path, kind: str) -> None:
    of, cells = STORED[kind]
    path = tmp_path / "extreme.parquet"
    pq.write_table(pa.table({"cell": stored(of, cells)}), path)
    assert {*rows_read(f"parquet://{path}")} == {len(cells)}


def stored(of: pa.DataType, cells: Sequence[Any]) -> pa.Array:
    if pa.types.is_temporal(of):
        return pa.array(cells, type=pa.int32() if of == pa.date32() else pa.int64()).view(of)
    return pa.array(cells, type=of)


def rows_read(address: str) -> Iterator[int]:
    """How many rows there are to each declaration that the type allows, each of which is asked what reads the cells."""
    for column in COLUMNS:
        schema = Schema(name="extreme", columns=(column,))
        with suppress(IntakeError):
            opened = open_connected(address, schema=schema, salt="s")
            with closing(Table(opened, schema=schema)) as table:
                yield answers(table, column)[0][0]


TOO_MUCH = 140_000_000
"""Letters of a text that PostgreSQL keeps in two megabytes, and cannot look through."""


@pytest.mark.parametrize("letters", [LONGEST, LONGEST + 1, TOO_MUCH])
def test_a_text_of_more_than_a_megabyte_is_missing(databases: Databases, letters: int) -> None:
    """Else whether a question fails, or ends the engine, would tell of the other columns of that row."""
    with databases.cluster.connect() as owner:
        owner.execute("DROP TABLE IF EXISTS heavy")
        owner.execute("CREATE TABLE heavy AS SELECT g AS age, 'short' AS told FROM generate_series(0, 9) AS g")
        owner.execute("UPDATE heavy SET told = repeat('a', %s) WHERE age = 3", (letters,))
    for told in (TextColumn(name="told"), CategoryColumn(name="told", categories=("short", "x"))):
        schema = Schema(name="heavy", columns=(NumberColumn(name="age", lower=0, upper=9), told))
        with closing(
            Table(open_connected(databases.cluster.url("heavy"), schema=schema, salt="s"), schema=schema)
        ) as table:
            for age in (3, 4):
                this, x = Comparison("age", "=", age), Comparison("told", "=", "x")
                asked = (And((this, x)), And((x, this)), Or((Not(this), x)))
                assert [int(table.run(RowCount(where=one))[0]) for one in asked] == [0, 0, 9]
            fits = letters <= LONGEST and isinstance(told, TextColumn)
            assert table.run(RowCount(where=IsMissing("told"))) == (0 if fits else 1)


@pytest.mark.slow
def test_a_row_of_more_than_a_gigabyte_in_many_texts_is_read_as_any_other(databases: Databases) -> None:
    """Where somebody has several rows, the whole of each decides which of them counts."""
    names = [f"told{number}" for number in range(520)]
    with databases.cluster.connect() as owner:
        owner.execute("DROP VIEW IF EXISTS wide")
        owner.execute("DROP TABLE IF EXISTS narrow")
        owner.execute("CREATE TABLE narrow AS SELECT 'p' || g AS who, 'short' AS told FROM generate_series(0, 9) AS g")
        escaped = "a" + "\x1e" * (LONGEST - 2) + "a"
        owner.execute("UPDATE narrow SET told = %s WHERE who = 'p3'", (escaped,))
        owner.execute(f"CREATE VIEW wide AS SELECT who, {', '.join(f'told AS {name}' for name in names)} FROM narrow")
    columns = (TextColumn(name="who"), *(TextColumn(name=name) for name in names))
    schema = Schema(name="wide", columns=columns, unit=PrivacyUnit(identifier="who", rows=2))
    with closing(Table(open_connected(databases.cluster.url("wide"), schema=schema, salt="s"), schema=schema)) as table:
        assert table.run(RowCount()) == 10
