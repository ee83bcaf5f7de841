"""Tables from rows of text, as a file would have them, without the child process that reads a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from dpengine.data import Schema, Table
from dpengine.data.cells import Cells


def table_of_rows(names: Sequence[str], rows: Iterable[Sequence[str]], *, schema: Schema, **options: Any) -> Table:
    """A table that is not built in."""
    columns = [pa.chunked_array([pa.array(column, pa.string())]) for column in zip(*rows, strict=True)]
    return Table.of_cells(Cells.of(names, columns), schema=schema, **options)
