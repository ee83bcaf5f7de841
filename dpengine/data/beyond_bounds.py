"""Numbers beyond their declared bounds, which count as the bound: how many there are."""

from __future__ import annotations

from collections.abc import Mapping

import ibis

from dpengine.data.columns import NumberColumn
from dpengine.data.predicates import literal
from dpengine.data.schema import Schema
from dpengine.data.stored_rows import position


def counts_beyond(staged: ibis.Table, schema: Schema) -> dict[str, ibis.Value]:
    """The number of values beyond the bounds, for each declared number; no missing value is beyond anything."""
    return {
        _name(schema, column.name): _beyond(staged[position(schema, column.name)], column)
        for column in schema.columns
        if isinstance(column, NumberColumn)
    }


def beyond(counted: Mapping[str, int], schema: Schema, name: str) -> int:
    """What was counted for a column; 0 for one without bounds."""
    return counted.get(_name(schema, name), 0)


def _beyond(value: ibis.Value, column: NumberColumn) -> ibis.Value:
    return ((value < literal(column.lower)) | (value > literal(column.upper))).ifelse(1, None).count()


def _name(schema: Schema, name: str) -> str:
    return f"beyond_{position(schema, name)}"
