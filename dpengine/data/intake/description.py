"""A first look at a connected table, to fill in the schema form: names, a few rows, kinds by type; never bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import ibis
import ibis.expr.datatypes as dt
import pyarrow as pa

from dpengine.data.connected.addresses import Address, address_of
from dpengine.data.connected.parquet_path import parquet_source
from dpengine.data.connected.postgres_source import postgres_engine, postgres_source
from dpengine.data.connected.spark_source import spark_engine, spark_source
from dpengine.data.files.cells import Cells
from dpengine.data.intake.preview import SAMPLE_ROWS, Preview, guess
from dpengine.data.typed.native_casts import canonical_text

LONGEST_CELL = 200
"""How many letters of a cell are looked at."""
_STORED: tuple[tuple[tuple[type, ...], str], ...] = (
    ((dt.Boolean,), "boolean"),
    ((dt.Integer,), "whole number"),
    ((dt.Floating, dt.Decimal), "number"),
    ((dt.Date, dt.Timestamp), "date"),
)
"""What a type says of its column, in the words of a first look."""
_MIDNIGHT = re.compile(r" 00:00:00(\.0+)?$")


@dataclass(frozen=True, slots=True)
class Look:
    """A source table, the rows of an expression over it as plain values, and the end of the look."""

    source: ibis.Table
    rows: Callable[[ibis.Table], list[tuple[object, ...]]]
    close: Callable[[], None]


def describe(url: str, *, rows: int = 20) -> Preview:
    """Names, the first rows as text, and kinds by the source's types and at most 1,000 rows.

    The rows are for the curator's eyes. Raises IntakeError and EngineError as `read_table` does for the same URL.
    """
    address = address_of(url, LOOKS)
    look = LOOKS[address.scheme](address)
    try:
        sample = look.rows(_texts(look.source).limit(SAMPLE_ROWS))
    finally:
        look.close()
    kinds = look.source.schema()
    columns = list(zip(*sample, strict=True)) or [()] * len(kinds)
    texts = [_written(kind, cells) for kind, cells in zip(kinds.types, columns, strict=True)]
    return Preview(
        columns=tuple(guess(*one) for one in zip(kinds.names, texts, map(_stored, kinds.types), strict=True)),
        rows=tuple(zip(*(cells[:rows] for cells in texts), strict=True)),
        sampled=len(sample),
        sample=Cells(kinds.names, tuple(pa.chunked_array([pa.array(cells, pa.string())]) for cells in texts)),
    )


def _texts(source: ibis.Table) -> ibis.Table:
    """Every column as text, empty where it is missing or of a kind that has no text."""
    texts = {name: canonical_text(source[name]) for name in source.columns}
    empty = ibis.literal("", type="string")
    return source.select(
        **{name: empty if text is None else text.fill_null("").left(LONGEST_CELL) for name, text in texts.items()}
    )


def _written(kind: dt.DataType, cells: Sequence[object]) -> list[str]:
    """What a file of the same cells would hold; a moment at the start of a day is that day."""
    texts = [str(cell) for cell in cells]
    return [_MIDNIGHT.sub("", text) for text in texts] if isinstance(kind, dt.Timestamp) else texts


def _stored(kind: dt.DataType) -> str:
    return next((called for types, called in _STORED if isinstance(kind, types)), "")


def _in_postgres(address: Address) -> Look:
    engine = postgres_engine(address)
    try:
        return Look(postgres_source(engine, address), engine.rows, engine.close)
    except BaseException:
        engine.close()
        raise


def _in_spark(address: Address) -> Look:
    engine = spark_engine(address)
    return Look(spark_source(engine, address), engine.rows, engine.close)


def _in_parquet(address: Address) -> Look:
    engine, source = parquet_source(address)
    return Look(source, lambda asked: [tuple(row.values()) for row in engine.arrow(asked).to_pylist()], engine.close)


LOOKS: Mapping[str, Callable[[Address], Look]] = {
    "parquet": _in_parquet,
    "postgresql": _in_postgres,
    "spark-local": _in_spark,
    "spark": _in_spark,
    "sc": _in_spark,
}
"""A table of the same schemes as in `connections`."""
