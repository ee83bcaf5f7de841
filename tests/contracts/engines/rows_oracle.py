"""A dirty file and an independent, plain-Python reading of it: lists and floats, no code shared with any engine."""

import csv
import hashlib
import io
import itertools
import math
import operator as op
import random
import re
from collections import defaultdict
from datetime import date, timedelta

from dpengine.data import (
    And,
    Between,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Column,
    ConditionCounts,
    DateColumn,
    FixedPointMoments,
    GroupedCounts,
    GroupedSums,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PeopleCount,
    PeriodCounts,
    PrivacyUnit,
    RowCount,
    SignedCount,
    StepCounts,
    TextColumn,
)

SALT = "a salt for tests"

COLUMNS: tuple[Column, ...] = (
    TextColumn(name="person"),
    NumberColumn(name="age", lower=0, upper=100),
    NumberColumn(name="debt", lower=-10, upper=10),
    CategoryColumn(name="city", categories=("Rome", "São Paulo", "New York", "it's", "x;y")),
    BooleanColumn(name="ill"),
    DateColumn(name="day", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
    TextColumn(name="note"),
)
UNITS = {"rows": PrivacyUnit(), "people": PrivacyUnit(identifier="person", rows=9)}
MESSY = {
    "person": ["a", "b", "c", "d", " a ", "", "  ", "A", "nobody", "e"],
    "age": [
        *(
            "0",
            "100",
            "100.0000001",
            "-0.0",
            "-3",
            "250",
            "",
            " 42 ",
            "42.5",
            ".5",
            "5.",
            "1e2",
            "+7",
            "007",
            "nan",
            "NaN",
        ),
        *("inf", "-Infinity", "1e999", "-1e999", "1e-999", "3,5", "0x10", "1_0", "x", "NULL", "64.99999999999999", "٣"),
        *("0.49999999999999994", "4.2.1", "--1", "1e", "2.5", "99.5"),
    ],
    "debt": [
        *("-10", "10", "-10.5", "10.5", "-0.5", "0.5", "1.5", "-1.5", "-2.5", ""),
        *("1e308", "-1e308", "0.1", "-0.1", "5e-324"),
    ],
    "city": ["Rome", " Rome ", "rome", "São Paulo", "New York", "it's", "x;y", "Paris", "", "NULL"],
    "ill": ["yes", "NO", "1", "0", "True", "f", "maybe", "", "2", "Y"],
    "day": [
        *("2020-01-01", "2020-12-31", "2020-02-29", "2019-12-31", "2021-01-01", "2020-02-30", "20200101", ""),
        *("2020-6-1", "2020-06-15", "2020-06-15 00:00:00", "1900-02-29", "2000-02-29"),
    ],
    "note": ["", "free, text", 'quo"ted', "two\nlines"],
}


def dirty_file(rows=400):
    rng = random.Random(7)
    lines = [{name: rng.choice(cells) for name, cells in MESSY.items()} for _ in range(rows)]
    lines += lines[:20]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(MESSY))
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue().encode()


FILE = dirty_file()
PYTHON = {"=": op.eq, "!=": op.ne, "<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge}


class Oracle:
    """The same answers from lists and floats, sharing no code with the engine but the declared schema."""

    def __init__(self, content, unit):
        self.cells = [
            {k: v.strip() for k, v in row.items()} for row in csv.DictReader(io.StringIO(content.decode(), newline=""))
        ]
        self.all_rows = [{column.name: read_cell(column, row) for column in COLUMNS} for row in self.cells]
        self.by_person = unit.identifier is not None
        self.kept = self._bounded(unit) if self.by_person else self.all_rows

    def _bounded(self, unit):
        rows_of = defaultdict(list)
        for row, cells in zip(self.all_rows, self.cells, strict=True):
            content = hashlib.sha256("\x1f".join(cells[name] for name in sorted(cells)).encode()).hexdigest()
            if row["person"] is not None:
                rows_of[row["person"]].append((hashlib.md5((SALT + content).encode()).hexdigest(), row))  # noqa: S324
        return [row for rows in rows_of.values() for _, row in sorted(rows, key=lambda pair: pair[0])[: unit.rows]]

    def run(self, aggregate):
        if isinstance(aggregate, PeopleCount) and self.by_person:
            return [len({r["person"] for r in self.all_rows if holds(aggregate.where, r)} - {None})]
        if isinstance(aggregate, GroupedCounts):
            return self._by_group(aggregate.grouping, RowCount(where=aggregate.where))
        if isinstance(aggregate, GroupedSums):
            return self._by_group(aggregate.grouping, aggregate.sum)
        return total(aggregate, [row for row in self.kept if holds(aggregate.where, row)])

    def _by_group(self, grouping, inner):
        """Row by row in the order of each person's own rows: a new group or row is taken while there is room."""
        cells = list(itertools.product(*grouping.values))
        taken: dict[tuple, list] = {cell: [] for cell in cells}
        entered: dict[str, dict] = defaultdict(dict)
        for row in self.kept:
            cell = tuple(row[name] for name in grouping.by)
            worth = isinstance(inner, RowCount) or row[inner.column] is not None
            if (
                cell in taken
                and worth
                and holds(inner.where, row)
                and self._room(grouping, entered[row["person"]], cell)
            ):
                taken[cell].append(row)
        return [total(inner, taken[cell])[0] for cell in cells]

    def _room(self, grouping, groups_of_person, cell):
        if not self.by_person:
            return True
        if cell not in groups_of_person and grouping.groups is not None and len(groups_of_person) >= grouping.groups:
            return False
        groups_of_person[cell] = groups_of_person.get(cell, 0) + 1
        return grouping.rows_per_group is None or groups_of_person[cell] <= grouping.rows_per_group


def total(aggregate, rows):
    match aggregate:
        case RowCount() | PeopleCount():
            return [len(rows)]
        case SignedCount():
            return [sum(1 if holds(aggregate.condition, row) else -1 for row in rows)]
        case CategoryCounts():
            return [sum(row[aggregate.column] == value for row in rows) for value in aggregate.values]
        case ConditionCounts():
            other = -1 if aggregate.signed else 0
            return [sum(1 if holds(condition, row) else other for row in rows) for condition in aggregate.conditions]
        case PeriodCounts():
            return periods(aggregate, [row[aggregate.column] for row in rows])
    steps = [on_grid(r[aggregate.column], aggregate.fraction_bits) for r in rows if r[aggregate.column] is not None]
    return binned(steps, aggregate) if isinstance(aggregate, BinCounts) else summed(steps, aggregate)


def summed(steps, aggregate):
    clamped = [min(max(step, aggregate.lower), aggregate.upper) for step in steps]
    if isinstance(aggregate, StepCounts):
        return [clamped.count(step) for step in range(aggregate.lower, aggregate.upper + 1)]
    distances = [step - aggregate.center for step in clamped]
    squares = [sum(distance**2 for distance in distances)]
    return [sum(distances)] + squares * isinstance(aggregate, FixedPointMoments)


def periods(aggregate, days):
    """Every period spelled as YYYY-MM or YYYY, counted by its spelling."""
    letters = {"month": 7, "year": 4}[aggregate.period]
    span = (aggregate.latest - aggregate.earliest).days
    spelled = [(aggregate.earliest + timedelta(days=i)).isoformat()[:letters] for i in range(span + 1)]
    seen = [day.isoformat()[:letters] for day in days if day]
    return [seen.count(one) for one in dict.fromkeys(spelled)]


def binned(steps, aggregate):
    edges = aggregate.edges
    if aggregate.clamp:
        steps = [min(max(step, edges[0]), edges[-1]) for step in steps]
    bins = [sum(left <= step < right for step in steps) for left, right in itertools.pairwise(edges)]
    bins[-1] += sum(step == edges[-1] for step in steps)
    return bins


def on_grid(value, bits):
    try:
        return math.floor(math.ldexp(value, bits) + 0.5)
    except OverflowError:
        return 10**400 if value > 0 else -(10**400)


def read_cell(column, row):
    return READ[type(column)](column, row[column.name])


def read_number(column, text):
    plain = re.fullmatch(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", text)
    return float(text) if plain and math.isfinite(float(text)) else None


def read_boolean(column, text):
    words = dict.fromkeys(column.true_words, True) | dict.fromkeys(column.false_words, False)
    return words.get(text.lower())


def read_date(column, text):
    try:
        day = date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) else None
    except ValueError:
        return None
    return day if day and column.earliest <= day <= column.latest else None


READ = {
    TextColumn: lambda column, text: text or None,
    NumberColumn: read_number,
    CategoryColumn: lambda column, text: text if text in column.categories else None,
    BooleanColumn: read_boolean,
    DateColumn: read_date,
}


def beyond(column, value):
    return isinstance(column, NumberColumn) and value is not None and not column.lower <= value <= column.upper


def holds(condition, row):
    match condition:
        case None:
            return True
        case Not():
            return not holds(condition.condition, row)
        case And():
            return all(holds(inner, row) for inner in condition.conditions)
        case Or():
            return any(holds(inner, row) for inner in condition.conditions)
    return fits(condition, row[condition.column])


def fits(condition, value):
    match condition:
        case IsMissing():
            return value is None
        case OneOf():
            return value in condition.values
        case Between():
            return value is not None and condition.lower <= value <= condition.upper
    return value is not None and PYTHON[condition.operator](value, condition.value)
