"""Files read in this process: for tests of what is done with a table, where a process apart is the larger part.

What a process apart adds is the matter of tests/unit/data/test_child_process.py.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeVar, cast

from dpengine.data import Schema, Table, load_sample
from dpengine.data.cells import Cells
from dpengine.data.file_cells import batches_of
from dpengine.data.file_form import FileForm

Made = TypeVar("Made", bound=Callable[..., object])


def cells_here(content: bytes, form: FileForm | None = None) -> Cells:
    """The cells of a file as text, before any schema."""
    form = form or FileForm()
    read = batches_of(content, form=form, ending="")
    return replace(Cells.gathered(read), decimal=form.decimal, sheets=read.sheets)


def read_here(content: bytes, *, schema: Schema, decimal: str = ".", delimiter: str | None = None) -> Table:
    """The table that read_table makes of the same bytes."""
    return Table.of_cells(cells_here(content, FileForm(decimal=decimal, delimiter=delimiter)), schema=schema)


def shared(make: Made) -> Made:
    """A cache for tables, which nothing changes; it lets go of them before the interpreter ends."""
    kept = cache(make)
    atexit.register(kept.cache_clear)
    return cast("Made", kept)


@shared
def shared_sample(name: str) -> tuple[Table, Schema]:
    """A built-in table and its public facts, loaded once: nothing changes a table."""
    return load_sample(name)
