"""Where the table stands in an office's file: proposed by a first look, read as declared; what is left out is said."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from dpengine.data import NumberColumn, Schema, TextColumn, preview, read_table
from dpengine.data.files.cells import Cells
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.layout import LeftOut, letters, span
from dpengine.errors import IntakeError, InvalidParameterError
from tests.examples.tables import cells_here
from tests.examples.workbooks import Stored, merged, parts, workbook, zipped

Rows = Sequence[Sequence[object]]
NAMES = ("person", "visits", "ward", "cost")
BODY: Rows = [[f"p{i}", i % 7, "north" if i % 2 else "south", i * 1.5] for i in range(12)]
SCHEMA = Schema(name="t", columns=(TextColumn(name="person"), NumberColumn(name="visits", lower=0, upper=10)))


def looked(content: bytes, **form: Any) -> Cells:
    """The cells under the form that a first look proposes."""
    return cells_here(content, FileForm(**form), sample=True)


def rows_of(cells: Cells) -> list[tuple[str, ...]]:
    return list(zip(*(column.to_pylist() for column in cells.columns), strict=True))


def told(rows: Rows) -> list[tuple[str, ...]]:
    return [tuple(str(cell).removesuffix(".0") for cell in row) for row in rows]


def text(rows: Rows, delimiter: str = ";") -> bytes:
    return "".join(delimiter.join("" if cell is None else str(cell) for cell in row) + "\r\n" for row in rows).encode()


TITLES: Rows = [["Visits by ward"], ["Printed on", "2024-12-31"], []]
ENDS: Rows = [[], ["Total", 42, None, 99], ["Source: the hospitals' own register"]]
LEFT_OUT = LeftOut(
    above=2,
    above_says="Visits by ward",
    above_ends="Printed on · 2024-12-31",
    below=2,
    below_says="Total · 42 · 99",
)


@pytest.mark.parametrize("padded", [False, True])
def test_titles_and_totals_are_no_rows_of_a_text(padded: bool) -> None:
    rows = [*TITLES, NAMES, *BODY, *ENDS]
    rows = [[*row, *[None] * (4 - len(row))] for row in rows] if padded else rows
    read = looked(text(rows), format="csv")
    assert (read.form.header, read.form.skip_last, read.form.delimiter) == (4, 2, ";")
    assert read.names == NAMES
    assert len(rows_of(read)) == 12 + padded, "A line of delimiters is a row of empty cells, as it always was."
    assert read.left_out == LEFT_OUT


def test_titles_and_totals_are_no_rows_of_a_sheet() -> None:
    read = looked(workbook(*TITLES, NAMES, *BODY, *ENDS))
    assert (read.form.header, read.form.skip_last) == (4, 2)
    assert read.names == NAMES
    assert rows_of(read) == told(BODY)
    assert read.left_out == LEFT_OUT


def test_a_word_for_totals_may_go_on_and_a_longer_word_is_none() -> None:
    for first, rows in (("Total of 2024:", 12), ("Totality", 13)):
        read = looked(text([NAMES, *BODY, [first, 42, None, 99]]), format="csv")
        assert len(rows_of(read)) == rows, first


def test_a_blank_line_below_the_totals_is_none_of_those_left_out() -> None:
    read = cells_here(b"name,age\nAnn,31\nTotal,31\n,\n\n", FileForm(skip_last=1))
    assert (rows_of(read), read.left_out.below_says) == ([("Ann", "31")], "Total · 31")


def test_a_table_without_any_of_this_is_read_from_its_first_row_to_its_last() -> None:
    for content in (text([NAMES, *BODY], ","), text([NAMES, *BODY]), workbook(NAMES, *BODY)):
        read = looked(content)
        assert (read.form.header, read.form.skip_last, read.form.columns) == (1, 0, None)
        assert read.left_out == LeftOut()
        assert rows_of(read) == [tuple(map(str, row)) for row in BODY] or rows_of(read) == told(BODY)


def test_columns_that_are_counted_above_their_names_are_no_header() -> None:
    for content in (text([[1, 2, 3, 4], NAMES, *BODY]), workbook([1, 2, 3, 4], NAMES, *BODY)):
        assert looked(content).form.header == 2
    assert looked(text([[1, 2, 3, 4], *BODY])).form.header == 1, "the control: without names it is the first"


@pytest.mark.usefixtures("parsed_here")
def test_what_is_declared_is_read_and_nothing_is_guessed() -> None:
    content = text([*TITLES, NAMES, *BODY, ["Total", 42, None, 99]])
    table = read_table(content, schema=SCHEMA, delimiter=";", header=4, skip_last=1)
    assert table.intake_report.rows_read == len(BODY)
    assert [column.misfits for column in table.intake_report.columns] == [0, 0]
    with_total = read_table(content, schema=SCHEMA, delimiter=";", header=4)
    assert with_total.intake_report.rows_read == len(BODY) + 1
    assert with_total.intake_report.columns[1].misfits == 0, "the control: 42 is clamped into the bounds"
    with pytest.raises(IntakeError, match="Line 2 has 2 cells, but the header has 1 cell"):
        read_table(content, schema=SCHEMA, delimiter=";")
    sheet = workbook(*TITLES, NAMES, *BODY, ["Total", 42, None, 99])
    assert read_table(sheet, schema=SCHEMA, header=4, skip_last=1).intake_report.rows_read == len(BODY)


def test_a_line_keeps_its_number_below_lines_that_are_left_out() -> None:
    content = b'a note, "half quoted\n\nname,age\nAnn,31\nBob\n'
    with pytest.raises(IntakeError, match="Line 5 has 1 cell, but the header has 2 cells"):
        cells_here(content, FileForm(header=3))
    assert rows_of(cells_here(content, FileForm(header=3, skip_last=1))) == [("Ann", "31")]
    for ends in ("\r\n", "\r"):
        other = content.decode().replace("\n", ends).encode()
        assert rows_of(cells_here(other, FileForm(header=3, skip_last=1))) == [("Ann", "31")], repr(ends)


def test_a_line_that_names_the_delimiter_is_above_the_header() -> None:
    read = looked("sep=;\r\nname;age\r\nAnn;31\r\n".encode("utf-16"), format="csv")
    assert (read.form.encoding, read.form.delimiter, read.form.header) == ("utf-16", ";", 2)
    assert rows_of(read) == [("Ann", "31")]


def test_a_mark_that_cuts_as_many_lines_alike_into_more_cells_is_the_delimiter() -> None:
    titles: Rows = [["Report", 2024], ["Visits", "by ward"], ["Printed", "today"]]
    read = looked(text([*titles, ["name", "age, in years", "cost"], ["Ann", "31,5", 4], ["Bob", "40,5", 7]]))
    assert (read.form.delimiter, read.form.header) == (";", 4)


@pytest.mark.parametrize(("header", "skip_last"), [(99, 0), (1, 99), (3, 3)])
def test_nothing_left_is_said(header: int, skip_last: int) -> None:
    form = FileForm(header=header, skip_last=skip_last)
    with pytest.raises(IntakeError, match=r"Nothing is left between|has a header but no rows"):
        cells_here(b"name,age\nAnn,31\nBob,40\n", form)
    with pytest.raises(IntakeError, match=r"has nothing from there on|has a header but no rows"):
        cells_here(workbook(["name", "age"], ["Ann", 31], ["Bob", 40]), form)


def test_columns_without_a_name_are_left_out_and_said() -> None:
    for content in (b"a,,b,\n1,x,2,\n", workbook(["a", None, "b"], [1, "x", 2, "note"])):
        read = looked(content)
        assert (read.names, rows_of(read)) == (("a", "b"), [("1", "2")])
        assert read.left_out.nameless == ("B", "D")
    for content in (b",\n1,2\n", workbook([" "], [1])):
        with pytest.raises(IntakeError, match=r"No column of the header has a name|no rows"):
            cells_here(content)


def test_the_largest_of_two_tables_one_below_the_other_is_proposed() -> None:
    other: Rows = [["ward", "beds"], ["north", 10], ["south", 12]]
    read = looked(workbook(NAMES, *BODY, [], *other))
    assert (read.names, len(rows_of(read)), read.left_out.below_says) == (NAMES, 12, "ward · beds")
    read = looked(workbook(*other, [], [], NAMES, *BODY))
    assert (read.names, rows_of(read), read.form.header) == (NAMES, told(BODY), 6)
    chosen = looked(workbook(*other, [], [], NAMES, *BODY), header=1)
    assert (chosen.names, rows_of(chosen)) == (("ward", "beds"), [("north", "10"), ("south", "12")])


def test_blank_rows_within_a_table_end_nothing() -> None:
    spaced = [row for i, row in enumerate(BODY) for row in ([[], row] if i in (3, 7) else [row])]
    read = looked(workbook(NAMES, *spaced))
    assert (read.form.skip_last, rows_of(read)) == (0, told(BODY))


def test_of_two_tables_side_by_side_the_larger_is_proposed_and_the_other_can_be_chosen() -> None:
    small: Rows = [["beds", "floor"], [10, 1], [12, 2]]
    wide = [[*row, None, *(small[i] if i < 3 else ())] for i, row in enumerate([NAMES, *BODY])]
    read = looked(workbook(*wide))
    assert (read.groups, read.form.columns) == (("A:D", "F:G"), "A:D")
    assert (read.names, rows_of(read)) == (NAMES, told(BODY))
    other = looked(workbook(*wide), columns="F:G")
    assert (other.names, rows_of(other)) == (("beds", "floor"), [("10", "1"), ("12", "2")])
    with pytest.raises(IntakeError, match="nothing in the columns X:Z"):
        looked(workbook(*wide), columns="X:Z")


def test_of_a_long_list_and_a_table_beside_it_the_table_is_proposed() -> None:
    beds: Rows = [["beds"], *([i] for i in range(20))]
    rows = [NAMES, *BODY, *([] for _ in range(8))]
    read = looked(workbook(*([*bed, None, *row] for bed, row in zip(beds, rows, strict=True))))
    assert (read.form.columns, read.names) == ("C:F", NAMES)


def test_an_empty_column_within_a_table_divides_nothing() -> None:
    read = looked(workbook(*([*row[:2], None, *row[2:]] for row in [NAMES, *BODY])))
    assert (read.groups, read.form.columns) == (("A:B", "D:E"), None)
    assert (read.names, rows_of(read)) == (NAMES, told(BODY))


def test_cells_merged_downwards_all_have_their_value_and_those_merged_across_do_not() -> None:
    rows: Rows = [
        ["Visits", None, None],
        ["ward", "person", "cost"],
        ["north", "a", 1],
        [None, "b", 2],
        ["south", "c", None],
    ]
    content = merged(workbook(*rows), "A1:C1", "A3:A4", "B5:C5")
    assert rows_of(looked(content)) == [("north", "a", "1"), ("north", "b", "2"), ("south", "c", "")]
    assert rows_of(looked(workbook(*rows)))[1] == ("", "b", "2"), "the control"
    assert (looked(content).left_out.filled, looked(workbook(*rows)).left_out.filled) == ({"ward": 1}, {})
    below: Rows = [*rows, [None, "d", 4], [None, "e", 5], ["Total", None, 12], [None, "of these", 3]]
    long = preview(merged(workbook(*below), "A3:A4", "A5:A7", "C3:C4", "A8:A9"), skip_last=2)
    assert (long.form.header, long.left_out.filled) == (2, {"ward": 3}), "Only empty cells, of the table's own rows."
    two_lines: Rows = [["ward", "in 2024", None], [None, "visits", "cost"], ["north", 1, 2], ["south", 3, 4]]
    header = looked(merged(workbook(*two_lines), "A1:A2", "B1:C1"))
    assert (header.names, header.left_out.filled) == (("ward", "visits", "cost"), {})
    far = merged(workbook(["a", "b"], [1, 2], [None, 3]), "A2:XFD1048576", "ZZ1:ZZ9", "A1:A1048576")
    assert rows_of(cells_here(far)) == [("1", "2"), ("1", "3")]


def test_formulas_that_were_saved_without_a_result_are_counted() -> None:
    formula = [Stored("", f"<f>{inside}") for inside in ("1+1</f>", "1+1</f><v></v>", "1+1</f><v/>")]
    computed = [Stored("", "<f>1+1</f><v>2</v>"), Stored('t="str"', "<f>A1</f><v></v>"), Stored("", "<v>3</v>")]
    shared = Stored("", '<f t="shared" si="0"/>')
    rows = [*zip(formula, computed, strict=True), (shared, 1), *[("x", 2)] * 3000, (formula[0], 1)]
    content = workbook(["a", "b", "c"], *([*row, "c"] for row in rows))
    assert looked(content).left_out.uncomputed == 5


def test_a_form_says_what_makes_sense() -> None:
    for wrong in ({"header": 0}, {"header": 1.5}, {"skip_last": -1}, {"columns": "B"}, {"columns": "b:f"}):
        with pytest.raises(InvalidParameterError, match=f"^{next(iter(wrong))} must be"):
            FileForm(**wrong)
    with pytest.raises(IntakeError, match="Text has no sheets: leave out columns"):
        cells_here(b"a\n1\n", FileForm(columns="A:B"))
    for place in range(0, 20_000, 37):
        assert span(f"{letters(place)}:{letters(place + 1)}") == (place, place + 1)


def office(rng: random.Random) -> tuple[Rows, Rows, dict[str, int]]:
    """A file as an office may write it, its table with the header, and where that stands."""
    width = rng.randint(3, 6)
    header = [f"name {i}" for i in range(width)]
    kinds = [rng.choice(("word", "number")) for _ in range(width - 1)] + ["number"]
    body = [
        [f"w{rng.randrange(5)}" if kind == "word" else rng.randrange(1, 1000) for kind in kinds]
        for _ in range(rng.randint(4, 60))
    ]
    titles: list[list[object]] = [[f"Report {rng.random()}"] for _ in range(rng.randint(0, 3))]
    titles += [[]] * (rng.randint(0, 2) if titles else 0)
    total: list[object] = ["Total", *[None] * (width - 2), rng.randrange(99)]
    ends: list[list[object]] = [[]] * rng.randint(0, 1)
    ends += [total] * rng.randint(0, 1)
    ends += [["Note: x"]] * rng.randint(0, 1)
    above, below = len(titles), sum(1 for row in ends if row)
    return [*titles, header, *body, *ends], [header, *body], {"header": above + 1, "skip_last": below}


@pytest.mark.parametrize("seed", range(30))
def test_what_an_office_writes_around_its_table_is_found(seed: int) -> None:
    rng = random.Random(seed)
    rows, table, place = office(rng)
    delimiter = rng.choice([",", ";", "\t", "|"])
    shifted = rng.randint(0, 2)
    sheet = zipped(parts({"Other": [["x"]], "S": [*[[]] * shifted, *([*[None] * shifted, *row] for row in rows)]}))
    for content, form, header in (
        (text(rows, delimiter), {"format": "csv"}, place["header"]),
        (sheet, {"sheet": "S"}, place["header"] + shifted),
    ):
        read = looked(content, **form)
        assert (read.form.header, read.form.skip_last) == (header, place["skip_last"])
        assert [read.names, *rows_of(read)] == told(table)
        again = cells_here(content, read.form)
        assert (again.names, rows_of(again)) == (read.names, rows_of(read))


def test_a_preview_says_its_form_which_reads_the_same_table() -> None:
    content = text([*TITLES, NAMES, *BODY, *ENDS])
    look = preview(content)
    assert (look.form.header, look.form.skip_last, look.form.delimiter, look.form.decimal) == (4, 2, ";", ".")
    assert look.left_out.above == 2
    assert "Visits by ward" not in repr(look)
    form = {name: getattr(look.form, name) for name in ("delimiter", "encoding", "header", "skip_last")}
    assert read_table(content, schema=SCHEMA, **form).intake_report.rows_read == len(BODY)
