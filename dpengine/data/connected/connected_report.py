"""What happened to the cells of a table that stays where it is: counted when somebody asks, not before."""

from __future__ import annotations

from collections.abc import Mapping

import ibis

from dpengine.data.aggregates.stored_rows import StoredRows, position
from dpengine.data.connected.connected_rows import connected_rows, staged_rows
from dpengine.data.declared.columns import Column
from dpengine.data.declared.schema import Schema
from dpengine.data.engines.engine import Engine
from dpengine.data.engines.intake_report import ColumnReport, IntakeReport
from dpengine.data.typed.beyond_bounds import beyond, counts_beyond
from dpengine.data.typed.casts import rule
from dpengine.data.typed.native_casts import canonical_text


def connected_report(
    engine: Engine, source: ibis.Table, schema: Schema, stored: tuple[StoredRows, ...] = ()
) -> IntakeReport:
    """Exact counts of missing and unfitting cells and of rows beyond the bound; two scans.

    Where people's rows are `stored` in their order already, that order is not worked out again.
    """
    written = source.select(**{_written(i): _text(source, column) for i, column in enumerate(schema.columns)})
    present = engine.integers(written.aggregate(rows=written.count(), **_counts(written)))[0]
    staged = staged_rows(source, schema).drop("digest")
    fitting = engine.integers(staged.aggregate(**_counts(staged), **counts_beyond(staged, schema)))[0]
    owned = present["rows"] if schema.one_row_each else fitting["person"]
    counted = sum(_kept(engine, rows) for rows in stored or (connected_rows(source, schema, ""),))
    return IntakeReport(
        rows_read=present["rows"],
        rows_without_identifier=present["rows"] - owned,
        rows_beyond_limit=owned - counted,
        columns=tuple(
            _column_report(column, present["rows"], present[_written(i)], fitting, schema)
            for i, column in enumerate(schema.columns)
        ),
        undeclared=tuple(name for name in source.columns if name not in {column.name for column in schema.columns}),
    )


def _kept(engine: Engine, rows: StoredRows) -> int:
    (kept,) = engine.integers(rows.counted.table.count().as_table())[0].values()
    return kept


def _column_report(column: Column, rows: int, written: int, fitting: Mapping[str, int], schema: Schema) -> ColumnReport:
    return ColumnReport(
        name=column.name,
        missing=rows - written,
        misfits=written - fitting.get(position(schema, column.name), written),
        beyond=beyond(fitting, schema, column.name),
        rule=rule(column),
    )


def _written(index: int) -> str:
    return f"written_{index}"


def _text(source: ibis.Table, column: Column) -> ibis.Value:
    """What stands in a cell; a column of a kind without text can only be declared as text, and counts as it is."""
    value = source[column.name]
    text = canonical_text(value)
    return value.notnull().ifelse("", None) if text is None else text


def _counts(table: ibis.Table) -> dict[str, ibis.Value]:
    return {name: table[name].count() for name in table.columns}
