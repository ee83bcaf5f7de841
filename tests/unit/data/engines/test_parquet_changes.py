"""Parquet files that change while a table is open: read anew as long as their types stay, and never half of each."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import FixedPointSum, NumberColumn, PrivacyUnit, RowCount, Schema, TextColumn, read_table
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.parquet_path import parquet_source
from dpengine.data.engines.duckdb_engine import DuckDBEngine, _Files
from dpengine.errors import EngineError, IntakeError

AGES = Schema(name="ages", columns=(NumberColumn(name="age", lower=0, upper=100),))
HALVES = FixedPointSum(column="age", fraction_bits=1, lower=0, upper=200)


def write(folder: Path, name: str, values: list[float], kind: pa.DataType) -> None:
    pq.write_table(pa.table({"age": pa.array(values, kind), "id": ["a"] * len(values)}), folder / name)


def test_one_person_who_leaves_does_not_round_everybody_else(tmp_path: Path) -> None:
    """A writer that takes a type from its values writes whole numbers once whoever had half a year is gone."""
    write(tmp_path, "a.parquet", [30.0, 2.5], pa.float64())
    write(tmp_path, "b.parquet", [30.5] * 10, pa.float64())
    with closing(read_table(f"parquet://{tmp_path}", schema=AGES)) as table:
        assert table.run(HALVES).tolist() == [60 + 5 + 610]
        write(tmp_path, "a.parquet", [30.0], pa.float64())
        assert table.run(HALVES).tolist() == [60 + 610], "The control: other rows of the same types are read."
        write(tmp_path, "a.parquet", [30], pa.int64())
        for _ in range(2):
            with pytest.raises(EngineError, match="other columns or types"):
                table.run(HALVES)
        write(tmp_path, "a.parquet", [31.0], pa.float64())
        assert table.run(HALVES).tolist() == [62 + 610]
        (tmp_path / "a.parquet").rename(tmp_path / "elsewhere")
        for leads in (False, True):
            if leads:
                (tmp_path / "a.parquet").symlink_to("elsewhere")
            with pytest.raises(EngineError, match="changed"):
                table.run(HALVES)


def test_columns_that_differ_in_capitals_alone_are_refused(tmp_path: Path) -> None:
    """In files of another order DuckDB would take one for the other. The control: within a column they may."""
    for name, order in (("a.parquet", ("age", "AGE")), ("b.parquet", ("AGE", "age"))):
        pq.write_table(pa.table({one: [1.0 if one == "age" else 90.0] for one in order}), tmp_path / name)
    with pytest.raises(IntakeError, match="cannot be read"):
        read_table(f"parquet://{tmp_path}", schema=AGES)
    for name in ("a.parquet", "b.parquet"):
        pq.write_table(pa.table({"age": [1.0], "within": [{"x": 1, "X": 2}]}), tmp_path / name)
    with closing(read_table(f"parquet://{tmp_path}", schema=AGES)) as table:
        assert table.run(RowCount()).tolist() == [2]


def test_rows_that_were_put_in_order_before_do_not_ask_the_files(tmp_path: Path) -> None:
    write(tmp_path, "a.parquet", [30.0, 2.5], pa.float64())
    people = Schema(
        name="ages", columns=(*AGES.columns, TextColumn(name="id")), unit=PrivacyUnit(identifier="id", rows=2)
    )
    with closing(read_table(f"parquet://{tmp_path}", schema=people)) as table:
        (tmp_path / "a.parquet").unlink()
        assert table.run(RowCount()).tolist() == [2]


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_file_that_is_there_twice_is_not_counted_twice(tmp_path: Path, link: Callable[[Path, Path], None]) -> None:
    for name, values in (("a.parquet", [30.0] * 5), ("b.parquet", [31.0] * 3)):
        write(tmp_path, name, values, pa.float64())
    with closing(read_table(f"parquet://{tmp_path}", schema=AGES)) as table:
        assert table.run(RowCount()).tolist() == [8], "The control."
        (tmp_path / "b.parquet").unlink()
        link(tmp_path / "a.parquet", tmp_path / "b.parquet")
        with pytest.raises(EngineError, match="changed"):
            table.run(RowCount())


def test_of_a_file_and_its_link_the_file_is_asked(tmp_path: Path) -> None:
    write(tmp_path, "b.parquet", [30.0] * 5, pa.float64())
    (tmp_path / "a.parquet").symlink_to("b.parquet")
    with closing(read_table(f"parquet://{tmp_path}", schema=AGES)) as table:
        assert table.run(RowCount()).tolist() == [5]
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "elsewhere", "c", [31.0], pa.float64())
    (tmp_path / "c.parquet").symlink_to("elsewhere/c")
    with pytest.raises(IntakeError, match="is a link that leads elsewhere"):
        read_table(f"parquet://{tmp_path}", schema=AGES)


class Replacing(_Files):
    """Each time after it was looked at, another file is in its place."""

    __slots__ = ()

    def state(self) -> tuple[tuple[int, ...], ...]:
        found = super().state()
        path = Path(self.paths[0])
        write(path.parent, path.name, [30.0] * (2 * pq.read_table(path).num_rows), pa.float64())
        return found


def test_no_answer_is_given_while_a_file_changes(tmp_path: Path) -> None:
    write(tmp_path, "a.parquet", [30.0], pa.float64())
    engine, rows = parquet_source(Address(scheme="parquet", path=str(tmp_path / "a.parquet")))
    count = rows.count().name("count").as_table()
    assert engine.integers(count) == [{"count": 1}], "The control: of a file that stays."
    kept = _opened(engine)
    engine._files = Replacing(name=kept.name, paths=kept.paths, folders=kept.folders, form=kept.form)
    with pytest.raises(EngineError, match="changed while they were read"):
        engine.integers(count)
    engine.close()


class Exchanging(_Files):
    """After each look a folder with a link to another's file has changed places with one, and has not at the next."""

    __slots__ = ("away",)

    def state(self) -> tuple[tuple[int, ...], ...]:
        if getattr(self, "away", False):
            self._exchange()
        found = super().state()
        self._exchange()
        self.away = True
        return found

    def _exchange(self) -> None:
        top = Path(self.paths[0]).parent.parent
        for old, new in (("b", ".between"), (".c", "b"), (".between", ".c")):
            (top / old).rename(top / new)


def test_no_answer_is_given_while_a_folder_is_exchanged(tmp_path: Path) -> None:
    """None of the files changes; the control is a look at these alone, which counts one of them twice."""
    for folder, ages in (("a", [30.0] * 5), ("b", [31.0]), (".c", [32.0])):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "x.parquet", ages, pa.float64())
    (tmp_path / ".c" / "x.parquet").unlink()
    (tmp_path / ".c" / "x.parquet").symlink_to(tmp_path / "a" / "x.parquet")
    engine, rows = parquet_source(Address(scheme="parquet", path=str(tmp_path)))
    count = rows.count().name("count").as_table()
    assert engine.integers(count) == [{"count": 6}]
    kept = _opened(engine)
    kept.at_rest()
    for folders in ((), kept.folders):
        engine._files = Exchanging(name=kept.name, paths=kept.paths, folders=folders, form=kept.form, known=kept.known)
        if folders:
            kept.at_rest()
            with pytest.raises(EngineError, match="changed while they were read"):
                engine.integers(count)
        else:
            assert engine.integers(count) == [{"count": 10}]
        engine._files._exchange()
    engine.close()


def test_somebodys_other_file_beside_it_does_not_end_a_question(tmp_path: Path) -> None:
    """A ledger in the same folder writes files of its own; it is read anew, until nothing came meanwhile."""
    write(tmp_path, "a.parquet", [30.0], pa.float64())
    engine, rows = parquet_source(Address(scheme="parquet", path=str(tmp_path / "a.parquet")))
    kept = _opened(engine)
    kept.at_rest()
    times: list[int] = []

    def read(_: object) -> int:
        times.append(len(times))
        if len(times) < 3:
            (tmp_path / f"journal{len(times)}").touch()
        return len(times)

    assert kept.read_at_rest(read) == 3
    with pytest.raises(EngineError, match="changed while they were read"):
        kept.read_at_rest(lambda _: (tmp_path / f"journal{len(list(tmp_path.iterdir()))}").touch())
    assert engine.integers(rows.count().name("count").as_table()) == [{"count": 1}]
    engine.close()


def test_what_a_link_in_a_files_place_leads_to_is_not_opened(tmp_path: Path) -> None:
    """It may have come there after the files were found."""
    write(tmp_path, "private", [30.0], pa.float64())
    (tmp_path / "a.parquet").symlink_to("private")
    with pytest.raises(EngineError, match="changed while they were read"):
        DuckDBEngine(readable=[str(tmp_path / "a.parquet")])
    DuckDBEngine(readable=[str(tmp_path / "private")]).close()


def _opened(engine: DuckDBEngine) -> _Files:
    assert engine._files is not None
    return engine._files
