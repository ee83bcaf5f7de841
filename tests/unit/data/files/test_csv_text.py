"""Delimited text is read exactly as written, or refused with the line and what to do."""

import csv
import io
import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.data.files.csv_text import read_csv
from dpengine.data.files.limits import DECODED_BYTES, LINE_BYTES, ROWS
from dpengine.errors import IntakeError, InvalidParameterError


def cells_of(content, encoding="utf-8", delimiter=","):
    cells = read_csv(content, encoding=encoding, delimiter=delimiter)
    return cells.names, [list(row) for row in zip(*(column.to_pylist() for column in cells.columns), strict=True)]


GOOD = [
    (b"a,b\n1,2\n", [["1", "2"]]),
    (b"a,b\n1,2", [["1", "2"]]),
    (b"\xef\xbb\xbfa,b\n1,2\n", [["1", "2"]]),
    (b"a,b\r\n1,2\r\n", [["1", "2"]]),
    (b"a,b\r1,2\r", [["1", "2"]]),
    (b"\n\na,b\n\n1,2\n\n\n3,4\n\n", [["1", "2"], ["3", "4"]]),
    (b'a,b\n"x\ny",2\n', [["x\ny", "2"]]),
    (b'a,b\n"x\r\n\r\ny",2\n', [["x\r\n\r\ny", "2"]]),
    (b'a,b\n"say ""hi""",2\n', [['say "hi"', "2"]]),
    (b'a,b\n"""",""\n', [['"', ""]]),
    (b'"a","b"\n"1,5","2"\n', [["1,5", "2"]]),
    (b"a,b\n,\n", [["", ""]]),
    (b"a,b\n 1 ,\t2\n", [["1", "2"]]),
    (b"a,b\n007,1e5\n", [["007", "1e5"]]),
    (b"a,b\nyes,NULL\nnan,N/A\n", [["yes", "NULL"], ["nan", "N/A"]]),
    (b"a,b\n'1','2'\n", [["'1'", "'2'"]]),
    (b"a,b\n\\,1\n", [["\\", "1"]]),
    (" a , b \n1,é\n".encode(), [["1", "é"]]),
]


def test_cells_stay_the_text_that_the_file_has():
    for content, rows in GOOD:
        assert cells_of(content) == (("a", "b"), rows), (content, rows)


def test_declared_encodings_are_read():
    for encoding in ["utf-16", "windows-1252", "latin-1", "ISO-8859-15", "utf-8", "UTF8"]:
        assert cells_of("a,b\n1,é\n".encode(encoding), encoding=encoding) == (("a", "b"), [["1", "é"]]), encoding


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_declared_delimiters_are_read(delimiter):
    assert cells_of(f"a{delimiter}b\n1{delimiter}2".encode(), delimiter=delimiter) == (("a", "b"), [["1", "2"]])


BAD = [
    (b"", "The file is empty"),
    (b"\xef\xbb\xbf \n\n", "The file is empty"),
    (b"a,b\n", "a header but no rows"),
    (b"a,b", "a header but no rows"),
    (b"a,b\n1,2\n3\n", "Line 3 has 1 cell, but the header has 2 cells"),
    (b"a,b\n1,2\n\n3,4,5\n", "Line 4 has 3 cells, but the header has 2 cells"),
    (b'a,b\n"x\ny",1\n3\n', "Line 4 has 1 cell, but"),
    (b"a,b\n1,2\n   \n3,4", "Line 3 has 1 cell, but"),
    (b" ,\n1,2\n", "No column of the header has a name"),
    (b"a" * 5_000_000, "Line 1 has more than 1,048,576 bytes, the most that is read"),
    (b"a" * 200_000 + b"\n1\n", "name of column 1 has 200,000 characters; at most 120"),
    (b"sep=,\na,b\n1,2\n", "begins with a line for Excel that names the delimiter .* Remove that line"),
    (b'"sep=;"\r\na;b\r\n1;2\r\n', "Remove that line"),
    (b"ann,31,31\nbob,4,5\n", "same name: '31' and '31' .*Is the header line missing\\?$"),
    (b"ann,2020-01-02,\nbob,4,5\n", "Column 3 of the header has no name. Is the header line missing\\?$"),
    (b"age,age\n1,2\n", "count as equal\\).$"),
    (b"a,b,a\n1,2,3\n", "same name: 'a' and 'a'"),
    (b"a,b,A\n1,2,3\n", "same name: 'a' and 'A'"),
    (b"a,b\x07\n1,2\n", "name of column 2 has a character that cannot be printed"),
    (b"a," + b"b" * 121 + b"\n1,2\n", "name of column 2 has 121 characters; at most 120"),
    (b"a;b\n1;2\n", "separated by a semicolon, not by a comma"),
    (b"a\tb\n1\t2\n", "separated by a tab, not by a comma"),
    (b"a|b\n1,5|2\n", "separated by a vertical bar, not by a comma"),
    (b"a,b\n1,\x002\n", "Line 2 has a NUL byte"),
    (b"a,b\n1,2\x1f\n", "column 'b' has the control character unit separator"),
    (b'a,b\n1,2\n3,"4\n5,6\n', "quoted cell that begins on line 3 is never closed"),
    (b'a,b\n1,"2\n3,"4"\n', "On line 3 more text follows the end of the quoted cell that begins on line 2"),
    (b'a,b\n1,"x"y\n', "On line 2 more text follows"),
    (b'a,b\n1,5" pipe\n', "Line 2 has a quotation mark inside a cell"),
    (b'a,b\n1, "2"\n', "Line 2 has a quotation mark inside a cell"),
    (b"a,b\n1,2\n1,\xe9\n", "Line 3 cannot be read as utf-8. Try the encoding windows-1252"),
    ("a,b\n1,2\n".encode("utf-16"), "cannot be read as utf-8. Try the encoding utf-16"),
    (b",".join(b"c%d" % i for i in range(201)) + b"\n" + b"," * 200, "201 columns; at most 200"),
    (b"a,b\n1," + b"x" * LINE_BYTES + b"\n", f"Line 2 has more than {LINE_BYTES:,} bytes"),
    (b'a,b\n"' + (b"x" * (LINE_BYTES // 2) + b"\n") * 3 + b'x",1\n', "A cell of column 'a' has"),
    (b"a\n" + b"1\n" * (ROWS + 1), f"{ROWS + 1:,} rows; at most {ROWS:,}"),
    (b"a,b\n" + b",\n" * (DECODED_BYTES // 9), "bytes; at most 268,435,456"),
    (b"a,b\n1,2\n" + b'"' * 2001 + b"\n", "more text follows|never closed|Line 3 has 1 cell"),
]  # fmt: skip


@pytest.mark.parametrize("content, sentence", BAD, ids=lambda value: value[:40] if isinstance(value, str) else "")
def test_what_cannot_be_read_is_refused_in_words(content, sentence):
    with pytest.raises(IntakeError, match=sentence) as caught:
        read_csv(content, encoding="utf-8", delimiter=",")
    assert len(str(caught.value)) < 500
    assert caught.value.__context__ is None


@pytest.mark.parametrize("lines", [100_000, 300_000])
def test_quotes_are_followed_across_blocks(lines):
    good = b"a,b\n" + b'"x""y,\nz",2\n' * lines
    assert read_csv(good, encoding="utf-8", delimiter=",").rows == lines
    with pytest.raises(IntakeError, match=f"begins on line {2 * lines + 2:,} is never closed"):
        read_csv(good + b'"x,1\n', encoding="utf-8", delimiter=",")


@pytest.mark.parametrize("encoding", ["zlib", "utf-7", "rot13", "idna", "nonsense", "", "unicode_escape"])
def test_codecs_that_are_no_text_encodings_are_refused(encoding):
    with pytest.raises(InvalidParameterError, match=r"^encoding must be one of utf-8"):
        read_csv(b"a,b\n1,2", encoding=encoding, delimiter=",")


@pytest.mark.parametrize("delimiter", ["", "x", '"', "\n", ", ", "é", " "])
def test_other_delimiters_are_refused(delimiter):
    with pytest.raises(InvalidParameterError, match=r"^delimiter must be one of"):
        read_csv(b"a,b\n1,2", encoding="utf-8", delimiter=delimiter)


def test_a_quoted_header_may_hold_the_delimiter():
    assert cells_of(b'"a,b"\n1\n') == (("a,b",), [["1"]])


letters = st.sampled_from(list('ab1 é"",\n\r;\t'))
files = st.text(letters, max_size=30).map(lambda text: f"p,q\n{text}")


@settings(max_examples=200, deadline=None)
@given(files)
def test_what_is_accepted_is_what_an_independent_parser_reads(text):
    try:
        _, rows = cells_of(text.encode())
    except IntakeError:
        return
    parsed = [record for record in csv.reader(io.StringIO(text, newline=""), strict=True) if record]
    assert rows == [[cell.strip() for cell in record] for record in parsed[1:]]


tables = st.lists(st.lists(st.text(letters, max_size=5), min_size=2, max_size=2), min_size=1, max_size=5)


@settings(max_examples=80, deadline=None)
@given(tables, st.sampled_from([("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)]))
def test_what_an_independent_writer_writes_is_accepted(rows, style):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=style[0], quoting=style[1]).writerows([["p", "q"], *rows])
    if any(map(reads_as_a_row, lines_within(text.getvalue()))):
        with pytest.raises(IntakeError, match="looks like a row of its own"):
            cells_of(text.getvalue().encode())
    else:
        assert cells_of(text.getvalue().encode())[1] == [[cell.strip() for cell in row] for row in rows]


def lines_within(text):
    """Those that begin within quotation marks."""
    return [line[0] for line in re.finditer(r"[^\n\r]+", text) if text.count('"', 0, line.start()) % 2]


def reads_as_a_row(line):
    """By itself, or as the beginning of one; or has as many cells to whoever knows no quotation marks."""
    if "," not in line:
        return False
    if line.count('"') % 2:
        return is_accepted(f'p,q\n{line}"') or is_accepted(f'p,q\n{line}",')
    of_one_cell = '"' not in line.replace('""', "")
    return (of_one_cell and line.count(",") == 1) or is_accepted(f"p,q\n{line}")


def is_accepted(text):
    try:
        return len(cells_of(text.encode())[1]) == 1
    except IntakeError:
        return False


CELLS = ["a", "", '"', '""', '"a', 'a"', '"a"', '"""', 'a""', '"a""']


def counted(*lines):
    """How often each row is read of a file of these lines; nothing where it is refused."""
    try:
        return Counter(map(tuple, cells_of("\n".join(["p,q", *lines]).encode())[1]))
    except IntakeError:
        return Counter()


def test_nobodys_row_is_another_between_somebody_elses():
    """Whatever wrote them, a row a line: where both files are accepted, one person's rows are added, and no more."""
    of_two = set()
    for others in map(",".join, product(CELLS, CELLS)):
        if before := counted(others, others):
            for first, last in product(CELLS, CELLS):
                after = counted(f"a,{first}", others, others, f"a,{last}")
                assert not after or (before <= after and after.total() <= before.total() + 2), (others, first, last)
                of_two.add(bool(after))
    assert of_two == {True, False}


SAID = [["1", "a0", "so"], *(["1", f"a{number}", "fine"] for number in range(50)), ["1", "a1", "so"]]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("theirs", ["fine", '""', '6"" long'])
def test_no_two_quotation_marks_swallow_the_rows_between_them(delimiter, end, theirs):
    """As a program writes them that puts no quotation marks around text."""

    def written(first, last):
        rows = [
            ["p", "q", "r"],
            [*SAID[0][:2], first],
            *([*row[:2], theirs] for row in SAID[1:-1]),
            [*SAID[-1][:2], last],
        ]
        return "".join(delimiter.join(row) + end for row in rows).encode()

    if theirs != '6"" long':
        assert len(cells_of(written("so", "so"), delimiter=delimiter)[1]) == len(SAID)
    with pytest.raises(IntakeError, match="Line 3 looks like a row of its own, but the quotation mark on line 2"):
        cells_of(written('"so', 'so"'), delimiter=delimiter)
    assert cells_of(f'p{delimiter}q{end}1{delimiter}"so{end}and so{end}on"'.encode(), delimiter=delimiter)[1]


@pytest.mark.parametrize("sizes", [1, 32])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\n\r", "\r\r\n"])
def test_what_a_cell_reads_does_not_depend_on_how_many_bytes_stand_before_it(monkeypatch, end, sizes):
    """A block of the reader may end anywhere, in a line end within quotation marks, too."""
    monkeypatch.setattr("dpengine.data.files.csv_text._BLOCK", 64)
    monkeypatch.setattr("dpengine.data.files.csv_text._SIZES", sizes)
    for before in range(64):
        content = f"a,b{end}{'x' * before},p{end}" + f'"fine{end}day","w"{end}' * 40
        names, rows = cells_of(content.encode())
        assert names == ("a", "b")
        assert rows == [["x" * before, "p"], *[[f"fine{end}day", "w"]] * 40], before
