"""From cells of text to typed, bounded rows in an engine, with a report and a digest of the content."""

from __future__ import annotations

from dataclasses import replace

import ibis

from dpengine.data.aggregates.stored_rows import TABLE_NAME, StoredRows, position
from dpengine.data.declared.columns import Column
from dpengine.data.declared.schema import Schema
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.engines.engine import Opened
from dpengine.data.engines.intake_report import ColumnReport, IntakeReport
from dpengine.data.engines.stopping import stoppable
from dpengine.data.files.cells import HEADER_MISSING, Cells, place
from dpengine.data.files.reading import UNWATCHED, ReadingWatch
from dpengine.data.typed.beyond_bounds import beyond, counts_beyond
from dpengine.data.typed.casts import cast, rule
from dpengine.data.typed.contents import placed, row_digest, table_digest
from dpengine.data.typed.misfits import example_misfits
from dpengine.data.typed.native_casts import no_identifier
from dpengine.errors import IntakeError

PARSED = 0.4
"""The share of reading a table after which its cells are there and are cast and stored."""
_STAGE = "staged_rows"
_ROUNDED = r"^-?\d+([.,]\d+)?[eE]\+\d{2,}$|^-?\d+[.,]\d+[eE]\d{2,}$|^-?\d{16,}\.0+$|^-?\d+\.\d{12,}$"


def opened_cells(cells: Cells, *, schema: Schema, salt: str, reading: ReadingWatch = UNWATCHED) -> Opened:
    """The rows in an embedded engine of their own.

    Raises IntakeError where a declared column is missing or what names the person may be rounded, or because somebody
    stopped it.
    """
    require_columns(cells.names, schema, hint=HEADER_MISSING)
    _require_exact(schema.unit.identifier, cells)
    engine = DuckDBEngine()
    try:
        with stoppable(engine.interrupt, reading):
            return _load(cells, schema, engine, salt, reading)
    except BaseException:
        engine.close()
        raise


def _load(cells: Cells, schema: Schema, engine: DuckDBEngine, salt: str, reading: ReadingWatch) -> Opened:
    """Cast, order and store the rows."""
    reading.tell(PARSED, "Casting the cells")
    arriving = ibis.table({place(i): "string" for i in range(len(cells.names))}, name="arriving_cells")
    expression = _staged(arriving, cells, schema)
    engine.keep(_STAGE, expression, arriving_cells=cells.arrow())
    staged = ibis.table(expression.schema(), name=_STAGE)
    _require_names(staged, engine, schema.unit.identifier)
    reading.tell(0.8, "Storing the rows")
    digests = engine.arrow(staged.select("digest").order_by("digest")).column("digest")
    stored = placed(staged, schema.unit, salt)
    engine.keep(TABLE_NAME, stored)
    reading.tell(0.9, "Counting what does not fit")
    report = _report(cells, schema, _fitting(engine, staged, schema), _counting(engine, stored, schema))
    engine.drop(_STAGE)
    report = _with_examples(report, cells, schema, engine)
    return Opened(
        engine=engine,
        rows=(StoredRows.of(schema),),
        identity=table_digest(cells.names, digests),
        report=lambda: report,
    )


def require_columns(names: tuple[str, ...], schema: Schema, *, hint: str = "") -> None:
    """Refuse a file that lacks a declared column, listing what it has, with a hint where it has none of them."""
    lacking = [column.name for column in schema.columns if column.name not in names]
    if lacking:
        hint = hint if len(lacking) == len(schema.columns) else ""
        raise IntakeError(f"The file has no column {_listing(lacking)}; it has {_listing(names)}.{hint}")


def _require_exact(identifier: str | None, cells: Cells) -> None:
    """Refuse numbers that may have been rounded as names of people: several would be one, for whom one row suffices."""
    kinds = dict(zip(cells.names, cells.stored, strict=False))
    if identifier is not None and kinds.get(identifier) == "number":
        raise no_identifier(identifier, "numbers with fractions")


def _require_names(staged: ibis.Table, engine: DuckDBEngine, identifier: str | None) -> None:
    """Refuse numbers that a program has rounded, such as 1.23457E+16, as names of people: several have the same."""
    rounded = ibis.ifelse(staged.person.re_search(_ROUNDED), 1, None).count()
    if identifier is not None and engine.integers(staged.aggregate(rounded=rounded))[0]["rounded"]:
        raise no_identifier(identifier, "numbers that were rounded, such as 1.23457E+16")


def _staged(arriving: ibis.Table, cells: Cells, schema: Schema) -> ibis.Table:
    """Typed values, the person, and the digest of each row; the digest does not depend on the order of the columns."""
    texts = {name: arriving[place(i)] for i, name in enumerate(cells.names)}
    values = {
        position(schema, column.name): cast(column, texts[column.name].nullif(""), cells.notation)
        for column in schema.queryable
    }
    identifier = schema.unit.identifier
    person = ibis.literal(None, type="string") if identifier is None else texts[identifier].nullif("")
    return arriving.select(**values, person=person, digest=row_digest([texts[name] for name in sorted(cells.names)]))


def _fitting(engine: DuckDBEngine, staged: ibis.Table, schema: Schema) -> dict[str, int]:
    """How many values are there, by stored name, and how many of them lie beyond their bounds."""
    there = {name: staged[name].count() for name in staged.columns}
    return engine.integers(staged.aggregate(**there, **counts_beyond(staged, schema)))[0]


def _counting(engine: DuckDBEngine, stored: ibis.Table, schema: Schema) -> dict[str, int]:
    rows = ibis.table(stored.schema(), name=TABLE_NAME)
    kept = ibis.ifelse(rows.place < schema.unit.rows, 1, None).count()
    return engine.integers(rows.aggregate(owned=rows.count(), kept=kept))[0]


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
    misfits = written - fitting.get(position(schema, column.name), written)
    return ColumnReport(
        name=column.name,
        missing=missing,
        misfits=misfits,
        beyond=beyond(fitting, schema, column.name),
        rule=rule(column, cells.notation),
    )


def _with_examples(report: IntakeReport, cells: Cells, schema: Schema, engine: DuckDBEngine) -> IntakeReport:
    """The report with a cell that does not fit, of each column that has any."""
    lost = [schema.column(one.name) for one in report.columns if one.misfits]
    examples = example_misfits(cells, lost, engine)
    return replace(report, columns=tuple(replace(one, example=examples.get(one.name, "")) for one in report.columns))


def _listing(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(repr(name) for name in names)
