"""Numbers with a comma before their fraction, where that is declared."""

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.data import CategoryColumn, FixedPointSum, NumberColumn, Schema, preview, read_table
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.files.cells import Cells
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.notation import Notation
from dpengine.data.intake.preview import guess
from dpengine.data.table import Table
from dpengine.errors import IntakeError, InvalidParameterError
from tests.examples.tables import cells_here, read_here
from tests.examples.workbooks import workbook

PRICES = Schema(
    name="prices",
    columns=(NumberColumn(name="price", lower=0, upper=100), CategoryColumn(name="size", categories=("1,5", "2"))),
)


def stored(*texts, decimal=",", thousands=""):
    schema = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=1),))
    cells = Cells.of(("x",), [pa.chunked_array([texts], type=pa.string())])
    table = Table.of_cells(replace(cells, form=FileForm(decimal=decimal, thousands=thousands)), schema=schema)
    rows = StoredRows.of(schema).table
    engine = table._opened.engine
    assert isinstance(engine, DuckDBEngine)
    values = engine.arrow(rows.select(value=rows.value_0)).column("value").to_pylist()
    table.close()
    return values


def test_numbers_with_a_comma_fit_and_those_with_a_point_do_not():
    assert stored("3,5", "-,5e-1", "+1E3", "5,", "007", "0,1") == [3.5, -0.05, 1000.0, 5.0, 7.0, 0.1]
    assert stored("3.5", "1.000,5", "1.000", "1 000,5", "1'000", "3,5,1", ",", "3,5.", "1e2,5") == [None] * 9
    assert stored("3,5", "3.5", decimal=".") == [None, 3.5], "the control"


@settings(max_examples=6, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40))
def test_they_are_the_numbers_that_python_reads_with_a_point(values):
    assert stored(*(repr(value).replace(".", ",") for value in values)) == values


@pytest.mark.usefixtures("parsed_here")
@pytest.mark.parametrize(
    "content, delimiter", [(b"price;size\n3,5;1,5\n4.5;2\n", ";"), (b'price,size\n"3,5","1,5"\n"4.5",2\n', ",")]
)
def test_a_table_is_read_so_and_its_report_says_so(content, delimiter):
    table = read_table(content, schema=PRICES, delimiter=delimiter, decimal=",")
    assert table.run(FixedPointSum(column="price", lower=0, upper=200, fraction_bits=1)).tolist() == [7]
    price, size = table.intake_report.columns
    assert (price.misfits, size.misfits) == (1, 0), "1,5 is a category and stays as it is"
    assert price.rule == (
        "A cell that is not a plain decimal number with a comma before its fraction (3,5 and not 3.5) counts as "
        "missing; numbers beyond 0 and 100 count as that bound in sums."
    )
    point = read_here(content, schema=PRICES, delimiter=delimiter)
    assert point.intake_report.columns[0].misfits == 1
    assert "comma" not in point.intake_report.columns[0].rule
    assert table.fingerprint(b"x") == point.fingerprint(b"x"), "the same rows keep their account"


@pytest.mark.usefixtures("parsed_here")
def test_a_preview_guesses_by_the_declared_mark():
    content = b"a;b\n3,5;3.5\n1;x\n"
    assert [column.kind for column in preview(content, delimiter=";", decimal=",").columns] == ["number", "text"]
    assert [column.kind for column in preview(content, delimiter=";", decimal=".").columns] == ["text", "text"]
    assert guess("zip", ["01,5", "2,5"], notation=Notation(decimal=",")).kind == "text"


def test_it_is_for_text_alone():
    with pytest.raises(IntakeError, match="decimal comma can be declared only for text; the file is an Excel workbook"):
        cells_here(workbook(["price", "size"], [3.5, "2"]), FileForm(decimal=","))
    with pytest.raises(InvalidParameterError, match=r"^decimal must be one of '\.', ','; it is '·'"):
        read_table(b"price,size\n1,2\n", schema=PRICES, decimal="·")
    with pytest.raises(IntakeError, match="Text has no sheets: leave out sheet"):
        cells_here(b"price,size\n1,2\n", FileForm(sheet="Sheet1"))
    with pytest.raises(InvalidParameterError, match=r"^sheet must be of the kind text or None"):
        read_table(b"price,size\n1,2\n", schema=PRICES, sheet=1)  # type: ignore[arg-type]
