"""Questions: what they refuse, how readings combine, and how they read in words."""

from copy import copy
from datetime import date
from fractions import Fraction

import numpy as np
import pytest

from dpengine.data import (
    And,
    Between,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PrivacyUnit,
    RowCount,
    Schema,
    TextColumn,
)
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    Part,
    ProportionQuery,
    Query,
    SumQuery,
    in_words,
)
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
ILL = Comparison("ill", "=", True)
SCHEMA = Schema(
    name="people",
    columns=(
        TextColumn(name="name"),
        NumberColumn(name="age", lower=0, upper=100, unit="years", complete=True),
        BooleanColumn(name="ill"),
        CategoryColumn(name="color", categories=("red", "green")),
        DateColumn(name="born", earliest=date(1900, 1, 1), latest=date(2024, 1, 1)),
    ),
    people=4,
)
QUERIES = (
    CountQuery(),
    CountPeopleQuery(),
    SumQuery("age"),
    MeanQuery("age"),
    ProportionQuery(ILL),
    HistogramQuery("color"),
)


def combined(query, *readings, neighbors=AR):
    parts = query.parts(SCHEMA, neighbors)
    return query.combine([part.reading(values) for part, values in zip(parts, readings, strict=True)]).tolist()


@each("query", QUERIES)
def test_every_question_is_a_query(query):
    assert isinstance(query, Query)
    assert hash(query) == hash(copy(query))
    assert query == copy(query)


@each(
    "query",
    [
        CountQuery(Comparison("income", ">", 1)),
        CountPeopleQuery(Comparison("name", "<", "Ada")),
        SumQuery("color"),
        SumQuery("income"),
        MeanQuery("name"),
        MeanQuery("age", Comparison("color", "<", "red")),
        ProportionQuery(Comparison("color", "=", "blue")),
        ProportionQuery(None),  # type: ignore[arg-type]
        ProportionQuery(ILL, Comparison("ill", "=", "yes")),
        HistogramQuery("name"),
        HistogramQuery("born"),
        HistogramQuery("age"),
        HistogramQuery("age", (0.0,)),
        HistogramQuery("age", (50, 0)),
        HistogramQuery("age", (0, 1e-9, 1)),
        HistogramQuery("age", tuple(np.linspace(0, 100, 1002))),
    ],
)
@each("neighbors", Neighbors)
def test_what_cannot_be_asked_is_refused_in_a_sentence(query, neighbors):
    with pytest.raises(RefusedQueryError) as caught:
        query.parts(SCHEMA, neighbors)
    assert caught.value.reason.endswith(".")


@each("edge", [float("nan"), float("inf"), -float("inf")])
def test_an_edge_is_a_finite_number(edge):
    with pytest.raises(InvalidParameterError, match="edge"):
        HistogramQuery("age", (0, edge))


def test_a_thousand_cells_are_allowed():
    (part,) = HistogramQuery("age", tuple(np.linspace(0, 100, 1001))).parts(SCHEMA, AR)
    assert part.coordinates == 1000


def test_values_beyond_the_bounds_count_where_the_edges_end_there():
    (clamped,) = HistogramQuery("age", (0, 50, 100)).parts(SCHEMA, AR)
    (open_ended,) = HistogramQuery("age", (10, 50, 100)).parts(SCHEMA, AR)
    assert isinstance(clamped.aggregate, BinCounts)
    assert clamped.aggregate.clamp
    assert isinstance(open_ended.aggregate, BinCounts)
    assert not open_ended.aggregate.clamp


class TestCombining:
    def test_a_count_may_be_negative(self):
        assert combined(CountQuery(), [-3]) == [-3.0]

    def test_a_mean_is_middle_plus_sum_over_count(self):
        step = SCHEMA.number("age").step
        assert combined(MeanQuery("age"), [round(40 / step)], [4]) == [60.0]

    @pytest.mark.parametrize("count", [1, 0, -5])
    def test_a_count_below_1_counts_as_1(self, count):
        step = SCHEMA.number("age").step
        assert combined(MeanQuery("age"), [round(10 / step)], [count]) == [60.0]

    def test_a_mean_stays_within_its_bounds(self):
        assert combined(MeanQuery("age"), [10**12], [1]) == [100.0]
        assert combined(MeanQuery("age"), [-(10**12)], [1]) == [0.0]

    def test_a_mean_of_publicly_many_needs_no_count(self):
        step = SCHEMA.number("age").step
        assert combined(MeanQuery("age"), [round(40 / step)], neighbors=RP) == [60.0]

    def test_a_sum_over_everybody_adds_the_public_middle(self):
        step = SCHEMA.number("age").step
        assert combined(SumQuery("age"), [round(40 / step)], neighbors=RP) == [240.0]
        assert combined(SumQuery("age"), [round(240 / step)]) == [240.0]

    def test_a_proportion_is_half_plus_half_the_difference(self):
        assert combined(ProportionQuery(ILL), [2], [4]) == [0.75]
        assert combined(ProportionQuery(ILL), [-9], [4]) == [0.0]
        assert combined(ProportionQuery(ILL), [9], [4]) == [1.0]
        assert combined(ProportionQuery(ILL), [3], neighbors=RP) == [0.75]

    def test_a_histogram_keeps_the_order_of_its_cells(self):
        (part,) = HistogramQuery("color").parts(SCHEMA, AR)
        assert part.labels == ("red", "green")
        assert combined(HistogramQuery("color"), [7, -1]) == [7.0, -1.0]


@each(
    "query, unit, of_rows",
    [
        (CountQuery(), "people", "rows"),
        (CountPeopleQuery(), "people", "people"),
        (SumQuery("age"), "years", "years"),
        (MeanQuery("age"), "years", "years"),
        (ProportionQuery(ILL), "share of people", "share of rows"),
        (HistogramQuery("color"), "people", "rows"),
    ],
)
def test_the_unit_of_the_answer(query, unit, of_rows):
    visits = Schema(name="visits", columns=SCHEMA.columns, unit=PrivacyUnit(identifier="name", rows=2))
    assert query.unit(SCHEMA) == unit
    assert query.unit(visits) == of_rows


class TestWords:
    @pytest.mark.parametrize(
        "query, words",
        [
            (CountQuery(), "how many rows are there"),
            (CountQuery(Comparison("age", ">=", 65)), "how many rows have age ≥ 65"),
            (CountPeopleQuery(ILL), "how many people have ill = yes"),
            (SumQuery("age"), "what is the sum of age"),
            (MeanQuery("age", ILL), "what is the average age, among those with ill = yes"),
            (ProportionQuery(ILL, Comparison("age", "<", 9)), "what share has ill = yes, among those with age < 9"),
            (HistogramQuery("color"), "how many rows have each value of color"),
        ],
        ids=repr,
    )
    def test_a_question(self, query, words):
        assert query.in_words() == words

    @pytest.mark.parametrize(
        "condition, words",
        [
            (Comparison("age", "!=", 2.5), "age ≠ 2.5"),
            (Comparison("age", "<=", 12345678), "age ≤ 12,345,678"),
            (OneOf("color", ("red", "green")), "color among red, green"),
            (Between("born", date(2000, 1, 1), date(2001, 1, 1)), "born from 2000-01-01 to 2001-01-01"),
            (IsMissing("age"), "age missing"),
            (Not(ILL), "not (ill = yes)"),
            (And((ILL, Or((ILL, IsMissing("age"))))), "ill = yes and (ill = yes or age missing)"),
            (Or((Comparison("ill", "=", False), ILL)), "ill = no or ill = yes"),
        ],
        ids=repr,
    )
    def test_a_condition(self, condition, words):
        assert in_words(condition) == words

    def test_every_name_goes_through_the_quote(self):
        condition = And((Comparison("color", "=", "red"), OneOf("color", ("green",)), IsMissing("age"), Not(ILL)))
        words = MeanQuery("age", condition).in_words(lambda name: f"<{name}>")
        assert words.count("<") == words.count(">") == 7


class TestPart:
    def test_a_sensitivity_is_a_whole_number_of_steps(self):
        with pytest.raises(InvalidParameterError, match="whole number of grid steps"):
            Part(name="x", aggregate=RowCount(), grid_sensitivity=Sensitivity.of_number(1.5, "why."))

    @pytest.mark.parametrize("share", [Fraction(0), Fraction(-1), Fraction(3, 2)])
    def test_a_share_is_part_of_the_whole(self, share):
        with pytest.raises(InvalidParameterError, match="share"):
            Part(name="x", aggregate=RowCount(), grid_sensitivity=Sensitivity.of_number(1, "why."), share=share)
