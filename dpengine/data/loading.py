"""From cells of text to typed, bounded rows in an engine, with a report and a digest of the content."""

from __future__ import annotations

from dataclasses import dataclass

import ibis

from dpengine.data.casts import cast, rule
from dpengine.data.cells import Cells, place
from dpengine.data.columns import Column, TextColumn
from dpengine.data.contents import chosen, row_digest, table_digest
from dpengine.data.duckdb_engine import DuckDBEngine
from dpengine.data.intake_report import ColumnReport, IntakeReport
from dpengine.data.schema import Schema
from dpengine.data.stored_rows import TABLE_NAME, position, queryable
from dpengine.errors import IntakeError

_STAGE = "staged_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What loading leaves behind beside the rows in the engine."""

    content: bytes
    report: IntakeReport


def load_cells(cells: Cells, *, schema: Schema, engine: DuckDBEngine, salt: str) -> Loaded:
    """Cast, bound and store the rows; raises IntakeError where a declared column is missing."""
    require_columns(cells.names, schema)
    arriving = ibis.table({place(i): "string" for i in range(len(cells.names))}, name="arriving_cells")
    expression = _staged(arriving, cells.names, schema)
    engine.keep(_STAGE, expression, arriving_cells=cells.arrow())
    staged = ibis.table(expression.schema(), name=_STAGE)
    digests = engine.arrow(staged.select("digest").order_by("digest")).column("digest")
    stored = chosen(staged, schema.unit, salt)
    engine.keep(TABLE_NAME, stored)
    report = _report(cells, schema, _fitting(engine, staged), _counting(engine, stored))
    engine.drop(_STAGE)
    return Loaded(content=table_digest(cells.names, digests), report=report)


def require_columns(names: tuple[str, ...], schema: Schema) -> None:
    """Refuse a file that lacks a declared column, listing what it has."""
    lacking = [column.name for column in schema.columns if column.name not in names]
    if lacking:
        raise IntakeError(f"The file has no column {_listing(lacking)}; it has {_listing(names)}.")


def _staged(arriving: ibis.Table, names: tuple[str, ...], schema: Schema) -> ibis.Table:
    """Typed values, the person, and the digest of each row; the digest does not depend on the order of the columns."""
    texts = {name: arriving[place(i)] for i, name in enumerate(names)}
    values = {
        position(schema, column.name): cast(column, texts[column.name].nullif("")) for column in queryable(schema)
    }
    identifier = schema.unit.identifier
    person = ibis.literal(None, type="string") if identifier is None else texts[identifier].nullif("")
    return arriving.select(**values, person=person, digest=row_digest([texts[name] for name in sorted(names)]))


def _fitting(engine: DuckDBEngine, staged: ibis.Table) -> dict[str, int]:
    """How many values are there, by stored name."""
    return engine.integers(staged.aggregate(**{name: staged[name].count() for name in staged.columns}))[0]


def _counting(engine: DuckDBEngine, stored: ibis.Table) -> dict[str, int]:
    rows = ibis.table(stored.schema(), name=TABLE_NAME)
    return engine.integers(rows.aggregate(owned=rows.count(), kept=ibis.ifelse(rows.kept, 1, None).count()))[0]


def _report(cells: Cells, schema: Schema, fitting: dict[str, int], counting: dict[str, int]) -> IntakeReport:
    declared = {column.name for column in schema.columns}
    return IntakeReport(
        rows_read=cells.rows,
        rows_without_identifier=cells.rows - counting["owned"],
        rows_beyond_limit=counting["owned"] - counting["kept"],
        columns=tuple(_column_report(column, cells, schema, fitting) for column in schema.columns),
        undeclared=tuple(name for name in cells.names if name not in declared),
    )


def _column_report(column: Column, cells: Cells, schema: Schema, fitting: dict[str, int]) -> ColumnReport:
    missing = cells.blanks(column.name)
    written = cells.rows - missing
    misfits = 0 if isinstance(column, TextColumn) else written - fitting[position(schema, column.name)]
    return ColumnReport(name=column.name, missing=missing, misfits=misfits, rule=rule(column))


def _listing(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(repr(name) for name in names)
