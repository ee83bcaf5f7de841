"""Parquet as cells: the text that a CSV of the same table would have, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpengine.data.files.cells import CellBatches, require_names
from dpengine.data.files.limits import EXACT, ROWS, require_at_most
from dpengine.errors import IntakeError

_BATCH_ROWS = 8192
_DAMAGED = "The Parquet file cannot be read to its end: it is damaged, or it is not what it claims to be."
_SCALARS = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    pa.types.is_integer,
    pa.types.is_decimal,
    pa.types.is_date,
    pa.types.is_time,
    pa.types.is_null,
)

_STORED = (
    (pa.types.is_boolean, "boolean"),
    (pa.types.is_integer, "whole number"),
    (pa.types.is_floating, "number"),
    (pa.types.is_decimal, "number"),
    (pa.types.is_date, "date"),
    (pa.types.is_timestamp, "date"),
)
"""What a type says of its column, in the words of a first look."""


def parquet_batches(content: bytes) -> CellBatches:
    """The rows of a Parquet file; raises IntakeError for damaged files and for columns of anything but single values.

    A small file may claim to be gigabytes, so it is unpacked only where memory is limited.
    """
    try:
        file = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
        fields, rows = list(file.schema_arrow), file.metadata.num_rows
    except (pa.ArrowException, OSError, ValueError):
        raise IntakeError(_DAMAGED) from None
    names = require_names([field.name for field in fields])
    require_at_most("The file", rows, ROWS, "rows")
    for field in fields:
        _require_single_values(field.name, field.type)
    return CellBatches(
        names=names, batches=_batches(file, rows), stored=tuple(_stored(_of_values(field.type)) for field in fields)
    )


def _batches(file: pq.ParquetFile, rows: int) -> Iterator[tuple[float, Sequence[pa.Array]]]:
    """Text columns, with the share of the rows read so far; the footer's count must be true."""
    seen = 0
    try:
        for batch in file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
            seen += batch.num_rows
            yield min(seen / max(rows, 1), 1.0), [as_text(cells) for cells in batch.columns]
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, ValueError):
        seen = -1
    if seen != rows:
        raise IntakeError(_DAMAGED)


def as_text(cells: pa.Array) -> pa.Array:
    """The cells as canonical text, "" where there is no value (NULL and NaN)."""
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return as_text(cells.dictionary_decode())
    if pa.types.is_floating(kind):
        return pc.fill_null(_number_text(pc.if_else(pc.is_nan(cells), None, cells)), "")
    if pa.types.is_decimal(kind):
        each = cells.dictionary_encode()
        texts = pa.array(map(decimal_text, each.dictionary.to_pylist()), pa.string())
        return pc.fill_null(texts.take(each.indices), "")
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return pc.fill_null(pc.replace_substring_regex(_as_alone(cells), r" 00:00:00$", ""), "")
    if pa.types.is_boolean(kind):
        return pc.fill_null(pc.if_else(cells, "true", "false"), "")
    return pc.fill_null(cells.cast(pa.string()), "")


def decimal_text(value: Decimal) -> str:
    """Without exponent, and without zeros at its end, which are the column's and not the value's.

    >>> decimal_text(Decimal("1.50")), decimal_text(Decimal("0E-8")), decimal_text(Decimal("-200"))
    ('1.5', '0', '-200')
    """
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _number_text(cells: pa.Array) -> pa.Array:
    """A whole number as in a column of whole numbers: one blank beside it makes all of them floats."""
    cells = cells.cast(pa.float32()) if pa.types.is_float16(cells.type) else cells
    whole = pc.and_(pc.equal(pc.floor(cells), cells), pc.less(pc.abs(cells), EXACT))
    return pc.if_else(whole, pc.if_else(whole, cells, 0).cast(pa.int64()).cast(pa.string()), cells.cast(pa.string()))


def _as_alone(cells: pa.Array) -> pa.Array:
    """Without zeros at the end of a fraction: all cells have as many places as the type, so as the longest of them."""
    zone = r"(Z|[+-]\d+)?$"
    short = pc.replace_substring_regex(cells.cast(pa.string()), r"\.(\d*?)0+" + zone, r".\1\2")
    return pc.replace_substring_regex(short, r"\." + zone, r"\1")


def _require_single_values(name: str, kind: pa.DataType) -> None:
    """Refuse nested and binary columns."""
    others = (pa.types.is_floating, pa.types.is_timestamp, pa.types.is_boolean)
    kind = _of_values(kind)
    if not any(fits(kind) for fits in (*_SCALARS, *others)):
        raise IntakeError(f"Column {name!r} holds {kind}, which is not read; only single values are.")


def _of_values(kind: pa.DataType) -> pa.DataType:
    """The type of a column's values, of which a dictionary has each once."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _stored(kind: pa.DataType) -> str:
    return next((called for fits, called in _STORED if fits(kind)), "")
