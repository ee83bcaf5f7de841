"""How fast a table answers, beside plain DuckDB and pandas on the same rows in the same run.

`python -m benchmarks.rows_speed [rows]` writes a Parquet file of so many rows, 1e7 unless told otherwise, and prints
1. Table.run beside the same statement in plain DuckDB on that file, turn by turn, medians and their ratio;
2. from the path to the answer in a fresh process, beside pandas, which reads only the column it needs: seconds, and
   the peak memory of the whole process;
3. an uploaded CSV of 1e6 rows, from its bytes to the first count.
Both peers are asked in the fastest of several ways to the same answer.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.command_line import size_asked_for
from dpengine.data import (
    Aggregate,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Comparison,
    FixedPointSum,
    NumberColumn,
    PrivacyUnit,
    RowCount,
    Schema,
    Table,
    TextColumn,
    read_table,
)
from dpengine.data.connected.connections import open_connected

CITIES = ("Rome", "Oslo", "Lima", "Cairo", "Kyoto")
AGE = NumberColumn(name="age", lower=0, upper=100)
SCHEMA = Schema(
    name="visits",
    columns=(
        TextColumn(name="person"),
        AGE,
        CategoryColumn(name="city", categories=CITIES),
        BooleanColumn(name="ill"),
    ),
)
TENTHS = tuple(AGE.on_grid(edge) for edge in range(0, 101, 10))
UNEQUAL = tuple(AGE.on_grid(edge) for edge in (0, 18, 30, 45, 65, 80, 100))


@dataclass(frozen=True, kw_only=True)
class Size:
    """Rows of the file and of the upload, turns with DuckDB, fresh processes of each kind, and questions in them."""

    rows: int = 10_000_000
    uploaded: int = 1_000_000
    turns: int = 15
    processes: int = 3
    questions: int = 5


USUAL, SMALLEST = Size(), Size(rows=1000, uploaded=1000, turns=1, processes=1, questions=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The same question three times: to a table, to DuckDB and to pandas; DuckDB reads from `rows`."""

    asked: Aggregate
    sql: str
    pandas: str = ""


QUESTIONS: Mapping[str, Question] = {
    "count": Question(
        asked=RowCount(where=Comparison("age", ">=", 65)),
        sql="SELECT count_if(age >= 65) FROM rows",
        pandas="(frame(['age']).age >= 65).sum()",
    ),
    "sum": Question(
        asked=FixedPointSum(column="age", fraction_bits=AGE.fraction_bits, lower=0, upper=TENTHS[-1]),
        sql="SELECT sum(CAST(CASE WHEN age < 0 THEN 0 WHEN age > 100 THEN 100 ELSE age END AS DECIMAL(18, 4))) "
        "FROM rows",
        pandas="frame(['age']).age.clip(0, 100).sum()",
    ),
    "histogram": Question(
        asked=BinCounts(column="age", fraction_bits=AGE.fraction_bits, edges=TENTHS, clamp=True),
        sql="SELECT CAST(floor(age / 10) AS INTEGER) AS bin, count(*) FROM rows GROUP BY bin",
        pandas="numpy.histogram(frame(['age']).age, 10, (0, 100))",
    ),
    "histogram, unequal": Question(
        asked=BinCounts(column="age", fraction_bits=AGE.fraction_bits, edges=UNEQUAL, clamp=True),
        sql="SELECT count_if(age < 18), count_if(age >= 18 AND age < 30), count_if(age >= 30 AND age < 45), "
        "count_if(age >= 45 AND age < 65), count_if(age >= 65 AND age < 80), count_if(age >= 80) FROM rows",
    ),
    "categories": Question(
        asked=CategoryCounts(column="city", values=CITIES),
        sql="SELECT city, count(*) FROM rows GROUP BY city",
        pandas="frame(['city'], read_dictionary=['city']).city.value_counts()",
    ),
}
_WRITE = """
    COPY (
        SELECT CAST(hash(i * 7 + 1) % {people} AS BIGINT) AS person, (hash(i * 3 + 2) % 1000001) / 10000.0 AS age,
            {cities}[1 + CAST(hash(i * 5 + 3) % 5 AS INTEGER)] AS city, hash(i * 11 + 4) % 10 < 3 AS ill{note}
        FROM range({rows}) AS numbers(i)
    ) TO '{path}' (FORMAT {form})
"""


def written(path: Path, rows: int) -> Path:
    """A file of so many rows, ten of a person."""
    form = "parquet" if path.suffix == ".parquet" else "csv"
    note = ", md5(CAST(i AS VARCHAR)) AS note" if form == "csv" else ""
    statement = _WRITE.format(
        people=max(rows // 10, 1), cities=list(CITIES), rows=rows, path=path, form=form, note=note
    )
    with duckdb.connect(config={"threads": 2, "memory_limit": "3GB", "temp_directory": str(path.parent)}) as connection:
        connection.execute(statement)
    return path


def opened(path: Path, schema: Schema = SCHEMA) -> Table:
    """The file as a table, read where it lies."""
    return Table(open_connected(f"parquet://{path}", schema=schema, salt="benchmark"), schema=schema)


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def beside_duckdb(path: Path, turns: int) -> None:
    """Turn by turn, so that whatever else the machine does falls on both."""
    print(f"{'':<22}{'table ms':>10}{'DuckDB ms':>11}{'ratio':>8}")
    table = opened(path)
    with duckdb.connect(config={"threads": 2, "memory_limit": "3GB"}) as connection:
        connection.read_parquet(str(path)).create_view("rows")
        for name, question in QUESTIONS.items():
            pairs = [
                (
                    seconds(lambda: table.run(question.asked)),  # noqa: B023 - called at once
                    seconds(lambda: connection.execute(question.sql).fetchall()),  # noqa: B023
                )
                for _ in range(turns + 1)
            ][1:]
            ours, theirs = (1000 * statistics.median(times) for times in zip(*pairs, strict=True))
            print(f"{name:<22}{ours:>10.1f}{theirs:>11.1f}{ours / theirs:>8.2f}", flush=True)
    table.close()


_OURS = """
table = rows_speed.opened(Path({path!r}))
table.run(rows_speed.QUESTIONS[{name!r}].asked)
"""
_PANDAS = """
frame = lambda columns, **how: pandas.read_parquet({path!r}, columns=columns, **how)
{statement}
"""
_MEASURED = """
import re, sys, time
from pathlib import Path
exec(sys.argv[1])
begin = time.perf_counter()
exec(sys.argv[2])
seconds = time.perf_counter() - begin
print(seconds, int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024)
"""


def in_own_process(imported: str, script: str) -> tuple[float, float]:
    """Seconds of a script in a process of its own, imports apart, and the peak megabytes of that whole process."""
    call = [sys.executable, "-c", _MEASURED, imported, script]
    taken, megabytes = subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()[-2:]
    return float(taken), float(megabytes)


def beside_pandas(path: Path, size: Size) -> None:
    """Each in a fresh process, turn by turn: opening or reading the file, and the answer."""
    print(f"\n{'':<22}{'table s':>10}{'pandas s':>11}{'ratio':>8}{'table MB':>11}{'pandas MB':>11}{'share':>8}")
    for name, question in list(QUESTIONS.items())[: size.questions]:
        if question.pandas:
            ask = _OURS.format(path=str(path), name=name)
            read = _PANDAS.format(path=str(path), statement=question.pandas)
            pairs = [
                (in_own_process("from benchmarks import rows_speed", ask), in_own_process("import numpy, pandas", read))
                for _ in range(size.processes)
            ]
            (ours, memory), (theirs, their_memory) = (
                tuple(statistics.median(one) for one in zip(*turns, strict=True)) for turns in zip(*pairs, strict=True)
            )
            print(
                f"{name:<22}{ours:>10.2f}{theirs:>11.2f}{ours / theirs:>8.2f}"
                f"{memory:>11.0f}{their_memory:>11.0f}{memory / their_memory:>8.2f}",
                flush=True,
            )


def upload(folder: Path, size: Size) -> None:
    """From the bytes of a CSV to the first count, once where rows are people and once where ids tell."""
    content = written(folder / "upload.csv", size.uploaded).read_bytes()
    for who, unit in (("row", PrivacyUnit()), ("person", PrivacyUnit(identifier="person", rows=5))):
        schema = Schema(name="visits", columns=SCHEMA.columns, unit=unit)

        def first_count(schema: Schema = schema) -> None:
            table = read_table(content, schema=schema)
            table.run(RowCount(where=Comparison("age", ">=", 65)))
            table.close()

        taken = statistics.median(seconds(first_count) for _ in range(size.processes))
        uploaded = f"CSV of {len(content) / 1e6:.0f} MB, {size.uploaded:,} rows, a {who} each"
        print(f"{uploaded}: first count after {taken:.2f} s", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Write the file, measure, delete it."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="rows")
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / "rows.parquet", size.rows)
        print(f"{size.rows:,} rows, {path.stat().st_size / 1e6:.0f} MB of Parquet, two threads\n", flush=True)
        beside_duckdb(path, size.turns)
        beside_pandas(path, size)
        upload(Path(folder), size)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
