"""From cells of text to typed, bounded rows in an engine, with a report and a digest of the content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import ibis
import pyarrow as pa

from dpengine.data.casts import cast, rule
from dpengine.data.columns import Column, TextColumn
from dpengine.data.contents import chosen, content_digest
from dpengine.data.duckdb_engine import DuckDBEngine
from dpengine.data.intake_report import ColumnReport, IntakeReport
from dpengine.data.schema import Schema
from dpengine.data.stored_rows import TABLE_NAME, position, queryable
from dpengine.errors import IntakeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A file as read: column names in the file's order, and Arrow columns of text in which "" is a missing cell."""

    names: tuple[str, ...]
    table: pa.Table

    def renamed(self) -> pa.Table:
        """The cells under names that no file can choose."""
        return self.table.rename_columns([f"cell_{i}" for i in range(len(self.names))])


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What loading leaves behind beside the rows in the engine."""

    content: bytes
    report: IntakeReport


def load_cells(cells: Cells, *, schema: Schema, engine: DuckDBEngine, salt: str) -> Loaded:
    """Cast, bound and store the rows; raises IntakeError where a declared column is missing."""
    require_columns(cells.names, schema)
    arriving = ibis.table({f"cell_{i}": "string" for i in range(len(cells.names))}, name="arriving_cells")
    texts = {name: arriving[f"cell_{i}"].strip() for i, name in enumerate(cells.names)}
    engine.load("arriving_cells", cells.renamed())
    engine.keep("staged_rows", _staged(arriving, texts, cells.names, schema))
    staged = _table_like(_staged(arriving, texts, cells.names, schema), "staged_rows")
    content = _content(cells.names, engine.arrow(staged.select("digest").order_by("digest")))
    stored = chosen(staged, schema.unit, salt)
    engine.keep(TABLE_NAME, stored)
    counts = _counts(engine, _blanks(arriving, texts, schema))
    values = _counts(engine, _values(staged, schema))
    kept = _counts(engine, _kept(_table_like(stored, TABLE_NAME)))
    engine.drop("arriving_cells")
    engine.drop("staged_rows")
    return Loaded(content=content, report=_report(cells.names, schema, counts, values, kept))


def require_columns(names: tuple[str, ...], schema: Schema) -> None:
    """Refuse a file that lacks a declared column, listing what it has."""
    lacking = [column.name for column in schema.columns if column.name not in names]
    if lacking:
        raise IntakeError(
            f"The file has no column {', '.join(map(repr, lacking))}; it has {', '.join(map(repr, names))}."
        )


def _staged(
    arriving: ibis.Table, texts: Mapping[str, ibis.Value], names: tuple[str, ...], schema: Schema
) -> ibis.Table:
    values = {position(schema, column.name): cast(column, texts[column.name]) for column in queryable(schema)}
    order = sorted(range(len(names)), key=lambda i: names[i])
    digest = content_digest([arriving[f"cell_{i}"] for i in order])
    identifier = schema.unit.identifier
    person = ibis.literal(None, type="string") if identifier is None else texts[identifier].nullif("")
    return arriving.select(**values, person=person, digest=digest)


def _table_like(expression: ibis.Table, name: str) -> ibis.Table:
    return ibis.table(expression.schema(), name=name)


def _content(names: tuple[str, ...], digests: pa.Table) -> bytes:
    """A digest of names and rows that depends on the order of neither."""
    total = hashlib.sha256("".join(f"{len(name)}:{name}" for name in sorted(names)).encode())
    for chunk in digests.column("digest").chunks:
        total.update("".join(chunk.to_pylist()).encode())
    return total.digest()


def _blanks(arriving: ibis.Table, texts: Mapping[str, ibis.Value], schema: Schema) -> ibis.Table:
    counted = {f"blank_{i}": (texts[column.name] == "").sum() for i, column in enumerate(schema.columns)}
    return arriving.aggregate(rows=arriving.count(), **counted)


def _values(staged: ibis.Table, schema: Schema) -> ibis.Table:
    counted = {name: staged[name].count() for name in (position(schema, column.name) for column in queryable(schema))}
    return staged.aggregate(people=staged.person.count(), **counted)


def _kept(stored: ibis.Table) -> ibis.Table:
    return stored.aggregate(rows=stored.count(), kept=stored.kept.sum())


def _counts(engine: DuckDBEngine, expression: ibis.Table) -> dict[str, int]:
    (row,) = engine.integers(expression)
    return dict(zip(expression.columns, row, strict=True))


def _report(
    names: tuple[str, ...], schema: Schema, blanks: dict[str, int], values: dict[str, int], kept: dict[str, int]
) -> IntakeReport:
    def of_column(i: int, column: Column) -> ColumnReport:
        missing = blanks[f"blank_{i}"]
        fitting = blanks["rows"] - missing if isinstance(column, TextColumn) else values[position(schema, column.name)]
        return ColumnReport(
            name=column.name, missing=missing, misfits=blanks["rows"] - missing - fitting, rule=rule(column)
        )

    declared = {column.name for column in schema.columns}
    return IntakeReport(
        rows_read=blanks["rows"],
        rows_without_identifier=blanks["rows"] - kept["rows"],
        rows_beyond_limit=kept["rows"] - kept["kept"],
        columns=tuple(of_column(i, column) for i, column in enumerate(schema.columns)),
        undeclared=tuple(name for name in names if name not in declared),
    )
