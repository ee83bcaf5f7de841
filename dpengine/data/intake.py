"""The way in: from a path or bytes to a table under a declared schema."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from dpengine.data.arrow_frame import Frame, parquet_of
from dpengine.data.cells import Cells
from dpengine.data.child_process import Task, read_apart
from dpengine.data.connections import open_connected
from dpengine.data.file_form import FileForm
from dpengine.data.limits import UPLOAD_MEGABYTES
from dpengine.data.loading import PARSED
from dpengine.data.reading import UNWATCHED, Reading
from dpengine.data.schema import Schema
from dpengine.data.sources import open_source
from dpengine.data.table import Table
from dpengine.errors import InvalidParameterError, require_kind, require_whole

UPLOAD_VARIABLE = "EPSILON_EXPLORER_UPLOAD_MB"
"""The environment variable with the largest file that is read, in megabytes of 1,048,576 bytes."""


def read_table(  # noqa: PLR0913 - a file and how it is written, in full
    source: str | Path | bytes | Frame,
    *,
    schema: Schema,
    format: str | None = None,  # noqa: A002 - the contract's word
    encoding: str = "utf-8",
    delimiter: str | None = None,
    decimal: str = ".",
    thousands: str = "",
    dates: str = "iso",
    sheet: str | None = None,
    reading: Reading = UNWATCHED,
    upload_megabytes: int | None = None,
) -> Table:
    """A table of which every cell was read as text and cast by the schema; or, by connection URL, one that stays put.

    A pandas or polars DataFrame or a pyarrow.Table is read as the Parquet file that it would be saved in.
    The format is csv, tsv, parquet or xlsx, by default that of the content and the file's ending; text may be packed
    with gzip. The delimiter is by default the format's own, a comma or a tab; decimal is the mark before a number's
    fraction, a point or a comma; thousands is what may stand between thousands, by default nothing, else ".", ",", " "
    or "'"; dates are "iso" (2024-12-31), or "day first" (31.12.2024, 31/12/24 14:05), "month first" or "year first";
    sheet is a workbook's, by default the first. Raises IntakeError with what is wrong in the file, where, and what to
    do, or because the person stopped it; InvalidParameterError where an argument makes no sense.
    """
    require_kind("schema", schema, Schema)
    if isinstance(source, str) and "://" in source:
        opened = open_connected(source, schema=schema, salt=secrets.token_hex(16), reading=reading)
        return Table(opened, schema=schema)
    form = FileForm(
        format=format,
        encoding=encoding,
        delimiter=delimiter,
        decimal=decimal,
        thousands=thousands,
        dates=dates,
        sheet=sheet,
    )
    return _read(source, form, schema, reading, upload_megabytes)


def _read(
    source: str | Path | bytes | Frame, form: FileForm, schema: Schema, reading: Reading, upload_megabytes: int | None
) -> Table:
    """The table of a file, or of what is in memory."""
    if isinstance(source, Frame):
        if form != FileForm():
            raise InvalidParameterError("format", form, "left out for a table in memory, which is not written in any")
        source, form = parquet_of(source), FileForm(format="parquet")
        upload_megabytes = len(source) // 1024**2 + 1
    cells = cells_of(source, form, reading=reading, upload_megabytes=upload_megabytes, share=PARSED)
    table = Table.of_cells(cells, schema=schema, reading=reading)
    try:
        reading.tell(1.0, "Ready")
    except BaseException:
        table.close()
        raise
    return table


def read_cells(
    source: str | Path | bytes,
    *,
    file_format: str | None,
    encoding: str,
    delimiter: str | None,
    decimal: str = ".",
    sheet: str | None = None,
) -> Cells:
    """The cells of a file as text, before any schema."""
    form = FileForm(format=file_format, encoding=encoding, delimiter=delimiter, decimal=decimal, sheet=sheet)
    return cells_of(source, form)


def cells_of(
    source: str | Path | bytes,
    form: FileForm,
    *,
    reading: Reading = UNWATCHED,
    upload_megabytes: int | None = None,
    share: float = 1.0,
    sample: int | None = None,
) -> Cells:
    """The cells of a file, or at least its first `sample` rows, when all the work has come as far as `share`."""
    megabytes = upload_limit() if upload_megabytes is None else upload_megabytes
    require_whole("upload_megabytes", megabytes)
    reading.tell(0.0, "Opening the file")
    with open_source(source, most_bytes=megabytes * 1024**2) as opened:
        return read_apart(opened.file, Task(form=form, ending=opened.ending, sample=sample), reading, share=share)


def upload_limit() -> int:
    """The largest file that is read, in megabytes, as whoever runs the server has set it; by default 100."""
    text = os.environ.get(UPLOAD_VARIABLE, str(UPLOAD_MEGABYTES))
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise InvalidParameterError(UPLOAD_VARIABLE, text, "a whole number of megabytes")
    return int(text)
