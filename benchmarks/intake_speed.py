"""How fast a file becomes a table that answers, beside pandas and plain DuckDB reading the same file in the same run.

`python -m benchmarks.intake_speed` writes a CSV of 1e6 rows (about 53 MB) and prints medians: from the declared schema
to the first answer (at most 4 seconds), its parts, the same table as Parquet, a first look, and what the peers need to
parse the CSV alone, without casting by a schema, a report, or a process of its own; pandas by its fastest reader.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from tempfile import NamedTemporaryFile

import duckdb
import numpy as np
import pandas as pd

from benchmarks.command_line import size_asked_for
from benchmarks.limits import verdict
from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    DateColumn,
    NumberColumn,
    RowCount,
    Schema,
    TextColumn,
    preview,
    read_table,
)
from dpengine.data.intake.table_intake import read_cells

LIMIT = 4.0
CITIES = ("Rome", "Oslo", "Paris", "Berlin")
SCHEMA = Schema(
    name="visits",
    columns=(
        TextColumn(name="person"),
        NumberColumn(name="age", lower=0, upper=120),
        NumberColumn(name="income", lower=0, upper=200_000),
        CategoryColumn(name="city", categories=CITIES),
        DateColumn(name="visit", earliest=date(2000, 1, 1), latest=date(2030, 1, 1)),
        BooleanColumn(name="smoker"),
        TextColumn(name="zip"),
        TextColumn(name="note"),
    ),
)


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many rows the file has, and how often each figure is measured."""

    rows: int = 1_000_000
    repeats: int = 3


USUAL, SMALLEST = Size(), Size(rows=100, repeats=1)


def main(arguments: Sequence[str]) -> int:
    """Print the medians; 0 when the first answer comes within its limit."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="rows")
    frame = visits(np.random.default_rng(0), size.rows)
    content = frame.to_csv(index=False).encode()
    packed = io.BytesIO()
    frame.to_parquet(packed, index=False)
    print(f"CSV of {len(content) / 1e6:.0f} MB, {size.rows:,} rows")
    first = seconds(lambda: first_answer(content), size)
    print(f"  schema to first answer   {first:6.2f} s   (limit {LIMIT:.0f} s)")
    with NamedTemporaryFile(suffix=".csv") as file:
        file.write(content)
        file.flush()
        for name, task in (
            ("of which parsing apart", lambda: cells(content)),
            ("of which a child starts", lambda: cells(b"a,b\n1,2")),
            ("a first look", lambda: preview(content)),
            ("as Parquet, first answer", lambda: first_answer(packed.getvalue())),
            ("pandas, every cell text", lambda: pd.read_csv(io.BytesIO(content), dtype=str, engine="pyarrow")),
            ("DuckDB, every cell text", lambda: peer(file.name)),
        ):
            print(f"  {name:<24} {seconds(task, size):6.2f} s", flush=True)
    return verdict(["first answer"] if first > LIMIT else [], judged=size is not SMALLEST)


def visits(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """A table with a column of every kind."""
    return pd.DataFrame(
        {
            "person": [f"p{i:07d}" for i in range(rows)],
            "age": rng.integers(0, 100, rows),
            "income": rng.normal(50_000, 20_000, rows).round(2),
            "city": rng.choice(CITIES, rows),
            "visit": (np.datetime64("2000-01-01") + rng.integers(0, 9000, rows)).astype(str),
            "smoker": np.where(rng.random(rows) > 0.5, "yes", "no"),
            "zip": [f"{number:05d}" for number in rng.integers(1000, 99_999, rows)],
            "note": [f"n{i % 9973}" for i in range(rows)],
        }
    )


def first_answer(content: bytes) -> None:
    """Read, count, and free the rows."""
    table = read_table(content, schema=SCHEMA)
    table.run(RowCount())
    table.close()


def cells(content: bytes) -> None:
    """Read the cells alone."""
    read_cells(content, file_format="csv", encoding="utf-8", delimiter=None)


def peer(name: str) -> None:
    """What DuckDB needs for the same cells."""
    duckdb.connect().execute(f"CREATE TABLE t AS FROM read_csv('{name}', all_varchar=true)")


def seconds(task: Callable[[], object], size: Size) -> float:
    """The median of several runs."""
    taken = []
    for _ in range(size.repeats):
        begin = time.perf_counter()
        task()
        taken.append(time.perf_counter() - begin)
    return median(taken)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
