"""Which cells fit which column, and what becomes of the others."""

from datetime import date

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.data import BooleanColumn, CategoryColumn, DateColumn, NumberColumn, Schema, Table, read_table
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.files.cells import Cells
from dpengine.data.typed.loading import opened_cells
from dpengine.errors import InvalidParameterError

NUMBER = NumberColumn(name="x", lower=0, upper=1)
CATEGORY = CategoryColumn(name="x", categories=("02138", "New York", "é", "a,b"))
BOOLEAN = BooleanColumn(name="x")
WORDS = BooleanColumn(name="x", true_words=("Ja", "2"), false_words=("Nein",))
DATE = DateColumn(name="x", earliest=date(2020, 1, 1), latest=date(2024, 12, 31))


def stored(column, *texts):
    schema = Schema(name="t", columns=(column,))
    opened = opened_cells(Cells.of(("x",), [pa.chunked_array([texts], type=pa.string())]), schema=schema, salt="")
    rows = StoredRows.of(schema).table
    assert isinstance(opened.engine, DuckDBEngine)
    values = opened.engine.arrow(rows.select(value=rows.value_0)).column("value").to_pylist()
    (told,) = opened.report().columns
    opened.engine.close()
    assert told.missing == sum(not text.strip() for text in texts)
    assert told.missing + told.misfits == values.count(None)
    return values


def test_a_cell_that_fits():
    fitting = [
        (NUMBER, "3.5", 3.5),
        (NUMBER, " 3 ", 3.0),
        (NUMBER, "\u00a03\t", 3.0),
        (NUMBER, "007", 7.0),
        (NUMBER, "-.5e-1", -0.05),
        (NUMBER, "5.", 5.0),
        (NUMBER, "+1E3", 1000.0),
        (NUMBER, "1e308", 1e308),
        (NUMBER, "1e-999", 0.0),
        (NUMBER, "9007199254740993", 9007199254740992.0),
        (CATEGORY, "02138", "02138"),
        (CATEGORY, " New York ", "New York"),
        (CATEGORY, "é", "é"),
        (CATEGORY, "a,b", "a,b"),
        (BOOLEAN, "YES", True),
        (BOOLEAN, "f", False),
        (BOOLEAN, " 0 ", False),
        (WORDS, "JA", True),
        (WORDS, "2", True),
        (WORDS, "nein", False),
        (DATE, "2020-01-01", date(2020, 1, 1)),
        (DATE, "2024-02-29", date(2024, 2, 29)),
        (DATE, " 2024-12-31 ", date(2024, 12, 31)),
    ]
    for column in (NUMBER, CATEGORY, BOOLEAN, WORDS, DATE):
        texts, values = zip(*(case[1:] for case in fitting if case[0] is column), strict=True)
        assert stored(column, *texts, "") == [*values, None], column


def test_cells_that_do_not_fit_are_missing_and_counted():
    for column, texts in [
        (
            NUMBER,
            [
                "inf",
                "-Infinity",
                "nan",
                "NaN",
                "1e999",
                "-1e999",
                "3,5",
                "1_000",
                "0x10",
                "1 000",
                ".",
                "-",
                "e5",
                "1e",
            ],
        ),
        (NUMBER, ["true", "3.5.1", "--3", "3-", "½", "٣", "１", "NULL", "$5", "5%", "1d", "1f", "infinity"]),
        (CATEGORY, ["2138", "new york", "e", "É", "New  York", "e\u0301"]),
        (BOOLEAN, ["maybe", "2", "yes!", "oui", "-1", "1.0", "tru"]),
        (WORDS, ["yes", "true", "1"]),
        (DATE, ["2019-12-31", "2025-01-01", "2023-02-29", "2023-02-30", "2023-13-01", "2023-00-10", "2023-1-1"]),
        (
            DATE,
            [
                "01/02/2023",
                "20230102",
                "2023-01-02T00:00:00",
                "2023-01-02 00:00:00",
                "today",
                "-2023-01-02",
                "infinity",
            ],
        ),
    ]:
        assert stored(column, *texts) == [None] * len(texts), (column, texts)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40))
def test_numbers_are_read_as_python_reads_them(values):
    texts = [repr(value) for value in values] + [f"{value:.30e}" for value in values]
    assert stored(NUMBER, *texts) == [float(text) for text in texts]


def test_the_report_says_the_rule_of_each_column():
    schema = Schema(name="t", columns=(DATE,))
    table = Table.of_cells(Cells.of(("x",), [pa.chunked_array([["2023-02-30"]])]), schema=schema)
    assert table.intake_report.columns[0].rule == (
        "A cell that is not a real date written YYYY-MM-DD from 2020-01-01 to 2024-12-31 counts as missing."
    )


def test_the_rule_of_days_written_otherwise_names_the_other_way_that_is_read_too():
    schema = Schema(name="t", columns=(DATE,))
    for dates, written in (("day first", "31.12.2024"), ("month first", "12/31/2024"), ("iso", "2024-12-31")):
        table = read_table(f"x\n{written}\n2024-12-31\n".encode(), schema=schema, dates=dates)
        (told,) = table.intake_report.columns
        assert told.misfits == 0
        assert ("(or year, month, day, the year with four digits)" in told.rule) is (dates != "iso")


def test_an_empty_cell_is_missing_even_where_a_word_is_empty():
    column = BooleanColumn(name="x", true_words=("",), false_words=())
    assert stored(column, "", " ", "yes") == [None, None, None]


def test_declared_spaces_do_not_keep_a_category_from_its_cells():
    assert stored(CategoryColumn(name="x", categories=(" a ", "b")), "a", " b") == ["a", "b"]
    with pytest.raises(InvalidParameterError, match="none empty"):
        CategoryColumn(name="x", categories=("a", " "))
