"""The way in: from a path or bytes to a table under a declared schema."""

from __future__ import annotations

from pathlib import Path

from dpengine.data.csv_text import read_csv
from dpengine.data.schema import Schema
from dpengine.data.table import Table


def read_table(
    source: str | Path | bytes,
    *,
    schema: Schema,
    format: str | None = None,  # noqa: A002 - the contract's name
    encoding: str = "utf-8",
    delimiter: str = ",",
) -> Table:
    """Every cell is read as text and cast by the schema; raises IntakeError with what is wrong and what to do."""
    content = source if isinstance(source, bytes) else Path(source).read_bytes()
    return Table(read_csv(content, encoding=encoding, delimiter=delimiter), schema=schema)
