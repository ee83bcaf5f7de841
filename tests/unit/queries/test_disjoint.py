"""Which groups of people are seen to be apart, and which are not, before any row is read."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    Comparison,
    Condition,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    Schema,
    TextColumn,
)
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from dpengine.queries import disjoint as disjoint_conditions
from dpengine.queries.disjoint import MOST_LOOKED, MOST_TRIED, disjoint
from dpengine.queries.one_histogram import one_histogram
from tests.running.cases import each

SCHEMA = Schema(
    name="survey",
    columns=(
        NumberColumn(name="age", lower=0, upper=100),
        CategoryColumn(name="party", categories=("dem", "rep", "ind")),
        BooleanColumn(name="ill"),
        DateColumn(name="born", earliest=date(1900, 1, 1), latest=date(2020, 1, 1)),
        TextColumn(name="note"),
        *(NumberColumn(name=f"n{i}", lower=0, upper=1) for i in range(12)),
    ),
)
ANN = Comparison("note", "=", "Ann")
DEM, REP = Comparison("party", "=", "dem"), Comparison("party", "=", "rep")
ILL, OLD = Comparison("ill", "=", True), Comparison("age", ">=", 65)

APART: list[tuple[Condition, Condition]] = [
    (DEM, REP),
    (OneOf("party", ("dem", "ind")), REP),
    (ILL, Comparison("ill", "=", False)),
    (ILL, Comparison("ill", "!=", True)),
    (OLD, Comparison("age", "<", 65)),
    (Between("age", 0, 17), Between("age", 18, 64)),
    (Comparison("age", "<", math.nextafter(65, 0)), Comparison("age", ">=", 65)),
    (Between("born", date(1990, 1, 1), date(1999, 12, 31)), Comparison("born", ">", date(1999, 12, 31))),
    (And((Comparison("born", ">", date(2000, 1, 1)), Comparison("born", "<", date(2000, 1, 2)))), DEM),
    (And((DEM, OLD)), And((REP, OLD))),
    (And((DEM, ILL)), And((DEM, Not(ILL)))),
    (DEM, Not(DEM)),
    (DEM, IsMissing("party")),
    (Not(IsMissing("age")), IsMissing("age")),
    (Or((DEM, REP)), Comparison("party", "=", "ind")),
    (And((Or((DEM, ILL)), Not(ILL))), REP),
    (ANN, Comparison("note", "=", "ann")),
    (ANN, Not(OneOf("note", ("Bob", "Ann")))),
    (ANN, Comparison("note", "!=", "Ann")),
    (ANN, IsMissing("note")),
]
NOT_APART: list[tuple[Condition | None, Condition | None]] = [
    (None, DEM),
    (DEM, None),
    (DEM, DEM),
    (DEM, ILL),
    (OLD, Comparison("age", "<=", 65)),
    (Between("age", 0, 18), Between("age", 18, 64)),
    (Not(DEM), Not(REP)),
    (Not(DEM), IsMissing("party")),
    (Comparison("age", ">", 100), Comparison("age", ">", 200)),
    (Or((DEM, OLD)), And((REP, OLD))),
    (Comparison("party", "!=", "dem"), Comparison("party", "!=", "rep")),
    (ANN, ANN),
    (ANN, Comparison("note", "!=", "Bob")),
    (Comparison("note", "!=", "Ann"), Not(OneOf("note", ("Bob", "Annx")))),
    (Not(ANN), IsMissing("note")),
]


@each(("first", "second"), APART)
def test_the_standard_cases_are_seen(first: Condition, second: Condition) -> None:
    assert disjoint(first, second, SCHEMA)
    assert disjoint(second, first, SCHEMA)


@each(("first", "second"), NOT_APART)
def test_groups_that_share_a_row_are_never_called_apart(first: Condition | None, second: Condition | None) -> None:
    assert not disjoint(first, second, SCHEMA)


@each("refused", [Comparison("note", "<", "a"), Comparison("gone", "=", 1), Comparison("age", "=", "x")])
def test_what_cannot_be_asked_is_not_called_apart(refused: Condition) -> None:
    assert not disjoint(refused, Not(refused), SCHEMA)


def test_a_search_that_takes_too_long_knows_nothing() -> None:
    """Twelve columns that are told apart only by their sum of parities; with three of them it is still seen."""

    def parity(columns: int) -> Condition:
        odd: Condition = Comparison("n0", ">", 0.5)
        for i in range(1, columns):
            one = Comparison(f"n{i}", ">", 0.5)
            odd = Or((And((odd, Not(one))), And((Not(odd), one))))
        return odd

    assert disjoint(parity(3), Not(parity(3)), SCHEMA)
    assert MOST_TRIED < 4**7
    assert not disjoint(parity(7), Not(parity(7)), SCHEMA)


def test_a_search_looks_at_so_much_and_no_more_however_long_a_condition_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link may hold hundreds of them, each with hundreds of comparisons."""
    looked, leaf = [], disjoint_conditions._leaf

    def counted(column: str, *others: Any) -> bool | None:
        looked.append(column)
        return leaf(column, *others)

    monkeypatch.setattr(disjoint_conditions, "_leaf", counted)
    hard = Or(tuple(And(tuple(Comparison(f"n{i}", ">", (j + 1) / 25) for i in range(8))) for j in range(12)))
    assert not disjoint(hard, hard, SCHEMA)
    assert MOST_LOOKED / 2 < len(looked) <= MOST_LOOKED


def test_counts_of_single_values_are_one_histogram() -> None:
    asked = [CountQuery(DEM), CountQuery(REP)]
    assert one_histogram(asked, SCHEMA) == HistogramQuery("party")
    both = [CountQuery(And((OLD, DEM))), CountQuery(And((REP, OLD)))]
    assert one_histogram(both, SCHEMA) == HistogramQuery("party", where=OLD)
    assert one_histogram([CountQuery(ILL), CountQuery(Comparison("ill", "=", False))], SCHEMA) == HistogramQuery("ill")


@each(
    "asked",
    [
        [CountQuery(DEM)],
        [CountQuery(DEM), CountQuery(DEM)],
        [CountQuery(DEM), CountQuery(OneOf("party", ("rep",)))],
        [CountQuery(DEM), MeanQuery("age", REP)],
        [CountQuery(And((OLD, DEM))), CountQuery(REP)],
        [CountQuery(OLD), CountQuery(Comparison("age", "<", 65))],
        [CountQuery(), CountQuery(DEM)],
    ],
)
def test_other_lists_are_no_histogram(asked: list[CountQuery]) -> None:
    assert one_histogram(asked, SCHEMA) is None
