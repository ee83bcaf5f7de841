"""Delimited text as cells: nothing is guessed, and every cell stays the text that the file has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.csv as arrow_csv

from dpengine.data.cells import CellBatches, Cells, place, require_names
from dpengine.data.csv_faults import fault_of, header_of, line_number, require_quotes, whole_records
from dpengine.data.encodings import as_utf8
from dpengine.data.file_form import DELIMITERS
from dpengine.data.limits import DECODED_BYTES, LINE_BYTES, require_at_most
from dpengine.errors import IntakeError, require_one_of

_BLOCK = 4 * LINE_BYTES
SAMPLE_BYTES = 2 * _BLOCK
"""As much of a file as a first look takes."""


def read_csv(content: bytes, *, encoding: str, delimiter: str) -> Cells:
    """All cells of a delimited text with a header, read in this process; raises IntakeError as csv_batches does."""
    return Cells.gathered(csv_batches(content, encoding=encoding, delimiter=delimiter))


def csv_batches(content: bytes, *, encoding: str, delimiter: str, sample: bool = False) -> CellBatches:
    """The rows of a delimited text with a header, or of its first part; raises IntakeError with the line that is wrong.

    The text is looked through before the first batch, so that no row of a file with an unclosed quote is ever given.
    """
    require_one_of("delimiter", delimiter, DELIMITERS)
    cut = sample and len(content) > SAMPLE_BYTES
    data = as_utf8(content[:SAMPLE_BYTES] if cut else content, encoding, whole=not cut)
    del content  # as large as the file
    if not data or data.isspace():
        raise IntakeError("The file is empty.")
    _require_lines(data)
    header = header_of(data, delimiter, DELIMITERS)
    if cut:
        data = whole_records(data)
    _require_size(data, delimiter)
    require_quotes(data, delimiter)
    return CellBatches(names=require_names(header), batches=_batches(data, delimiter, len(header)))


def _require_size(data: bytes | bytearray, delimiter: str) -> None:
    """Refuse NUL bytes and text whose cells would not fit in the decoded limit, before any parsing."""
    if b"\0" in data:
        raise IntakeError(f"Line {line_number(data, data.index(0)):,} has a NUL byte, which is not read.")
    cells = data.count(delimiter.encode()) + data.count(b"\n")
    require_at_most("The decoded file", len(data) + 4 * cells, DECODED_BYTES, "bytes")


def _require_lines(data: bytes | bytearray) -> None:
    """Refuse a line that is too long, the header's too."""
    begin = 0
    while len(data) - begin > LINE_BYTES:
        last = max(data.rfind(b"\n", begin, begin + LINE_BYTES + 1), data.rfind(b"\r", begin, begin + LINE_BYTES + 1))
        if last < begin:
            raise IntakeError(
                f"Line {line_number(data, begin):,} has more than {LINE_BYTES:,} bytes, the most that is read."
            )
        begin = last + 1


def _batches(data: bytes | bytearray, delimiter: str, width: int) -> Iterator[tuple[float, Sequence[pa.Array]]]:
    """Every record but the header as a row of text, with the share of the text read so far."""
    names = [place(i) for i in range(width)]
    header, done = 1, 0
    try:
        for batch in arrow_csv.open_csv(
            pa.BufferReader(data),
            read_options=arrow_csv.ReadOptions(column_names=names, block_size=_BLOCK),
            parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        ):
            done += (
                batch.nbytes - 3 * batch.num_rows * width
            )  # a letter between two cells, where Arrow has an offset of 4
            yield min(done / len(data), 1.0), batch.slice(header).columns
            header = 0 if batch.num_rows else header
        return
    except pa.ArrowInvalid:
        pass
    raise fault_of(data, delimiter)
