"""Where a file comes from: paths and bytes, formats and endings, packed files."""

import codecs
import gzip
import io
import zipfile
from typing import Any

import pytest

from dpengine.data import RowCount, read_table
from dpengine.data.files.cells import Cells
from dpengine.data.files.file_cells import batches_of, kind_of
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.gzip_file import unpacked
from dpengine.data.files.limits import UPLOAD_MEGABYTES
from dpengine.data.files.sources import nameless_file, open_source
from dpengine.data.intake.table_intake import UPLOAD_VARIABLE, read_cells, upload_limit
from dpengine.errors import IntakeError, InvalidParameterError
from tests.examples.tables import cells_here
from tests.unit.data.reading import LINES, PEOPLE

TEXT = "\n".join(LINES).encode()
TABS = TEXT.replace(b",", b"\t")
UPLOAD_BYTES = UPLOAD_MEGABYTES * 1024**2


def rows_of(source, **options):
    return int(read_table(source, schema=PEOPLE, **options).run(RowCount())[0])


@pytest.mark.parametrize(
    "name, content", [("t.csv", TEXT), ("t.CSV", TEXT), ("t.txt", TEXT), ("t", TEXT), ("t.tsv", TABS), ("t.tab", TABS),
                      ("t.csv.gz", gzip.compress(TEXT)), ("t.tsv.gz", gzip.compress(TABS))],
)  # fmt: skip
def test_the_ending_tells_the_format(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    for source in (path, str(path)):
        with open_source(source, most_bytes=UPLOAD_BYTES) as opened:
            read = batches_of(opened.file.read(), form=FileForm(), ending=opened.ending)
        assert Cells.gathered(read).rows == 3
        assert read.names == ("name", "age", "city")


def test_the_process_that_reads_knows_the_ending(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_bytes(TABS)
    assert rows_of(path) == 3


@pytest.mark.usefixtures("parsed_here")
def test_a_declared_format_goes_before_the_ending(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(TABS)
    assert rows_of(path, format="tsv") == cells_here(TABS, FileForm(format="tsv")).rows == 3
    with pytest.raises(IntakeError, match="separated by a tab"):
        cells_here(TABS, ending=".csv")


@pytest.mark.usefixtures("parsed_here")
def test_bytes_are_csv_unless_said_otherwise():
    assert rows_of(gzip.compress(TEXT)) == cells_here(TEXT).rows == 3
    assert kind_of(b"PAR1xxxxPAR1", None) == "parquet"


@pytest.mark.parametrize(
    "source",
    ["https://example.org/t.csv", "s3://bucket/t.parquet", "file:///etc/passwd", "a,b\n1,http://x\n"],
)
def test_addresses_of_unknown_kinds_are_refused(source):
    with pytest.raises(IntakeError, match="address"):
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
        (TEXT, "xlsx", "not an Excel workbook, but is to be read as xlsx"),
        (b"PK\x03\x04xx", "csv", "is an Excel workbook, but is to be read as csv"),
        (b"PK\x03\x04xx", None, "Excel workbook is damaged"),
        (b"\xd0\xcf\x11\xe0xx", None, "old Excel workbook"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), None, "protected with a password"),
        (b"%PDF-1.7", None, "is a PDF"),
        (b"\x89PNG\r\n\x1a\n", None, "is a picture. Save the table as CSV"),
        (b"GIF89a\0", None, "is a picture"),
        (b"\xff\xd8\xff\xe0", "csv", "is a picture"),
        (b"SQLite format 3\0", None, "is an SQLite database"),
        (b"\x7fELF\2", None, "is a program"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html><p>", None, "is a web page"),
        (b"<HTML><body>", None, "is a web page"),
        (b'<?xml version="1.0"?>', None, "is an XML document"),
        (b'[{"age": 3}]', None, "is JSON"),
        (b'{\n "age": 3}', None, "is JSON"),
        ("a,b\n1,2\n".encode("utf-32"), "csv", "is text in UTF-32, which is not read"),
        (codecs.BOM_UTF32_BE, None, "is text in UTF-32"),
        (gzip.compress(TEXT)[:-9], None, "gzip file ends too early"),
        (b"\x1f\x8bnonsense", None, "gzip file is damaged"),
        (gzip.compress(gzip.compress(TEXT)), None, "packed with gzip twice"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_what_is_no_table_is_refused_in_words(content, file_format, sentence):
    with pytest.raises(IntakeError, match=sentence):
        cells_here(content, FileForm(format=file_format))


def test_the_words_of_the_process_that_reads_are_passed_on():
    for content, file_format, sentence in (
        (TEXT, "xlsx", "not an Excel workbook, but is to be read as xlsx"),
        (gzip.compress(TEXT)[:-9], None, "gzip file ends too early"),
        (b"x" * (UPLOAD_BYTES + 1), None, "104,857,601 bytes; at most 104,857,600"),
    ):
        with pytest.raises(IntakeError, match=sentence):
            read_cells(content, file_format=file_format, encoding="utf-8", delimiter=None)


def test_a_name_that_only_looks_like_another_kind_of_file_is_read():
    for name in ["[a]", "{a}", "[[a]]", "<a>", "<htmlish>", "PNG", "sep", "sep="]:
        assert cells_here(f"{name},b\n1,2\n".encode()).names == (name, "b"), name


ODD: dict[str, tuple[dict[str, Any], str]] = {
    "no source": (
        {"source": None},
        "source must be a path, the bytes of a file or a table in memory",
    ),
    "an open file": ({"source": io.BytesIO(TEXT)}, "source must be"),
    "a bytearray": ({"source": bytearray(TEXT)}, "source must be"),
    "no schema": ({"schema": None}, "schema must be of the kind Schema"),
    "another format": ({"format": "xls"}, "format must be one of 'csv', 'tsv', 'parquet', 'xlsx'; it is 'xls'"),
    "another encoding": ({"encoding": "rot13"}, "encoding must be one of utf-8, "),
    "no encoding": ({"encoding": ""}, "encoding must be one of utf-8, "),
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
        read = cells_here(TEXT.replace(b",", delimiter.encode()), FileForm(format=format_, delimiter=delimiter))
        assert (read.names, read.rows) == (("name", "age", "city"), 3)
    with pytest.raises(IntakeError, match="separated by a tab, not by a semicolon"):
        cells_here(TABS, FileForm(format=format_, delimiter=";"))


def test_a_file_that_is_too_large_is_not_even_read(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(UPLOAD_BYTES + 1)
    with (
        pytest.raises(IntakeError, match="104,857,601 bytes; at most 104,857,600"),
        open_source(path, most_bytes=UPLOAD_BYTES),
    ):
        pass


def test_the_largest_upload_is_set_by_argument_or_by_the_server(monkeypatch):
    content = b"a,b\n" + b"1,2\n" * 2**18
    with pytest.raises(IntakeError, match="1,048,580 bytes; at most 1,048,576 are read"):
        read_table(content, schema=PEOPLE, upload_megabytes=1)
    monkeypatch.setenv(UPLOAD_VARIABLE, "1")
    assert upload_limit() == 1
    with pytest.raises(IntakeError, match="1,048,580 bytes; at most 1,048,576 are read"):
        read_cells(content, file_format="csv", encoding="utf-8", delimiter=None)
    monkeypatch.setenv(UPLOAD_VARIABLE, "2")
    assert read_cells(content, file_format="csv", encoding="utf-8", delimiter=None).rows == 2**18, "the control"


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "many", "1e3"])
def test_a_limit_that_makes_no_sense_is_named(monkeypatch, text):
    monkeypatch.setenv(UPLOAD_VARIABLE, text)
    with pytest.raises(InvalidParameterError, match=f"^{UPLOAD_VARIABLE} must be a whole number of megabytes"):
        upload_limit()


def test_a_nameless_file_is_no_path_that_others_can_open():
    with nameless_file() as file:
        assert not isinstance(file.name, str)


def test_several_gzip_members_are_one_file():
    half = len(TEXT) // 2
    assert unpacked(gzip.compress(TEXT[:half]) + gzip.compress(TEXT[half:])) == TEXT
    assert unpacked(gzip.compress(TEXT) + bytes(1000)) == TEXT, "zeros that fill a block"
    assert unpacked(gzip.compress(b"x" * 10**7), most=10)[:11] == b"x" * 11


def test_a_zip_of_a_table_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", TEXT)
    with pytest.raises(IntakeError, match="zip archive and no Excel workbook"):
        read_table(path, schema=PEOPLE)
