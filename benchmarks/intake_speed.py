"""How fast a file becomes a table that answers, beside pandas and plain DuckDB reading the same file in the same run.

`python -m benchmarks.intake_speed` writes a CSV of 1e6 rows (about 53 MB) and prints medians: from the declared schema
to the first answer (at most 4 seconds), its parts, the same table as Parquet, a first look, and what the peers need to
parse the CSV alone, without casting by a schema, a report, or a process of its own.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from datetime import date
from statistics import median
from tempfile import NamedTemporaryFile

import duckdb
import numpy as np
import pandas as pd

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
from dpengine.data.intake import read_cells

ROWS, REPEATS, LIMIT = 1_000_000, 3, 4.0
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


def main() -> int:
    """Print the medians; the number of limits that are passed."""
    frame = visits(np.random.default_rng(0))
    content = frame.to_csv(index=False).encode()
    packed = io.BytesIO()
    frame.to_parquet(packed, index=False)
    first = seconds(lambda: first_answer(content))
    print(f"CSV of {len(content) / 1e6:.0f} MB, {ROWS:,} rows")
    print(f"  schema to first answer   {first:6.2f} s   (limit {LIMIT:.0f} s)")
    print(f"  of which parsing apart   {seconds(lambda: cells(content)):6.2f} s")
    print(f"  of which a child starts  {seconds(lambda: cells(b'a,b' + bytes([10]) + b'1,2')):6.2f} s")
    print(f"  a first look             {seconds(lambda: preview(content)):6.2f} s")
    print(f"  as Parquet, first answer {seconds(lambda: first_answer(packed.getvalue())):6.2f} s")
    print(f"  pandas, every cell text  {seconds(lambda: pd.read_csv(io.BytesIO(content), dtype=str)):6.2f} s")
    with NamedTemporaryFile(suffix=".csv") as file:
        file.write(content)
        file.flush()
        print(f"  DuckDB, every cell text  {seconds(lambda: peer(file.name)):6.2f} s")
    return int(first > LIMIT)


def visits(rng: np.random.Generator) -> pd.DataFrame:
    """A table with a column of every kind."""
    return pd.DataFrame(
        {
            "person": [f"p{i:07d}" for i in range(ROWS)],
            "age": rng.integers(0, 100, ROWS),
            "income": rng.normal(50_000, 20_000, ROWS).round(2),
            "city": rng.choice(CITIES, ROWS),
            "visit": (np.datetime64("2000-01-01") + rng.integers(0, 9000, ROWS)).astype(str),
            "smoker": np.where(rng.random(ROWS) > 0.5, "yes", "no"),
            "zip": [f"{number:05d}" for number in rng.integers(1000, 99_999, ROWS)],
            "note": [f"n{i % 9973}" for i in range(ROWS)],
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


def seconds(task: Callable[[], object]) -> float:
    """The median of several runs."""
    taken = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        task()
        taken.append(time.perf_counter() - begin)
    return median(taken)


if __name__ == "__main__":
    sys.exit(main())
