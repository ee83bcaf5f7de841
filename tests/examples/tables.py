"""Files and rows read in this process: for tests of what is done with a table, where a process apart costs the most.

What a process apart adds is the matter of tests/unit/data/files/test_child_process.py.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar, cast

import pyarrow as pa

from dpengine.data import Schema, Table, load_sample
from dpengine.data.files.cells import Cells
from dpengine.data.files.file_cells import batches_of
from dpengine.data.files.file_form import FileForm

Made = TypeVar("Made", bound=Callable[..., object])


def cells_here(content: bytes, form: FileForm | None = None, ending: str = "", *, sample: bool = False) -> Cells:
    """The cells of a file as text, before any schema; with `sample` as a first look reads them."""
    return Cells.gathered(batches_of(content, form=form or FileForm(), ending=ending, sample=sample))


def read_here(content: bytes, *, schema: Schema, decimal: str = ".", delimiter: str | None = None) -> Table:
    """The table that read_table makes of the same bytes."""
    return Table.of_cells(cells_here(content, FileForm(decimal=decimal, delimiter=delimiter)), schema=schema)


def table_of_rows(names: Sequence[str], rows: Iterable[Sequence[str]], *, schema: Schema, **options: Any) -> Table:
    """The table of these rows of text, without the writing and reading of a file."""
    columns = [pa.chunked_array([pa.array(column, pa.string())]) for column in zip(*rows, strict=True)]
    return Table.of_cells(Cells.of(names, columns), schema=schema, **options)


def shared(make: Made) -> Made:
    """A cache for tables, which nothing changes; it lets go of them before the interpreter ends."""
    kept = cache(make)
    atexit.register(kept.cache_clear)
    return cast("Made", kept)


@shared
def shared_sample(name: str) -> tuple[Table, Schema]:
    """A built-in table and its public facts, loaded once: nothing changes a table."""
    return load_sample(name)
