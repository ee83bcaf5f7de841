"""A table that is replaced while it is open moves by no more than one person, whatever types its writer gave it.

The writer takes types from values: one missing value makes whole numbers floating point ones, one half makes a file's
column another than its neighbor's. A question is answered within what it says one person changes, or it fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import CategoryColumn, NumberColumn, Schema, Table, read_table
from dpengine.data.aggregates.aggregate_kinds import RowCount
from dpengine.data.connected import spark_places
from dpengine.data.engines import duckdb_engine
from dpengine.errors import DPEngineError
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, HistogramQuery, Part, Query, SumQuery
from tests.servers.databases import Databases

Row = tuple[float | None, int | None]
CODES = (1234567890123456, 1234567890123457)
SCHEMA = Schema(
    name="nightly",
    columns=(
        NumberColumn(name="years", lower=0, upper=100),
        CategoryColumn(name="code", categories=tuple(map(str, CODES))),
    ),
)
YEARS = Schema(name="nightly", columns=SCHEMA.columns[:1])
QUERIES: tuple[Query, ...] = (CountQuery(), SumQuery("years"), HistogramQuery("code"))
PARTS = [part for query in QUERIES for part in query.parts(SCHEMA, Neighbors.ADD_REMOVE)]
FEW = range(8)


def neighbors(seed: int) -> tuple[list[Row], list[Row]]:
    """A crowd of whole years and codes, or of halves, and somebody besides with half a year or without a code."""
    rng = random.Random(seed)
    years = [30.0] if rng.random() < 0.5 else [30.0, 30.5]
    crowd: list[Row] = [(rng.choice(years), rng.choice(CODES)) for _ in range(40)]
    one: Row = (rng.choice((2.5, None, 30.0)), rng.choice((None, *CODES)))
    return (crowd, [one, *crowd]) if rng.random() < 0.5 else ([one, *crowd], crowd)


def columns(rows: Sequence[Row]) -> dict[str, list[float | int | None]]:
    """Each column as such a writer has it: whole where all are, floating point beside a missing one."""
    years, codes = ([row[place] for row in rows] for place in (0, 1))
    whole = None not in years and all(year == int(year or 0) for year in years)
    return {
        "years": [int(year or 0) for year in years] if whole else list(years),
        "code": list(codes) if None not in codes else [None if code is None else float(code) for code in codes],
    }


def in_files(folder: Path, url: str = "") -> Callable[[Sequence[Row]], Table]:
    """The first rows in one file, the others in another one, which nobody writes again."""

    def written(rows: Sequence[Row]) -> Table:
        for name, part in (("a", rows[:-20]), ("b", rows[-20:])):
            pq.write_table(pa.table(columns(part)), folder / f"{name}.parquet")
        return read_table(url or f"parquet://{folder}", schema=SCHEMA)

    return written


def in_postgresql(databases: Databases) -> Callable[[Sequence[Row]], Table]:
    """The table dropped and made anew, as programs do that replace it."""

    def written(rows: Sequence[Row]) -> Table:
        cells = columns(rows)
        whole = {name: all(cell is None or isinstance(cell, int) for cell in some) for name, some in cells.items()}
        kinds = ", ".join(f"{name} {'bigint' if whole[name] else 'float8'}" for name in cells)
        with databases.cluster.connect() as connection, connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS nightly")
            cursor.execute(f"CREATE TABLE nightly ({kinds})".encode())
            with cursor.copy("COPY nightly FROM STDIN") as copy:
                for row in zip(*cells.values(), strict=True):
                    copy.write_row(row)
        return read_table(databases.cluster.url("nightly"), schema=SCHEMA)

    return written


def found_wrong(seeds: Sequence[int], written: Callable[[Sequence[Row]], Table]) -> tuple[list[str], int]:
    """What moved by more than one person may, and how many questions were answered on both tables."""
    wrong, answered = list[str](), 0
    for seed in seeds:
        first, second = neighbors(seed)
        try:
            table = written(first)
        except DPEngineError:
            continue
        with closing(table):
            before = [part.exact(table.run(part.aggregate)).astype(object) for part in PARTS]
            with suppress(DPEngineError):
                written(second).close()
            for part, was in zip(PARTS, before, strict=True):
                try:
                    now = part.exact(table.run(part.aggregate)).astype(object)
                except DPEngineError:
                    continue
                answered += 1
                moved = float(np.abs(now - was).astype(float).sum())
                if isinstance(part, Part) and moved > part.grid_sensitivity.l1:
                    wrong.append(f"{seed}: {part.name} moves by {moved}")
    return wrong, answered


def test_files_that_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, answered = found_wrong(FEW, in_files(tmp_path))
    assert not wrong
    assert answered >= len(PARTS), "The control: where types stay, other rows are read."
    monkeypatch.setattr(duckdb_engine._Files, "form_now", lambda *_: "any")
    assert found_wrong(FEW, in_files(tmp_path))[0], "The control: without a look at the types it is found."


def test_files_that_are_replaced_while_spark_has_them_open(tmp_path: Path, databases: Databases) -> None:
    """In a quarter of the pairs, since Spark takes its time; the cluster goes on over broken files."""
    wrong, answered = found_wrong(FEW[::4], in_files(tmp_path, databases.spark(parquet=str(tmp_path))))
    assert not wrong
    assert answered, "The control."


def test_however_files_are_sorted_into_folders_all_are_read_or_none(
    tmp_path: Path, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crowd in one place and somebody in another: Spark leaves out what does not lie in folders of the same names."""

    pairs = (("", "day=2"), ("", "extra"), ("day=1", "day=2"), ("day=1", "hour=1/day=1"))

    def counts(address: Callable[[str], str], pairs: Sequence[tuple[str, str]] = pairs) -> set[int]:
        found = set()
        for one, other in pairs:
            folder = Path(mkdtemp(dir=tmp_path))
            for place, people in ((one, 40), (other, 1)):
                (folder / place).mkdir(parents=True, exist_ok=True)
                pq.write_table(pa.table({"years": [30.0] * people}), folder / place / f"{people}.parquet")
            with suppress(DPEngineError), closing(read_table(address(str(folder)), schema=YEARS)) as table:
                found.update(table.run(RowCount()).tolist())
        return found

    def in_spark(folder: str) -> str:
        return databases.spark(parquet=folder)

    assert counts("parquet://{}".format) == {41}
    assert counts(in_spark) == {41}
    monkeypatch.setattr(spark_places, "_sorted_by", lambda *_, **__: ())
    assert counts(in_spark, pairs[:1]) != {41}, "The control: without a look at the folders it counts fewer."


def test_tables_of_postgresql_that_are_replaced(databases: Databases) -> None:
    try:
        wrong, answered = found_wrong(FEW, in_postgresql(databases))
    finally:
        with databases.cluster.connect() as connection:
            connection.execute("DROP TABLE IF EXISTS nightly")
    assert not wrong
    assert answered >= len(PARTS), "The control: where types stay, other rows are read."
