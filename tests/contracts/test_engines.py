"""What every engine owes: the integers of an independent, plain-Python reading of the same dirty file."""

import csv
import hashlib
import io
import itertools
import math
import operator as op
import random
import re
from collections import defaultdict
from datetime import date

import numpy as np
import pytest

from dpengine.data import (
    And,
    Between,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Column,
    Comparison,
    DateColumn,
    FixedPointSum,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PeopleCount,
    PrivacyUnit,
    RowCount,
    Schema,
    SignedCount,
    Table,
    TextColumn,
)
from dpengine.data.intake import read_cells

ENGINES = {"duckdb": Table}
SALT = "a salt for tests"

COLUMNS: tuple[Column, ...] = (
    TextColumn(name="person"),
    NumberColumn(name="age", lower=0, upper=100),
    NumberColumn(name="debt", lower=-10, upper=10),
    CategoryColumn(name="city", categories=("Rome", "São Paulo", "New York", "it's", "x;y")),
    BooleanColumn(name="ill"),
    DateColumn(name="day", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
)
UNITS = {"rows": PrivacyUnit(), "people": PrivacyUnit(identifier="person", rows=2)}
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
        *("2020-6-1", "2020-06-15", "2020-06-15 00:00:00"),
    ],
    "note": ["", "free, text", 'quo"ted', "two\nlines"],
}

CONDITIONS = [
    None,
    *(Comparison("age", operator, 42) for operator in ("=", "!=", "<", "<=", ">", ">=")),
    Comparison("age", ">", 64.99999999999999),
    Comparison("age", "=", 0),
    Comparison("age", "<", 1e300),
    Comparison("age", "<", -(10**30)),
    Comparison("debt", "=", 0.1),
    Comparison("city", "=", "it's"),
    Comparison("city", "!=", "Rome"),
    OneOf("city", ("São Paulo", "x;y")),
    OneOf("age", (7, 42, 42.5)),
    OneOf("ill", (True,)),
    Comparison("ill", "=", False),
    Comparison("ill", "!=", True),
    Comparison("day", ">=", date(2020, 2, 29)),
    Between("day", date(2020, 1, 1), date(2020, 6, 15)),
    Between("age", 5, 42.5),
    Between("age", 42.5, 5),
    IsMissing("age"),
    IsMissing("day"),
    Not(IsMissing("city")),
    Not(Comparison("age", ">", 42)),
    Not(Not(Comparison("ill", "!=", True))),
    And((Comparison("age", ">", 1), Not(Comparison("debt", "<", 0)), Comparison("ill", "=", True))),
    Or((Comparison("age", "<", 1), IsMissing("debt"), And((Comparison("city", "=", "Rome"),)))),
    Not(Or((Comparison("age", "<", 50), Comparison("debt", "<", 0)))),
]
AGGREGATES = [
    RowCount(),
    PeopleCount(),
    FixedPointSum(column="age", fraction_bits=0, lower=0, upper=100),
    FixedPointSum(column="age", fraction_bits=14, lower=0, upper=100 * 2**14, center=50 * 2**14),
    FixedPointSum(column="debt", fraction_bits=0, lower=-10, upper=10),
    FixedPointSum(column="debt", fraction_bits=1, lower=-20, upper=20, center=-3),
    FixedPointSum(column="debt", fraction_bits=-2, lower=-3, upper=3),
    FixedPointSum(column="age", fraction_bits=0, lower=7, upper=7, center=7),
    SignedCount(condition=Comparison("age", ">=", 42)),
    SignedCount(condition=Not(IsMissing("ill"))),
    CategoryCounts(column="city", values=("x;y", "Rome", "it's")),
    CategoryCounts(column="ill", values=(False, True)),
    BinCounts(column="age", fraction_bits=0, edges=(0, 1, 7, 42, 43, 100)),
    BinCounts(column="age", fraction_bits=0, edges=(0, 1, 7, 42, 43, 100), clamp=True),
    BinCounts(column="age", fraction_bits=3, edges=(20, 336)),
    BinCounts(column="debt", fraction_bits=1, edges=(-20, -3, -1, 0, 1, 3, 20), clamp=True),
    BinCounts(column="debt", fraction_bits=1, edges=tuple(range(-20, 21))),
]


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
        return total(aggregate, [row for row in self.kept if holds(aggregate.where, row)])


def total(aggregate, rows):
    match aggregate:
        case RowCount() | PeopleCount():
            return [len(rows)]
        case SignedCount():
            return [sum(1 if holds(aggregate.condition, row) else -1 for row in rows)]
        case CategoryCounts():
            return [sum(row[aggregate.column] == value for row in rows) for value in aggregate.values]
    steps = [on_grid(r[aggregate.column], aggregate.fraction_bits) for r in rows if r[aggregate.column] is not None]
    if isinstance(aggregate, FixedPointSum):
        return [sum(min(max(step, aggregate.lower), aggregate.upper) - aggregate.center for step in steps)]
    return binned(steps, aggregate)


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


@pytest.fixture(scope="module", params=[(e, u) for e in ENGINES for u in UNITS], ids="-".join)
def table_and_oracle(request):
    engine, unit = request.param
    schema = Schema(name="dirty", columns=COLUMNS, unit=UNITS[unit])
    cells = read_cells(FILE, file_format="csv", encoding="utf-8", delimiter=",")
    table = ENGINES[engine](cells, schema=schema, salt=SALT)
    yield table, Oracle(FILE, UNITS[unit])
    table.close()


@pytest.mark.parametrize("aggregate", AGGREGATES, ids=lambda a: type(a).__name__)
def test_every_aggregate_agrees_with_the_oracle_under_every_condition(table_and_oracle, aggregate):
    table, oracle = table_and_oracle
    for where in CONDITIONS:
        asked = type(aggregate)(**{f: getattr(aggregate, f) for f in aggregate.__slots__} | {"where": where})
        answer = table.run(asked)
        assert answer.dtype == np.int64
        assert answer.tolist() == oracle.run(asked), asked


def test_the_dirty_file_is_dirty_and_the_conditions_tell_its_rows_apart():
    oracle = Oracle(FILE, UNITS["people"])
    assert len(oracle.kept) < len([row for row in oracle.all_rows if row["person"]]) < len(oracle.all_rows)
    unbounded = Oracle(FILE, UNITS["rows"])
    counts = [oracle.run(RowCount(where=where))[0] for where in CONDITIONS]
    assert len({unbounded.run(RowCount(where=where))[0] for where in CONDITIONS}) > 20
    assert sum(0 < count < len(oracle.kept) for count in counts) > 15


def test_a_wrong_oracle_would_be_noticed(table_and_oracle):
    """The control: the textbook mistakes, three-valued NOT and plain rounding, give other numbers on this file."""
    _, oracle = table_and_oracle
    where = Comparison("age", ">", 42)
    known = [row for row in oracle.kept if row["age"] is not None]
    assert sum(not holds(where, row) for row in known) != oracle.run(RowCount(where=Not(where)))[0]
    debts = [row["debt"] for row in oracle.kept if row["debt"] is not None]
    assert sum(round(min(max(d, -10), 10)) for d in debts) != oracle.run(AGGREGATES[4])[0]


def test_intake_counts_agree_with_the_oracle(table_and_oracle):
    table, oracle = table_and_oracle
    report = table.intake_report
    assert report.rows_read == len(oracle.all_rows)
    for column, told in zip(COLUMNS, report.columns, strict=True):
        blank = sum(not cells[column.name] for cells in oracle.cells)
        assert (told.name, told.missing) == (column.name, blank)
        assert told.misfits == sum(row[column.name] is None for row in oracle.all_rows) - blank
    if oracle.by_person:
        assert report.rows_without_identifier == sum(row["person"] is None for row in oracle.all_rows)
        assert report.rows_beyond_limit == report.rows_read - report.rows_without_identifier - len(oracle.kept)
