"""The way in: from a path or bytes to a table under a declared schema."""

from __future__ import annotations

import os
import secrets
from dataclasses import asdict, replace
from pathlib import Path
from typing import Unpack

from dpengine.data.connected.connections import open_connected
from dpengine.data.declared.schema import Schema
from dpengine.data.files.cells import Cells
from dpengine.data.files.child_process import Task, read_apart
from dpengine.data.files.file_form import FileForm, Written
from dpengine.data.files.limits import UPLOAD_MEGABYTES
from dpengine.data.files.reading import UNWATCHED, ReadingWatch
from dpengine.data.files.sources import open_source
from dpengine.data.intake.arrow_frame import ArrowFrame, parquet_of
from dpengine.data.table import Table
from dpengine.data.typed.loading import PARSED
from dpengine.errors import InvalidParameterError, named, require_kind, require_whole

UPLOAD_VARIABLE = "EPSILON_EXPLORER_UPLOAD_MB"
"""The environment variable with the largest file that is read, in megabytes of 1,048,576 bytes."""


@named
def read_table(
    source: str | Path | bytes | ArrowFrame,
    *,
    schema: Schema,
    reading: ReadingWatch = UNWATCHED,
    upload_megabytes: int | None = None,
    **written: Unpack[Written],
) -> Table:
    """A table of which every cell was read as text and cast by the schema; or, by connection URL, one that stays put.

    A pandas or polars DataFrame or a pyarrow.Table is read as the Parquet file that it would be saved in. Nothing of
    how a file is written is guessed; `preview` proposes it. Of a table in memory only `dates` can be said, for days
    that are text, and of one by connection URL nothing:

    format      csv, tsv, parquet or xlsx, by default that of the content and the file's ending; text may be gzipped
    encoding    by default UTF-8
    delimiter   by default the format's own, a comma or a tab
    decimal     the mark before a number's fraction, "." or ",", by default a point
    thousands   what may stand between thousands, by default nothing, else ".", ",", " " or "'"
    dates       "iso" (2024-12-31, the default), "day first" (31.12.2024, 31/12/24 14:05), "month first", "year first"
    sheet       a workbook's, by default the first
    header      the number of the header's line or row, from 1, by default the first that holds anything
    skip_last   how many at the end, of those that hold anything, are no rows of the table, by default none
    columns     a sheet's first and last, such as "B:F", by default all; those without a name are left out

    Raises IntakeError with what is wrong in the file, where, and what to do, or because the person stopped it;
    InvalidParameterError where an argument makes no sense.
    """
    require_kind("schema", schema, Schema)
    form = FileForm(**written)
    if isinstance(source, str) and "://" in source:
        _require_unsaid(form, "a table by connection URL")
        opened = open_connected(source, schema=schema, salt=secrets.token_hex(16), reading=reading)
        return Table(opened, schema=schema)
    return _read(source, form, schema, reading, upload_megabytes)


def _read(
    source: str | Path | bytes | ArrowFrame,
    form: FileForm,
    schema: Schema,
    reading: ReadingWatch,
    upload_megabytes: int | None,
) -> Table:
    """The table of a file, or of what is in memory."""
    if isinstance(source, ArrowFrame):
        _require_unsaid(replace(form, dates=None), "a table in memory")
        source, form = parquet_of(source), FileForm(format="parquet", dates=form.dates)
        upload_megabytes = len(source) // 1024**2 + 1
    cells = cells_of(source, form, reading=reading, upload_megabytes=upload_megabytes, share=PARSED)
    table = Table.of_cells(cells, schema=schema, reading=reading)
    try:
        reading.tell(1.0, "Ready")
    except BaseException:
        table.close()
        raise
    return table


def _require_unsaid(form: FileForm, what: str) -> None:
    """Refuse what can only be said of a file."""
    for name, value in asdict(form).items():
        if value is not None:
            raise InvalidParameterError(name, value, f"left out for {what}, which is not written in any way of its own")


def read_cells(
    source: str | Path | bytes,
    *,
    file_format: str | None,
    encoding: str,
    delimiter: str | None,
    decimal: str | None = None,
    sheet: str | None = None,
) -> Cells:
    """The cells of a file as text, before any schema."""
    form = FileForm(format=file_format, encoding=encoding, delimiter=delimiter, decimal=decimal, sheet=sheet)
    return cells_of(source, form)


def cells_of(
    source: str | Path | bytes,
    form: FileForm,
    *,
    reading: ReadingWatch = UNWATCHED,
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
