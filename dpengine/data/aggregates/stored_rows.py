"""The typed rows of a schema as expressions see them, whatever the engine that keeps them.

Columns are stored by position, so that a hostile name reaches no engine. `person` stands beside them and, where one
may have several rows, `place`: a row's number in the repeatable random order of its person's rows, from 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, singledispatch

import ibis

from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.declared.schema import MOST_ROWS, PrivacyUnit, Schema

TABLE_NAME = "stored_rows"


def _stored(table: ibis.Table, schema: Schema, name: str) -> ibis.Value:
    return table[position(schema, name)]


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Rows with their schema: a table expression whose columns are found by declared name.

    `reading` is how a column's value is found, NULL where it is missing; where rows are not stored but read anew by
    each question, it reads only what the question names.
    """

    table: ibis.Table
    schema: Schema
    reading: Callable[[ibis.Table, Schema, str], ibis.Value] = _stored

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, schema: Schema, *, name: str = TABLE_NAME, person: str = "string") -> StoredRows:
        """Every row of a table with this schema that is stored under a name; not yet bound to an engine.

        One object for each schema, so that what was asked of it is found again: ibis compares by identity.
        """
        columns = {position(schema, column.name): stored_kind(column) for column in schema.queryable}
        return cls(ibis.table(columns | {"person": person, "place": "int64"}, name=name), schema)

    def among(self, chosen: ibis.expr.types.BooleanValue) -> StoredRows:
        """The rows for which a condition on the table's columns is true."""
        return replace(self, table=self.table.filter(chosen))

    @property
    def unbounded(self) -> StoredRows:
        """The same rows, of which all count."""
        unit = PrivacyUnit(identifier=self.schema.unit.identifier, rows=1 if self.schema.one_row_each else MOST_ROWS)
        return replace(self, schema=replace(self.schema, unit=unit))

    @property
    def counted(self) -> StoredRows:
        """The rows that the bound per person keeps."""
        if self.schema.one_row_each:
            return self
        return self.among(self.table.place < self.schema.unit.rows)

    def __getitem__(self, name: str) -> ibis.Value:
        return self.reading(self.table, self.schema, name)


def position(schema: Schema, name: str) -> str:
    """The stored name of a declared column.

    >>> position(Schema(name="t", columns=(TextColumn(name="id"), TextColumn(name="note"))), "note")
    'value_1'
    """
    return f"value_{schema.columns.index(schema.column(name))}"


@singledispatch
def stored_kind(column: Column) -> str:
    """The engine's type for a column."""
    raise TypeError(column)


stored_kind.register(NumberColumn, lambda _: "float64")
stored_kind.register(CategoryColumn, lambda _: "string")
stored_kind.register(TextColumn, lambda _: "string")
stored_kind.register(BooleanColumn, lambda _: "boolean")
stored_kind.register(DateColumn, lambda _: "date")
