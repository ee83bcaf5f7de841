"""Small real tables that differ in one hard person: at a bound, beyond it, missing, unlisted, or with too many rows."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import date
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpengine.data import (
    Aggregate,
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
from dpengine.data.aggregates.aggregate_expressions import coordinates
from dpengine.privacy import Neighbors
from dpengine.queries import AnyPart
from tests.examples.tables import table_of_rows

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
WELL = Comparison("ill", "=", False)
COLUMNS = (
    TextColumn(name="person"),
    NumberColumn(name="score", lower=17.3, upper=99.6),
    NumberColumn(name="wealth", lower=-1.3e7, upper=3.1e6),
    NumberColumn(name="known", lower=0.05, upper=0.75, complete=True),
    BooleanColumn(name="ill"),
    CategoryColumn(name="color", categories=("red", "green")),
    DateColumn(name="day", earliest=date(2024, 1, 15), latest=date(2025, 3, 31)),
    TextColumn(name="alias"),
)
ALIASES = {"red": "Ann", "green": " ann ", "blue": "Ánn", "": ""}
"""What somebody of a color calls themselves: names that differ by a capital or an accent."""
UNITS = {
    "one row each": PrivacyUnit(),
    "at most 3 rows": PrivacyUnit(identifier="person", rows=3),
    "2 rows in each of 2 groups": PrivacyUnit(identifier="person", rows=4, groups=2, rows_per_group=2),
}

Row = tuple[str, str, str, str, str, str]
LOW, HIGH = ("17.3", "-13000000", "0.05"), ("99.6", "3100000", "0.75")
PERSONS: tuple[Row, ...] = (
    (*LOW, "no", "red", "2024-01-15"),
    (*HIGH, "no", "green", "2025-03-31"),
    ("-1e9", "-1e300", "-5", "no", "red", "2024-01-14"),
    ("1e9", "1e300", "5", "yes", "green", "2025-04-01"),
    (*HIGH, "yes", "red", "2024-02-29"),
    (*LOW, "yes", "green", "2024-12-31"),
    ("", "nan", "", "no", "", ""),
    ("", "", "x", "", "blue", "2024-02-30"),
    ("58", "0", "0.4", "no", "green", "2024-07-01"),
)
OTHERS: tuple[tuple[str, Row], ...] = (
    ("o1", (*LOW, "no", "red", "2024-01-15")),
    ("o2", ("58", "12", "0.3", "yes", "green", "2024-02-01")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Tables that differ in one person only; `absent` is the table without that person, None where nobody is left."""

    absent: Table | None
    present: tuple[Table, ...]

    def pairs(self, neighbors: Neighbors, *, may_be_absent: bool) -> list[tuple[Table, Table | None]]:
        """All neighbors; a person with an identifier may also be replaced by one without rows."""
        if neighbors is AR:
            return [(table, self.absent) for table in self.present]
        pairs: list[tuple[Table, Table | None]] = list(itertools.combinations(self.present, 2))
        return pairs + self.pairs(AR, may_be_absent=True) if may_be_absent else pairs


def schema_of(unit: PrivacyUnit) -> Schema:
    return Schema(name="people", columns=COLUMNS, unit=unit, people=3)


def table_of(rows: list[tuple[str, Row]], schema: Schema) -> Table:
    names = [column.name for column in COLUMNS]
    return table_of_rows(names, [(name, *row, ALIASES[row[4]]) for name, row in rows], schema=schema)


def several_rows() -> list[list[Row]]:
    """What one person may bring with an identifier: rows alike or not, in one group or many, or too many."""
    far_apart = [(("no", "red"), ("yes", "green")), (("no", "green"), ("yes", "red"))]
    return [
        *([row] * 5 for row in (PERSONS[0], PERSONS[1], PERSONS[3], PERSONS[6])),
        [PERSONS[0], PERSONS[1], PERSONS[4]],
        *([(*bound, *keys, "2024-05-05") for keys in two for _ in "ab"] for bound in (LOW, HIGH) for two in far_apart),
        list(PERSONS),
    ]


def family_of(others: tuple[tuple[str, Row], ...], schema: Schema) -> Family:
    """Beside others, and where a person may bring several rows, a few bring one: all nine do where nobody else is."""
    one_row = PERSONS[::4] if others else PERSONS
    several = [] if schema.one_row_each else several_rows()
    people = [*([row] for row in one_row), *several]
    tables = (table_of([*others, *(("p", row) for row in rows)], schema) for rows in people)
    return Family(absent=table_of(list(others), schema) if others else None, present=tuple(tables))


@cache
def families_of(unit: str) -> tuple[Family, ...]:
    """Made once, whatever the order of the tests; without others too where everybody has one row."""
    schema = schema_of(UNITS[unit])
    return tuple(family_of(others, schema) for others in ((), OTHERS)[0 if schema.one_row_each else 1 :])


def pairs_of(unit: str, neighbors: Neighbors) -> list[tuple[Table, Table | None]]:
    several = not schema_of(UNITS[unit]).one_row_each
    return [pair for one in families_of(unit) for pair in one.pairs(neighbors, may_be_absent=several)]


def moves_of(part: AnyPart, unit: str, neighbors: Neighbors) -> NDArray[np.int64]:
    """How far each number of a part moves between two neighbors; shape (pairs, numbers)."""
    pairs = pairs_of(unit, neighbors)
    tables = {table for pair in pairs for table in pair}
    numbers = {table: exact(table, part) for table in tables}
    return np.array([numbers[one] - numbers[other] for one, other in pairs])


def exact(table: Table | None, part: AnyPart) -> NDArray[np.int64]:
    """What noise is added to, or the scores. Of nobody, all totals are 0."""
    if table is None:
        return part.exact(np.zeros(coordinates(part.aggregate), dtype=np.int64))
    return part.exact(totals_of(table, part.aggregate))


@cache
def totals_of(table: Table, aggregate: Aggregate) -> NDArray[np.int64]:
    """Read once for all questions, and both relations, that ask a table the same."""
    return table.run(aggregate)
