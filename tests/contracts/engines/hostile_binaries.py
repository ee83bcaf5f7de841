"""Parquet files and Excel workbooks that somebody may bring in error or in anger."""

from __future__ import annotations

import io
import itertools
import zipfile
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.contracts.engines.hostile_files import Hostile, accepted, refused
from tests.examples.workbooks import parts, workbook, zipped

_MEGABYTE = 1024**2
_LIMITS = "268,435,456"
_SHEET = "xl/worksheets/sheet1.xml"


def parquet(columns: dict[str, Any] | pa.Table, **options: Any) -> bytes:
    """A Parquet file with a checksum on every page."""
    file = io.BytesIO()
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    pq.write_table(table, file, write_page_checksum=True, **options)
    return file.getvalue()


def repeated(cell: str, rows: int, **options: Any) -> Callable[[], bytes]:
    """A column that has one value many times: a dictionary of one entry, and a run of its number."""
    return lambda: parquet(
        {"x": pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), [cell])}, compression="zstd", **options
    )


def claims(rows: int) -> bytes:
    """A file of 100 rows whose footer claims another number of them, from 64 to 8191."""
    content = parquet({"x": list(range(100))})
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    said, true = (bytes([2 * n % 128 + 128, 2 * n // 128]) for n in (rows, 100))
    if true not in content[start:]:
        raise AssertionError
    return content[:start] + content[start:].replace(true, said)


def flipped(content: bytes, place: float) -> bytes:
    """The file with every bit of sixteen bytes turned, at a share of its length."""
    start = int(place * len(content))
    return content[:start] + bytes(255 - byte for byte in content[start : start + 16]) + content[start + 16 :]


PLAIN = parquet({"x": [f"row {i}" for i in range(1000)], "y": list(range(1000))}, use_dictionary=False)

PARQUET_BOMBS = {
    "a gigabyte in one column": refused(repeated("z" * 10_000, 10**5), _LIMITS),
    "a hundred gigabytes": refused(repeated("z" * 60_000, 2_000_000), _LIMITS),
    "eight gigabytes in one batch": refused(repeated("z" * _MEGABYTE, 8192), _LIMITS),
    "many row groups": refused(repeated("z" * 20_000, 10**5, row_group_size=2000), _LIMITS),
    "one cell of 10 megabytes": refused(
        lambda: parquet({"x": ["z" * 10 * _MEGABYTE]}, compression="zstd"), "1,048,576"
    ),
    "200 columns of one value": refused(
        lambda: parquet({f"c{i}": pa.array(np.full(75_000, -(2**62))) for i in range(200)}, compression="zstd"),
        _LIMITS,
    ),
    "a footer that claims more rows": refused(lambda: claims(200), "damaged"),
    "a footer that claims fewer rows": accepted(claims(70), ("x",), *((str(i),) for i in range(70))),
    "the control: an honest footer": accepted(claims(100), ("x",), *((str(i),) for i in range(100))),
    "too many rows": refused(lambda: parquet({"x": np.zeros(2_000_001, np.int8)}), "2,000,001 rows; at most 2,000,000"),
}

PARQUET_BROKEN = {
    "cut off": refused(PLAIN[:-50], "damaged"),
    "cut off, with its last word": refused(PLAIN[:100] + PLAIN[-8:], "damaged"),
    "the first word only": refused(b"PAR1", "damaged"),
    "noise": refused(b"PAR1" + bytes(range(256)) * 9 + b"PAR1", "damaged"),
    "a footer of four gigabytes": refused(PLAIN[:-8] + b"\xff\xff\xff\xff" + b"PAR1", "damaged"),
    "a flipped page": refused(flipped(PLAIN, 0.4), "damaged"),
    "a flipped page at the beginning": refused(flipped(PLAIN, 0.005), "damaged"),
    "a flipped footer": refused(flipped(PLAIN, 0.93), "damaged"),
    "another first word": refused(b"PAR2" + PLAIN[4:], "cannot be read as utf-8"),
    "an encrypted footer": refused(PLAIN[:-4] + b"PARE", "damaged"),
    "nested columns": refused(lambda: parquet({"x": [[1]]}), "only single values are"),
    "no columns": refused(lambda: parquet(pa.table({})), "no columns"),
    "no rows": refused(lambda: parquet({"x": pa.array([], pa.int8())}), "a header but no rows"),
    "201 columns": refused(lambda: parquet({f"c{i}": [1] for i in range(201)}), "201 columns; at most 200"),
    "equal names": refused(lambda: parquet(pa.table([["a"], ["b"]], names=["x", "X"])), "same name"),
    "a NUL": refused(lambda: parquet({"x": ["a\0"]}), "NUL"),
    "letters that are none": refused(
        lambda: parquet({"x": pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())}), "damaged"
    ),
}


def changed(old: str, new: str, *rows: tuple[object, ...]) -> bytes:
    """A workbook in which the XML of the sheet was changed."""
    written = parts({"s": rows or (("a",), ("word",))})
    if old not in written[_SHEET]:
        raise AssertionError
    return zipped({**written, _SHEET: written[_SHEET].replace(old, new)})


def with_entities(declared: str, word: str) -> bytes:
    """A workbook whose sheet declares entities of XML, and one cell."""
    written = parts({"s": [("a",), ("word",)]})
    text = written[_SHEET].replace("<worksheet", f"{declared}<worksheet").replace("word<", f"{word}<")
    return zipped({**written, _SHEET: text})


def beside(name: str, content: bytes) -> bytes:
    """A workbook with another part."""
    return zipped({**parts({"s": [("a",), (1,)]}), name: content})


@cache
def pictured() -> bytes:
    """A workbook with a picture of 260 megabytes."""
    return beside("xl/media/1.png", bytes(260 * _MEGABYTE))


def lying(content: bytes, true: int, said: int) -> bytes:
    """The archive with another size in its directory and headers."""
    return content.replace(true.to_bytes(4, "little"), said.to_bytes(4, "little"))


def overlapping(count: int) -> bytes:
    """An archive whose directory names one part of 60 megabytes many times."""
    content = beside("xl/media/0", bytes(60 * _MEGABYTE))
    file = io.BytesIO(content)
    with zipfile.ZipFile(file, "a") as archive:
        entry = archive.getinfo("xl/media/0")
        for i in range(1, count):
            copy = zipfile.ZipInfo(f"xl/media/{i}")
            for name in ("compress_type", "CRC", "compress_size", "file_size", "header_offset", "flag_bits"):
                setattr(copy, name, getattr(entry, name))
            archive.filelist.append(copy)
            archive.NameToInfo[copy.filename] = copy
        archive.comment = b"written again"
    return file.getvalue()


def laughs(depth: int) -> str:
    """Entities of which each is ten times the one before."""
    names = "abcdefghijklm"[:depth]
    body = "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in itertools.pairwise(names))
    return f'<!DOCTYPE x [<!ENTITY a "ha">{body}]>'


BOOK = workbook(*[("a", "b"), *((f"row {i}", i) for i in range(500))])

EXCEL_BOMBS = {
    "a sheet of spaces": refused(lambda: changed("</sheetData>", " " * 260 * _MEGABYTE + "</sheetData>"), _LIMITS),
    "a picture": refused(pictured, _LIMITS),
    "a directory that lies": refused(lambda: lying(pictured(), 260 * _MEGABYTE, 1000), _LIMITS),
    "one part under many names": refused(lambda: overlapping(10), _LIMITS),
    "too many parts": refused(
        lambda: zipped({**parts({"s": [("a",), (1,)]}), **{f"x/{i}": "" for i in range(10_001)}}), "at most 10,000"
    ),
    "a cell in the farthest corner": refused(
        lambda: changed("</sheetData>", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
        "16,384 columns; at most 200",
    ),
    "a row beyond any sheet": refused(
        lambda: changed("</sheetData>", '<row r="9999999999"><c r="A9999999999"><v>1</v></c></row></sheetData>'),
        "9,999,999,999 rows; at most 2,000,000",
    ),
    "a last row far below": refused(
        lambda: changed("</sheetData>", '<row r="1048576"><c r="GR1048576"><v>1</v></c></row></sheetData>'),
        "memory|name",
    ),
    "entities that laugh": refused(lambda: with_entities(laughs(10), "&j;"), "damaged"),
}

EXCEL_BROKEN = {
    "cut off": refused(BOOK[:-40], "damaged"),
    "the beginning only": refused(BOOK[:100], "damaged"),
    "flipped in a part": refused(flipped(BOOK, 0.85), "damaged"),
    "flipped in the directory": refused(flipped(BOOK, 0.97), "damaged|no Excel workbook|at most"),
    "noise": refused(b"PK\x03\x04" + bytes(range(256)) * 20, "damaged"),
    "a sheet that is missing": refused(
        zipped({n: c for n, c in parts({"s": [("a",), (1,)]}).items() if n != _SHEET}), "damaged"
    ),
    "another archive": refused(zipped({"table.csv": "a,b\n1,2\n"}), "zip archive and no Excel workbook"),
    "a workbook of 1997": refused(b"\xd0\xcf\x11\xe0" + bytes(5000), "old Excel workbook"),
    "a password": refused(b"\xd0\xcf\x11\xe0" + bytes(500) + "EncryptedPackage".encode("utf-16-le"), "password"),
    "an entity that is not there": refused(lambda: changed("word", "&b;"), "damaged"),
    "an entity from outside": refused(
        lambda: with_entities('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', "&e;"), "damaged"
    ),
    "an entity that nobody uses": accepted(lambda: with_entities(laughs(10), "word"), ("a",), ("word",)),
    "a sheet that ends within a cell": refused(lambda: changed("</sheetData></worksheet>", "<row><c"), "damaged"),
    "a place that is none": refused(lambda: changed('r="A2"', 'r="ZZZZZZ99999999999"'), "columns; at most 200"),
    "empty": refused(workbook(), "is empty"),
    "a header": refused(workbook(("a", "b")), "a header but no rows"),
    "equal names": refused(workbook(("a", "A "), (1, 2)), "same name"),
}

BINARIES: dict[str, dict[str, Hostile]] = {
    "Parquet bombs": PARQUET_BOMBS,
    "broken Parquet": PARQUET_BROKEN,
    "Excel bombs": EXCEL_BOMBS,
    "broken Excel": EXCEL_BROKEN,
}
