"""A table in memory has the answers, the refusals and the fingerprint of the file that it would be saved in."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from functools import cache
from itertools import permutations
from typing import Any, Literal
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Comparison,
    DateColumn,
    FixedPointSum,
    IsMissing,
    NumberColumn,
    PrivacyUnit,
    RowCount,
    Schema,
    Table,
    TextColumn,
    read_table,
)
from dpengine.data.files.parquet_file import as_text
from dpengine.data.intake.arrow_frame import parquet_of
from dpengine.errors import IntakeError, InvalidParameterError

pytestmark = pytest.mark.usefixtures("parsed_here")
CITIES = ("Rome", "Oslo")
AGE = NumberColumn(name="age", lower=0, upper=100)
SCHEMA = Schema(
    name="visits",
    columns=(
        AGE,
        CategoryColumn(name="city", categories=CITIES),
        BooleanColumn(name="ill"),
        DateColumn(name="day", earliest=date(2024, 1, 1), latest=date(2024, 12, 31)),
    ),
)
ROWS: dict[str, list[Any]] = {
    "age": [30.5, float("nan"), 41.0, 7.0],
    "city": ["Rome", "Oslo", None, "Rome"],
    "ill": [True, None, False, True],
    "day": [date(2024, 2, 29), None, date(2024, 3, 1), date(2024, 3, 1)],
}
AGGREGATES = (
    RowCount(),
    RowCount(where=IsMissing("age")),
    RowCount(where=Comparison("ill", "=", True)),
    RowCount(where=Comparison("day", "<=", date(2024, 2, 29))),
    CategoryCounts(column="city", values=CITIES),
    FixedPointSum(column="age", fraction_bits=AGE.fraction_bits, lower=0, upper=AGE.on_grid(100)),
)


class OtherFrame:
    """Offers what polars offers, and nothing else."""

    def __init__(self, rows: pa.Table) -> None:
        self._rows = rows

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)


def as_arrow() -> pa.Table:
    return pa.table(ROWS)


def saved() -> bytes:
    file = io.BytesIO()
    pq.write_table(as_arrow(), file)
    return file.getvalue()


class OwnFrame(pd.DataFrame):
    """As geopandas has one."""


FRAMES: dict[str, Callable[[], Any]] = {
    "pyarrow": as_arrow,
    "pandas": lambda: pd.DataFrame(ROWS),
    "pandas with an index": lambda: pd.DataFrame(ROWS, index=["a", "b", "c", "d"]),
    "a kind of pandas' own, shuffled": lambda: OwnFrame(pd.DataFrame(ROWS, index=[3, 1, 0, 2])),
    "pandas categories": lambda: pd.DataFrame(ROWS).astype({"city": "category"}),
    "another library": lambda: OtherFrame(as_arrow()),
}


@cache
def read_from_a_file() -> Table:
    return read_table(saved(), schema=SCHEMA)


def answers(table: Table) -> list[list[int]]:
    return [table.run(aggregate).tolist() for aggregate in AGGREGATES]


@pytest.mark.parametrize("kind", FRAMES)
def test_a_table_in_memory_is_the_file_that_it_would_be(kind: str) -> None:
    held, file = read_table(FRAMES[kind](), schema=SCHEMA), read_from_a_file()
    assert answers(held) == answers(file) == [[4], [1], [2], [1], [2, 1], [AGE.on_grid(78.5)]]
    assert held.fingerprint(b"secret") == file.fingerprint(b"secret")


@pytest.mark.parametrize("kind", ["pandas", "another library"])
def test_days_of_a_table_in_memory_may_be_text_in_any_order(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROWS, "day", ["29.02.2024", None, "1.3.2024", "01/03/24"])
    frame = FRAMES[kind]()
    until_february = AGGREGATES[3]
    assert read_table(frame, schema=SCHEMA, dates="day first").run(until_february).tolist() == [1]
    assert read_table(frame, schema=SCHEMA).run(until_february).tolist() == [0], "The control: as ISO dates they miss."


def test_a_column_of_several_kinds_is_named_and_no_cell_of_it() -> None:
    mixed = pd.DataFrame({"age": [30, "Vexley"], "city": ["Rome", "Oslo"]})
    with pytest.raises(IntakeError, match=r"^Column 'age' holds values of several kinds") as refused:
        read_table(mixed, schema=SCHEMA)
    assert "Vexley" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__


def test_the_rules_are_those_of_a_file() -> None:
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["age", "AGE"])
    with pytest.raises(IntakeError, match="Two columns have the same name"):
        read_table(twice, schema=SCHEMA)
    with pytest.raises(IntakeError, match="Two columns have the same name"):
        read_table(pd.DataFrame([[1, 2]], columns=["age", "age"]), schema=SCHEMA)
    with pytest.raises(IntakeError, match="only single values are"):
        read_table(pa.table({"age": [[1, 2], [3]]}), schema=SCHEMA)
    with pytest.raises(InvalidParameterError, match="decimal must be left out for a table in memory"):
        read_table(as_arrow(), schema=SCHEMA, decimal=",", dates="day first")
    with pytest.raises(InvalidParameterError, match="dates must be left out for a table by connection URL"):
        read_table("parquet:///t.parquet", schema=SCHEMA, dates="day first")
    with pytest.raises(InvalidParameterError, match="source must be a path, the bytes of a file or a table in memory"):
        read_table(ROWS, schema=SCHEMA)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["object", "category", "Arrow"])
def test_one_persons_decimal_places_are_no_one_elses(kind: Literal["object", "category", "Arrow"]) -> None:
    """Arrow writes a column of decimal numbers with the places of the longest one."""
    schema = Schema(name="prices", columns=(CategoryColumn(name="price", categories=("1.5", "2.5")),))
    counts = CategoryCounts(column="price", values=("1.5", "2.5"))
    prices = [Decimal("1.5"), Decimal("2.5"), None, Decimal("NaN"), Decimal("7.25")]
    for rows in (4, 5):
        held = pd.DataFrame({"price": prices[:rows]})
        frame: Any = (
            pa.table({"price": pa.array(prices[:rows], from_pandas=True)}) if kind == "Arrow" else held.astype(kind)
        )
        with closing(read_table(frame, schema=schema)) as table:
            assert table.run(counts).tolist() == [1, 1]


def test_numbers_that_may_be_rounded_name_nobody() -> None:
    """With one blank among them pandas makes whole numbers others, and many people one."""
    schema = Schema(name="visits", columns=(TextColumn(name="who"),), unit=PrivacyUnit(identifier="who", rows=1))
    people = pd.DataFrame({"who": [2**60 + one for one in range(3)]})
    with closing(read_table(people, schema=schema)) as table:
        assert table.run(RowCount()).tolist() == [3], "the control"
    with pytest.raises(IntakeError, match="cannot tell people apart"):
        read_table(people.astype("float64"), schema=schema)


CELLS: dict[str, Any] = {
    "a whole number": 5,
    "one of numpy's": np.int64(7),
    "one that no float holds": 2**53 + 1,
    "yes": True,
    "a fraction": 0.3,
    "a short fraction": np.float32(0.3),
    "text": "5",
    "a day": date(2021, 1, 1),
    "a moment": datetime(2020, 1, 1, 5),  # noqa: DTZ001  one without a zone
    "midnight": datetime(2020, 1, 1),  # noqa: DTZ001
    "midnight in London": datetime(2020, 1, 1, tzinfo=UTC),
    "an hour before": datetime(2020, 1, 1, tzinfo=timezone(timedelta(hours=1))),
    "a summer's night in Rome": datetime(2020, 7, 1, tzinfo=ZoneInfo("Europe/Rome")),
    "one of pandas'": pd.Timestamp("2021-01-01 00:00:00.000000001"),
    "one of numpy's, too": np.datetime64("2021-01-01T05:00:00"),
    "an hour": time(5),
    "hours": timedelta(hours=5),
    "a decimal": Decimal("1.50"),
    "bytes": b"5",
    "None": None,
    "no number": float("nan"),
    "no moment": pd.NaT,
    "no decimal": Decimal("NaN"),
}


def as_read(cells: list[Any]) -> list[str | None] | None:
    """The text of the cells of a column of objects; None where it is refused."""
    try:
        file = io.BytesIO(parquet_of(pd.DataFrame({"k": pd.Series(cells, dtype=object)})))
    except IntakeError:
        return None
    return [str(cell) for cell in as_text(pq.read_table(file).column("k").combine_chunks()).to_pylist()]


def test_a_cell_reads_as_it_does_alone_whatever_stands_beside_it() -> None:
    """Else one person decides what everybody's rows are: Arrow makes 5 the sixth of January 1970 beside a day."""
    beside = 0
    for one, other in permutations(CELLS, 2):
        cell, neighbor = CELLS[one], CELLS[other]
        alone, pair, turned = as_read([cell]), as_read([cell, neighbor]), as_read([neighbor, cell])
        if alone is not None and pair is not None:
            beside += 1
            assert pair[0] == alone[0], (one, other)
            assert turned is not None, (one, other)
            assert turned[1] == alone[0], (one, other)
    assert beside > 100, "most pairs with a missing cell are read"


@pytest.mark.parametrize("name", ["a day", "a moment", "midnight in London"])
def test_a_moment_beside_another_kind_is_refused(name: str) -> None:
    with pytest.raises(IntakeError, match="several kinds"):
        parquet_of(pd.DataFrame({"k": pd.Series([CELLS[name], CELLS["an hour before"]], dtype=object)}))
