"""Files that somebody may bring in error or in anger: text here, Parquet and Excel in hostile_binaries."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Rows = list[tuple[str, ...]]
_MEGABYTE = 1024**2


@dataclass(frozen=True)
class Hostile:
    """A file and what must become of it: refused with these words, or read as these rows, the header first."""

    build: Callable[[], bytes]
    refused: str = ""
    rows: Rows | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    misfits: int = 0


def refused(content: bytes | Callable[[], bytes], words: str, **options: Any) -> Hostile:
    """A file that must be refused, with a pattern of the sentence."""
    return Hostile(_built(content), refused=words, options=options)


def accepted(content: bytes | str | Callable[[], bytes], *rows: tuple[str, ...], **options: Any) -> Hostile:
    """A file that only looks hostile."""
    return Hostile(_built(content.encode() if isinstance(content, str) else content), rows=list(rows), options=options)


def numbers(*cells: str, misfits: int, before: int = 0) -> Hostile:
    """A column of ones and then of these cells, of which so many are no number."""
    rows: Rows = [("x",), *(("1",),) * before, *((cell,) for cell in cells)]
    return Hostile(lambda: "\n".join(f'"{cell}"' for (cell,) in rows).encode(), rows=rows, misfits=misfits)


def _built(content: bytes | Callable[[], bytes]) -> Callable[[], bytes]:
    return content if callable(content) else lambda: content


def lines(count: int, line: bytes = b"1,2\n") -> bytes:
    """A header of two names, and the same line many times."""
    return b"a,b\n" + line * count


def members(piece: bytes, count: int) -> bytes:
    """A gzip file that unpacks to a piece many times, without the work of packing it as often."""
    return gzip.compress(piece, 9) * count


COMPRESSION_BOMBS = {
    "a gigabyte of zeros": refused(lambda: members(bytes(16 * _MEGABYTE), 64), "at most 268,435,456"),
    "a gigabyte of rows": refused(
        lambda: gzip.compress(b"a,b\n") + members(b"1,2\n" * 2**20, 256), "at most 268,435,456"
    ),
    "blank lines only": refused(lambda: members(b"\n" * _MEGABYTE, 1), "at most 268,435,456|empty"),
    "one line without an end": refused(lambda: members(b"x" * 16 * _MEGABYTE, 2), "Line 1 has more than 1,048,576"),
    "packed twice": refused(lambda: gzip.compress(members(bytes(16 * _MEGABYTE), 64)), "packed with gzip twice"),
    "packed thrice": refused(lambda: gzip.compress(gzip.compress(gzip.compress(lines(3)))), "packed with gzip twice"),
    "cut off": refused(lambda: members(lines(10**6), 1)[:-20], "ends too early"),
    "a member that is damaged": refused(lambda: gzip.compress(lines(9)) + b"\x1f\x8bnonsense", "damaged"),
    "a wrong checksum": refused(lambda: gzip.compress(lines(9))[:-8] + bytes(8), "damaged"),
    "too many rows": refused(lambda: gzip.compress(lines(2_000_001), 1), "at most 2,000,000"),
}

RAGGED = {
    "one cell too few": refused(b"a,b\n1,2\n3\n", "Line 3 has 1 cell, but"),
    "one cell too many": refused(b"a,b\n1,2\n3,4,5\n", "Line 3 has 3 cells, but"),
    "two in three rows": refused(b"a,b,c\n1,2,3\n1,2\n1,2,3,4\n", "Line 3 has 2 cells"),
    "the last of a million": refused(lambda: lines(10**6) + b"3\n", "Line 1,000,002 has 1 cell"),
    "a title above the table": refused(b"Patients of 2020\n\na,b\n1,2\n", "Line 3 has 2 cells"),
    "a total below the table": refused(b"a,b\n1,2\nTotal: 2\n", "Line 3 has 1 cell"),
    "another delimiter": refused(b"a;b\n1;2\n", "separated by a semicolon"),
    "a decimal comma without quotes": refused(b"a,b\n3,5,1\n", "Line 2 has 3 cells", decimal=","),
}

UNCLOSED = {
    "in the last cell": refused(b'a,b\n1,"2\n', "begins on line 2 is never closed"),
    "in the header": refused(b'"a,b\n1,2\n', "never closed|no header|single cell|header but no rows"),
    "at the beginning of a million rows": refused(lambda: b'a,b\n"1,2\n' + lines(10**6)[4:], "is never closed"),
    "in the middle of a cell": refused(b'a,b\n1,5" wide\n', "quotation mark inside a cell"),
    "closed too soon": refused(b'a,b\n1,"x"y\n', "more text follows"),
    "an odd one among many": refused(lambda: lines(10**5, b'"1","2"\n') + b'"1,2\n' + b'"1","2"\n' * 10**5, "quot"),
}

NULS = {
    "in a cell": refused(b"a,b\n1,\x002\n", "Line 2 has a NUL byte"),
    "in the header": refused(b"a\0,b\n1,2\n", "Line 1 has a NUL byte"),
    "nothing else": refused(bytes(1000), "NUL"),
    "at the end of a million rows": refused(lambda: lines(10**6) + b"\0", "Line 1,000,002 has a NUL byte"),
    "in quotes": refused(b'a,b\n1,"\0"\n', "NUL byte"),
}

TOO_MANY_COLUMNS = {
    "201 columns": refused(b",".join(b"c%d" % i for i in range(201)), "201 columns; at most 200"),
    "a million delimiters": refused(b"," * 10**6 + b"\n", "columns; at most 200"),
    "commas over many lines": refused(lambda: (b"," * 10**5 + b"\n") * 500, "columns; at most 200"),
    "tabs": refused(b"\t".join(b"c%d" % i for i in range(5000)), "5,000 columns; at most 200", format="tsv"),
}

DUPLICATES = {
    "the same": refused(b"age,age\n1,2\n", "same name: 'age' and 'age'"),
    "another case": refused(b"Age,aGE\n1,2\n", "same name: 'Age' and 'aGE'"),
    "spaces around": refused(b"age, age \n1,2\n", "same name"),
    "letters that fold": refused("Straße,STRASSE\n1,2\n".encode(), "same name"),
    "a space without a break": refused("age,age\u00a0\n1,2\n".encode(), "same name"),
    "another writing": refused("age,\u0430ge\n1,2\n".encode(), "read alike: 'age' and"),
    "what nobody sees": refused("age,age\ufe0f\n1,2\n".encode(), "read alike: 'age' and"),
    "no names": refused(b",\n1,2\n", "No column of the header has a name"),
    "a name without end": refused(b"a" * 5000 + b",b\n1,2\n", "5,000 characters; at most 120"),
    "a direction that turns": refused("a\u202eb,c\n1,2\n".encode(), "cannot be printed"),
    "a bell": refused(b"a\x07,c\n1,2\n", "cannot be printed"),
}

WRONG_ENCODINGS = {
    "windows letters as utf-8": refused(
        b"a,b\n1,\xe9\n", "Line 2 cannot be read as utf-8. Try the encoding windows-1252"
    ),
    "utf-16 as utf-8": refused("a,b\n1,2\n".encode("utf-16"), "cannot be read as utf-8. Try the encoding utf-16"),
    "utf-16 without a mark": refused("a,b\n1,2\n".encode("utf-16-le"), "NUL"),
    "utf-8 as utf-16": refused(b"a,b\n1,2\n", "cannot be read as utf-16", encoding="utf-16"),
    "utf-32": refused("a,b\n1,2\n".encode("utf-32"), "is text in UTF-32, which is not read"),
    "half a letter at the end": refused("a,b\n1,é".encode()[:-1], "Line 2 cannot be read as utf-8"),
    "half a letter in utf-16": refused("a,b\n1,2".encode("utf-16")[:-1], "cannot be read as utf-16", encoding="utf-16"),
    "a wrong byte late": refused(lambda: lines(10**6) + b"1,\xff\n", "Line 1,000,002 cannot be read"),
    "half a pair in utf-16": refused(
        b"\xff\xfea\0,\0b\0\n\0" + b"\x00\xd8" + b",\0x\0\n\0", "Line 2 cannot be read as utf-16", encoding="utf-16"
    ),
    "letters beyond the basic plane": accepted("a,b\n😀,𝔞\n", ("a", "b"), ("😀", "𝔞")),
    "overlong letters": refused(b"a,b\n\xc0\xaf,1\n", "Line 2 cannot be read"),
}


def _named(name: str) -> Hostile:
    """A table with one such name and one such cell."""
    quoted = '"' + name.replace('"', '""') + '"'
    return accepted(f"{quoted},n\n{quoted},1\n", (name, "n"), (name, "1"))


PATHS_AND_MARKUP = {
    name: _named(name)
    for name in (
        "../../etc/passwd", "C:\\Windows\\*.csv", "/dev/stdin", "*.csv", "file:///etc/passwd",
        "<script>alert(1)</script>",
        "![x](http://localhost/x.png)", "$\\LaTeX$", ":red[x] :material/home:", "'; DROP TABLE rows; --", '"a" "b"',
        "=cmd|' /C calc'!A0", "{{7*7}} ${7*7} %s %n", "cell_0", "{'__class__'}", "NULL",
    )
}  # fmt: skip

NUMBERS = {
    "beyond the largest": numbers("1e309", "-1e309", "9" * 400, "1e99999999999", misfits=4),
    "not a number": numbers("nan", "inf", "-Infinity", "NaN", misfits=4),
    "as small as nothing": numbers("1e-400", "-0", "0." + "0" * 400 + "1", misfits=0),
    "longer than a machine's": numbers("9" * 300, "1" * 50 + "." + "1" * 50, "18446744073709551616", misfits=0),
    "of programs": numbers("0x10", "1_000", "0b1", "1d", "1e", "١٢", misfits=6),
    "of people": numbers("1,000", "1 000", "$5", "50%", "3.5.1", "½", misfits=6),
}

LATE = {
    "text after numbers": numbers("unknown", before=60_000, misfits=1),
    "zeros in front": numbers("007", before=30_000, misfits=0),
    "yes after ones": numbers("yes", "true", before=30_000, misfits=2),
    "a date after numbers": numbers("2020-01-02", before=30_000, misfits=1),
    "a fraction after whole numbers": numbers("1.5", "1e400", before=30_000, misfits=1),
}

EMPTY = {
    "no bytes": refused(b"", "The file is empty"),
    "a mark only": refused(b"\xef\xbb\xbf", "The file is empty"),
    "blank lines": refused(b"\n\r\n \n", "The file is empty"),
    "a header": refused(b"a,b\n", "a header but no rows"),
    "a header and blank lines": refused(b"a,b\n\n\n", "a header but no rows"),
    "nothing, packed": refused(lambda: gzip.compress(b""), "The file is empty"),
    "a mark only, utf-16": refused(b"\xff\xfe", "The file is empty", encoding="utf-16"),
}

LONG_LINES = {
    "a cell of two megabytes": refused(
        lambda: b"a,b\n1," + b"x" * 2 * _MEGABYTE + b"\n", "Line 2 has more than 1,048,576"
    ),
    "a header of two megabytes": refused(lambda: b"a" * 2 * _MEGABYTE + b"\n1\n", "Line 1 has more than 1,048,576"),
    "ninety megabytes without an end": refused(
        lambda: b"a,b\n" + b"x" * 90 * _MEGABYTE, "Line 2 has more than 1,048,576"
    ),
    "a quoted cell of many lines": refused(lambda: b'a,b\n1,"' + b"xxxxxxx\n" * 2**18 + b'"\n', "line 2 on|1,048,576"),
    "a quoted cell of six megabytes": refused(lambda: b'a,b\n1,"' + b"xxxxx\n" * 2**20 + b'"\n', "line 2 on|1,048,576"),
    "returns instead of line ends": accepted(b"a,b\r" + b"1,2\r" * 3, ("a", "b"), *(("1", "2"),) * 3),
}

TEXT: dict[str, dict[str, Hostile]] = {
    "compression bombs": COMPRESSION_BOMBS,
    "ragged rows": RAGGED,
    "unclosed quotes": UNCLOSED,
    "NUL bytes": NULS,
    "too many columns": TOO_MANY_COLUMNS,
    "duplicate names": DUPLICATES,
    "wrong encodings": WRONG_ENCODINGS,
    "paths and markup": PATHS_AND_MARKUP,
    "numbers beyond range": NUMBERS,
    "types that change late": LATE,
    "empty": EMPTY,
    "long lines": LONG_LINES,
}
