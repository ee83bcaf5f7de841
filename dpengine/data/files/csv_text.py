"""Delimited text as cells: nothing is guessed, and every cell stays the text that the file has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.csv as arrow_csv

from dpengine.data.files.cells import CellBatches, Cells, named_places, place, require_names
from dpengine.data.files.csv_faults import (
    Text,
    fault_of,
    header_of,
    line_number,
    require_no_rows_within,
    require_quotes,
    whole_records,
)
from dpengine.data.files.encodings import as_utf8
from dpengine.data.files.file_form import DELIMITERS, OWN_DELIMITERS, UTF_8, FileForm
from dpengine.data.files.first_look import proposed_encoding, settled_text
from dpengine.data.files.layout import LeftOut, letters, says
from dpengine.data.files.limits import DECODED_BYTES, LINE_BYTES, require_at_most
from dpengine.errors import IntakeError

_BLOCK, _SIZES = 4 * LINE_BYTES, 1000
SAMPLE_BYTES = 2 * _BLOCK
"""As much of a file as a first look takes."""
_LINE_END = re.compile(rb"\r\n|\n|\r")


def read_csv(content: bytes, *, encoding: str, delimiter: str) -> Cells:
    """All cells of a delimited text with a header, read in this process; raises IntakeError as csv_batches does."""
    return Cells.gathered(csv_batches(content, FileForm(format="csv", encoding=encoding, delimiter=delimiter)))


def csv_batches(content: bytes, form: FileForm, *, sample: bool = False) -> CellBatches:
    """The rows of a delimited text with a header; raises IntakeError with the line that is wrong.

    With `sample` the rows of its first part, and what the form leaves open is as the text suggests. The text is looked
    through before the first batch, so that no row of a file with an unclosed quote is ever given.
    """
    cut = sample and len(content) > SAMPLE_BYTES
    part = content[:SAMPLE_BYTES] if cut else content
    del content  # as large as the file
    if form.encoding is None:
        form = replace(form, encoding=proposed_encoding(part) if sample else UTF_8)
    data = as_utf8(part, str(form.encoding), whole=not cut)
    del part
    if not data or data.isspace():
        raise IntakeError("The file is empty.")
    _require_lines(data)
    if sample:
        form = settled_text(form, whole_records(data) if cut else data, whole=not cut)
    form = replace(form, delimiter=form.delimiter or OWN_DELIMITERS[form.format or "csv"])
    delimiter = str(form.delimiter)
    data, left_out = _table_of(data, form, whole=not cut)
    header = header_of(data, delimiter, DELIMITERS)
    if cut:
        data = whole_records(data)
    _require_size(data, delimiter)
    require_quotes(data, delimiter)
    require_no_rows_within(data, delimiter, len(header))
    places = named_places(header)
    return CellBatches(
        names=require_names([header[i] for i in places]),
        batches=_batches(data, delimiter, len(header), places),
        form=form,
        left_out=replace(left_out, nameless=tuple(letters(i) for i in range(len(header)) if i not in places), cut=cut),
    )


def _table_of(data: Text, form: FileForm, *, whole: bool) -> tuple[Text, LeftOut]:
    """The text without its last lines, and those above the header blank, so that all others keep their number."""
    above, begin = [], 0
    for _ in range((form.header or 1) - 1):
        after = _LINE_END.search(data, begin)
        if after is None:
            break
        above.append(bytes(data[begin : after.start()]))
        begin = after.end()
    below: list[bytes] = []
    end = len(data)
    while whole and end > begin and len(below) < (form.skip_last or 0):
        within = end - 1 - (data[max(end - 2, begin) : end] == b"\r\n")
        before = max(data.rfind(b"\n", begin, within), data.rfind(b"\r", begin, within), begin - 1) + 1
        if _cells(data[before:end], form):
            below.append(bytes(data[before:end]))
        end = before
    if begin >= end:
        raise IntakeError("Nothing is left between the header's line and those that are left out at the end.")
    if begin or end < len(data):
        data = b"\n" * len(above) + data[begin:end]
    told = [line for line in above if _cells(line, form)]
    return data, LeftOut(
        above=len(told),
        above_says=says(_cells(told[0], form) if told else ()),
        above_ends=says(_cells(told[-1], form) if told[1:] else ()),
        below=len(below),
        below_says=says(_cells(below[-1], form) if below else ()),
    )


def _cells(line: Text, form: FileForm) -> list[str]:
    """What a line holds, where it holds anything, without quotation marks."""
    cells = bytes(line).decode(errors="replace").split(str(form.delimiter))
    return [cell for cell in (cell.strip(' \t\r\n"') for cell in cells) if cell]


def _require_size(data: Text, delimiter: str) -> None:
    """Refuse NUL bytes and text whose cells would not fit in the decoded limit, before any parsing."""
    if b"\0" in data:
        raise IntakeError(f"Line {line_number(data, data.index(0)):,} has a NUL byte, which is not read.")
    cells = data.count(delimiter.encode()) + data.count(b"\n")
    require_at_most("The decoded file", len(data) + 4 * cells, DECODED_BYTES, "bytes")


def _require_lines(data: Text) -> None:
    """Refuse a line that is too long, the header's too."""
    begin = 0
    while len(data) - begin > LINE_BYTES:
        last = max(data.rfind(b"\n", begin, begin + LINE_BYTES + 1), data.rfind(b"\r", begin, begin + LINE_BYTES + 1))
        if last < begin:
            raise IntakeError(
                f"Line {line_number(data, begin):,} has more than {LINE_BYTES:,} bytes, the most that is read."
            )
        begin = last + 1


def _block(data: Text) -> int:
    """Bytes that Arrow reads at once, so that none of its blocks ends within a line end.

    It leaves out a line feed with which a block begins after a carriage return, also between quotation marks: what
    somebody's cell reads would depend on how many bytes others' rows have before it.
    """
    return next((size for size in range(_BLOCK, _BLOCK - _SIZES, -1) if _is_apart(data, size)), len(data))


def _is_apart(data: Text, size: int) -> bool:
    return not any(data[end - 1 : end + 1] == b"\r\n" for end in range(size, len(data), size))


def _batches(
    data: Text, delimiter: str, width: int, places: Sequence[int]
) -> Iterator[tuple[float, Sequence[pa.Array]]]:
    """Every record but the header as a row of text in these columns, with the share of the text read so far."""
    names = [place(i) for i in range(width)]
    header, done = 1, 0
    try:
        for batch in arrow_csv.open_csv(
            pa.BufferReader(data),
            read_options=arrow_csv.ReadOptions(column_names=names, block_size=_block(data)),
            parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        ):
            done += (
                batch.nbytes - 3 * batch.num_rows * width
            )  # a letter between two cells, where Arrow has an offset of 4
            kept = batch.slice(header)
            yield min(done / len(data), 1.0), [kept.column(i) for i in places]
            header = 0 if batch.num_rows else header
        return
    except pa.ArrowInvalid:
        pass
    raise fault_of(data, delimiter)
