"""A question that no table could answer is refused when it is planned, in words, and never by Python itself."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpengine.data import And, Condition, IsMissing, Not, NumberColumn, Or, Schema, TextColumn, require_aggregate
from dpengine.errors import InvalidParameterError, RefusedQueryError
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
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from tests.running.cases import each

AR = Neighbors.ADD_REMOVE
AGE = NumberColumn(name="age", lower=0, upper=120)
WIDE = NumberColumn(name="wide", lower=-1e99, upper=1e100)
FAR = NumberColumn(name="far", lower=1e9, upper=1e9 + 2)
SCHEMA = Schema(name="t", columns=(TextColumn(name="person"), AGE, WIDE, FAR), people=9)
EVERY_QUERY = (
    CountQuery(),
    CountPeopleQuery(),
    SumQuery("age"),
    MeanQuery("age"),
    ProportionQuery(IsMissing("age")),
    HistogramQuery("age", (0, 120)),
)


@each("query", EVERY_QUERY)
@each("neighbors", ["add_remove", None, Neighbors])
def test_a_relation_is_one_of_the_two(query, neighbors):
    assert query.parts(SCHEMA, AR)
    with pytest.raises(InvalidParameterError, match=r"^neighbors must be of the kind Neighbors"):
        query.parts(SCHEMA, neighbors)


@each("query", EVERY_QUERY)
def test_a_schema_is_a_schema(query):
    with pytest.raises(InvalidParameterError, match=r"^schema must be of the kind Schema"):
        query.parts("t", AR)


@each("edges", [("a", "b"), (None, 1), "12", 5, (0, float("nan")), (0, 10**400)])
def test_edges_are_a_list_of_numbers(edges):
    with pytest.raises(InvalidParameterError, match=r"^edges? must be"):
        HistogramQuery("age", edges)


def test_edges_of_numpy_are_kept_as_numbers():
    edges = HistogramQuery("age", np.array([0, 60, 120])).edges  # type: ignore[arg-type]
    assert edges == (0.0, 60.0, 120.0)
    assert all(type(edge) is float for edge in edges)


@each("edge", [1e308, 1e20, 2.0**38])
def test_edges_that_have_no_exact_place_are_refused_in_words(edge):
    for edges in ((0, edge), (-edge, 0)):
        with pytest.raises(
            RefusedQueryError, match=r"too far from the bounds of 'age', 0 to 120: edges are exact below"
        ):
            HistogramQuery("age", edges).parts(SCHEMA, AR)


@each(
    "column, edges", [("age", (-1e6, 0, 1e9)), ("wide", (-1e99, 0, 1e100)), ("far", (0, 1e9)), ("far", (1e9, 1e9 + 2))]
)
def test_edges_within_reach_are_answerable(column, edges):
    for part in HistogramQuery(column, edges).parts(SCHEMA, AR):
        require_aggregate(part.aggregate, SCHEMA)


def test_a_mean_whose_own_condition_is_added_to_a_deep_one_is_refused_when_it_is_planned():
    condition: Condition = IsMissing("age")
    for _ in range(29):
        condition = Not(condition)
    assert MeanQuery("age", condition).parts(SCHEMA, AR)
    with pytest.raises(RefusedQueryError, match="more than 30 levels"):
        MeanQuery("age", Not(condition)).parts(SCHEMA, AR)


def test_a_sum_too_far_from_zero_is_refused_when_it_is_planned():
    column = NumberColumn(name="x", lower=2.0**29, upper=2.0**29 + 1)
    schema = Schema(name="t", columns=(column,), people=9)
    with pytest.raises(RefusedQueryError, match="too far from 0"):
        SumQuery("x").parts(schema, AR)
    assert MeanQuery("x").parts(schema, AR), "the control: a mean is counted from the middle"


TEXT: Any = "hospital_stays > 0"


@each(
    ("name", "asked"),
    [
        ("where", lambda: CountQuery(TEXT)),
        ("where", lambda: CountPeopleQuery(where=TEXT)),
        ("where", lambda: SumQuery("age", where=TEXT)),
        ("where", lambda: MeanQuery("age", TEXT)),
        ("where", lambda: VarianceQuery("age", TEXT)),
        ("where", lambda: QuantileQuery("age", where=TEXT)),
        ("where", lambda: ModeQuery("age", TEXT)),
        ("where", lambda: HistogramQuery("age", where=TEXT)),
        ("where", lambda: GroupedCountQuery("age", TEXT)),
        ("where", lambda: GroupedSumQuery("age", "age", TEXT)),
        ("where", lambda: GroupedMeanQuery("age", "age", TEXT)),
        ("where", lambda: GroupedProportionQuery(IsMissing("age"), "age", TEXT)),
        ("having", lambda: GroupedProportionQuery(TEXT, "age")),
        ("having", lambda: GroupedProportionQuery(None, "age")),  # type: ignore[arg-type]
        ("where", lambda: StatisticalQueries((IsMissing("age"),), TEXT)),
        ("where", lambda: ProportionQuery(IsMissing("age"), TEXT)),
        ("having", lambda: ProportionQuery(TEXT)),
        ("each of conditions", lambda: StatisticalQueries((IsMissing("age"), TEXT))),
        ("condition", lambda: Not(TEXT)),
        ("each of conditions", lambda: And((IsMissing("age"), TEXT))),
        ("each of conditions", lambda: Or((TEXT,))),
    ],
)
def test_a_question_says_at_once_what_a_condition_looks_like(name: str, asked: Callable[[], object]) -> None:
    with pytest.raises(
        InvalidParameterError, match=rf"^{name} must be a condition, such as Comparison\('age', '>=', 65"
    ):
        asked()
