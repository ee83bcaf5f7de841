"""Tables that differ in one person, where leaks show: nobody, one row, all at a bound, cells that fit nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

import pyarrow as pa

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
)
from dpengine.data.files.cells import Cells
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)

COLUMNS = (
    TextColumn(name="person"),
    NumberColumn(name="age", lower=0, upper=100),
    BooleanColumn(name="ill"),
    CategoryColumn(name="kind", categories=("a", "b", "c")),
    NumberColumn(name="size", lower=-1, upper=1, complete=True),
    DateColumn(name="day", earliest=date(2026, 1, 1), latest=date(2026, 2, 28)),
)
ONE_ROW, CAPPED = PrivacyUnit(), PrivacyUnit(identifier="person", rows=2)
GROUP_CAPPED = PrivacyUnit(identifier="person", rows=3, groups=1, rows_per_group=2)
HIGH, LOW, MIDDLE = "100,yes,a,1,2026-01-05", "0,no,c,-1,2026-02-05", "50,no,b,0,2026-02-05"
HIGH_ELSEWHERE = "100,no,b,1,2026-02-05"
YOUNG = "20,no,b,0,2026-02-05"
MISSING, NOT_A_NUMBER = ",,,,", "NaN,nan,NaN,nan,NaT"
BEYOND, FAR_BELOW = "1e300,yes,a,1e300,2026-01-05", "-1e300,no,c,-1e300,2026-02-05"
INFINITE, UNLISTED = "inf,yes,a,-inf,2026-01-05", "50,perhaps,zebra,0,1815-12-10"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The rows that both tables have, those of the one person who differs, and rows of nobody beside the first."""

    shared: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    there: tuple[str, ...] = ()
    nameless: tuple[str, ...] = ()
    unit: PrivacyUnit = ONE_ROW

    def tables(self, neighbors: Neighbors) -> tuple[Table, Table]:
        """Both tables; their number of people is public where one person is replaced."""
        people = len(self.shared) + 1 if neighbors is Neighbors.REPLACE_ONE else None
        shared = tuple(f"shared {number},{row}" for number, row in enumerate(self.shared))
        here, there = (tuple(f"differs,{row}" for row in rows) for rows in (self.here, self.there))
        nameless = tuple(f",{row}" for row in self.nameless)
        return table(shared + here + nameless, self.unit, people), table(shared + there, self.unit, people)


class Written(Cells):
    """Cells that may be no rows at all: a file may not be empty, but a table in a database may."""

    def blanks(self, name: str) -> int:
        return self.columns[self.names.index(name)].to_pylist().count("")


ROWS: dict[int, tuple[str, ...]] = {}
"""What was written into each table, by its identity: for faults that work past it."""


@cache
def table(rows: tuple[str, ...], unit: PrivacyUnit, people: int | None) -> Table:
    """The rows as a file would be read, once for all pairs that have them."""
    schema = Schema(name="people", columns=COLUMNS, unit=unit, people=people)
    names = tuple(column.name for column in COLUMNS)
    columns = list(zip(*(row.split(",") for row in rows), strict=True)) or [()] * len(names)
    cells = Written(names, tuple(pa.chunked_array([pa.array(column, pa.string())]) for column in columns))
    made = Table.of_cells(cells, schema=schema, salt="the same rows of a person on both sides")
    ROWS[id(made)] = rows
    return made


ADDED: Mapping[str, Pair] = {
    "nobody and one": Pair(here=(HIGH,)),
    "one and two": Pair(shared=(LOW,), here=(HIGH,)),
    "all at the upper bound": Pair(shared=(HIGH,) * 4, here=(HIGH,)),
    "all at the lower bound": Pair(shared=(LOW,) * 4, here=(LOW,)),
    "a crowd in the middle": Pair(shared=(MIDDLE,) * 3 + (LOW,), here=(LOW,)),
    "one at the end of a crowd": Pair(shared=(MIDDLE,) * 3, here=(LOW,)),
    "nothing in any cell": Pair(shared=(HIGH,), here=(MISSING,)),
    "not a number": Pair(shared=(HIGH,), here=(NOT_A_NUMBER,)),
    "beyond the bounds": Pair(shared=(LOW,), here=(BEYOND,)),
    "infinite": Pair(here=(INFINITE,)),
    "unlisted": Pair(shared=(MIDDLE,), here=(UNLISTED,)),
    "more rows than count": Pair(shared=(LOW,), here=(HIGH,) * 5, unit=CAPPED),
    "rows in every group": Pair(here=(HIGH, HIGH, MIDDLE, LOW, LOW), unit=GROUP_CAPPED),
    "rows of nobody": Pair(shared=(LOW,), here=(HIGH,), nameless=(HIGH, HIGH), unit=CAPPED),
}
REPLACED: Mapping[str, Pair] = {
    "one row": Pair(here=(HIGH,), there=(LOW,)),
    "two rows": Pair(shared=(MIDDLE,), here=(HIGH,), there=(LOW,)),
    "one leaves the crowd": Pair(shared=(LOW,) * 4, here=(LOW,), there=(HIGH,)),
    "a crowd in the middle": Pair(shared=(MIDDLE,) * 3 + (LOW,) * 2, here=(HIGH,), there=(LOW,)),
    "one at the end of a crowd": Pair(shared=(MIDDLE,) * 3, here=(HIGH,), there=(LOW,)),
    "from group to group": Pair(here=(HIGH,), there=(HIGH_ELSEWHERE,)),
    "from bin to bin": Pair(here=(MIDDLE,), there=(YOUNG,)),
    "nothing in any cell": Pair(shared=(LOW,), here=(HIGH,), there=(MISSING,)),
    "not a number": Pair(shared=(HIGH,), here=(NOT_A_NUMBER,), there=(LOW,)),
    "beyond both bounds": Pair(shared=(MIDDLE,), here=(BEYOND,), there=(FAR_BELOW,)),
    "infinite": Pair(here=(INFINITE,), there=(LOW,)),
    "unlisted": Pair(shared=(MIDDLE,), here=(UNLISTED,), there=(LOW,)),
    "more rows than count": Pair(shared=(LOW,), here=(HIGH,) * 5, there=(LOW,) * 5, unit=CAPPED),
    "rows in every group": Pair(here=(HIGH,) * 4, there=(LOW, LOW, MIDDLE), unit=GROUP_CAPPED),
}
PAIRS: Mapping[Neighbors, Mapping[str, Pair]] = {Neighbors.ADD_REMOVE: ADDED, Neighbors.REPLACE_ONE: REPLACED}

SICK, OLD = Comparison("ill", "=", True), Comparison("age", ">=", 50)
ADDITIVE: Mapping[str, Query] = {
    "count": CountQuery(SICK),
    "people": CountPeopleQuery(SICK),
    "sum": SumQuery("age"),
    "sum of a complete column": SumQuery("size"),
    "mean": MeanQuery("age"),
    "mean of a complete column": MeanQuery("size"),
    "share": ProportionQuery(SICK),
    "variance": VarianceQuery("age"),
    "variance of a complete column": VarianceQuery("size"),
    "cells": HistogramQuery("kind"),
    "bins": HistogramQuery("age", (0, 50, 100)),
    "bins within": HistogramQuery("age", (10, 50, 90)),
    "months": HistogramQuery("day", period="month"),
    "groups": GroupedCountQuery("kind"),
    "sums of groups": GroupedSumQuery("age", "kind"),
    "means of groups": GroupedMeanQuery("age", "ill"),
    "shares of groups": GroupedProportionQuery(OLD, "kind"),
    "several counts": StatisticalQueries((SICK, OLD)),
    "several shares": SeveralProportionsQuery((SICK, OLD)),
}
CHOSEN: Mapping[str, Query] = {
    "median": QuantileQuery("age", 0.5, (0, 100)),
    "lower quartile": QuantileQuery("age", 0.25, (0, 100)),
    "mode": ModeQuery("kind"),
    "mode of two": ModeQuery("ill"),
}
GRIDS: Sequence[Query] = (QuantileQuery("age", 0.5), QuantileQuery("age", 0.25))
"""Choices among 51,201 steps."""
