"""Delimited text as cells: nothing is guessed, and every cell stays the text that the file has."""

from __future__ import annotations

import csv
import io

import pyarrow as pa
import pyarrow.csv as arrow_csv

from dpengine.data.limits import LINE_BYTES, ROWS, require_at_most
from dpengine.data.loading import Cells
from dpengine.errors import IntakeError


def read_csv(content: bytes, *, encoding: str, delimiter: str) -> Cells:
    """The cells of a delimited text; raises IntakeError with the line that is wrong."""
    text = content.decode(encoding).removeprefix("\ufeff").lstrip("\r\n")
    names = tuple(name.strip() for name in next(csv.reader(io.StringIO(text), delimiter=delimiter)))
    places = [str(i) for i in range(len(names))]
    table = arrow_csv.read_csv(
        pa.BufferReader(text.encode()),
        read_options=arrow_csv.ReadOptions(column_names=places, block_size=4 * LINE_BYTES),
        parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(places, pa.string()), strings_can_be_null=False
        ),
    ).slice(1)
    if table.num_rows == 0:
        raise IntakeError("The file has a header and no rows.")
    require_at_most("The file", table.num_rows, ROWS, "rows")
    return Cells(names=names, table=table)
