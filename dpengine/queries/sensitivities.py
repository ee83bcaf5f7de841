"""How far one person moves each aggregate, under both neighbor relations, and the sentence why.

All in whole grid steps, where one person has at most `rows` rows. Source: Dwork and Roth 2014, section 3.3, extended to
several rows a person; bounds are the rounded ones (Casacuberta, Shoemate, Vadhan, Wagaman 2022).
"""

from __future__ import annotations

import math

from dpengine.data import FixedPointSum, NumberColumn, Schema
from dpengine.privacy import Neighbors, Sensitivity


def of_row_count(schema: Schema) -> Sensitivity:
    """A count of rows moves by all rows of one person, under either relation."""
    rows = schema.unit.rows
    return Sensitivity.of_number(
        rows, f"{_rows_of_one_person(schema)}, so one person changes the count by at most {rows}."
    )


def of_people_count() -> Sensitivity:
    """A count of people moves by 1, however many rows they have."""
    return Sensitivity.of_number(1, "Everybody counts once, so one person changes the count by at most 1.")


def of_signed_count(schema: Schema, neighbors: Neighbors) -> Sensitivity:
    """Rows counted +1 or -1: one that comes or goes moves it by 1, one that turns by 2."""
    rows = schema.unit.rows
    if neighbors is Neighbors.ADD_REMOVE:
        because = f"{_rows_of_one_person(schema)}, counted half a point up or down: {rows / 2:g} at most."
        return Sensitivity.of_number(rows, because)
    because = (
        f"{_rows_of_one_person(schema)}; replacing one can turn half a point down into half a point up: {rows} at most."
    )
    return Sensitivity.of_number(2 * rows, because)


def of_sum(aggregate: FixedPointSum, column: NumberColumn, schema: Schema, neighbors: Neighbors) -> Sensitivity:
    """A clamped sum moves by the largest value that one row may add, or by the span that a replaced row may cross.

    A replaced row may also leave the selection, so the span always reaches 0 (it does by itself in a centered sum).
    """
    lowest, highest = aggregate.lower - aggregate.center, aggregate.upper - aggregate.center
    if neighbors is Neighbors.ADD_REMOVE:
        per_row, why = max(abs(lowest), abs(highest)), " adds at most"
    else:
        per_row, why = max(highest, 0) - min(lowest, 0), ", if replaced, moves it by at most"
    step = math.ldexp(1.0, -aggregate.fraction_bits)
    unit = f" {column.unit}" if column.unit else ""
    because = f"{_rows_of_one_person(schema)}; each{why} {per_row * step:,.6g}{unit}"
    because += " to the sum." if neighbors is Neighbors.ADD_REMOVE else "."
    if aggregate.center:
        because += f" (Values are counted from the middle of their range, {aggregate.center * step:,.6g}{unit}.)"
    return Sensitivity.of_number(schema.unit.rows * per_row, because)


def of_counts(schema: Schema, neighbors: Neighbors) -> Sensitivity:
    """Counts in disjoint cells, all at once; every row of one person may fall into the same cell."""
    rows = schema.unit.rows
    if neighbors is Neighbors.ADD_REMOVE:
        because = f"{_rows_of_one_person(schema)}, each in one cell: one person changes the cells by {rows} in all."
        return Sensitivity(l1=rows, l2=rows, linf=rows, because=because)
    because = f"{_rows_of_one_person(schema)}; replacing one lowers a cell and raises another: {2 * rows} in all."
    return Sensitivity(l1=2 * rows, l2=math.sqrt(2) * rows, linf=rows, because=because)


def _rows_of_one_person(schema: Schema) -> str:
    if schema.one_row_each:
        return "One person has one row"
    return f"One person counts with at most {schema.unit.rows} row{'s' if schema.unit.rows > 1 else ''}"
