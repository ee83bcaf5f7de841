"""No question moves by more than it says between typed neighboring tables, whatever a file's statistics leave out.

Random tables with NaN, infinities, denormals and days beyond every calendar, in each engine's own types; files of two
writers with large and small groups of rows, with statistics and without. A question that fails on one table only tells
the two apart as well as any answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import duckdb
import ibis
import ibis.expr.datatypes as dt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import NumberColumn, Schema, Table
from dpengine.data.aggregates.predicates import literal
from dpengine.data.connected.connections import open_connected
from dpengine.data.engines import duckdb_engine
from dpengine.data.typed import native_casts
from dpengine.privacy import Neighbors
from dpengine.queries import SumQuery
from tests.contracts.engines.typed_neighbors import KINDS, NUMBERS, UNITS, Pair, Row, arrow, beyond, pair
from tests.servers.databases import Databases

EVERY_SEED = pytest.param(range(1000), marks=pytest.mark.slow, id="many")
LARGEST = 1.7976931348623157e308
FEW = (0, 26, 44, 46, 25, 32)
"""Each unit with each kind of neighbors, and each kind of number.

The last two have found faults: statistics that leave NaN out, and a column whose least number is its largest.
"""


def written_by_arrow(rows: pa.Table, path: Path, rng: random.Random) -> None:
    pq.write_table(
        rows,
        path,
        row_group_size=rng.choice((1, 7, 100_000)) if rows.num_rows < 100 else rng.choice((100, 100_000)),
        write_statistics=rng.random() < 0.8,
        use_dictionary=rng.random() < 0.5,
        data_page_version=rng.choice(("1.0", "2.0")),
    )


def written_by_duckdb(rows: pa.Table, path: Path, rng: random.Random) -> None:
    with duckdb.connect(config={"threads": "1"}) as connection:
        connection.register("typed_rows", rows)
        size = rng.choice((2048, 122_880))
        connection.execute(f"COPY typed_rows TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE {size})")


def by_path(folder: Path, schema: Schema, rows: Sequence[Row], rng: random.Random) -> Table:
    path = folder / f"{rng.random()}.parquet"
    rng.choice((written_by_arrow, written_by_arrow, written_by_duckdb))(arrow(rows), path, rng)
    return Table(open_connected(f"parquet://{path}", schema=schema, salt="s"), schema=schema)


def found_wrong(one: Pair, opened: Callable[[Sequence[Row]], Table], every: int = 1) -> Iterator[str]:
    """What the questions betray, or one of so many of them."""
    with closing(opened(one.rows[0])) as here, closing(opened(one.rows[1])) as there:
        for query in one.queries[::every]:
            if wrong := beyond(one, here, there, query):
                yield f"{one.neighbors.value}, {query}: {wrong}"


def wrong_by_path(folder: Path, seed: int) -> list[str]:
    one, rng = pair(seed), random.Random(seed)
    return [*found_wrong(one, lambda rows: by_path(folder, one.schema, rows, rng))]


@pytest.mark.parametrize("seeds", [pytest.param(FEW, id="few"), EVERY_SEED])
def test_parquet_by_path_keeps_every_promise(tmp_path: Path, seeds: Sequence[int]) -> None:
    assert {seed: wrong for seed in seeds if (wrong := wrong_by_path(tmp_path, seed))} == {}


def test_the_few_are_of_every_kind() -> None:
    few = [pair(seed) for seed in FEW]
    assert len({(one.schema.unit, one.neighbors) for one in few}) == len(UNITS) * len(Neighbors)
    assert {query.column for one in few for query in one.queries if isinstance(query, SumQuery)} == set(NUMBERS)


def test_the_control_a_comparison_that_a_files_statistics_decide_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(duckdb_engine._CONFIG, "disabled_optimizers")
    monkeypatch.setitem(native_casts._READINGS[NumberColumn], dt.Float64, within_the_largest)
    assert any(wrong_by_path(tmp_path, seed) for seed in reversed(FEW))


def within_the_largest(_column: NumberColumn, value: ibis.Value) -> ibis.Value:
    return ibis.ifelse(value.between(literal(-LARGEST), literal(LARGEST)), value, None)


def in_postgresql(databases: Databases, schema: Schema, rows: Sequence[Row]) -> Table:
    kinds = dict.fromkeys(KINDS, "bigint") | {"double": "float8", "single": "float4", "exact": "numeric"}
    kinds |= {"ill": "boolean", "color": "text", "alias": "char(20)", "day": "date", "moment": "timestamp"}
    name = f"typed_{random.randrange(2**60)}"
    with databases.cluster.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} ({', '.join(f'{one} {kind}' for one, kind in kinds.items())})")
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    return Table(open_connected(databases.cluster.url(name), schema=schema, salt="s"), schema=schema)


def in_spark(databases: Databases, schema: Schema, rows: Sequence[Row]) -> Table:
    path = databases.path(f"{random.randrange(2**60)}.parquet")
    pq.write_table(arrow(rows), path, row_group_size=100)
    return Table(open_connected(databases.spark(parquet=path), schema=schema, salt="s"), schema=schema)


@pytest.mark.parametrize(
    ("engine", "seeds", "every"),
    [
        pytest.param(in_postgresql, range(3), 3, id="postgresql"),
        pytest.param(in_spark, range(1, 2), 6, id="spark"),
        pytest.param(in_postgresql, range(300), 1, marks=pytest.mark.slow, id="postgresql, many"),
        pytest.param(in_spark, range(40), 1, marks=pytest.mark.slow, id="spark, many"),
    ],
)
def test_databases_keep_every_promise(
    databases: Databases, engine: Callable[[Databases, Schema, Sequence[Row]], Table], seeds: range, every: int
) -> None:
    found = {}
    for seed in seeds:
        one = pair(seed)
        opened = lambda rows, one=one: engine(databases, one.schema, rows)  # noqa: E731
        found[seed] = [*found_wrong(one, opened, every)]
    assert {seed: wrong for seed, wrong in found.items() if wrong} == {}
