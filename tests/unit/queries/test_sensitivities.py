"""The table of sensitivities, in the unit of the answer, under both relations."""

import math

import pytest

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    NumberColumn,
    PrivacyUnit,
    Schema,
    TextColumn,
)
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    SumQuery,
)
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
ILL = Comparison("ill", "=", True)
COLUMNS = (
    TextColumn(name="person"),
    NumberColumn(name="age", lower=50, upper=100, unit="years", complete=True),
    NumberColumn(name="gaps", lower=50, upper=100),
    NumberColumn(name="debt", lower=-30, upper=10, complete=True),
    BooleanColumn(name="ill"),
    CategoryColumn(name="color", categories=("red", "green", "blue")),
)


def schema_of(rows=1, people=200):
    unit = PrivacyUnit() if rows == 1 else PrivacyUnit(identifier="person", rows=rows)
    return Schema(name="people", columns=COLUMNS, unit=unit, people=people)


def l1(query, neighbors, *, rows=1):
    return [part.sensitivity.l1 for part in query.parts(schema_of(rows), neighbors)]


@each(
    "query, added, replaced",
    [
        (CountQuery(), [1], [1]),
        (CountQuery(ILL), [1], [1]),
        (CountPeopleQuery(ILL), [1], [1]),
        (SumQuery("age"), [100], [50]),
        (SumQuery("age", ILL), [100], [100]),
        (SumQuery("gaps"), [100], [100]),
        (SumQuery("debt"), [30], [40]),
        (SumQuery("debt", ILL), [30], [40]),
        (MeanQuery("age"), [25, 1], [50 / 200]),
        (MeanQuery("age", ILL), [25, 1], [50, 1]),
        (MeanQuery("gaps"), [25, 1], [50, 1]),
        (ProportionQuery(ILL), [0.5, 1], [1 / 200]),
        (ProportionQuery(ILL, Comparison("color", "=", "red")), [0.5, 1], [1, 1]),
        (HistogramQuery("color"), [1], [2]),
        (HistogramQuery("ill"), [1], [2]),
        (HistogramQuery("age", (50, 75, 100)), [1], [2]),
    ],
)
def test_one_row_a_person(query, added, replaced):
    assert l1(query, AR) == pytest.approx(added)
    assert l1(query, RP) == pytest.approx(replaced)


@each(
    "query, added, replaced",
    [
        (CountQuery(), [3], [3]),
        (CountPeopleQuery(), [1], [1]),
        (SumQuery("age"), [300], [300]),
        (SumQuery("debt"), [90], [120]),
        (MeanQuery("age"), [75, 3], [150, 3]),
        (ProportionQuery(ILL), [1.5, 3], [3, 3]),
        (HistogramQuery("color"), [3], [6]),
    ],
)
def test_three_rows_a_person(query, added, replaced):
    assert l1(query, AR, rows=3) == pytest.approx(added)
    assert l1(query, RP, rows=3) == pytest.approx(replaced)


@each("rows", [1, 3])
def test_the_norms_of_a_histogram(rows):
    (added,), (replaced,) = (HistogramQuery("color").parts(schema_of(rows), neighbors) for neighbors in (AR, RP))
    assert [added.sensitivity.l1, added.sensitivity.l2, added.sensitivity.linf] == [rows] * 3
    assert replaced.sensitivity.l2 == pytest.approx(math.sqrt(2) * rows)
    assert replaced.sensitivity.linf == rows


def test_bounds_are_rounded_to_the_grid():
    wide = Schema(name="t", columns=(NumberColumn(name="x", lower=17.3, upper=17.3 + 2**21),))
    (part,) = SumQuery("x").parts(wide, AR)
    assert part.step == 2
    assert part.sensitivity.l1 == 2 * math.floor((17.3 + 2**21) / 2 + 0.5)


def test_the_range_of_a_replacement_is_between_the_rounded_bounds():
    column = NumberColumn(name="x", lower=0.3, upper=0.7, complete=True)
    schema = Schema(name="t", columns=(column,), people=10)
    (part,) = SumQuery("x").parts(schema, RP)
    assert part.grid_sensitivity.l1 == column.on_grid(0.7) - column.on_grid(0.3)


def test_a_public_number_of_people_is_not_used_where_it_is_private():
    assert len(MeanQuery("age").parts(schema_of(), AR)) == 2
    assert len(MeanQuery("age").parts(schema_of(rows=3), RP)) == 2
    assert len(MeanQuery("age").parts(schema_of(people=None), RP)) == 2
    assert len(ProportionQuery(ILL).parts(schema_of(), AR)) == 2


@each(
    "query, neighbors, because",
    [
        (CountQuery(), AR, "One person has one row, so one person can change the count by at most 1."),
        (CountPeopleQuery(), AR, "Everybody counts once, so one person can change the count by at most 1."),
        (SumQuery("gaps"), AR, "One person has one row; each adds at most 100 to the sum."),
        (
            SumQuery("debt"),
            RP,
            "One person has one row; each, if replaced, can change the sum by at most 40. (Values are counted",
        ),
        (
            MeanQuery("age"),
            AR,
            "One person has one row; each adds at most 25 years to the sum. (Values are counted from",
        ),
        (
            HistogramQuery("color"),
            RP,
            (
                "One person has one row; if that person is replaced, one count may fall and another rise for each row: "
                "all counts together change by at most 2."
            ),
        ),
    ],
)
def test_the_sentence_says_why(query, neighbors, because):
    assert query.parts(schema_of(), neighbors)[0].sensitivity.because.startswith(because)


def test_the_sentence_knows_how_many_rows_count():
    (part,) = CountQuery().parts(schema_of(rows=3), AR)
    assert part.sensitivity.because.startswith("Each person counts with at most 3 rows")
