"""Numbers beyond their declared bounds, which count as the bound: how many there are."""

from __future__ import annotations

from collections.abc import Mapping

import ibis

from dpengine.data.aggregates.predicates import literal
from dpengine.data.aggregates.stored_rows import position
from dpengine.data.declared.columns import Column, NumberColumn
from dpengine.data.declared.schema import Schema


def counts_beyond(staged: ibis.Table, schema: Schema) -> dict[str, ibis.Value]:
    """The number of values beyond the bounds, for each declared number; no missing value is beyond anything."""
    return {
        _name(schema, column.name): lies_beyond(staged[position(schema, column.name)], column).ifelse(1, None).count()
        for column in schema.columns
        if isinstance(column, NumberColumn)
    }


def beyond(counted: Mapping[str, int], schema: Schema, name: str) -> int:
    """What was counted for a column; 0 for one without bounds."""
    return counted.get(_name(schema, name), 0)


def lies_beyond(value: ibis.Value, column: Column) -> ibis.expr.types.BooleanValue:
    """Whether a value lies beyond the bounds, which only a number has; of a missing one neither is said."""
    if not isinstance(column, NumberColumn):
        return ibis.literal(value=False)
    return (value < literal(column.lower)) | (value > literal(column.upper))


def _name(schema: Schema, name: str) -> str:
    return f"beyond_{position(schema, name)}"
