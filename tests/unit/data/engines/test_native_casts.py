"""A value of a database means what its text in a file would mean: each native column against its own text."""

import math
import sys
from datetime import date, datetime, time
from decimal import Decimal

import duckdb
import ibis
import pyarrow as pa
import pytest

from dpengine.data import BooleanColumn, CategoryColumn, DateColumn, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.data.connected.connected_rows import connected_rows, staged_rows
from dpengine.data.engines.duckdb_sql import duckdb_sql
from dpengine.data.files.parquet_file import as_text
from dpengine.data.typed.casts import cast
from dpengine.data.typed.native_casts import SPACES, canonical_text, person_of, typed
from dpengine.errors import IntakeError

NUMBER = NumberColumn(name="x", lower=0, upper=100)
CATEGORY = CategoryColumn(name="x", categories=("1", "7", "true", "Rome", "2020-01-31"))
BOOLEAN, TEXT = BooleanColumn(name="x"), TextColumn(name="x")
DAY = DateColumn(name="x", earliest=date(2020, 1, 1), latest=date(2020, 12, 31))
FLOATS = pa.array([0.1, -0.0, 1e300, math.nan, math.inf, -math.inf, None, 5e-324])
THIRDS = pa.array([0.1, 1 / 3, 16777216.0, math.nan, math.inf, None], type=pa.float32())
WHOLE = pa.array([0, 1, 7, -3, 2**53 + 1, None])
NEAR_ZERO = pa.array([0, 1, 7, -3, 2**53 - 1, None])
HUGE = pa.array([2**64 - 1, 0, None], type=pa.uint64())
DECIMALS = pa.array([Decimal("1.10"), Decimal("-0.07"), None], type=pa.decimal128(38, 2))
YES_NO = pa.array([True, False, None])
DAYS = pa.array([date(2020, 1, 31), date(2020, 1, 1), date(2019, 12, 31), date(2020, 12, 31), date(2021, 1, 1), None])
MOMENTS = pa.array([datetime(2020, 1, 31), datetime(2020, 1, 31, 0, 0, 0, 1), datetime(2019, 12, 31), None])  # noqa: DTZ001
WORDS = pa.array(
    ["Rome", " Rome\t", "rome", "", "\u00a07\u2003", "1e2", "inf", "2020-01-31", "2020-02-30", "YES", None]
)


def values_of(cells, expression_of):
    """What an expression over the column x gives in DuckDB, from native cells."""
    table = pa.table({"x": cells})
    with duckdb.connect() as connection:
        connection.register("rows_of_test", table)
        rows = ibis.memtable(table).schema()
        expression = ibis.table(rows, name="rows_of_test").select(y=lambda t: expression_of(t.x))
        found = connection.sql(duckdb_sql(expression)).fetchall()
    return [value for (value,) in found]


def as_read_from_a_file(column, cells):
    text = as_text(cells)
    return values_of(pa.array([word.strip() or None for word in text.to_pylist()]), lambda x: cast(column, x))


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        *((NUMBER, cells) for cells in (FLOATS, THIRDS, WHOLE, HUGE, DECIMALS, WORDS)),
        *((CATEGORY, cells) for cells in (WHOLE, YES_NO, DAYS, WORDS)),
        *((BOOLEAN, cells) for cells in (WHOLE, YES_NO, WORDS)),
        *((TEXT, cells) for cells in (NEAR_ZERO, YES_NO, DAYS, WORDS)),
        *((DAY, cells) for cells in (DAYS, MOMENTS, WORDS)),
        (BooleanColumn(name="x", true_words=("False",), false_words=("7", "true")), YES_NO),
        (BooleanColumn(name="x", true_words=("sí",), false_words=("no",)), YES_NO),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "name") else str(value.type),
)
def test_a_native_value_means_what_its_text_would_mean(column, cells):
    found = values_of(cells, lambda x: typed(column, x))
    assert found == as_read_from_a_file(column, cells)
    assert None in found


def test_the_native_values_themselves():
    """The control: what the comparison above compares is not all NULL."""
    assert values_of(FLOATS, lambda x: typed(NUMBER, x)) == [0.1, 0.0, 1e300, None, None, None, None, 5e-324]
    assert values_of(THIRDS, lambda x: typed(NUMBER, x))[0] == 0.1
    assert values_of(WORDS, lambda x: typed(CATEGORY, x))[:5] == ["Rome", "Rome", None, None, "7"]
    assert values_of(YES_NO, lambda x: typed(BOOLEAN, x)) == [True, False, None]
    assert values_of(MOMENTS, lambda x: typed(DAY, x)) == [date(2020, 1, 31), None, None, None]


def test_a_text_of_a_kind_that_engines_spell_differently_is_missing():
    for cells in (DECIMALS, MOMENTS, pa.array([[1]]), pa.array([b"x"])):
        assert set(values_of(cells, lambda x: typed(TEXT, x))) == {None}
    assert values_of(FLOATS, lambda x: typed(TEXT, x)) == [None, "0", *[None] * 6], "Only whole numbers have one text."
    assert values_of(WORDS, lambda x: typed(TEXT, x))[:5] == ["Rome", "Rome", "rome", None, "7"]


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.decimal128(20, 0)])
def test_one_person_without_a_value_changes_nobodys_text_whatever_the_numbers_are_stored_as_then(kind):
    """What a floating number cannot hold is missing however it is stored."""
    numbers = [7, -3, 2**53 - 1, 2**53, 2**53 + 2, 10**18]
    assert values_of(pa.array(numbers).cast(kind, safe=False), lambda x: typed(TEXT, x)) == [
        "7",
        "-3",
        str(2**53 - 1),
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (CATEGORY, FLOATS),
        (CATEGORY, DECIMALS),
        (NUMBER, YES_NO),
        (NUMBER, DAYS),
        (BOOLEAN, FLOATS),
        (DAY, WHOLE),
        (DAY, pa.array([datetime(2020, 1, 31)], type=pa.timestamp("us", tz="UTC"))),  # noqa: DTZ001
        (NUMBER, pa.array([[1]])),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "name") else str(value.type),
)
def test_a_type_that_cannot_serve_is_refused_with_its_name(column, cells):
    with pytest.raises(IntakeError, match=r"Column 'x' holds .+, which cannot be read as"):
        values_of(cells, lambda x: typed(column, x))


def test_the_spaces_are_those_of_python_and_nothing_else():
    assert "".join(filter(str.isspace, map(chr, range(sys.maxunicode + 1)))) == SPACES
    assert len(SPACES) == 29
    padded = pa.array([f"{space}7{space}" for space in SPACES] + ["_7_", "\u200b7"])
    assert values_of(padded, canonical_text) == ["7"] * 29 + ["_7_", "\u200b7"]


def test_people_are_told_apart_by_text_and_whole_numbers_only():
    assert values_of(WORDS, lambda x: person_of("x", x))[:4] == ["Rome", "Rome", "rome", None]
    assert values_of(WHOLE, lambda x: person_of("x", x))[:3] == [0, 1, 7]
    for cells in (FLOATS, YES_NO, pa.array([time(1, 2)])):
        with pytest.raises(IntakeError, match="cannot tell people apart"):
            values_of(cells, lambda x: person_of("x", x))


def test_no_window_is_needed_where_every_row_is_another_person():
    source = ibis.table({"id": "string", "x": "float64"}, name="t")
    columns = (TextColumn(name="id"), NUMBER)
    alone = connected_rows(source, Schema(name="t", columns=columns), "salt")
    bounded = connected_rows(source, Schema(name="t", columns=columns, unit=PrivacyUnit(identifier="id")), "salt")
    written = [str(ibis.to_sql(rows.table, dialect="duckdb")) for rows in (alone, bounded)]
    assert ["ROW_NUMBER" in sql for sql in written] == [False, True]


def test_cells_that_hold_the_separator_are_still_told_apart():
    source = pa.table({"a": ["p", "p", "p"], "b": ["1\x1f2", "1", "1\x1e12"], "c": ["3", "2\x1f3", "3"]})
    schema = Schema(name="t", columns=tuple(TextColumn(name=name) for name in "abc"), unit=PrivacyUnit(identifier="a"))
    with duckdb.connect() as connection:
        connection.register("rows_of_test", source)
        rows = ibis.table({"a": "string", "b": "string", "c": "string"}, name="rows_of_test")
        digests = staged_rows(rows, schema).digest.nunique().as_table()
        assert connection.sql(duckdb_sql(digests)).fetchall() == [(3,)]


def test_a_source_without_a_declared_column_is_refused():
    with pytest.raises(IntakeError, match="no column 'x'"):
        connected_rows(ibis.table({"y": "string"}, name="t"), Schema(name="t", columns=(NUMBER,)), "salt")
