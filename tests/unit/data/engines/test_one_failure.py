"""A table that failed on its rows is out of use: what a second failing question would tell, nobody hears."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import ConditionCounts, IsMissing, NumberColumn, RowCount, Schema, Table, TextColumn
from dpengine.data.connected.connections import open_connected
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.engines.one_failure import OneFailure
from dpengine.errors import EngineError, IntakeError, MaskedError, RefusedQueryError, ReleaseFailedError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from dpengine.release import release
from tests.examples.ledgers import ledger_at, opened

SCHEMA = Schema(name="visits", columns=(TextColumn(name="told"), NumberColumn(name="age", lower=0, upper=100)))
FAILING, FINE = ConditionCounts(conditions=(IsMissing("told"),)), RowCount()
ANY = b"a table"
UNREADABLE, READABLE = b"\xff", b"well"
"""The first is no text: the file may hold it as one, and whatever reads the cell fails."""


def visits(folder: Path, told: bytes) -> Table:
    path = folder / f"{told.hex()}.parquet"
    texts = pa.array([READABLE, told]).view(pa.string())
    pq.write_table(pa.table({"told": texts, "age": [30.0, 40.0]}), path, write_statistics=False)
    return Table(open_connected(f"parquet://{path}", schema=SCHEMA, salt="s"), schema=SCHEMA)


@pytest.mark.parametrize(("told", "opens"), [(0, True), (2**62, False)])
def test_a_file_of_which_every_question_would_fail_is_not_opened(tmp_path: Path, told: int, *, opens: bool) -> None:
    """Its footer says of the least and largest moment what is none; each question reads that, whatever it asks."""
    path = tmp_path / "moments.parquet"
    moments = pa.array([0, told], type=pa.int64()).view(pa.timestamp("ms"))
    pq.write_table(pa.table({"told": moments, "age": [30.0, 40.0]}), path)
    with nullcontext() if opens else pytest.raises(IntakeError, match="cannot be read"):
        open_connected(f"parquet://{path}", schema=SCHEMA, salt="s").engine.close()


def test_a_question_that_fails_on_a_row_is_the_last_until_the_table_is_opened_anew(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(visits(tmp_path, UNREADABLE)) as table:
            with pytest.raises(MaskedError):
                table.run(FAILING)
            with pytest.raises(EngineError) as unread:
                table.run(FINE)
            assert not isinstance(unread.value, MaskedError), "It has read no row."
    with closing(visits(tmp_path, READABLE)) as control:
        assert [control.run(one).tolist() for one in (FAILING, FINE)] == [[0], [2]]


def test_the_next_one_is_refused_and_costs_nothing(tmp_path: Path) -> None:
    with closing(visits(tmp_path, UNREADABLE)) as table:
        account = opened(ledger_at(tmp_path / "budget.db"), table)
        told = PlannedQuery(query=CountQuery(IsMissing("told")), guarantee=Guarantee(epsilon=0.25))
        with pytest.raises(ReleaseFailedError):
            release(told, table, account, request_id="a")
        fine = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.25))
        with pytest.raises(RefusedQueryError, match=r"no further question until its curator opens it anew\. Nothing"):
            release(fine, table, account, request_id="b")
        with pytest.raises(ReleaseFailedError):
            release(told, table, account, request_id="a")
        assert account.spent == Guarantee(epsilon=0.25)
    with closing(visits(tmp_path, READABLE)) as control:
        paid, known = ledger_at(tmp_path / "another.db"), PlannedQuery(query=CountQuery(), guarantee=fine.guarantee)
        account = opened(paid, control)
        assert release(known, control, account, request_id="b").noisy


def test_what_was_opened_before_of_the_same_table_is_out_of_use_with_it(tmp_path: Path) -> None:
    """As by another tab of its curator, which lends it to a room. The control: another table, and one opened later."""
    with closing(visits(tmp_path, UNREADABLE)) as table, closing(visits(tmp_path, UNREADABLE)) as again:
        with closing(visits(tmp_path, READABLE)) as another:
            with pytest.raises(MaskedError):
                table.run(FAILING)
            assert (table.failed, again.failed, another.failed) == (True, True, False)
        with pytest.raises(EngineError):
            again.run(FINE)
        with closing(visits(tmp_path, UNREADABLE)) as later:
            assert later.run(FINE).tolist() == [2]


def fails() -> int:
    raise MaskedError


def test_who_stops_a_question_takes_nothing_away() -> None:
    with closing(DuckDBEngine()) as engine:
        failure, answers = OneFailure(engine, ANY), iter([False, False, True])
        with pytest.raises(MaskedError):
            failure.watching(fails, lambda: next(answers))
        assert not failure.happened


def test_nor_does_a_server_that_is_away() -> None:
    gone = DuckDBEngine()
    gone.close()
    failure, asked = OneFailure(gone, ANY), list[str]()
    with pytest.raises(EngineError):
        failure.watching(lambda: asked.append("rows"), lambda: False)
    assert (failure.happened, asked) == (False, [])


def test_a_row_that_takes_the_server_with_it_is_the_last_that_is_read() -> None:
    """As where its cell is more than the memory holds: the server is away afterwards, and was there before."""
    engine = DuckDBEngine()
    failure = OneFailure(engine, ANY)

    def falls() -> None:
        engine.close()
        raise MaskedError

    with pytest.raises(MaskedError):
        failure.watching(falls, lambda: False)
    assert failure.happened


def test_of_all_that_is_opened_of_a_table_one_question_at_a_time_reads_rows() -> None:
    """Else each of several that are asked at once would fail, or not, by itself. The control: another table."""
    with closing(DuckDBEngine()) as engine:
        first, again, another = (OneFailure(engine, of) for of in (ANY, ANY, b"another"))
        reads, ends, told = threading.Event(), threading.Event(), list[str]()

        def fails_late() -> None:
            reads.set()
            assert ends.wait(30)
            raise MaskedError

        def ask(failure: OneFailure, name: str, read: Callable[[], object]) -> None:
            try:
                told.append(f"{name} {failure.watching(read, lambda: False)}")
            except EngineError as error:
                told.append(f"{name} {type(error).__name__}")

        asked = [threading.Thread(target=ask, args=(first, "first", fails_late))]
        asked[0].start()
        assert reads.wait(30)
        asked.append(threading.Thread(target=ask, args=(again, "again", lambda: "read")))
        asked[1].start()
        ask(another, "another", lambda: "read")
        ends.set()
        for one in asked:
            one.join(30)
    assert told == ["another read", "first MaskedError", "again EngineError"]


def test_who_waits_for_another_openings_question_can_be_stopped() -> None:
    """As by whoever leaves, in another tab."""
    with closing(DuckDBEngine()) as engine:
        first, again = OneFailure(engine, ANY), OneFailure(engine, ANY)
        reads, ends = threading.Event(), threading.Event()

        def reads_long() -> None:
            reads.set()
            assert ends.wait(30)

        asked = threading.Thread(target=first.watching, args=(reads_long, lambda: False))
        asked.start()
        assert reads.wait(30)
        with pytest.raises(EngineError):
            again.watching(lambda: None, lambda: True)
        ends.set()
        asked.join(30)
        assert again.watching(lambda: "read", lambda: False) == "read"
