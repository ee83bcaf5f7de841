"""The typed rows of a schema as expressions see them, whatever the engine that keeps them.

Columns are stored by position, so that a hostile name reaches no engine; `person` and `kept` stand beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import ibis

from dpengine.data.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.schema import Schema

TABLE_NAME = "stored_rows"


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Rows with their schema: a table expression whose columns are found by declared name."""

    table: ibis.Table
    schema: Schema

    @classmethod
    def of(cls, schema: Schema) -> StoredRows:
        """Every stored row of a table with this schema; not yet bound to an engine."""
        columns = {position(schema, column.name): stored_kind(column) for column in queryable(schema)}
        return cls(ibis.table(columns | {"person": "string", "kept": "boolean"}, name=TABLE_NAME), schema)

    def __getitem__(self, name: str) -> ibis.Value:
        return self.table[position(self.schema, name)]


def position(schema: Schema, name: str) -> str:
    """The stored name of a declared column.

    >>> position(Schema(name="t", columns=(TextColumn(name="id"), TextColumn(name="note"))), "note")
    'value_1'
    """
    return f"value_{schema.columns.index(schema.column(name))}"


def queryable(schema: Schema) -> tuple[Column, ...]:
    """The columns that a question may name; text is not stored at all."""
    return tuple(column for column in schema.columns if not isinstance(column, TextColumn))


@singledispatch
def stored_kind(column: Column) -> str:
    """The engine's type for a column."""
    raise TypeError(column)


stored_kind.register(NumberColumn, lambda _: "float64")
stored_kind.register(CategoryColumn, lambda _: "string")
stored_kind.register(BooleanColumn, lambda _: "boolean")
stored_kind.register(DateColumn, lambda _: "date")
