"""Days in any order and marks between thousands: what is declared is read, what is not fits nothing."""

from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.data import CategoryColumn, DateColumn, NumberColumn, Schema, TextColumn, preview, read_table
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.files.cells import Cells
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.notation import DATES, DECIMALS, THOUSANDS, Notation, written_day
from dpengine.data.intake.proposing import settled_notation
from dpengine.data.table import Table
from dpengine.data.typed.misfits import misfits_of
from dpengine.errors import IntakeError, InvalidParameterError
from tests.examples.workbooks import workbook

DAY = DateColumn(name="x", earliest=date(1900, 1, 1), latest=date(2100, 1, 1))
NUMBER = NumberColumn(name="x", lower=0, upper=1)


def cells(*texts, **written):
    read = Cells.of(("x",), [pa.chunked_array([texts], type=pa.string())])
    return replace(read, form=FileForm(**written))


def stored(*texts, column, **written):
    """The values that an engine keeps of these cells, missing ones as None."""
    schema = Schema(name="t", columns=(column,))
    table = Table.of_cells(cells(*texts, **written), schema=schema)
    engine = table._opened.engine
    assert isinstance(engine, DuckDBEngine)
    values = engine.arrow(StoredRows.of(schema).table.select(value=StoredRows.of(schema).table.value_0)).column("value")
    table.close()
    return sorted(values.to_pylist(), key=str)


def days(*texts, dates):
    return stored(*texts, column=DAY, dates=dates)


LAST = date(2024, 12, 31)


@pytest.mark.parametrize(
    "dates, written",
    [
        ("day first", ["31.12.2024", "31/12/2024", "31-12-2024", "31 12 2024", "31.12.24", "31.12.2024, 14:05"]),
        ("month first", ["12/31/2024", "12/31/24", "12-31-2024 2:05 PM", "12/31/2024 02:05:59 a.m.", "12.31.2024"]),
        ("year first", ["2024/12/31", "2024.12.31", "2024-12-31 00:00:00", "2024-12-31T23:30:00.5+02:00"]),
        (
            "day first",
            [
                "2024-12-31",
                "31.12.2024 14:05",
                "31.12.24,14:05",
                "2024-12-31T23:30Z",
                "31.12.2024 23.30",
                "31.12.2024 23:30 UTC",
            ],
        ),
    ],
)
def test_a_day_in_the_declared_order_is_that_day(dates, written):
    assert days(*written, dates=dates) == [LAST] * len(written)
    assert [written_day(cell, Notation(dates=dates)) for cell in written] == [LAST] * len(written)
    assert days(*(cell for cell in written if cell != LAST.isoformat()), dates="iso").count(LAST) == 0, "the control"


@pytest.mark.parametrize("dates", DATES)
def test_what_no_calendar_has_is_no_day(dates):
    wrong = ["30.02.2024", "2024-02-30", "31.12.2024 25:61", "31.12.2024 noon", "31.12.", "2024", "1.1.1", "a 1.1.2024"]
    assert days(*wrong, dates=dates) == [None] * len(wrong)


def test_a_year_of_two_digits_is_one_from_1970_to_2069():
    assert days("01.02.70", "01.02.69", dates="day first") == [date(1970, 2, 1), date(2069, 2, 1)]


PIECES = st.sampled_from(
    [*"0123456789", "1", "12", "31", "2024", "24", ".", "/", "-", " ", "T", ":", ", ", "10:30", "PM", "Z"]
)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.lists(PIECES, max_size=8).map("".join), min_size=1, max_size=80), st.sampled_from(DATES))
def test_python_and_the_engine_read_the_same_day(texts, dates):
    texts = [*texts, "31.12.2024", "02/03/24", "2024-2-3"]
    read = [written_day(text.strip(), Notation(dates=dates)) for text in texts]
    bounded = [day if day and DAY.earliest <= day <= DAY.latest else None for day in read]
    assert days(*texts, dates=dates) == sorted(bounded, key=str)


@pytest.mark.parametrize("decimal", DECIMALS)
@pytest.mark.parametrize("between", THOUSANDS[1:])
def test_a_mark_between_thousands_is_left_out_and_any_other_fits_nothing(between, decimal):
    if between == decimal:
        with pytest.raises(InvalidParameterError, match="thousands"):
            Notation(decimal=decimal, thousands=between)
        return
    marks = {"thousands": between, "decimal": decimal}
    fitting = [f"1{between}212{decimal}5", f"-12{between}345{between}678", "1212", f"0{decimal}25"]
    assert set(stored(*fitting, column=NUMBER, **marks)) == {1212.5, -12345678.0, 1212.0, 0.25}
    wrong = [f"1{between}21", f"1212{between}345", f"{decimal}{between}212", f"1{decimal}212{between}345"]
    assert stored(*wrong, column=NUMBER, **marks) == [None] * len(wrong)
    assert stored(fitting[0], column=NUMBER, decimal=decimal) == [None], "the control"


def test_spaces_that_do_not_break_a_line_and_curved_apostrophes_stand_between_thousands():
    assert stored("1\u00a0000", "1\u202f000", "1 000", column=NUMBER, thousands=" ") == [1000.0] * 3
    assert stored("1\u2019000", "1'000", column=NUMBER, thousands="'") == [1000.0] * 2


@pytest.mark.parametrize(
    "columns, notation",
    [
        ([["1", "2.5"]], {}),
        ([["3,5", "4"]], {"decimal": ","}),
        ([["1.212,72", "88,10"]], {"decimal": ",", "thousands": "."}),
        ([["1,212.72", "88.10"]], {"thousands": ","}),
        ([["1 212,72", "n/a", *("8,1",) * 9, *map(str, range(20))]], {"decimal": ",", "thousands": " "}),
        ([["n/a", *(f"{i},5" for i in range(9))]], {"decimal": ","}),
        ([["31.12.2024", "01.02.2024"]], {"dates": "day first"}),
        ([["12/31/2024", "01/02/2024"]], {"dates": "month first"}),
        ([["2024-12-31 14:05:00", "2024-01-02"]], {"dates": "year first"}),
        ([["2024-12-31"], ["red, green", "blue"]], {}),
        ([["", ""], []], {}),
    ],
)
def test_the_plainest_notation_that_fits_is_proposed(columns, notation):
    form, doubts = settled_notation(FileForm(format="csv"), columns)
    assert (form.notation, doubts) == (Notation(**notation), ())


@pytest.mark.parametrize(
    "column, notation", [(["1,234"], {"thousands": ","}), (["1.234"], {}), (["01/02/2024"], {"dates": "day first"})]
)
def test_a_cell_that_may_be_read_in_two_ways_is_named(column, notation):
    form, doubts = settled_notation(FileForm(format="csv"), [column])
    assert (form.notation, doubts) == (Notation(**notation), (column[0],))


def test_what_is_said_of_a_notation_stays_and_is_no_doubt():
    form = FileForm(format="csv", decimal=",", dates="month first")
    settled, doubts = settled_notation(form, [["1.234"], ["01/02/2024"]])
    assert (settled.decimal, settled.thousands, settled.dates, doubts) == (",", ".", "month first", ())


FILE = "tag;betrag;ort;wer\n31.12.2024;1.212,72;Ulm;a\n01.02.2024;88,10;Köln;b\n;;;c\n".encode()
SCHEMA = Schema(
    name="buchungen",
    columns=(
        DateColumn(name="tag", earliest=date(2024, 1, 1), latest=date(2024, 12, 31)),
        NumberColumn(name="betrag", lower=0, upper=10_000),
        CategoryColumn(name="ort", categories=("Ulm",)),
        TextColumn(name="wer"),
    ),
)
WRITTEN: dict[str, Any] = {"decimal": ",", "thousands": ".", "dates": "day first"}


@pytest.mark.usefixtures("parsed_here")
def test_an_offices_file_loses_nothing_once_it_is_read_as_it_is_written():
    look = preview(FILE)
    assert (look.form.delimiter, look.form.notation) == (";", Notation(**WRITTEN))
    assert [column.kind for column in look.columns[:2]] == ["date", "number"]
    table = read_table(FILE, schema=SCHEMA, delimiter=";", **WRITTEN)
    assert [column.misfits for column in table.intake_report.columns] == [0, 0, 1, 0]
    assert "day, month, year" in table.intake_report.columns[0].rule
    assert table.intake_report.columns[1].rule.startswith(
        "A cell that is not a plain decimal number with a comma before its fraction (3,5 and not 3.5) and at most "
        "a point between thousands counts as missing"
    )
    plain = read_table(FILE, schema=SCHEMA, delimiter=";")
    assert [column.misfits for column in plain.intake_report.columns] == [2, 2, 1, 0], "the control"


@pytest.mark.usefixtures("parsed_here")
def test_what_would_be_lost_is_told_with_an_example_before_the_file_is_used():
    look = preview(FILE, delimiter=";", decimal=".", dates="iso")
    assert look.sample is not None
    found = misfits_of(look.sample, SCHEMA.columns)
    assert [(one.name, one.misfits, one.cells, one.examples) for one in found] == [
        ("tag", 2, 2, ("31.12.2024", "01.02.2024")),
        ("betrag", 2, 2, ("1.212,72", "88,10")),
        ("ort", 1, 2, ("Köln",)),
    ]
    read = preview(FILE, delimiter=";", **WRITTEN)
    assert read.sample is not None
    assert [one.name for one in misfits_of(read.sample, SCHEMA.columns)] == ["ort"]
    complete = NumberColumn(name="betrag", lower=0, upper=10_000, complete=True)
    told = [misfits_of(sample, (complete,))[0] for sample in (read.sample, look.sample)]
    assert [(one.misfits, one.lacking) for one in told] == [(0, 1), (2, 3)], "a blank one is missing, too"
    assert "1.212" not in repr(found)
    assert "1.212" not in repr(look)


@pytest.mark.usefixtures("parsed_here")
def test_days_of_a_workbook_may_be_text_in_any_order_and_its_numbers_have_no_marks():
    content = workbook(["x"], ["31.12.2024"], ["2024-12-31"])
    table = read_table(content, schema=Schema(name="t", columns=(DAY,)), dates="day first")
    assert table.intake_report.columns[0].misfits == 0
    with pytest.raises(IntakeError, match="thousands can be declared only for text"):
        read_table(content, schema=Schema(name="t", columns=(DAY,)), thousands=",")
