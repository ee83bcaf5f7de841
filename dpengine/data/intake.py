"""The way in: from a path or bytes to a table under a declared schema."""

from __future__ import annotations

from pathlib import Path

from dpengine.data.cells import Cells
from dpengine.data.csv_text import read_csv
from dpengine.data.parquet_file import read_parquet
from dpengine.data.schema import Schema
from dpengine.data.sources import open_source
from dpengine.data.table import Table


def read_table(
    source: str | Path | bytes,
    *,
    schema: Schema,
    format: str | None = None,  # noqa: A002 - the contract's word
    encoding: str = "utf-8",
    delimiter: str = ",",
) -> Table:
    """A table of which every cell was read as text and cast by the schema.

    The format is csv, tsv or parquet, by default that of the file's ending; text may be packed with gzip.
    Raises IntakeError with what is wrong, where, and what to do.
    """
    return Table(read_cells(source, file_format=format, encoding=encoding, delimiter=delimiter), schema=schema)


def read_cells(source: str | Path | bytes, *, file_format: str | None, encoding: str, delimiter: str) -> Cells:
    """The cells of a file as text, before any schema."""
    opened = open_source(source, file_format)
    if opened.format == "parquet":
        return read_parquet(opened.content)
    return read_csv(opened.content, encoding=encoding, delimiter="\t" if opened.format == "tsv" else delimiter)
