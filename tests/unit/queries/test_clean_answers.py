"""Exact answers agree with numpy and pandas on clean rows: groups, months, variances, quantiles and modes."""

from datetime import date
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    NumberColumn,
    Schema,
    Table,
)
from dpengine.privacy import Neighbors
from dpengine.queries import (
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    VarianceQuery,
)
from tests.contracts.plain_answers import plain_answer
from tests.examples.tables import read_here
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
COLORS = ("red", "green")
SCHEMA = Schema(
    name="clean",
    columns=(
        NumberColumn(name="age", lower=0, upper=120, unit="years", complete=True),
        NumberColumn(name="debt", lower=-5e5, upper=2e4),
        CategoryColumn(name="color", categories=COLORS),
        BooleanColumn(name="ill"),
        DateColumn(name="day", earliest=date(2024, 1, 1), latest=date(2025, 3, 31)),
    ),
    people=301,
)
NAMES = [column.name for column in SCHEMA.columns]


@cache
def frame(rows: int = 301) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 456, rows), unit="D")
    return pd.DataFrame(
        {
            "age": rng.integers(0, 121, rows),
            "debt": np.round(rng.normal(-1e5, 4e4, rows), 2),
            "color": rng.choice(COLORS, rows, p=[0.7, 0.3]),
            "ill": rng.random(rows) < 0.3,
            "day": days.strftime("%Y-%m-%d"),
        }
    )


@cache
def clean() -> Table:
    text = frame().assign(ill=frame().ill.map({True: "yes", False: "no"})).to_csv(index=False)
    return read_here(text.encode(), schema=SCHEMA)


def exact(query: Query, table: Table, schema: Schema = SCHEMA, neighbors: Neighbors = AR) -> np.ndarray:
    parts = query.parts(schema, neighbors)
    return query.combine([part.exact_reading(table.run(part.aggregate)) for part in parts])


ADULT = Comparison("age", ">", 17)
QUERIES = (
    VarianceQuery("age"),
    VarianceQuery("debt", ADULT),
    GroupedCountQuery(("color", "ill"), ADULT),
    GroupedSumQuery("debt", ("ill", "color")),
    GroupedMeanQuery("age", ("color", "ill")),
    GroupedMeanQuery("debt", "color", ADULT),
    GroupedProportionQuery(ADULT, ("color", "ill")),
    GroupedProportionQuery(Comparison("ill", "=", True), "color", ADULT),
    HistogramQuery("day", period="month", where=ADULT),
    HistogramQuery("day", period="year"),
    StatisticalQueries((ADULT, Comparison("ill", "=", True), Comparison("debt", ">", -1e5))),
    SeveralProportionsQuery((ADULT, Comparison("ill", "=", True), Comparison("debt", ">", -1e5))),
    SeveralProportionsQuery((ADULT, Comparison("debt", ">", -1e5)), Comparison("ill", "=", True)),
)


@each("neighbors", Neighbors)
@each("query", QUERIES)
def test_it_is_what_pandas_says(query, neighbors):
    found, wanted = exact(query, clean(), neighbors=neighbors), plain_answer(query, frame())
    near = 1e-3 if isinstance(query, VarianceQuery) else 1e-6
    assert found == pytest.approx(np.array(wanted, dtype=float), rel=near, abs=1e-4)


@each("quantile", [0.05, 0.25, 0.99])
@each("column", ["age", "debt"])
def test_a_quantile_lies_between_its_two_neighbors(column, quantile):
    """By numpy's lower and higher definitions of a quantile; where no candidate is a value, one lies just beside it."""
    values = frame()[column].to_numpy(dtype=float)
    wanted = int(quantile * len(values))
    least, most = np.sort(values)[[wanted - 1, min(wanted + 1, len(values) - 1)]]
    inner = np.quantile(values, quantile, method="inverted_cdf"), np.quantile(values, quantile, method="higher")
    assert least <= min(inner) <= max(inner) <= most
    grid = (SCHEMA.number(column).upper - SCHEMA.number(column).lower) / 2**15
    (found,) = exact(QuantileQuery(column, quantile), clean())
    assert least - grid <= found <= most + grid
    if quantile not in (0.25, 0.99):
        return
    public = tuple(sorted({float(round(value)) for value in values}))
    (listed,) = exact(QuantileQuery(column, quantile, public), clean())
    assert least - 1 <= listed <= most + 1


@settings(max_examples=10)
@given(
    values=st.lists(st.integers(0, 120), min_size=1, max_size=15),
    candidates=st.sets(st.integers(0, 120), min_size=1, max_size=8),
    quantile=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
)
def test_the_best_candidate_is_the_one_whose_rank_is_nearest(values, candidates, quantile):
    schema = Schema(name="t", columns=SCHEMA.columns[:1])
    table = read_here(("age\n" + "\n".join(map(str, values)) + "\n").encode(), schema=schema)
    (found,) = exact(QuantileQuery("age", quantile, tuple(candidates)), table, schema)
    missed = {c: misplaced(np.array(values), c, quantile * len(values)) for c in candidates}
    assert missed[int(found)] == min(missed.values())
    table.close()


def misplaced(values: np.ndarray, candidate: float, wanted: float) -> float:
    return max(np.sum(values < candidate) - wanted, wanted - np.sum(values <= candidate), 0.0)


@each("values", [[3], [3, 3, 9], [1, 2, 3, 4, 5], [0, 120, 120]])
def test_the_median_of_an_odd_number_of_values_is_the_middle_one(values):
    schema = Schema(name="t", columns=SCHEMA.columns[:1])
    table = read_here(("age\n" + "\n".join(map(str, values)) + "\n").encode(), schema=schema)
    assert exact(QuantileQuery("age"), table, schema).tolist() == [np.median(values)]
    assert exact(QuantileQuery("age", 0.5, (0, *range(1, 120), 120)), table, schema).tolist() == [np.median(values)]


def test_a_quantile_never_leaves_the_public_bounds():
    """The outermost steps of a grid may; what is chosen does not."""
    schema = Schema(name="t", columns=(NumberColumn(name="x", lower=17.3, upper=99.6),))
    table = read_here(b"x\n5\n17.3\n99.6\n1e9\n", schema=schema)
    (choice,) = QuantileQuery("x").parts(schema, AR)
    values = np.array(choice.values)
    assert 17.3 <= values[0] < 17.303
    assert 99.597 < values[-1] <= 99.6
    assert np.all(np.diff(values) > 0)
    assert exact(QuantileQuery("x", 0.25), table, schema).tolist() == [values[0]]
    assert exact(QuantileQuery("x", 0.75), table, schema).tolist() == [values[-1]]


def test_every_value_beyond_all_rows_is_a_right_answer_to_the_quantiles_0_and_1():
    """So neither tells a smallest or largest value, which no promise could cover."""
    schema = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=100),))
    table = read_here(b"x\n40\n50\n", schema=schema)
    public = np.array([0, 20, 40, 50, 60, 100])
    for quantile, right in ((0.0, [0, 20, 40]), (1.0, [50, 60, 100])):
        (choice,) = QuantileQuery("x", quantile, tuple(public.tolist())).parts(schema, AR)
        assert public[choice.exact(table.run(choice.aggregate)) == 0].tolist() == right


def test_a_mode_is_the_most_frequent_value():
    counts = frame().color.value_counts()
    assert exact(ModeQuery("color"), clean()).tolist() == [COLORS.index(counts.index[0])]
    assert exact(ModeQuery("ill"), clean()).tolist() == [0.0]


def test_a_variance_of_nobody_is_0_and_a_mean_of_nobody_the_middle():
    nobody = Comparison("age", ">", 1000)
    assert exact(VarianceQuery("age", nobody), clean()).tolist() == [0.0]
    assert exact(GroupedMeanQuery("age", "ill", nobody), clean()).tolist() == [60.0, 60.0]
    assert exact(GroupedProportionQuery(ADULT, "ill", nobody), clean()).tolist() == [0.5, 0.5]
