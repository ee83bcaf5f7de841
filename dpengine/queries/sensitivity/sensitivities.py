"""How far one person moves each aggregate, under both neighbor relations, and the sentence why.

Here in whole grid steps of a declared table, where one person has at most `rows` rows; the other rows of the table of
sensitivities stand in the three files beside this one, and are listed here. Source: Dwork and Roth 2014, section 3.3,
extended to several rows a person; bounds are the rounded ones (Casacuberta, Shoemate, Vadhan, Wagaman 2022).
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from dpengine.data import FixedPointSum, NumberColumn, Schema
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.sensitivity.group_sensitivities import Contribution, of_grouped_counts, of_grouped_sums
from dpengine.queries.sensitivity.score_sensitivities import (
    ScoreSensitivity,
    of_largest_count_of_people,
    of_mode,
    of_quantile_value,
    of_rank_score,
)
from dpengine.queries.sensitivity.sentences import root_up, shown, under
from dpengine.queries.sensitivity.statistic_sensitivities import (
    of_mean,
    of_proportion,
    of_proportions,
    of_statistics,
    of_variance,
    of_variance_parts,
)

__all__ = [
    "Contribution",
    "ScoreSensitivity",
    "of_counts",
    "of_grouped_counts",
    "of_grouped_sums",
    "of_largest_count_of_people",
    "of_mean",
    "of_mode",
    "of_people_count",
    "of_proportion",
    "of_proportions",
    "of_quantile_value",
    "of_rank_score",
    "of_row_count",
    "of_signed_count",
    "of_signed_counts",
    "of_statistics",
    "of_sum",
    "of_variance",
    "of_variance_parts",
]


def of_row_count(schema: Schema, neighbors: Neighbors) -> Sensitivity:
    """A count of rows moves by all rows of one person, under either relation."""
    rows = schema.unit.rows
    because = f"{_rows_of_one_person(schema)}, so one person can change the count by at most {rows}."
    return Sensitivity.of_number(rows, under(neighbors, because))


def of_people_count(neighbors: Neighbors) -> Sensitivity:
    """A count of people moves by 1, however many rows they have."""
    because = "Everybody counts once, so one person can change the count by at most 1."
    return Sensitivity.of_number(1, under(neighbors, because))


def of_signed_count(schema: Schema, neighbors: Neighbors) -> Sensitivity:
    """Rows counted +1 or -1: one that comes or goes moves it by 1, one that turns by 2."""
    rows = schema.unit.rows
    if neighbors is Neighbors.ADD_REMOVE:
        because = f"{_rows_of_one_person(schema)}, each counted as half a point up or down: at most {rows / 2:g}."
        return Sensitivity.of_number(rows, under(neighbors, because))
    because = (
        f"{_rows_of_one_person(schema)}; replacing one can turn half a point down into half a point up: at most {rows}."
    )
    return Sensitivity.of_number(2 * rows, under(neighbors, because))


def of_signed_counts(schema: Schema, neighbors: Neighbors, *, conditions: int) -> Sensitivity:
    """The same for so many conditions on the same rows at once, where a row may turn in all; said in halves."""
    each = of_signed_count(schema, neighbors).linf
    on_grid, said = (
        of_statistics(each=moved, statistics=conditions, neighbors=neighbors) for moved in (each, each / 2)
    )
    return replace(on_grid, because=said.because)


def of_sum(aggregate: FixedPointSum, column: NumberColumn, schema: Schema, neighbors: Neighbors) -> Sensitivity:
    """A clamped sum moves by the largest value that one row may add, or by the span that a replaced row may cross.

    A replaced row may also leave the selection, so the span always reaches 0 (it does by itself in a centered sum).
    """
    lowest, highest = aggregate.lower - aggregate.center, aggregate.upper - aggregate.center
    if neighbors is Neighbors.ADD_REMOVE:
        per_row, why = max(abs(lowest), abs(highest)), " adds at most"
    else:
        per_row, why = max(highest, 0) - min(lowest, 0), ", if replaced, can change the sum by at most"
    step = math.ldexp(1.0, -aggregate.fraction_bits)
    unit = f" {column.unit}" if column.unit else ""
    because = f"{_rows_of_one_person(schema)}; each{why} {shown(per_row * step)}{unit}"
    because += " to the sum." if neighbors is Neighbors.ADD_REMOVE else "."
    if aggregate.center:
        because += f" (Values are counted from the middle of their range, {shown(aggregate.center * step)}{unit}.)"
    return Sensitivity.of_number(schema.unit.rows * per_row, under(neighbors, because))


def of_counts(schema: Schema, neighbors: Neighbors) -> Sensitivity:
    """Counts in disjoint cells, all at once; every row of one person may fall into the same cell."""
    rows = schema.unit.rows
    if neighbors is Neighbors.ADD_REMOVE:
        because = (
            f"{_rows_of_one_person(schema)}, and a row adds to one count only: one person can change all counts "
            f"together by at most {rows}."
        )
        return Sensitivity(l1=rows, l2=rows, linf=rows, because=under(neighbors, because))
    because = (
        f"{_rows_of_one_person(schema)}; if that person is replaced, one count may fall and another rise for each row: "
        f"all counts together change by at most {2 * rows}."
    )
    return Sensitivity(l1=2 * rows, l2=root_up(Fraction(2 * rows**2)), linf=rows, because=under(neighbors, because))


def _rows_of_one_person(schema: Schema) -> str:
    if schema.one_row_each:
        return "One person has one row"
    return f"Each person counts with at most {schema.unit.rows} row{'s' if schema.unit.rows > 1 else ''}"
