"""How long a release takes from the question to the answer on the screen's side: p50 and p95, and where it goes.

`python -m benchmarks.release_latency [releases]` asks each question so many times, 40 unless told otherwise, of the
built-in RAND table (20,190 rows) and of a Parquet file of a million rows that stays where it is, through a ledger in a
file of its own. Beside the whole: what the rows alone take (`Table.run`), and what two durable rows alone take in the
same engine, since a release writes a charge and an answer. What is above both is the price of the promise.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.command_line import size_asked_for
from benchmarks.rows_speed import opened, written
from dpengine.data import Comparison, Table, load_sample
from dpengine.ledger import Account, Ledger
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, QuantileQuery, Query
from dpengine.release import release

RELATION = Neighbors.ADD_REMOVE
OF_RAND: Mapping[str, Query] = {
    "count": CountQuery(Comparison("age", "<", 18)),
    "mean": MeanQuery("age"),
    "histogram": HistogramQuery("age", tuple(range(0, 101, 10))),
    "median": QuantileQuery("age", 0.5),
}
OF_MILLION: Mapping[str, Query] = {
    "count": CountQuery(Comparison("age", ">=", 65)),
    "mean": MeanQuery("age"),
    "histogram": HistogramQuery("age", tuple(range(0, 101, 10))),
    "median": QuantileQuery("age", 0.5),
}


@dataclass(frozen=True, kw_only=True)
class Size:
    """How often each question is released, and the rows of the file that stays where it is."""

    releases: int = 40
    rows: int = 1_000_000


USUAL, SMALLEST = Size(), Size(releases=1, rows=1000)


def milliseconds(work: Callable[[int], object], times: int) -> np.ndarray:
    """Of each time, after one that is not counted."""
    taken = []
    for number in range(times + 1):
        begin = time.perf_counter()
        work(number)
        taken.append(1000 * (time.perf_counter() - begin))
    return np.array(taken[1:])


def account_for(table: Table, folder: Path, times: int) -> Account:
    """With room for every release."""
    ledger = Ledger.open(f"sqlite:///{folder / 'budget.db'}", marker=folder / "ledger.id")
    budget = Guarantee(epsilon=1.0 * (times + 1) * 4)
    return ledger.open_account(table, table.schema, neighbors=RELATION, budget=budget)


def writing_twice(folder: Path) -> Callable[[int], None]:
    """Two bare rows, each on the disk before the next."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for statement in (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "CREATE TABLE IF NOT EXISTS bare (a TEXT)",
    ):
        connection.execute(statement)

    def write(_: int) -> None:
        for _turn in range(2):
            connection.execute("INSERT INTO bare VALUES (?)", ("x" * 1000,))

    return write


def measured(table: Table, questions: Mapping[str, Query], times: int, folder: Path) -> None:
    """One table's rows of the report."""
    account = account_for(table, folder, times)
    writes = float(np.median(milliseconds(writing_twice(folder), times)))
    for name, query in questions.items():
        planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=1.0))
        whole = milliseconds(
            lambda number: release(planned, table, account, request_id=f"{name} {number}"),  # noqa: B023 - called at once
            times,
        )
        parts = planned.parts(table.schema, RELATION)
        rows = float(np.median(milliseconds(lambda _: [table.run(part.aggregate) for part in parts], times)))  # noqa: B023
        p50, p95 = np.percentile(whole, [50, 95])
        print(f"{name:<12}{p50:>9.1f}{p95:>9.1f}{rows:>13.1f}{writes:>15.1f}{p50 / (rows + writes):>9.2f}", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Print both tables of figures."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="releases")
    heading = f"{'':<12}{'p50 ms':>9}{'p95 ms':>9}{'rows alone':>13}{'2 bare writes':>15}{'ratio':>9}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = written(folder / "rows.parquet", size.rows)
        with contextlib.closing(opened(path)) as in_place:
            rand, _ = load_sample("rand_hie")
            for called, table, questions in (
                ("RAND, 20,190 rows", rand, OF_RAND),
                (f"Parquet, {size.rows:,} rows", in_place, OF_MILLION),
            ):
                print(f"\n{called}, {size.releases} releases each\n{heading}", flush=True)
                measured(table, questions, size.releases, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
