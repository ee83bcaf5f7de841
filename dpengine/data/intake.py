"""The way in: from a path or bytes to a table under a declared schema."""

from __future__ import annotations

from pathlib import Path

from dpengine.data.cells import Cells
from dpengine.data.csv_text import read_csv
from dpengine.data.parquet_file import read_parquet
from dpengine.data.schema import Schema
from dpengine.data.sources import open_source
from dpengine.data.table import Table
from dpengine.errors import require_kind

_DELIMITERS = {"csv": ",", "tsv": "\t"}


def read_table(
    source: str | Path | bytes,
    *,
    schema: Schema,
    format: str | None = None,  # noqa: A002 - the contract's word
    encoding: str = "utf-8",
    delimiter: str | None = None,
) -> Table:
    """A table of which every cell was read as text and cast by the schema.

    The format is csv, tsv or parquet, by default that of the file's ending; text may be packed with gzip. The delimiter
    is by default the format's own, a comma or a tab. Raises IntakeError with what is wrong in the file, where, and what
    to do; InvalidParameterError where an argument makes no sense.
    """
    require_kind("schema", schema, Schema)
    return Table(read_cells(source, file_format=format, encoding=encoding, delimiter=delimiter), schema=schema)


def read_cells(source: str | Path | bytes, *, file_format: str | None, encoding: str, delimiter: str | None) -> Cells:
    """The cells of a file as text, before any schema."""
    opened = open_source(source, file_format)
    if opened.format == "parquet":
        return read_parquet(opened.content)
    return read_csv(
        opened.content, encoding=encoding, delimiter=_DELIMITERS[opened.format] if delimiter is None else delimiter
    )
