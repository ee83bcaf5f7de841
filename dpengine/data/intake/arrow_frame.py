"""A table that a notebook holds already, as the Parquet file that it would be: the rules are those of a file."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any, Protocol, runtime_checkable

import pyarrow as pa
import pyarrow.parquet as pq

from dpengine.data.files.cells import require_names
from dpengine.errors import IntakeError


@runtime_checkable
class ArrowFrame(Protocol):
    """What hands over its columns as Arrow does: a pyarrow.Table, a DataFrame of pandas or polars, and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Arrow's own handle."""


def parquet_of(frame: ArrowFrame) -> bytes:
    """The file; the index of a pandas frame is no column of it. Raises IntakeError for a column of several kinds."""
    file = io.BytesIO()
    pq.write_table(_arrow_table(frame), file)
    return file.getvalue()


def _arrow_table(frame: Any) -> pa.Table:
    """Arrow's own words would quote a cell, so they go no further."""
    of_pandas = any(kind.__module__.partition(".")[0] == "pandas" for kind in type(frame).__mro__)
    if of_pandas:
        require_names([str(name) for name in frame.columns])
    try:
        return pa.Table.from_pandas(_cell_by_cell(frame), preserve_index=False) if of_pandas else pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        named = _mixed(frame) if of_pandas else "A column"
        raise IntakeError(f"{named} holds values of several kinds: make it all numbers or all text.") from None


def _cell_by_cell(frame: Any) -> Any:
    """Decimal numbers of a pandas frame as text: Arrow would write all of them with the places of the longest one."""
    found = frame.copy(deep=False)
    for place, (_, values) in enumerate(frame.items()):
        if values.dtype.name in {"object", "category"} and any(isinstance(value, Decimal) for value in values):
            found.isetitem(place, [_written(value) for value in values])
    return found


def _written(value: object) -> object:
    if not isinstance(value, Decimal):
        return value
    return None if value.is_nan() else f"{value:f}"


def _mixed(frame: Any) -> str:
    for place, name in enumerate(frame.columns):
        try:
            pa.array(frame.iloc[:, place], from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return f"Column {str(name)!r}"
    return "A column"
