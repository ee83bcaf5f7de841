"""Delimited text as cells: nothing is guessed, and every cell stays the text that the file has."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.csv as arrow_csv

from dpengine.data.cells import Cells, place
from dpengine.data.csv_faults import fault_of, header_of, line_number, require_quotes
from dpengine.data.encodings import decode
from dpengine.data.limits import DECODED_BYTES, LINE_BYTES, require_at_most
from dpengine.errors import IntakeError, require_one_of

DELIMITERS = (",", ";", "\t", "|")


def read_csv(content: bytes, *, encoding: str, delimiter: str) -> Cells:
    """The cells of a delimited text with a header; raises IntakeError with the line that is wrong."""
    require_one_of("delimiter", delimiter, DELIMITERS)
    text = decode(content, encoding)
    if not text or text.isspace():
        raise IntakeError("The file is empty.")
    header, data = header_of(text, delimiter, DELIMITERS), text.encode()
    del text  # as large as the file
    _require_size(data, delimiter)
    require_quotes(data, delimiter)
    return Cells.of(header, _parsed(data, delimiter, len(header)).slice(1).columns)


def _require_size(data: bytes, delimiter: str) -> None:
    """Refuse NUL bytes, long lines, and text whose cells would not fit in the decoded limit, before any parsing."""
    if b"\0" in data:
        raise IntakeError(f"Line {line_number(data, data.index(0)):,} has a NUL byte, which is not read.")
    cells = data.count(delimiter.encode()) + data.count(b"\n")
    require_at_most("The decoded file", len(data) + 4 * cells, DECODED_BYTES, "bytes")
    begin = 0
    while len(data) - begin > LINE_BYTES:
        last = max(data.rfind(b"\n", begin, begin + LINE_BYTES + 1), data.rfind(b"\r", begin, begin + LINE_BYTES + 1))
        if last < begin:
            raise IntakeError(
                f"Line {line_number(data, begin):,} has more than {LINE_BYTES:,} bytes, the most that is read."
            )
        begin = last + 1


def _parsed(data: bytes, delimiter: str, width: int) -> pa.Table:
    """Every record as a row of text, the header as the first; raises IntakeError with the line that is wrong."""
    names = [place(i) for i in range(width)]
    try:
        return arrow_csv.read_csv(
            pa.BufferReader(data),
            read_options=arrow_csv.ReadOptions(column_names=names, block_size=4 * LINE_BYTES),
            parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowException:
        pass
    raise fault_of(data.decode(), delimiter)
