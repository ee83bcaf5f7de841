"""Excel cells become the text that a CSV would have: stored values, nothing computed, nothing guessed."""

import datetime as dt
import io
import zipfile
from contextlib import closing

import pytest

from dpengine.data import CategoryCounts, PrivacyUnit, RowCount, Schema, TextColumn, preview, read_table
from dpengine.data.files.cells import Cells
from dpengine.data.files.excel_extent import require_extent
from dpengine.data.files.excel_file import excel_batches
from dpengine.data.files.file_form import FileForm
from dpengine.errors import IntakeError
from tests.examples.workbooks import CLOCK, DAY, HOURS, Stored, parts, sheet, workbook, zipped
from tests.unit.data.reading import LINES, PEOPLE, table_of


def rows_of(content, sheet=None):
    cells = Cells.gathered(excel_batches(content, FileForm(sheet=sheet)))
    return [cells.names, *zip(*(column.to_pylist() for column in cells.columns), strict=True)]


CELLS = [
    ("02138", "02138"),
    (" a ", "a"),
    ("x\ny", "x\ny"),
    ("=1+1", "=1+1"),
    ("é😀", "é😀"),
    ("TRUE", "TRUE"),
    ("", ""),
    (None, ""),
    (3, "3"),
    (3.0, "3"),
    (-0.5, "-0.5"),
    (0.1, "0.1"),
    (1e-7, "1e-07"),
    (2**53 - 1, "9007199254740991"),
    (1e300, "1e+300"),
    (True, "true"),
    (False, "false"),
    (dt.date(2020, 1, 2), "2020-01-02"),
    (dt.datetime(2020, 1, 2), "2020-01-02"),  # noqa: DTZ001
    (dt.datetime(2020, 1, 2, 12), "2020-01-02 12:00:00"),  # noqa: DTZ001
    (Stored('t="d"', "<v>2020-01-02</v>"), "2020-01-02"),
    (Stored(f's="{CLOCK}"', "<v>0.5</v>"), "12:00:00"),
    (Stored(f's="{HOURS}"', "<v>1.5</v>"), "36:00:00"),
    (Stored("", "<f>1+1</f><v>2</v>"), "2"),
    (Stored('t="str"', "<f>A1</f><v>kept</v>"), "kept"),
    (Stored("", "<f>1+1</f>"), ""),
    (Stored('t="e"', "<v>#DIV/0!</v>"), ""),
    (Stored("", "<v>NaN</v>"), ""),
    (Stored("", "<v>1e999</v>"), "inf"),
    (Stored(f's="{DAY}"', "<v>1e9</v>"), "1000000000"),
]


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("cell, text", CELLS)
def test_cells_become_canonical_text(cell, text, shared):
    assert rows_of(workbook(["x", "y"], [cell, 1], shared=shared)) == [("x", "y"), (text, "1")]


def test_numbers_are_read_as_python_reads_them():
    texts = [
        "0.30000000000000004",
        "1e16",
        "123456789012345",
        "5e-324",
        "-1.7976931348623157e308",
        "100000000000000000000",
    ]
    read = rows_of(workbook(["x"], *([Stored("", f"<v>{text}</v>")] for text in texts)))[1:]
    assert [float(text) for (text,) in read] == [float(text) for text in texts]


IDS = (9007199254740993, 9007199254740994)


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (workbook(("who",), *[(one,) for one in IDS]), None),
        (b"who\n1.23457E+16\n1.23457E+16\n", None),
        (b'who\n"1,23457E+16"\n"1,23457E+16"\n', None),
        (b"who\n1.2345678901234568E16\n", None),
        (b"who\n12.345E+15\n", None),
        (b"who\n9100000000000002.0\n", None),
        (workbook(("who",), (100.00000000000001,), (100,)), None),
        (workbook(("who",), (-0.0,), (0,)), 1),
        (workbook(("who",), (1.5,), (2,)), 2),
        (workbook(("who",), *[(str(one),) for one in IDS]), 2),
        (workbook(("who",), (2**53 - 1,), (2**53 - 2,)), 2),
        (b"who\n1E5\n2E5\n", 2),
    ],
)
def test_numbers_that_a_spreadsheet_rounds_name_nobody(content, rows):
    """Several people would be one, whose rows then count as one person's; as text they are who they are."""
    schema = Schema(name="visits", columns=(TextColumn(name="who"),), unit=PrivacyUnit(identifier="who", rows=1))
    if rows is None:
        with pytest.raises(IntakeError, match="cannot tell people apart"):
            read_table(content, schema=schema)
    else:
        with closing(read_table(content, schema=schema)) as table:
            assert table.run(RowCount()).tolist() == [rows]


def test_a_table_may_stand_anywhere_on_the_sheet_and_empty_rows_are_left_out():
    rows: list[list[object]] = [
        [],
        [None, None, "a", "b"],
        [],
        [None, None, 1, None],
        [None, None, None, None],
        [None, None, None, 2],
    ]
    assert rows_of(workbook(*rows)) == [("a", "b"), ("1", ""), ("", "2")]


def test_cells_merged_downwards_have_their_value_in_hidden_rows_too():
    written = parts({"s": [["a", "b"], ["x", 1], [None, 2]]})
    name = "xl/worksheets/sheet1.xml"
    merged = written[name].replace("</sheetData>", '</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells>')
    written[name] = merged.replace('<row r="3">', '<row r="3" hidden="1">')
    assert 'hidden="1"' in written[name]
    assert rows_of(zipped(written)) == [("a", "b"), ("x", "1"), ("x", "2")]


def test_the_first_sheet_that_is_shown_is_read_unless_another_is_chosen():
    content = zipped(
        parts({"notes": [["n"], [0]], "first": [["a"], [1]], "zwei & <drei>": [["b"], [2]]}, hidden=["notes"])
    )
    assert rows_of(content) == [("a",), ("1",)]
    assert rows_of(content, "zwei & <drei>") == [("b",), ("2",)]
    assert rows_of(content, "notes") == [("n",), ("0",)]
    assert preview(content).sheets == ("first", "zwei & <drei>", "notes")
    assert preview(content, sheet="notes").names == ("n",)
    with pytest.raises(IntakeError, match="no sheet 'absent'; it has 'first', 'zwei & <drei>', 'notes'"):
        rows_of(content, "absent")


def test_a_workbook_answers_as_the_same_csv_does_and_is_found_by_the_same_fingerprint():
    content = workbook(["name", "age", "city"], ["ann", 31, "Rome"], ["bob", 64.0, "Oslo"], ["cy", None, "Rome"])
    table, same = read_table(content, schema=PEOPLE), table_of(*LINES)
    for aggregate in (RowCount(), CategoryCounts(column="city", values=("Rome", "Oslo"))):
        assert table.run(aggregate).tolist() == same.run(aggregate).tolist()
    assert table.fingerprint(b"x") == same.fingerprint(b"x")
    assert table.intake_report == same.intake_report


def without(name):
    return zipped({part: content for part, content in parts({"s": [["a"], [1]]}).items() if part != name})


def replaced(old, new):
    return zipped({part: content.replace(old, new) for part, content in parts({"s": [["a"], [1]]}).items()})


BAD = {
    "no rows": (workbook(["a", "b"]), "a header but no rows"),
    "empty": (workbook(), "sheet 'Sheet1' is empty"),
    "no name": (
        workbook(["a", None, "2024"], [1, 2, 3]),
        "Column 2 of the header has no name. Is the header line missing",
    ),
    "same name": (workbook(["a", "A"], [1, 2]), "same name: 'a' and 'A'"),
    "too wide": (workbook([f"c{i}" for i in range(201)]), "201 columns; at most 200"),
    "no sheet part": (without("xl/worksheets/sheet1.xml"), "damaged"),
    "no list of sheets": (without("xl/workbook.xml"), "zip archive and no Excel workbook"),
    "no first relations": (without("_rels/.rels"), "damaged"),
    "no relations": (without("xl/_rels/workbook.xml.rels"), "damaged"),
    "no end": (replaced("</sheetData></worksheet>", ""), "damaged"),
    "no sheets": (replaced("<sheet name", "<other name"), "no sheet with cells"),
    "a string that is not there": (workbook(["a"], [Stored('t="s"', "<v>9</v>")]), "damaged"),
    "cut off": (workbook(["a"], [1])[:-30], "damaged"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_is_refused_in_words(case):
    content, sentence = BAD[case]
    with pytest.raises(IntakeError, match=sentence):
        rows_of(content)


@pytest.mark.parametrize("left_out", ["xl/styles.xml", "xl/sharedStrings.xml"])
def test_parts_that_hold_no_cells_may_be_absent(left_out):
    assert rows_of(without(left_out)) == [("a",), ("1",)]


def test_other_archives_are_told_apart():
    for name, sentence in (("xl/workbook.bin", "binary Excel"), ("content.xml", "OpenDocument"), ("x", "zip archive")):
        with pytest.raises(IntakeError, match=sentence):
            excel_batches(zipped({name: "x"}))


def test_the_sizes_in_the_directory_are_not_believed():
    content = bytearray(zipped({**parts({"s": [["a"], [1]]}), "xl/media/image1.png": bytes(300 * 1024**2)}))
    with pytest.raises(IntakeError, match=r"unpacks to at least 314,.* bytes; at most 268,435,456"):
        excel_batches(bytes(content))
    true = (300 * 1024**2).to_bytes(4, "little")
    assert content.count(true) == 2, "in the part's own header and in the directory"
    lying = bytes(content.replace(true, (1000).to_bytes(4, "little")))
    with pytest.raises(IntakeError, match=r"unpacks to at least 26[89],.* bytes; at most 268,435,456"):
        excel_batches(lying)


def test_an_entity_is_never_expanded():
    bomb = '<!DOCTYPE x [<!ENTITY a "lol">' + "".join(
        f'<!ENTITY {new} "{("&" + old + ";") * 10}">' for old, new in zip("abcdefghi", "bcdefghij", strict=True)
    )
    written = parts({"s": [["a"], ["word"]]})
    name = "xl/worksheets/sheet1.xml"
    written[name] = written[name].replace("<worksheet", f"{bomb}]><worksheet").replace("word", "&j;")
    with pytest.raises(IntakeError, match="damaged"):
        rows_of(zipped(written))
    assert rows_of(workbook(["a"], ["word"]))[1] == ("word",), "the control"


FAR = [
    ('<row r="9999999999"><c r="A9999999999"><v>1</v></c></row>', "9,999,999,999 rows; at most 2,000,000"),
    ('<row r="3000000"><c><v>1</v></c></row>', "3,000,000 rows; at most 2,000,000"),
    ('<row r="3"><c r="ZZZZZZ99999999999"><v>1</v></c></row>', "321,272,406 columns; at most 200"),
    ("<x:row r = '3'><x:c s='1' r = 'xfd1048576'> <x:v>1</x:v></x:c></x:row>", "16,384 columns; at most 200"),
    ('<row r="3"><c r="GS3" t="inlineStr"><is><t>a</t></is></c></row>', "201 columns; at most 200"),
    ('<row r="3"><c r="XFD3"><v>1</v></c></row>' + " " * 3 * 2**20, "16,384 columns"),
    (" " * (2**20 - 500) + '<row r="3"><c r="XFD3"><v>1</v></c></row>' * 30, "16,384 columns"),
]


@pytest.mark.parametrize("stored", [False, True], ids=["packed", "stored"])
@pytest.mark.parametrize("rows, sentence", FAR)
def test_a_far_cell_is_refused_before_the_sheet_is_laid_out(rows, sentence, stored):
    content = _unpacked(_with_rows(rows)) if stored else _with_rows(rows)
    with pytest.raises(IntakeError, match=f"The sheet has {sentence}"):
        require_extent(content, "s")


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="3"><c r="GR3"><v>1</v></c></row>',
        '<row r="3"><c r="XFD3" s="1"/><c r="XFC3"></c></row><row r="1048576" s="1"/>',
        '<row r="3"><c r="B3" t="inlineStr"><is><t>r="XFD1" r="A9999999999"</t></is></c></row>',
    ],
    ids=["the last column", "cells without content", "words like a place"],
)
def test_a_sheet_without_far_cells_is_not_refused(rows):
    require_extent(_with_rows(rows), "s")


def test_a_far_cell_of_another_sheet_does_not_count():
    content = zipped(parts({"s": [["a"], [1]], "wide": [[None] * 300 + ["a"], ["b"]]}))
    assert rows_of(content, "s") == [("a",), ("1",)]
    with pytest.raises(IntakeError, match="301 columns"):
        excel_batches(content, FileForm(sheet="wide"))


def _unpacked(content):
    """The same archive, with parts as they are."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(file, "w") as archive:
        for name in packed.namelist():
            archive.writestr(name, packed.read(name))
    return file.getvalue()


def _with_rows(rows):
    written = parts({"s": [["a"], ["word"]]})
    name = "xl/worksheets/sheet1.xml"
    return zipped({**written, name: written[name].replace("</sheetData>", f"{rows}</sheetData>")})


def test_the_writer_of_these_tests_leaves_out_empty_cells():
    assert sheet([["a", None, 1]]).count("<c ") == 2
