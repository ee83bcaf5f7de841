"""What every engine owes: the integers of an independent, plain-Python reading of the same dirty file."""

from dataclasses import replace
from datetime import date
from functools import cache

import numpy as np
import pytest

from dpengine.data import (
    And,
    Between,
    BinCounts,
    CategoryCounts,
    Comparison,
    ConditionCounts,
    FixedPointMoments,
    FixedPointSum,
    GroupedCounts,
    GroupedSums,
    Grouping,
    IsMissing,
    Not,
    OneOf,
    Or,
    PeopleCount,
    PeriodCounts,
    RowCount,
    Schema,
    SignedCount,
    StepCounts,
)
from tests.contracts.engines.engines import CELLS, ENGINES
from tests.contracts.engines.rows_oracle import COLUMNS, FILE, SALT, UNITS, Oracle, beyond, holds

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
    Comparison("note", "=", 'quo"ted'),
    Comparison("note", "!=", "two\nlines"),
    Not(OneOf("note", ("free, text", "two\nlines", "Free, text"))),
    And((IsMissing("note"), Comparison("age", ">", 1))),
]
CITIES, ILL = ("x;y", "Rome", "it's"), (True, False)
GROUPINGS = [
    Grouping(by=("city",), values=(CITIES,)),
    Grouping(by=("city", "ill"), values=(CITIES, ILL)),
    Grouping(by=("ill", "city"), values=(ILL, CITIES), groups=2),
    Grouping(by=("city",), values=(CITIES,), rows_per_group=1),
    Grouping(by=("city", "ill"), values=(CITIES, ILL), groups=3, rows_per_group=2),
    Grouping(by=("ill",), values=(ILL,), groups=1),
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
    StepCounts(column="debt", fraction_bits=1, lower=-20, upper=20),
    StepCounts(column="age", fraction_bits=-2, lower=2, upper=9),
    PeriodCounts(column="day", period="month", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
    PeriodCounts(column="day", period="month", earliest=date(2020, 2, 15), latest=date(2020, 6, 1)),
    PeriodCounts(column="day", period="year", earliest=date(2019, 5, 1), latest=date(2021, 12, 31)),
    FixedPointMoments(column="age", fraction_bits=3, lower=0, upper=800, center=400),
    FixedPointMoments(column="debt", fraction_bits=1, lower=-20, upper=20, center=-3),
    ConditionCounts(conditions=(Comparison("age", ">", 42), IsMissing("day"), Not(Comparison("ill", "=", True)))),
    ConditionCounts(conditions=(Comparison("city", "=", "Rome"),)),
    ConditionCounts(conditions=(Comparison("age", ">", 42), IsMissing("day")), signed=True),
    *(GroupedCounts(grouping=grouping) for grouping in GROUPINGS),
    *(
        GroupedSums(grouping=grouping, sum=FixedPointSum(column="debt", fraction_bits=1, lower=-20, upper=20, center=3))
        for grouping in GROUPINGS
    ),
]


_OF_A_KIND = {type(kind): [one for one in AGGREGATES if type(one) is type(kind)] for kind in AGGREGATES}
FIRST_AND_LAST = [
    one
    for one in AGGREGATES
    if one in (_OF_A_KIND[type(one)][0], _OF_A_KIND[type(one)][-1]) and not isinstance(one, ConditionCounts)
]
"""Of each kind, but for conditions, which are all asked at once below."""
FIRST = [one for one in FIRST_AND_LAST if one == _OF_A_KIND[type(one)][0]]
ASKED = {
    "parquet by path": FIRST_AND_LAST,
    "parquet in portions": FIRST_AND_LAST,
    "spark": [*FIRST, FIRST_AND_LAST[-1]],
}
"""Of engines that are not asked everything: files share the statements of DuckDB, and Spark needs long."""


@cache
def oracle_of(unit):
    """One for all engines."""
    return Oracle(FILE, UNITS[unit])


@cache
def expected(unit, asked):
    """Read once for all engines."""
    return oracle_of(unit).run(asked)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((e, u), id=f"{e}-{u}", marks=pytest.mark.slow if (e, u) == ("spark", "rows") else ())
        for e in ENGINES
        for u in UNITS
    ],
)
def table_and_unit(request, databases):
    engine, unit = request.param
    schema = Schema(name="dirty", columns=COLUMNS, unit=UNITS[unit])
    table = ENGINES[engine](databases, CELLS, schema, SALT)
    yield table, unit, engine
    table.close()


def among(aggregate, where):
    if isinstance(aggregate, GroupedSums):
        return replace(aggregate, sum=replace(aggregate.sum, where=where))
    return replace(aggregate, where=where)


def condition_for(aggregate, unit):
    """None or the next in turn, the other way for another unit; all of them stand in one question below."""
    turn, others = AGGREGATES.index(aggregate), CONDITIONS[1:]
    return None if (turn + (unit == "people")) % 2 else others[turn % len(others)]


@pytest.mark.parametrize("all_conditions", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_every_aggregate_agrees_with_the_oracle_under_its_conditions(table_and_unit, all_conditions):
    table, unit, engine = table_and_unit
    for aggregate in AGGREGATES if all_conditions else ASKED.get(engine, AGGREGATES):
        for where in CONDITIONS if all_conditions else [condition_for(aggregate, unit)]:
            asked = among(aggregate, where)
            answer = table.run(asked)
            assert answer.dtype == np.int64, asked
            assert answer.tolist() == expected(unit, asked), asked


def test_all_conditions_at_once_agree_with_the_oracle(table_and_unit):
    """For people a part of them: a condition is about a row, whoever it belongs to."""
    table, unit, engine = table_and_unit
    conditions = tuple(condition for condition in CONDITIONS if condition)
    asked = ConditionCounts(conditions=conditions if unit == "rows" or engine == "spark" else conditions[::3])
    assert table.run(asked).tolist() == expected(unit, asked)


def test_the_dirty_file_is_dirty_and_the_conditions_tell_its_rows_apart():
    oracle = oracle_of("people")
    assert len(oracle.kept) < len([row for row in oracle.all_rows if row["person"]]) < len(oracle.all_rows)
    counts = [expected("people", RowCount(where=where))[0] for where in CONDITIONS]
    assert len({expected("rows", RowCount(where=where))[0] for where in CONDITIONS}) > 20
    assert sum(0 < count < len(oracle.kept) for count in counts) > 15


def test_a_wrong_oracle_would_be_noticed():
    """The control: the textbook mistakes, three-valued NOT and plain rounding, give other numbers on this file."""
    oracle, where = oracle_of("people"), Comparison("age", ">", 42)
    known = [row for row in oracle.kept if row["age"] is not None]
    assert sum(not holds(where, row) for row in known) != oracle.run(RowCount(where=Not(where)))[0]
    debts = [row["debt"] for row in oracle.kept if row["debt"] is not None]
    assert sum(round(min(max(d, -10), 10)) for d in debts) != oracle.run(AGGREGATES[4])[0]


def test_intake_counts_agree_with_the_oracle(table_and_unit):
    table, unit, _ = table_and_unit
    oracle, report = oracle_of(unit), table.intake_report
    assert report.rows_read == len(oracle.all_rows)
    for column, told in zip(COLUMNS, report.columns, strict=True):
        blank = sum(not cells[column.name] for cells in oracle.cells)
        assert (told.name, told.missing) == (column.name, blank)
        assert told.misfits == sum(row[column.name] is None for row in oracle.all_rows) - blank
        assert told.beyond == sum(beyond(column, row[column.name]) for row in oracle.all_rows), column.name
    if oracle.by_person:
        assert report.rows_without_identifier == sum(row["person"] is None for row in oracle.all_rows)
        assert report.rows_beyond_limit == report.rows_read - report.rows_without_identifier - len(oracle.kept)
