"""Parquet by path: the declared meaning of native columns, portions, nothing else readable, nothing left behind."""

import os
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import (
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Comparison,
    DateColumn,
    FixedPointSum,
    GroupedCounts,
    Grouping,
    NumberColumn,
    PeopleCount,
    PeriodCounts,
    PrivacyUnit,
    RowCount,
    Schema,
    Table,
    TextColumn,
    read_table,
)
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.connections import open_connected
from dpengine.data.connected.parquet_path import files_at, open_parquet
from dpengine.data.files.reading import ReadingWatch
from dpengine.errors import EngineError, IntakeError

NAN, INF = float("nan"), float("inf")
NATIVE = pa.table(
    {
        "id": pa.array([1, 1, 1, 2, 2, 3, None, 4], type=pa.int32()),
        "x": [1.0, -5.0, 200.0, NAN, INF, -INF, 50.0, None],
        "price": pa.array([Decimal("0.50"), Decimal("1.50"), None, *[Decimal("2.00")] * 5], type=pa.decimal128(12, 2)),
        "ward": pa.array([1, 2, 3, 1, 1, 2, 2, 7], type=pa.int16()),
        "ill": [True, False, None, True, True, False, False, True],
        "seen": [datetime(2020, 1, 31), datetime(2020, 2, 1, 12), *[datetime(2020, 3, 1)] * 6],  # noqa: DTZ001
        'we"ird; --': ["a"] * 8,
    }
)
COLUMNS = (
    TextColumn(name="id"),
    NumberColumn(name="x", lower=0, upper=100),
    NumberColumn(name="price", lower=0, upper=10),
    CategoryColumn(name="ward", categories=("1", "2", "3")),
    BooleanColumn(name="ill"),
    DateColumn(name="seen", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
    CategoryColumn(name='we"ird; --', categories=("a", "b'c")),
)
ROWS = Schema(name="native", columns=COLUMNS)
PEOPLE = Schema(name="native", columns=COLUMNS, unit=PrivacyUnit(identifier="id", rows=2))
ANSWERS = {
    RowCount(): [8],
    RowCount(where=Comparison("x", ">", 0)): [3],
    RowCount(where=Comparison("x", "<", 1e308)): [4],
    RowCount(where=Comparison("x", "!=", 1)): [3],
    FixedPointSum(column="x", fraction_bits=0, lower=0, upper=100): [151],
    FixedPointSum(column="price", fraction_bits=1, lower=0, upper=20): [1 + 3 + 5 * 4],
    BinCounts(column="x", fraction_bits=0, edges=(0, 50, 100), clamp=True): [2, 2],
    BinCounts(column="x", fraction_bits=0, edges=(0, 20, 100), clamp=True): [2, 2],
    BinCounts(column="x", fraction_bits=0, edges=(0, 50, 100)): [1, 1],
    BinCounts(column="x", fraction_bits=0, edges=(0, 100), clamp=True): [4],
    CategoryCounts(column="ward", values=("2", "1")): [3, 3],
    CategoryCounts(column='we"ird; --', values=("b'c", "a")): [0, 8],
    CategoryCounts(column="ill", values=(True, False)): [4, 3],
    PeriodCounts(column="seen", period="month", earliest=date(2020, 1, 1), latest=date(2020, 3, 1)): [1, 0, 6],
}


@pytest.fixture
def room(tmp_path):
    return tmp_path / "room"


def write(folder, table=NATIVE, name="native.parquet"):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    pq.write_table(table, path)
    return path


def opened(path, schema, room, **options):
    table = open_parquet(Address.of(f"parquet://{path}"), schema, "a salt", room=room, **options)
    return Table(table, schema=schema)


def test_native_columns_mean_what_they_say(tmp_path, room):
    table = opened(write(tmp_path), ROWS, room)
    for aggregate, answer in ANSWERS.items():
        assert table.run(aggregate).tolist() == answer, aggregate
    table.close()


def test_native_identifiers_tell_people_apart_and_bound_their_rows(tmp_path, room):
    table = opened(write(tmp_path), PEOPLE, room)
    assert table.run(PeopleCount()).tolist() == [4]
    assert table.run(RowCount()).tolist() == [2 + 2 + 1 + 1]
    report = table.intake_report
    assert (report.rows_read, report.rows_without_identifier, report.rows_beyond_limit) == (8, 1, 1)
    misfits = {column.name: (column.missing, column.misfits) for column in report.columns}
    assert misfits["ward"] == (0, 1)
    assert misfits["seen"] == (0, 1)
    table.close()


def visits(rows, people):
    i = "hash(i * 7 + {}) % {}"
    query = f"""SELECT CAST({i.format(1, people)} AS BIGINT) AS id, CAST({i.format(2, 10001)} AS DOUBLE) / 100 AS x,
        CAST({i.format(3, 4)} AS INTEGER) AS ward, {i.format(4, 2)} = 0 AS ill FROM range({rows}) AS numbers(i)"""
    with duckdb.connect() as connection:
        return connection.sql(query).to_arrow_table()


VISITS = (COLUMNS[0], COLUMNS[1], COLUMNS[3], COLUMNS[4])
GROUPS = Grouping(by=("ward", "ill"), values=(("1", "2", "3"), (True, False)), groups=2, rows_per_group=2)
BOUNDED = [
    RowCount(),
    RowCount(where=Comparison("x", ">=", 65)),
    PeopleCount(where=Comparison("ill", "=", True)),
    FixedPointSum(column="x", fraction_bits=14, lower=0, upper=100 * 2**14),
    GroupedCounts(grouping=GROUPS),
]


def test_portions_change_no_answer(tmp_path, room):
    schema = Schema(name="visits", columns=VISITS, unit=PrivacyUnit(identifier="id", rows=5))
    path, rows = write(tmp_path, visits(8_000, 1200)), 8_000
    whole = opened(path, schema, room)
    expected = [whole.run(aggregate).tolist() for aggregate in BOUNDED]
    assert whole.run(RowCount()) < rows, "the control: the bound leaves rows out"
    for portions in (3, 7):
        split = opened(path, schema, room, rows_a_portion=-(-rows // portions))
        assert (len(whole._opened.rows), len(split._opened.rows)) == (1, portions)
        assert [split.run(aggregate).tolist() for aggregate in BOUNDED] == expected, portions
        people = [part.table.person.nunique().name("n").as_table() for part in split._opened.rows]
        each = [split._opened.engine.integers(one)[0]["n"] for one in people]
        assert min(each) > 0
        assert sum(each) == whole.run(PeopleCount())[0]
        split.close()
    whole.close()


def test_many_rows_in_portions_leave_nothing_behind(tmp_path, room):
    schema = Schema(name="visits", columns=VISITS, unit=PrivacyUnit(identifier="id", rows=5))
    table = opened(write(tmp_path, visits(60_000, 6000)), schema, room, rows_a_portion=18_000)
    (folder,) = [path for path in room.iterdir() if path.is_dir()]
    assert sum(path.stat().st_size for path in folder.iterdir()) > 10**6, "the control: something was there"
    counts = table.run(GroupedCounts(grouping=GROUPS))
    assert 0 < counts.sum() <= 4 * 6000
    table.close()
    assert [path for path in room.iterdir() if path.is_dir()] == []


def test_opening_tells_how_far_it_is_and_can_be_stopped(tmp_path, room):
    schema = Schema(name="visits", columns=VISITS, unit=PrivacyUnit(identifier="id", rows=5))
    path, told = write(tmp_path, visits(4000, 300)), []
    reading = ReadingWatch(progress=lambda share, stage: told.append(share))
    opened(path, schema, room, rows_a_portion=1000, reading=reading).close()
    assert told == [0, 0.25, 0.5, 0.75]
    stopped = ReadingWatch(progress=lambda share, stage: told.append(share), cancelled=lambda: len(told) > 5)
    with pytest.raises(IntakeError, match="stopped"):
        opened(path, schema, room, rows_a_portion=1000, reading=stopped)
    assert told == [0, 0.25, 0.5, 0.75, 0, 0.25]
    assert [left for left in room.iterdir() if left.is_dir()] == []


def test_a_folder_and_a_pattern_are_read_whole(tmp_path, room):
    write(tmp_path, name="parts/a.parquet")
    write(tmp_path, name="parts/b.parquet")
    (tmp_path / "parts" / "notes.txt").write_text("not a table")
    for place in ("parts", "parts/*.parquet"):
        table = opened(tmp_path / place, ROWS, room)
        assert table.run(RowCount()).tolist() == [16]
        table.close()


def test_no_file_is_read_twice_and_none_that_is_hidden_or_not_finished(tmp_path, room):
    """Everybody's rows would count twice, and a person would move an answer by more than is claimed."""
    write(tmp_path, name="parts/a.parquet")
    hidden = (".snapshot/hour", "_temporary/0", ".Trash")
    for folder in (*hidden, "_year=2024", "deeper"):
        (tmp_path / "parts" / folder).mkdir(parents=True)
        os.link(tmp_path / "parts/a.parquet", tmp_path / "parts" / folder / "a.parquet")
    (tmp_path / "parts/latest.parquet").symlink_to("a.parquet")
    for place in ("parts", "parts/*.parquet", "parts/**/*.parquet"):
        table = opened(tmp_path / place, ROWS, room)
        assert table.run(RowCount()).tolist() == [8]
        table.close()
    for folder in (*hidden, "_year=2024"):
        write(tmp_path, name=f"parts/{folder}/another.parquet")
    assert len(files_at(Address(scheme="parquet", path=f"{tmp_path}/parts"))) == 2, "the one of a partition is read"
    assert len(files_at(Address(scheme="parquet", path=f"{tmp_path}/parts/_temporary/0"))) == 2, "as it is asked for"


@pytest.mark.parametrize(
    "other",
    [
        pa.table({"x": [7.5]}),
        pa.table({"x": pa.array([None], pa.float64())}),
        pa.table({"x": ["8"]}),
        pa.table({"x": pa.array([1], pa.int64())}),
        pa.table({"y": pa.array([1], pa.int32())}),
        pa.table({"x": pa.array([1], pa.int32()), "y": [1]}),
    ],
)
def test_files_that_are_not_alike_are_refused(tmp_path, room, other):
    """The first one's types would round the others' values, and one value that does not fit would end each question."""
    schema = Schema(name="alike", columns=(NumberColumn(name="x", lower=0, upper=10),))
    for name in ("a", "b"):
        write(tmp_path, pa.table({"x": pa.array([1], pa.int32())}), name=f"{name}.parquet")
    table = opened(tmp_path, schema, room)
    assert table.run(RowCount()).tolist() == [2], "the control"
    table.close()
    write(tmp_path, other, name="b.parquet")
    with pytest.raises(IntakeError, match="of the same type"):
        opened(tmp_path, schema, room)


def test_files_of_two_writers_are_alike(tmp_path, room):
    write(tmp_path, pa.table({"x": [1], "s": ["a"]}), name="a.parquet")
    with duckdb.connect() as connection:
        connection.sql("SELECT 2::BIGINT AS x, 'b' AS s").write_parquet(str(tmp_path / "b.parquet"))
    columns = (NumberColumn(name="x", lower=0, upper=10), CategoryColumn(name="s", categories=("a", "b")))
    table = opened(tmp_path, Schema(name="alike", columns=columns), room)
    assert table.run(CategoryCounts(column="s", values=("a", "b"))).tolist() == [1, 1]
    table.close()


def test_hostile_file_names_are_only_names(tmp_path, room):
    table = opened(str(write(tmp_path, name="it's; DROP.parquet")).replace(" ", "%20"), ROWS, room)
    assert table.run(RowCount()).tolist() == [8]
    table.close()
    write(tmp_path, name="n[a]*.parquet")
    with pytest.raises(IntakeError, match="signs"):
        files_at(Address(scheme="parquet", path=str(tmp_path)))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("parquet://host/t.parquet", "three slashes"),
        ("parquet:///nowhere/t.parquet", "no Parquet file"),
        ("parquet:///nowhere/*.parquet", "no Parquet file"),
        ("parquet:///t.parquet?table=x", "option"),
    ],
)
def test_addresses_that_lead_nowhere_are_refused(url, reason):
    with pytest.raises(IntakeError, match=reason):
        open_connected(url, schema=ROWS, salt="")


def test_what_is_not_parquet_or_lacks_a_column_is_refused_and_leaves_nothing(tmp_path, room):
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(IntakeError, match="cannot be read"):
        opened(path, ROWS, room)
    with pytest.raises(IntakeError, match="no column"):
        opened(write(tmp_path, NATIVE.drop_columns(["ill"])), ROWS, room)
    assert [left for left in room.iterdir() if left.is_dir()] == []


def test_the_budget_belongs_to_the_place_and_not_to_the_content(tmp_path, room):
    path = write(tmp_path)
    before = opened(path, ROWS, room)
    write(tmp_path, NATIVE.slice(0, 5))
    after, elsewhere = opened(path, ROWS, room), opened(write(tmp_path, name="b.parquet"), ROWS, room)
    roundabout = opened(f"{tmp_path}/x/../native.parquet", ROWS, room)
    prints = [table.fingerprint(b"secret") for table in (before, after, roundabout, elsewhere)]
    assert prints[0] == prints[1] == prints[2] != prints[3]
    assert after.run(RowCount()).tolist() == [5]
    for table in (before, after, elsewhere, roundabout):
        table.close()


def test_a_stop_between_two_portions_is_not_lost(tmp_path, room):
    schema = Schema(name="visits", columns=VISITS, unit=PrivacyUnit(identifier="id", rows=5))
    table = opened(write(tmp_path, visits(3000, 300)), schema, room, rows_a_portion=1000)
    engine = table._opened.engine
    asked = []

    class Stopping:
        def integers(self, expression):
            asked.append(expression)
            if len(asked) == 1:
                table.interrupt()
            return engine.integers(expression)

        def interrupt(self):
            engine.interrupt()

    object.__setattr__(table._opened, "engine", Stopping())
    with pytest.raises(EngineError):
        table.run(RowCount())
    assert len(asked) == 1
    assert table.run(RowCount())[0] > 0
    engine.close()


def test_no_rows_are_left_out_because_a_file_says_so_of_them(tmp_path):
    honest, forged = tmp_path / "honest.parquet", tmp_path / "forged.parquet"
    rows = pa.table({"age": pa.array(range(100), pa.int64())})
    pq.write_table(rows, honest, compression="none", use_dictionary=False)
    raw = honest.read_bytes()
    footer = len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")
    forged.write_bytes(raw[:footer] + raw[footer:].replace((99).to_bytes(8, "little"), (5).to_bytes(8, "little")))
    assert pq.ParquetFile(forged).metadata.row_group(0).column(0).statistics.max == 5, "The control."
    schema = Schema(name="forged", columns=(NumberColumn(name="age", lower=0, upper=100),))
    for path in (honest, forged):
        with closing(read_table(f"parquet://{path}", schema=schema)) as table:
            assert table.run(RowCount(where=Comparison("age", ">=", 50))).tolist() == [50]
