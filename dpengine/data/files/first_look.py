"""What the bytes of a text suggest about how it is written: encoding, delimiter, where its table stands."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from dpengine.data.files.file_form import DELIMITERS, OWN_DELIMITERS, FileForm
from dpengine.data.files.layout import CellGrid, proposed_layout
from dpengine.data.files.limits import LINE_BYTES

_RECORDS, _RECORDS_OF_A_PART = 200, 10_000
"""As many of the first records as tell what separates the cells; where a table begins of which no end is seen."""
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NO_LETTERS_OF_WINDOWS = b"\x81\x8d\x8f\x90\x9d"


def proposed_encoding(content: bytes) -> str:
    """UTF-8 wherever the bytes are, else what offices in Western Europe write.

    >>> proposed_encoding("Köln".encode()), proposed_encoding("Köln".encode("latin-1"))
    ('utf-8', 'windows-1252')
    """
    if content.startswith(_UTF_16_MARKS):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        return "iso-8859-1" if any(byte in content for byte in _NO_LETTERS_OF_WINDOWS) else "windows-1252"
    return "utf-8"


def settled_text(form: FileForm, data: bytes | bytearray, *, whole: bool = True) -> FileForm:
    """The form of a text in UTF-8, with what is left open in it as the text suggests.

    Where only its first part is here, nothing is known of its end, and nothing there is left out.
    """
    csv.field_size_limit(LINE_BYTES)
    delimiter = form.delimiter or _delimiter(data, OWN_DELIMITERS[form.format or "csv"])
    if not whole and form.skip_last is None:
        form = replace(form, skip_last=0)
    grid = CellGrid()
    for number, record in islice(_records(data, delimiter), None if whole else _RECORDS_OF_A_PART):
        for blank in range(grid.numbers[-1] + 1 if grid.numbers else 1, number):
            grid.add(blank, ())
        grid.add(number, [cell.strip() for cell in record])
    return settled(replace(form, delimiter=delimiter), grid)


def settled(form: FileForm, grid: CellGrid) -> FileForm:
    """The form with the place of the table in it, where it is left open."""
    layout = proposed_layout(grid, header=form.header, columns=form.columns)
    skip_last = layout.skip_last if form.skip_last is None else form.skip_last
    return replace(form, header=layout.header, skip_last=skip_last, columns=layout.columns)


def _delimiter(data: bytes | bytearray, usual: str) -> str:
    """What cuts the most of the first records into the same number of cells, more than one; the usual one in doubt."""
    candidates = {one: _agreeing(data, one) for one in dict.fromkeys((usual, *DELIMITERS))}
    return max(candidates, key=candidates.__getitem__)


def _agreeing(data: bytes | bytearray, delimiter: str) -> tuple[int, int]:
    """How many of the first records have as many cells as most of them do, and how many cells that is."""
    records = [record for _, (_, record) in zip(range(_RECORDS), _records(data, delimiter), strict=False)]
    widths = Counter(len(record) for record in records if len(record) > 1)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return count, width


def _records(data: bytes | bytearray, delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
    """The records that are not blank, each with the number of its first line, up to one that cannot be read."""
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace", newline="")
    reader, begins = csv.reader(text, delimiter=delimiter), 1
    try:
        for record in reader:
            if record:
                yield begins, record
            begins = reader.line_num + 1
    except csv.Error:
        return
