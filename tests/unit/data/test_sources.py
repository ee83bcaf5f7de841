"""Where a file comes from: paths and bytes, formats and endings, packed files."""

import gzip
import io
import zipfile
from typing import Any

import pytest

from dpengine.data import RowCount, read_table
from dpengine.data.limits import UPLOAD_BYTES
from dpengine.data.sources import open_source
from dpengine.errors import IntakeError, InvalidParameterError
from tests.unit.data.reading import LINES, PEOPLE

TEXT = "\n".join(LINES).encode()
TABS = TEXT.replace(b",", b"\t")


def rows_of(source, **options):
    return int(read_table(source, schema=PEOPLE, **options).run(RowCount())[0])


@pytest.mark.parametrize(
    "name, content", [("t.csv", TEXT), ("t.CSV", TEXT), ("t.txt", TEXT), ("t", TEXT), ("t.tsv", TABS), ("t.tab", TABS),
                      ("t.csv.gz", gzip.compress(TEXT)), ("t.tsv.gz", gzip.compress(TABS))],
)  # fmt: skip
def test_the_ending_tells_the_format(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    assert rows_of(path) == rows_of(str(path)) == 3


def test_a_declared_format_goes_before_the_ending(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(TABS)
    assert rows_of(path, format="tsv") == rows_of(TABS, format="tsv") == 3
    with pytest.raises(IntakeError, match="separated by a tab"):
        rows_of(path)


def test_bytes_are_csv_unless_said_otherwise():
    assert rows_of(TEXT) == rows_of(gzip.compress(TEXT)) == 3
    assert open_source(b"PAR1xxxxPAR1", None).format == "parquet"


@pytest.mark.parametrize(
    "source",
    ["postgresql://server/db", "spark://host:7077", "https://example.org/t.csv", "sc://localhost"],
)
def test_connections_come_later(source):
    with pytest.raises(IntakeError, match="PostgreSQL and Spark come later"):
        read_table(source, schema=PEOPLE)


def test_names_are_never_expanded_and_folders_are_no_files(tmp_path):
    (tmp_path / "one.csv").write_bytes(TEXT)
    for path in (tmp_path / "*.csv", tmp_path, tmp_path / "absent.csv", tmp_path / ("x" * 300), "a\0b"):
        with pytest.raises(IntakeError, match=r"no file|cannot be opened"):
            read_table(path, schema=PEOPLE)
    (tmp_path / "*.csv").write_bytes(TEXT)
    assert rows_of(tmp_path / "*.csv") == 3, "the control: a file may be called that"


@pytest.mark.parametrize(
    "content, file_format, sentence",
    [
        (TEXT, "parquet", "not a Parquet file, but is to be read as parquet"),
        (b"PAR1xxxxPAR1", "csv", "is a Parquet file, but is to be read as csv"),
        (b"PK\x03\x04xx", None, "zip archive or an Excel workbook"),
        (b"\xd0\xcf\x11\xe0xx", None, "old Excel workbook"),
        (b"%PDF-1.7", None, "is a PDF"),
        (gzip.compress(TEXT)[:-9], None, "gzip file ends too early"),
        (b"\x1f\x8bnonsense", None, "gzip file is damaged"),
        (gzip.compress(b"x" * (300 * 1024**2), 1), None, "unpacked file has .* at most 268,435,456"),
        (b"x" * (UPLOAD_BYTES + 1), None, "104,857,601 bytes; at most 104,857,600"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_what_is_no_table_is_refused_in_words(content, file_format, sentence):
    with pytest.raises(IntakeError, match=sentence):
        open_source(content, file_format)


ODD: dict[str, tuple[dict[str, Any], str]] = {
    "no source": ({"source": None}, "source must be a path or the bytes of a file; it is 'NoneType'"),
    "an open file": ({"source": io.BytesIO(TEXT)}, "source must be"),
    "a bytearray": ({"source": bytearray(TEXT)}, "source must be"),
    "no schema": ({"schema": None}, "schema must be of the kind Schema"),
    "another format": ({"format": "xlsx"}, "format must be one of 'csv', 'tsv', 'parquet'; it is 'xlsx'"),
    "another encoding": ({"encoding": "rot13"}, "encoding must be one of utf-8, "),
    "no encoding": ({"encoding": None}, "encoding must be one of utf-8, "),
    "another delimiter": ({"delimiter": "x"}, "delimiter must be one of ','"),
}


@pytest.mark.parametrize("case", ODD)
def test_an_argument_that_makes_no_sense_is_named(case):
    arguments, sentence = ODD[case]
    with pytest.raises(InvalidParameterError, match=f"^{sentence}") as caught:
        read_table(**{"source": TEXT, "schema": PEOPLE, **arguments})
    assert "ann" not in str(caught.value), "no cell is quoted"


@pytest.mark.parametrize("format_", ["csv", "tsv"])
def test_a_delimiter_that_is_given_goes_before_the_formats_own(format_):
    for delimiter in ",;|\t":
        content = TEXT.replace(b",", delimiter.encode())
        assert rows_of(content, format=format_, delimiter=delimiter) == 3
    with pytest.raises(IntakeError, match="separated by a tab, not by a semicolon"):
        rows_of(TABS, format=format_, delimiter=";")


def test_a_file_that_is_too_large_is_not_even_opened(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(UPLOAD_BYTES + 1)
    with pytest.raises(IntakeError, match="104,857,601 bytes; at most 104,857,600"):
        open_source(path, None)


def test_several_gzip_members_are_one_file():
    half = len(TEXT) // 2
    assert open_source(gzip.compress(TEXT[:half]) + gzip.compress(TEXT[half:]), None).content == TEXT


def test_a_zip_of_a_table_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", TEXT)
    with pytest.raises(IntakeError, match="zip archive"):
        read_table(path, schema=PEOPLE)
