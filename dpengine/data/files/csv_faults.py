"""What is wrong with a delimited text, in words and with the line; a parser alone says too little or nothing."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dpengine.data.declared.columns import NAME_LIMIT
from dpengine.data.files.limits import COLUMNS, LINE_BYTES, require_at_most
from dpengine.errors import IntakeError

Text = bytes | bytearray
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'
_CHUNK = 2**23
_ANNOUNCED = re.compile(r'"?sep=.?"?\s*[\r\n]', re.IGNORECASE)
_A_ROW_WITHIN = (
    "Line {line:,} looks like a row of its own, but the quotation mark on line {opened:,} makes it part of one cell. "
    'Is that mark only text? Then write it as "", and put quotation marks around its whole cell. Does the cell hold '
    "several lines? Then bring the table as an Excel workbook or as a Parquet file."
)
_SPELLED = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a vertical bar"}


def header_of(data: Text, delimiter: str, plausible: Sequence[str]) -> list[str]:
    """The first record that is not blank; raises IntakeError where another delimiter seems to be meant."""
    begin = bytes(data[: 2 * LINE_BYTES]).decode(errors="ignore")
    if _ANNOUNCED.match(begin):
        raise IntakeError("The file begins with a line for Excel that names the delimiter (sep=). Remove that line.")
    csv.field_size_limit(LINE_BYTES)
    try:
        header = next(filter(None, csv.reader(io.StringIO(begin, newline=""), delimiter=delimiter)))
    except (csv.Error, StopIteration):
        header = []
    if not header:
        raise IntakeError("The file has no header that can be read.")
    require_at_most("The file", len(header), COLUMNS, "columns")
    others = [other for other in plausible if other != delimiter and other in header[0]]
    if len(header) == 1 and others:
        raise IntakeError(
            f"The header is a single cell, {header[0][:NAME_LIMIT]!r}: the cells seem to be separated by "
            f"{_SPELLED[others[0]]}, not by {_SPELLED[delimiter]}. Choose it as the delimiter."
        )
    return header


def require_quotes(data: Text, delimiter: str) -> None:
    """Refuse quotation marks that open, close or stand anywhere but at a cell's edges, or are never closed.

    Inside a quoted cell a quotation mark is written twice, as in RFC 4180.
    """
    if b'"' not in data:
        return
    letters = np.frombuffer(data, dtype=np.uint8)
    edges = np.array([ord(delimiter), _NEWLINE, _RETURN, _QUOTE], dtype=np.uint8)
    seen, opened = 0, 0
    for start in range(0, len(letters), _CHUNK):
        places = np.flatnonzero(letters[start : start + _CHUNK] == _QUOTE) + start
        opening = places[seen % 2 :: 2]
        closing = places[(seen + 1) % 2 :: 2]
        _require_edges(data, letters, opening, closing, edges, opened)
        seen, opened = seen + len(places), int(opening[-1]) if len(opening) else opened
    if seen % 2:
        raise IntakeError(f"The quoted cell that begins on line {line_number(data, opened):,} is never closed.")


def _require_edges(
    data: Text,
    letters: NDArray[np.uint8],
    opening: NDArray[np.intp],
    closing: NDArray[np.intp],
    edges: NDArray[np.uint8],
    opened: int,
) -> None:
    """Refuse the first quotation mark of a chunk that opens after, or closes before, something else than an edge."""
    stray = opening[(opening > 0) & ~np.isin(letters[opening - 1], edges)]
    last = len(letters) - 1
    broken = closing[(closing < last) & ~np.isin(letters[np.minimum(closing + 1, last)], edges)]
    if len(stray) and not (len(broken) and broken[0] < stray[0]):
        raise IntakeError(
            f"Line {line_number(data, int(stray[0])):,} has a quotation mark inside a cell that does not begin with "
            "one. Put the whole cell in quotation marks and write those inside it twice."
        )
    if len(broken):
        before = opening[opening < broken[0]]
        begun = line_number(data, int(before[-1]) if len(before) else opened)
        raise IntakeError(
            f"On line {line_number(data, int(broken[0])):,} more text follows the end of the quoted cell that begins "
            f"on line {begun:,}. Is a quotation mark missing, or one inside the cell not written twice?"
        )


def require_no_rows_within(data: Text, delimiter: str, width: int) -> None:
    """Refuse a quoted cell in which a line reads as a row, or as the beginning of one, wherever it is read by itself.

    Not every program that writes tables puts quotation marks around text, or writes those inside twice. Where it does
    not, two people's marks, or two in one person's rows, would make one cell of everybody's rows between them. So what
    a line is must not depend on the lines before it.
    """
    if b'"' not in data:
        return
    between, row, begun = delimiter.encode(), *_shapes(delimiter, width)
    for first, last, goes_on in _lines_within(data):
        line = bytes(data[first:last])
        if (delimiters := line.count(between)) < width - 1:
            continue
        of_one_cell = b'"' not in line.replace(b'""', b"")
        is_row = row.fullmatch(line) or (of_one_cell and delimiters == width - 1)
        if is_row if goes_on else begun.fullmatch(line):
            opened = line_number(data, data.rfind(b'"', 0, first))
            raise IntakeError(_A_ROW_WITHIN.format(line=line_number(data, first), opened=opened))


def _shapes(delimiter: str, width: int) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """Of a line that is a row, and of one whose last cell goes on below it."""
    between, inside = re.escape(delimiter.encode()), b'[^"]*(?:""[^"]*)*'
    cell = b'(?:"%s"|[^"%s]*)' % (inside, between)
    row = b"%s(?:%s%s){%d}" % (cell, between, cell, width - 1)
    return re.compile(row), re.compile(b'(?:%s%s){0,%d}"%s' % (cell, between, width - 1, inside))


def _lines_within(data: Text) -> Iterator[tuple[int, int, bool]]:
    """The lines that begin within quotation marks: from where to where, and whether they end there, too."""
    start, seen = 0, 0
    while start < len(data):
        chunk = min(start + _CHUNK, len(data))
        end = max(data.rfind(b"\n", start, chunk), data.rfind(b"\r", start, chunk)) + 1 or chunk
        letters = np.frombuffer(data, dtype=np.uint8, count=end - start, offset=start)
        marks = np.flatnonzero(letters == _QUOTE)
        edges = np.flatnonzero((letters == _NEWLINE) | (letters == _RETURN))
        begins, ends = np.concatenate(([0], edges + 1)), np.concatenate((edges, [len(letters)]))
        before, after = (np.searchsorted(marks, places) + seen for places in (begins, ends))
        within = (before % 2 == 1) & (ends > begins)
        yield from zip(
            (begins[within] + start).tolist(),
            (ends[within] + start).tolist(),
            (after[within] % 2 == 1).tolist(),
            strict=True,
        )
        start, seen = end, seen + len(marks)


def whole_records(data: Text) -> Text:
    """The text up to the last line end outside quotation marks; all of it where there is none."""
    letters = np.frombuffer(data, dtype=np.uint8)
    quoted = np.cumsum(letters == _QUOTE) % 2
    ends = np.flatnonzero(((letters == _NEWLINE) | (letters == _RETURN)) & (quoted == 0))
    return data[: ends[-1] + 1] if len(ends) else data


def fault_of(data: Text, delimiter: str) -> IntakeError:
    """Why a parser gave up, found by reading the text again, slowly."""
    csv.field_size_limit(LINE_BYTES)
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    width, begins = 0, 1
    try:
        for record in reader:
            width = width or len(record)
            if record and len(record) != width:
                return IntakeError(
                    f"Line {begins:,} has {_cells(len(record))}, but the header has {_cells(width)}. "
                    "Every line needs the same number; a cell that holds the delimiter needs quotation marks."
                )
            begins = reader.line_num + 1
    except csv.Error:
        pass
    return IntakeError(f"The file cannot be read from line {begins:,} on.")


def _cells(count: int) -> str:
    return f"{count:,} cell" + ("" if count == 1 else "s")


def line_number(data: Text, place: int) -> int:
    """The number of the line that a byte is on, from 1."""
    return data.count(b"\n", 0, place) + 1
