"""What is listed is answered, in its declared order, and nothing else: no row names a coordinate."""

import math
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pytest

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    Condition,
    DateColumn,
    Not,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
)
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.privacy import Neighbors
from dpengine.queries import (
    AnyPart,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    StatisticalQueries,
    VarianceQuery,
)
from tests.examples.tables import read_here, shared
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
CANARY = "Zanzibar"
DAY = DateColumn(name="day", earliest=date(2024, 11, 20), latest=date(2025, 2, 3))


def schema(*columns: Any, **given: Any) -> Schema:
    listed = (
        TextColumn(name="person"),
        CategoryColumn(name="city", categories=("Rome", "Oslo")),
        BooleanColumn(name="ill"),
        NumberColumn(name="pay", lower=0, upper=1000, unit="dollars"),
        DAY,
    )
    return Schema(name="t", columns=columns or listed, **given)


@shared
def table(*rows: str, declared: Schema | None = None) -> Table:
    text = "\n".join(["person,city,ill,pay,day", *rows, ""])
    return read_here(text.encode(), schema=declared or schema())


ROWS = ("a,Oslo,yes,5,2025-01-01", f"b,{CANARY},no,7,2023-05-05", f"c,Rome,{CANARY},8,", "d,,,9,2025-02-04")
MONTHS = ("2024-11", "2024-12", "2025-01", "2025-02")
LABELED: dict[Query, tuple[str, ...]] = {
    GroupedCountQuery("city"): ("Rome", "Oslo"),
    GroupedCountQuery(("city", "ill")): ("Rome · no", "Rome · yes", "Oslo · no", "Oslo · yes"),
    GroupedSumQuery("pay", ("ill", "city")): ("no · Rome", "no · Oslo", "yes · Rome", "yes · Oslo"),
    GroupedMeanQuery("pay", "ill"): ("no", "yes"),
    GroupedProportionQuery(Comparison("ill", "=", True), "city"): ("Rome", "Oslo"),
    HistogramQuery("day", period="month"): MONTHS,
    HistogramQuery("day", period="year"): ("2024", "2025"),
    HistogramQuery("city"): ("Rome", "Oslo"),
}


@each("query", LABELED)
@each("rows", [(), ROWS[:1], ROWS])
def test_the_coordinates_are_the_declared_ones_whatever_the_rows(query, rows):
    asked = table(*(rows or (",,,,",)))
    for part in query.parts(asked.schema, AR):
        assert part.labels == LABELED[query]
        assert asked.run(part.aggregate).shape == (len(LABELED[query]),)
        assert CANARY not in repr(part)
    answer = query.combine([part.exact_reading(asked.run(part.aggregate)) for part in query.parts(asked.schema, AR)])
    assert len(answer) == len(LABELED[query])


def test_rows_with_unlisted_keys_do_not_count():
    asked = table(*ROWS)
    counts: dict[Query, list[int]] = {
        GroupedCountQuery("city"): [1, 1],
        GroupedCountQuery(("city", "ill")): [0, 0, 0, 1],
    }
    counts |= {HistogramQuery("day", period="month"): [0, 0, 1, 0]}
    for query, wanted in counts.items():
        (part,) = query.parts(asked.schema, AR)
        assert asked.run(part.aggregate).tolist() == wanted
    (mode,) = ModeQuery("city").parts(asked.schema, AR)
    assert mode.names == ("Rome", "Oslo")


def test_an_unlisted_key_takes_no_place_among_the_groups_of_a_person():
    """Otherwise a person's other rows would count or not by chance; and a listed one does take its place."""
    unit = PrivacyUnit(identifier="person", rows=3, groups=1)
    declared = schema(unit=unit)
    asked = table(f"a,{CANARY},no,1,", "a,Oslo,no,1,", f"a,{CANARY},no,1,", declared=declared)
    (part,) = GroupedCountQuery("city").parts(declared, AR)
    assert asked.run(part.aggregate).tolist() == [0, 1]
    full = table("a,Rome,no,1,", "a,Oslo,no,1,", "a,Oslo,no,2,", declared=declared)
    assert full.run(part.aggregate).tolist() in ([1, 0], [0, 2])


MANY = CategoryColumn(name="city", categories=tuple(f"c{i}" for i in range(1001)))
TWENTY = tuple(CategoryColumn(name=f"by{i}", categories=tuple(map(str, range(40)))) for i in range(2))
REFUSED: dict[str, tuple[Query, Schema, str]] = {
    "1,001 groups": (GroupedCountQuery("city"), schema(MANY), "1,001 groups are too many"),
    "1,600 pairs": (GroupedCountQuery(("by0", "by1")), schema(*TWENTY), "1,600 groups are too many"),
    "mode of 1,001": (ModeQuery("city"), schema(MANY), "at most 1,000"),
    "histogram of 1,001": (HistogramQuery("city"), schema(MANY), "1,001 cells are too many"),
    "groups of numbers": (GroupedCountQuery("pay"), schema(), "no public list of values to group by"),
    "groups of people": (GroupedCountQuery("person"), schema(), "no public list of values to group by"),
    "mode of a number": (ModeQuery("pay"), schema(), "no public list of values to choose from"),
    "months of a city": (HistogramQuery("city", period="month"), schema(), "not declared as a date"),
    "months of people": (HistogramQuery("person", period="year"), schema(), "not declared as a date"),
    "months without a period": (HistogramQuery("day"), schema(), "needs a period"),
    "edges of a city": (HistogramQuery("city", (0, 1)), schema(), "not declared as a number"),
    "edges of a day": (HistogramQuery("day", (0, 1), period="month"), schema(), "not declared as a number"),
    "no candidates": (QuantileQuery("pay", candidates=()), schema(), "among 1 to 1,000 public candidates"),
    "1,001 candidates": (QuantileQuery("pay", candidates=tuple(range(1001))), schema(), "not among 1,001"),
    "a candidate beyond": (QuantileQuery("pay", candidates=(5, 1001)), schema(), "lies outside the bounds"),
    "candidates alike": (QuantileQuery("pay", candidates=(5, 5)), schema(), "are the same, or closer"),
    "candidates too close": (QuantileQuery("pay", candidates=(5, 5.0001)), schema(), "are the same, or closer"),
    "201 conditions": (StatisticalQueries((Comparison("pay", ">", 1),) * 201), schema(), "201 conditions"),
}


@each("reason", REFUSED)
@each("neighbors", Neighbors)
def test_it_is_refused_with_its_reason_before_any_row(reason, neighbors):
    query, declared, words = REFUSED[reason]
    with pytest.raises(RefusedQueryError, match=words):
        query.parts(declared, neighbors)


def test_a_condition_nested_too_deeply_is_refused_and_not_a_crash():
    deep: Condition = Comparison("pay", ">", 1)
    for _ in range(3000):
        deep = Not(deep)
    with pytest.raises(RefusedQueryError, match="nested more than 30 levels"):
        StatisticalQueries((deep, deep)).parts(schema(), AR)


@each("wrong", [-0.1, 1.1, math.nan, 1 / 3, True, "half"])
def test_quantiles_are_shares_of_three_digits(wrong):
    with pytest.raises(InvalidParameterError, match=r"^quantile must be"):
        QuantileQuery("pay", wrong)


@each("by", [(), ("city", "city"), ("city", "ill", "day"), (1,), None, 5])
def test_groups_are_by_one_or_two_columns(by):
    with pytest.raises(InvalidParameterError, match=r"^by must be"):
        GroupedCountQuery(by)


EXTREMES = [(0, 1e-100), (-1e-90, 1e-60), (0, 1e-40), (1e9, 1e9 + 1), (-1e99, 1e99), (0, 1e75), (-1e99, 1e100)]


@each(
    ("lower", "upper", "unit"),
    [
        *((*bounds, PrivacyUnit()) for bounds in EXTREMES),
        *((*bounds, PrivacyUnit(identifier="person", rows=10**6)) for bounds in EXTREMES[::3]),
    ],
)
def test_extreme_bounds_are_answered_or_refused_when_planned_and_never_later(lower, upper, unit):
    """Nothing but a sentence of ours; and no grid step, no sensitivity that vanished, nor one that is infinite."""
    column = NumberColumn(name="pay", lower=lower, upper=upper, complete=True)
    declared = schema(TextColumn(name="person"), BooleanColumn(name="ill"), column, unit=unit, people=2)
    rows = f"person,ill,pay\na,yes,{lower!r}\nb,no,{upper!r}\nb,,\n".encode()
    asked = read_here(rows, schema=declared)
    queries: list[Query] = [VarianceQuery("pay"), GroupedSumQuery("pay", "ill"), GroupedMeanQuery("pay", "ill")]
    queries += [QuantileQuery("pay"), QuantileQuery("pay", 1.0, (lower, upper)), QuantileQuery("pay", 0.0, (upper,))]
    answered = 0
    for query in queries:
        for neighbors in Neighbors:
            parts = planned_or_refused(query, declared, neighbors)
            if isinstance(parts, str):
                assert "too far from 0" in parts
                continue
            answer = query.combine([part.exact_reading(asked.run(part.aggregate)) for part in parts])
            assert np.all(np.isfinite(answer))
            assert all(0 < part.sensitivity.l2 < math.inf and part.step > 0 for part in parts)
            answered += 1
    assert answered >= 6


def planned_or_refused(query: Query, declared: Schema, neighbors: Neighbors) -> Sequence[AnyPart] | str:
    try:
        return query.parts(declared, neighbors)
    except RefusedQueryError as refused:
        return str(refused)


def test_many_counts_cost_as_many_times_as_there_are():
    """The classic: a hundred counts move by a hundred in all, and by the root of it for Gaussian noise."""
    hundred = StatisticalQueries(tuple(Comparison("pay", ">", bound) for bound in range(100)))
    for neighbors in Neighbors:
        (part,) = hundred.parts(schema(), neighbors)
        assert (part.sensitivity.l1, part.sensitivity.l2, part.sensitivity.linf) == (100, 10, 1)
        assert "all 100 answers at once, each by at most 1: 100 in total." in part.sensitivity.because
    (cells,) = HistogramQuery("pay", tuple(range(101))).parts(schema(), AR)
    assert cells.sensitivity.l1 == 1


VISITS = PrivacyUnit(identifier="person", rows=6, groups=2, rows_per_group=2)
SENTENCES: list[tuple[Query, PrivacyUnit, str]] = [
    (GroupedCountQuery("city"), PrivacyUnit(), "One person has one row, and a row adds to one count only"),
    (
        GroupedCountQuery("city"),
        VISITS,
        "with at most 4 rows, in at most 2 groups with at most 2 rows in each: one person can change the counts",
    ),
    (GroupedCountQuery("city"), PrivacyUnit(identifier="person", rows=5), "with at most 5 rows, in at most 2 groups:"),
    (
        GroupedSumQuery("pay", "city"),
        PrivacyUnit(),
        "counts with one row; each row adds at most 1,000 dollars: one person",
    ),
    (GroupedSumQuery("pay", "city"), VISITS, "one person can change the sums by at most 4,000 dollars in total"),
    (VarianceQuery("pay"), PrivacyUnit(), "one row, which can change the sum of squared distances from 500 dollars by"),
    (VarianceQuery("pay"), VISITS, "by at most 250,000 dollars squared: 1,500,000 dollars squared in total."),
    (QuantileQuery("pay"), PrivacyUnit(), "One person has one row; it shifts a candidate's place"),
    (QuantileQuery("pay", 0.9), VISITS, "by at most 0.9: 5.4 in total."),
    (ModeQuery("city"), PrivacyUnit(), "One person has one row: each count changes by at most 1, all"),
    (ModeQuery("city"), VISITS, "at most 6 rows, which may all be in one category: each count changes by at most 6"),
    (StatisticalQueries((Comparison("pay", ">", 1),)), VISITS, "One person can change the answer by at most 6."),
]


@each(("query", "unit", "words"), SENTENCES)
def test_reasons_say_each_bound_once_and_name_the_unit(query, unit, words):
    because = query.parts(schema(unit=unit), AR)[0].sensitivity.because
    assert words in because
    assert because.startswith(("One person ", "Each person "))
    assert because.endswith(" (One person added or removed.)")


def test_questions_read_as_sentences():
    assert GroupedMeanQuery("pay", ("city", "ill")).in_words() == "what is the average pay for each city and ill"
    sick = Comparison("ill", "=", True)
    assert GroupedProportionQuery(sick, "city").in_words() == "what share has ill = yes in each city"
    assert QuantileQuery("pay", 0.9, (1, 2)).in_words() == "what is the 0.9 quantile of pay among 2 candidates"
    assert HistogramQuery("day", period="month").in_words() == "how many rows fall in each month of day"
    assert ModeQuery("city", Comparison("ill", "=", True)).in_words() == (
        "which value of city is most frequent, among those with ill = yes"
    )
