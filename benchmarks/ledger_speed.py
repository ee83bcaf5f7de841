"""How many durable charges a second the ledger takes, beside the bare INSERT of the same engine in the same run.

`python -m benchmarks.ledger_speed [charges]` charges so many requests, 1,000 unless told otherwise, and inserts as many
rows of the same width with nothing else around them: in SQLite on its own file with the same pragmas (WAL,
synchronous = FULL), in PostgreSQL on the same server with synchronous commits. The two take turns in blocks, so that
whatever else the machine does falls on both; the figure is the ratio of the median blocks, and must be at least one
half. Beside it: the speed of an account's first charges and of its last ones, and the processor time of one row.
"""

from __future__ import annotations

import contextlib
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from benchmarks.command_line import size_asked_for
from benchmarks.limits import verdict
from dpengine.data import load_sample
from dpengine.ledger import Account, Ledger
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from tests.servers.databases import Cluster, programs

BLOCK, LEAST_SHARE = 50, 0.5
EACH = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1e-6))
ROW = ("request", "h" * 64, "p" * 300, "s" * 700, 1000, 0, 1, "2026-01-01T00:00:00+00:00")
"""As wide as a charge of a table with a few columns."""
_TABLE = (
    "CREATE TABLE bare (id {serial} PRIMARY KEY, request_id TEXT UNIQUE, request_hash TEXT, planned TEXT, "
    "table_schema TEXT, epsilon BIGINT, delta BIGINT, rho BIGINT, charged TEXT)"
)
_INSERT = (
    "INSERT INTO bare (request_id, request_hash, planned, table_schema, epsilon, delta, rho, charged) VALUES ({marks})"
)


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many requests are charged, four blocks of so many at least."""

    charges: int = 1000
    block: int = BLOCK


USUAL, SMALLEST = Size(), Size(charges=20, block=5)


@dataclass(kw_only=True)
class Contender:
    """One way to write a row durably, and how long each block of them took."""

    name: str
    write: Callable[[int], object]
    block: int = BLOCK
    seconds: list[float] = field(default_factory=list)
    processor_seconds: float = 0.0

    def take_turn(self) -> None:
        """Write one block."""
        first = len(self.seconds) * self.block
        begin, worked = time.perf_counter(), time.process_time()
        for number in range(first, first + self.block):
            self.write(number)
        self.seconds.append(time.perf_counter() - begin)
        self.processor_seconds += time.process_time() - worked

    @property
    def processor_milliseconds(self) -> float:
        """What one row costs this process, without waiting: what other programs on the machine hardly change."""
        return 1000 * self.processor_seconds / (self.block * len(self.seconds))

    @property
    def a_second(self) -> float:
        """Rows a second in the median block, the first left out."""
        return self.block / statistics.median(self.seconds[1:])


def account_in(url: str, marker: Path) -> Account:
    """A practice account with room for every charge."""
    table, schema = load_sample("patients")
    budget = Guarantee(epsilon=100.0)
    return Ledger.open(url, marker=marker).open_account(table, schema, neighbors=Neighbors.ADD_REMOVE, budget=budget)


def charging(account: Account) -> Contender:
    """The ledger's own step 1, with a fresh request each time."""
    return Contender(name="charges", write=lambda number: account.charge(f"request {number}", EACH))


@contextmanager
def in_sqlite(folder: Path) -> Iterator[tuple[Contender, Contender]]:
    """A ledger's file, and a file with one table beside it."""
    account = account_in(f"sqlite:///{folder / 'budget.db'}", folder / "ledger.id")
    with contextlib.closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as connection:
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute(_TABLE.format(serial="INTEGER"))
        statement = _INSERT.format(marks=", ".join("?" * len(ROW)))

        def insert(number: int) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(statement, (f"request {number}", *ROW[1:]))
            connection.execute("COMMIT")

        yield charging(account), Contender(name="bare INSERT", write=insert)


@contextmanager
def in_postgres(folder: Path) -> Iterator[tuple[Contender, Contender]]:
    """A ledger's schema, and a table beside it, in one private cluster whose commits wait for the disk."""
    binaries = programs()
    if binaries is None:
        raise FileNotFoundError("PostgreSQL's programs were not found.")
    with Cluster(binaries) as cluster, cluster.connect() as connection:
        secret = quote(cluster.password, safe="")
        url = f"postgresql://{cluster.user}:{secret}@127.0.0.1:{cluster.port}/{cluster.database}"
        account = account_in(url, folder / "shared.id")
        connection.execute("SET synchronous_commit = on")
        connection.execute(_TABLE.format(serial="SERIAL"))
        statement = _INSERT.format(marks=", ".join(["%s"] * len(ROW)))
        yield (
            charging(account),
            Contender(
                name="bare INSERT",
                write=lambda number: connection.execute(statement, (f"request {number}", *ROW[1:])),
            ),
        )


ENGINES = {"SQLite": in_sqlite, "PostgreSQL": in_postgres}


def engines_here() -> list[str]:
    """Those of this machine: PostgreSQL is seldom installed."""
    if programs() is None:
        print("PostgreSQL is left out: its programs were not found.")
        return ["SQLite"]
    return list(ENGINES)


def measured(name: str, size: Size) -> bool:
    """One engine's row of the table; whether charges reach their share of the bare speed."""
    with tempfile.TemporaryDirectory() as folder, ENGINES[name](Path(folder)) as (ours, bare):
        ours.block = bare.block = size.block
        for _ in range(max(size.charges // size.block, 4)):
            ours.take_turn()
            bare.take_turn()
        share = ours.a_second / bare.a_second
        early, late = (size.block / statistics.median(part) for part in (ours.seconds[1:4], ours.seconds[-3:]))
    worked = f"{ours.processor_milliseconds:>9.2f}{bare.processor_milliseconds:>9.2f}"
    print(
        f"{name:<12}{ours.a_second:>11.0f}{bare.a_second:>9.0f}{share:>8.2f}{early:>10.0f}{late:>10.0f}{worked}",
        flush=True,
    )
    return share >= LEAST_SHARE


def main(arguments: Sequence[str]) -> int:
    """Print a table; 0 when every engine reaches its share."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="charges")
    print(f"{size.charges:,} charges, turn by turn with the bare INSERT; the share must be at least {LEAST_SHARE:g}")
    print(f"{'':<12}{'charges/s':>11}{'bare/s':>9}{'share':>8}{'first/s':>10}{'last/s':>10}{'CPU ms':>9}{'bare ms':>9}")
    short = [name for name in engines_here() if not measured(name, size)]
    return verdict(short, judged=size is not SMALLEST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
