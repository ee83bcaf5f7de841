"""The embedded engine: what it may open, what it spills, and how it stops."""

import threading
import time
from contextlib import contextmanager, suppress

import duckdb
import ibis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data.engines import duckdb_engine
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.engines.scratch import Scratch
from dpengine.errors import EngineError, MaskedError


@pytest.fixture
def room(tmp_path):
    return tmp_path / "room"


def write(path):
    pq.write_table(pa.table({"x": [1, 2, 3]}), path)
    return path


NUMBERS = ibis.table({"n": "int64"}, name="numbers")
PAIRS = NUMBERS.join(NUMBERS.view(), True, rname="other_{name}")
HEAVY = PAIRS.aggregate(total=(PAIRS.n * PAIRS.other_n % 7).sum())


def test_what_does_not_fit_in_memory_is_spilled_into_the_folder_and_deleted(room):
    engine = DuckDBEngine(scratch=Scratch(room), memory_limit="60MB")
    numbers = ibis.range(1_000_000).unnest().name("n").as_table()
    engine.keep("numbers", numbers)
    (settings,) = engine._connection.execute("SELECT current_setting('max_temp_directory_size')").fetchall()
    assert settings[0].startswith(("18.", "20")), "20 GB, in GiB"
    words = NUMBERS.select(word=NUMBERS.n.cast("string") + "-" * 40)
    nth = ibis.row_number().over(order_by=words.word)
    sizes, over = [], threading.Event()

    def watch():
        while not over.wait(0.005):
            with suppress(FileNotFoundError):  # DuckDB deletes what is looked at
                sizes.append(sum(path.stat().st_size for path in room.rglob("duckdb_temp*")))

    watching = threading.Thread(target=watch)
    watching.start()
    largest = words.mutate(nth=nth).aggregate(largest=lambda t: t.nth.max())
    assert engine.integers(largest) == [{"largest": 999_999}]
    over.set()
    watching.join()
    assert max(sizes) > 10**6, "the control: it did spill"
    engine.close()
    assert [left for left in room.iterdir() if left.is_dir()] == []


def test_the_engine_reads_the_named_files_and_no_other(tmp_path, room):
    path, other = write(tmp_path / "named.parquet"), write(tmp_path / "other.parquet")
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    engine = DuckDBEngine(readable=[str(path)], scratch=Scratch(room))
    columns, rows = engine.parquet("named", [str(path)], folders=[])
    assert (columns, rows) == ({"x": "BIGINT"}, 3)
    with pytest.raises(EngineError):
        engine.parquet("another", [str(other)], folders=[])
    for statement in (
        f"SELECT * FROM read_csv('{secret}')",
        f"SELECT * FROM read_text('{secret}')",
        f"SELECT * FROM glob('{tmp_path}/*')",
        f"COPY (SELECT 1) TO '{tmp_path}/written.csv'",
        f"ATTACH '{tmp_path}/written.duckdb'",
        f"SET allowed_paths = ['{secret}']",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
    ):
        with pytest.raises(duckdb.Error, match=r"disabled by configuration|locked"):
            engine._connection.execute(statement)
    with duckdb.connect() as unguarded:
        assert unguarded.execute(f"SELECT * FROM read_csv('{secret}')").fetchall() == [(1,)], "the control"
    engine.close()


def left(room):
    """What an engine has written and not deleted."""
    return sorted(room.rglob("*.duckdb*"))


@contextmanager
def asked(engine):
    """A question that would run for minutes, in a thread of its own; and how it ended."""
    engine.keep("numbers", ibis.range(1_000_000).unnest().name("n").as_table())
    ended: list[object] = []

    def ask():
        try:
            ended.append(engine.integers(HEAVY))
        except EngineError as error:
            ended.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    time.sleep(0.5)
    assert asking.is_alive(), "the control: it would run on"
    yield asking, ended
    asking.join(20)
    assert not asking.is_alive()


def test_a_running_question_stops_and_later_ones_are_answered(room):
    engine = DuckDBEngine(scratch=Scratch(room))
    with asked(engine) as (asking, ended):
        begin = time.monotonic()
        engine.interrupt()
        asking.join(20)
        assert time.monotonic() - begin < 10
    assert [type(one) for one in ended] == [MaskedError]
    assert engine._running == set()
    assert engine.integers(ibis.literal(7).name("seven").as_table()) == [{"seven": 7}]
    assert sorted(path.name for path in (room).rglob("duckdb_temp*")) == []
    engine.close()


def test_it_is_closed_while_a_question_runs(room):
    """The rows are freed, whatever is computed at that moment: DuckDB refuses to close beside a running statement."""
    engine = DuckDBEngine(scratch=Scratch(room))
    with asked(engine) as (_, ended):
        with pytest.raises(duckdb.Error, match="busy"):
            engine._connection.close()
        engine.close()
    assert [type(one) for one in ended] == [MaskedError]
    assert not left(room)
    with pytest.raises(EngineError):
        engine.integers(ibis.literal(7).name("seven").as_table())
    with pytest.raises(duckdb.Error, match="closed"):
        engine._connection.execute("SELECT 1")


def test_what_cannot_be_stopped_in_time_closes_it_when_it_has_ended(room, monkeypatch):
    engine = DuckDBEngine(scratch=Scratch(room))
    with asked(engine) as (asking, _):
        monkeypatch.setattr(duckdb_engine, "_STOPPING_SECONDS", 0.0)
        engine.close()
        assert asking.is_alive()
        assert left(room)
        monkeypatch.undo()
        engine.interrupt()
    assert not left(room)


def test_a_sum_in_floating_point_is_refused():
    engine = DuckDBEngine()
    third = ibis.literal(1 / 3).name("x").as_table()
    with pytest.raises(EngineError):
        engine.integers(third)
    assert engine.integers(ibis.literal(2**100, type="decimal(38, 0)").name("x").as_table()) == [{"x": 2**100}]
    engine.close()
