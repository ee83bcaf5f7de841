"""Run as a script of its own: Parquet on standard input, text columns as an Arrow stream on standard output.

It imports nothing of this project, so that it starts fast and a file that bursts takes only this process with it.
"""

from __future__ import annotations

import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BATCH_ROWS = 8192
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


def main(memory: int, seconds: int, decoded: int, rows: int, columns: int) -> None:
    """Limit this process, unpack in batches, and stop at the first limit that is passed."""
    _limit(memory, seconds)
    file = pq.ParquetFile(pa.BufferReader(sys.stdin.buffer.read()))
    _require("columns", len(file.schema_arrow), columns)
    _require("rows", file.metadata.num_rows, rows)
    schema = pa.schema([(field.name, pa.string()) for field in file.schema_arrow])
    seen_bytes = seen_rows = 0
    with pa.ipc.new_stream(sys.stdout.buffer, schema) as stream:
        for batch in file.iter_batches(batch_size=BATCH_ROWS):
            texts = [as_text(field, cells) for field, cells in zip(batch.schema, batch.columns, strict=True)]
            seen_rows, seen_bytes = seen_rows + batch.num_rows, seen_bytes + sum(text.nbytes for text in texts)
            _require("rows", seen_rows, rows)
            _require("bytes of cells", seen_bytes, decoded)
            stream.write_batch(pa.record_batch(texts, schema=schema))


def as_text(field: pa.Field, cells: pa.Array) -> pa.Array:
    """The cells as canonical text, "" where there is no value (NULL and NaN); refuses nested and binary columns."""
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return as_text(field, cells.dictionary_decode())
    if pa.types.is_floating(kind):
        cells = pc.if_else(pc.is_nan(cells), None, cells)
    elif pa.types.is_timestamp(kind):
        return pc.fill_null(pc.replace_substring_regex(cells.cast(pa.string()), r" 00:00:00(\.0+)?$", ""), "")
    elif pa.types.is_boolean(kind):
        return pc.fill_null(pc.if_else(cells, "true", "false"), "")
    elif not any(fits(kind) for fits in _SCALARS):
        refuse(f"Column {field.name!r} holds {kind}, which is not read; only single values are.")
    return pc.fill_null(cells.cast(pa.string()), "")


def refuse(sentence: str) -> None:
    """Tell the parent why, and end."""
    sys.stderr.write(f"REFUSED {sentence}")
    sys.exit(1)


def _require(what: str, value: int, limit: int) -> None:
    if value > limit:
        refuse(f"The Parquet file has at least {value:,} {what}; at most {limit:,} are read.")


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
