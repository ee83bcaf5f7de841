"""200 generated tables, slow: 500, written in every way that is read, come back cell by cell.

The oracle is the table that was written, and for text also Python's csv module. Most are parsed by the child's own
reading code in this process, one in twenty by a child as a whole.
"""

from __future__ import annotations

import csv
import gzip
import io
import random
import string
from collections.abc import Callable
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data.files.cells import Cells
from dpengine.data.files.file_cells import batches_of
from dpengine.data.files.file_form import FileForm
from dpengine.data.intake.table_intake import cells_of
from tests.examples.workbooks import parts, zipped

SEED = 20_240_101
TABLES, MORE, APART, BATCH = 100, 500, 19, 25
ENCODINGS = {"utf-8": "éß中😀\u0301", "utf-16": "éß中😀\u0301", "windows-1252": "éß€", "iso-8859-15": "éß€",
             "shift_jis": "表ア", "gb18030": "中😀é", "windows-1251": "Жщ", "ascii": ""}  # fmt: skip
COMMON = string.ascii_letters + string.digits + " .-_<>&'=%/\\#!?:+*()[]{}$@~^`"
LOADED = [",", ";", "\t", "|", '"', "\n", "\r\n", " ", '""', "\\", "NULL", "nan", "007", "1,5", "=1+1", ""]


@dataclass(frozen=True)
class Written:
    """A file, how to read it, and the rows that were written, the names first."""

    content: bytes
    form: FileForm
    rows: list[tuple[str, ...]] = field(repr=False)


def cell(rng: random.Random, letters: str, pieces: list[str]) -> str:
    """A cell of a few letters, with what a parser trips over now and then."""
    kind = rng.random()
    if kind < 0.1:
        return ""
    if kind < 0.5:
        return rng.choice([str(rng.randint(-9, 999)), f"{rng.gauss(0, 100):.3f}", f"{rng.randint(0, 99999):05d}"])
    return "".join(rng.choice(pieces if rng.random() < 0.2 else letters) for _ in range(rng.randint(1, 12)))


def table(rng: random.Random, letters: str, pieces: list[str]) -> list[tuple[str, ...]]:
    """Unlike names, and rows that are not blank; a lone name without what would pass for a delimiter."""
    width, height = rng.randint(1, 8), rng.choice([1, 2, 10, 60])
    inside = letters if width == 1 else ",; " + letters
    names = tuple(f"{rng.choice(letters)}{i}{rng.choice(inside)}x" for i in range(width))
    rows = [tuple(cell(rng, letters, pieces) for _ in range(width)) for _ in range(height)]
    return [names, *(row for row in rows if any(text.strip() for text in row)), ("z",) * width]


def text_file(rng: random.Random) -> Written:
    """Delimited text in a random encoding, quoting, line end and packing."""
    encoding, extra = rng.choice(list(ENCODINGS.items()))
    pieces = [p.replace("\n", "\nz") for p in LOADED if p != "\\"]  # a line that begins with a mark may be a row
    rows = table(rng, COMMON.replace("\\", "").replace("~", "") + extra, pieces)
    delimiter = rng.choice(",;\t|")
    file = io.StringIO(newline="")
    if rng.random() < 0.2:
        file.write(rng.choice(["\n", "\r\n"]))
    alone = len(rows[0]) == 1
    quoting = csv.QUOTE_ALL if alone else rng.choice((csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC))
    ends = rng.choice(["\n", "\r\n"])
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=ends).writerows(rows)  # type: ignore[arg-type]
    text = file.getvalue()
    if rng.random() < 0.3:
        text = text.removesuffix(ends)
    parsed = [tuple(record) for record in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)]
    assert [record for record in parsed if record] == rows, "two oracles"
    content = text.encode("utf-8-sig" if encoding == "utf-8" and rng.random() < 0.5 else encoding)
    form = FileForm(format=rng.choice([None, "csv", "tsv"]), encoding=encoding, delimiter=delimiter)
    return Written(gzip.compress(content) if rng.random() < 0.3 else content, form, rows)


def parquet_file(rng: random.Random) -> Written:
    """A Parquet file in random pages, packing, and kinds of text."""
    rows = table(rng, COMMON + ENCODINGS["utf-8"], LOADED)
    kinds = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
    columns = [
        pa.array([text or rng.choice([None, ""]) for text in column], pa.string()).cast(rng.choice(kinds))
        for column in zip(*rows[1:], strict=True)
    ]
    file = io.BytesIO()
    pq.write_table(
        pa.table(columns, names=list(rows[0])),
        file,
        compression=rng.choice(["snappy", "zstd", "gzip", "none"]),
        row_group_size=rng.choice([1, 7, 1000]),
        use_dictionary=rng.choice([True, False]),
        data_page_version=rng.choice(["1.0", "2.0"]),
    )
    return Written(file.getvalue(), FileForm(format=rng.choice([None, "parquet"])), rows)


def numbers_file(rng: random.Random) -> Written:
    """Numbers, yes and no, in Parquet or Excel, which both become canonical text."""
    whole = [rng.choice([None, 0, rng.randint(-(10**6), 10**6), rng.randint(-(2**50), 2**50)]) for _ in range(20)]
    exact = [rng.choice([None, 0.5, rng.gauss(0, 1e3), float(rng.randint(-99, 99))]) for _ in range(20)]
    flags = [rng.choice([None, True, False]) for _ in range(20)]
    rows: list[tuple[str, ...]] = [("whole", "exact", "flag", "row")]
    for i, (number, fraction, flag) in enumerate(zip(whole, exact, flags, strict=True)):
        rows.append((_shown(number), _shown(fraction), _shown(flag), str(i)))
    columns = {"whole": whole, "exact": exact, "flag": flags, "row": list(range(20))}
    if rng.random() < 0.5:
        return Written(zipped(parts({"s": [rows[0], *zip(*columns.values(), strict=True)]})), FileForm(), rows)
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return Written(file.getvalue(), FileForm(), rows)


def excel_file(rng: random.Random) -> Written:
    """A workbook of several sheets, with shared strings or without, the table anywhere on its sheet."""
    rows = table(rng, COMMON + ENCODINGS["utf-8"], [piece for piece in LOADED if "\r" not in piece])
    name = "".join(rng.choice(string.ascii_letters + " &<é") for _ in range(8)).strip() or "s"
    left: list[object] = [None] * rng.randint(0, 3)
    above: list[list[object]] = [[]] * rng.randint(0, 3)
    placed: list[list[object]] = [*above, *([*left, *(text or None for text in row)] for row in rows)]
    others: dict[str, list[list[object]]] = {"first": [["other"], [1]]} if rng.random() < 0.5 else {}
    sheets = {**others, name: placed}
    content = zipped(parts(sheets, shared=rng.random() < 0.5))
    return Written(content, FileForm(format=rng.choice([None, "xlsx"]), sheet=name if len(sheets) > 1 else None), rows)


def _shown(value: float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if value == int(value) else repr(value)


WRITERS: list[Callable[[random.Random], Written]] = [
    *[text_file] * 6, parquet_file, parquet_file, numbers_file, excel_file, excel_file,
]  # fmt: skip


@pytest.mark.parametrize(
    "first",
    [pytest.param(i, marks=pytest.mark.slow) if i >= TABLES else i for i in range(0, MORE, BATCH)],
)
def test_what_was_written_is_what_is_read(first):
    for number in range(first, first + BATCH):
        written = WRITERS[number % len(WRITERS)](random.Random(SEED + number))
        if number % APART == 0:
            cells = cells_of(written.content, written.form)
        else:
            cells = Cells.gathered(batches_of(written.content, form=written.form, ending=""))
        read = [cells.names, *zip(*(column.to_pylist() for column in cells.columns), strict=True)]
        assert read == [tuple(text.strip() for text in row) for row in written.rows], f"table {number}: {written.form}"


def test_every_kind_of_file_is_read_by_a_child_too():
    kinds = {WRITERS[number % len(WRITERS)] for number in range(0, TABLES, APART)}
    assert kinds == {text_file, parquet_file, numbers_file, excel_file}


def test_the_control_one_other_letter_is_seen():
    written = text_file(random.Random(SEED))
    cells = Cells.gathered(batches_of(written.content, form=written.form, ending=""))
    changed = [*written.rows[:-1], ("y", *written.rows[-1][1:])]
    read = [cells.names, *zip(*(column.to_pylist() for column in cells.columns), strict=True)]
    assert read != [tuple(text.strip() for text in row) for row in changed]
