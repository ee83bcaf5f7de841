"""A table that a notebook holds already, as the Parquet file that it would be: the rules are those of a file."""

from __future__ import annotations

import io
from datetime import datetime, time
from decimal import Decimal
from numbers import Integral
from typing import Any, Protocol, runtime_checkable

import pyarrow as pa
import pyarrow.parquet as pq

from dpengine.data.files.cells import require_names
from dpengine.data.files.parquet_file import decimal_text
from dpengine.errors import IntakeError

_TEXT = {str, type(None)}


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
        raise _several_kinds(named) from None


def _cell_by_cell(frame: Any) -> Any:
    """Columns of objects, in which a cell reads as it would alone: Arrow lets one cell decide how all others are read.

    Missing cells as None; decimal numbers as text, since Arrow would write all with the places of the longest one.
    """
    found = frame.copy(deep=False)
    for place, (name, values) in enumerate(frame.items()):
        if values.dtype.name in {"object", "category"} and not set(map(type, values)) <= _TEXT:
            found.isetitem(place, _alike(str(name), values))
    return found


def _alike(name: str, values: Any) -> Any:
    """The cells of a column of objects; raises IntakeError where they are of several kinds."""
    cells = [None if missing else value for value, missing in zip(values, values.isna(), strict=True)]
    kinds = {_kind(value) for value in cells if value is not None}
    if len(kinds) > 1:
        raise _several_kinds(f"Column {name!r}") from None
    if kinds == {Decimal}:
        cells = [value if value is None else decimal_text(value) for value in cells]
    return type(values)(cells, index=values.index, dtype=object)


def _kind(value: object) -> object:
    """What must be the same of all cells: their type, and the time zone of moments; numbers of Python's are one kind.

    Whole numbers that a float would round are refused beside one by Arrow.
    """
    if isinstance(value, float | Integral) and not isinstance(value, bool):
        return float
    return (type(value), str(value.tzinfo)) if isinstance(value, datetime | time) else type(value)


def _several_kinds(what: str) -> IntakeError:
    return IntakeError(f"{what} holds values of several kinds: make it all numbers or all text.")


def _mixed(frame: Any) -> str:
    for place, name in enumerate(frame.columns):
        try:
            pa.array(frame.iloc[:, place], from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return f"Column {str(name)!r}"
    return "A column"
