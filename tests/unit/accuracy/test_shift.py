"""How far one person moves an answer: never less than what removing or adding that person really does."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dpengine.accuracy import Guess, largest_shift
from dpengine.data import Comparison, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ProportionQuery, VarianceQuery
from tests.running.cases import each

SCHEMA = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=10),))
TWO_ROWS = Schema(
    name="t",
    columns=(NumberColumn(name="x", lower=0, upper=10), TextColumn(name="who")),
    unit=PrivacyUnit(identifier="who", rows=2),
)


def shift(query: MeanQuery | ProportionQuery, schema: Schema, records: int, answer: float) -> float:
    parts = query.parts(schema, Neighbors.ADD_REMOVE)
    return largest_shift(query, parts, Guess(records=records, answer=answer))


@each(("schema", "rows"), [(SCHEMA, 1), (TWO_ROWS, 2)])
@each("values", [(0, 0, 0, 0, 10), (10, 10, 10, 10, 10, 0), (5, 5, 5, 5), (0, 10, 0, 10, 3, 7)])
def test_a_mean_moves_no_further_than_said(schema: Schema, rows: int, values: tuple[float, ...]) -> None:
    mean = float(np.mean(values))
    said = shift(MeanQuery("x"), schema, len(values), mean)
    removed = [
        [value for place, value in enumerate(values) if place not in gone]
        for gone in itertools.combinations(range(len(values)), rows)
    ]
    added = [[*values, *new] for new in itertools.combinations_with_replacement((0.0, 2.5, 10.0), rows)]
    moved = max(abs(float(np.mean(other)) - mean) for other in removed + added)
    assert moved <= said * (1 + 1e-9)


def test_the_bound_is_reached() -> None:
    values = (10.0,) * 9 + (0.0,)
    said = shift(MeanQuery("x"), SCHEMA, 10, float(np.mean(values)))
    assert said == pytest.approx(float(np.mean(values[:-1])) - float(np.mean(values)))


def test_a_share_moves_by_about_one_in_all() -> None:
    having = ProportionQuery(having=Comparison("x", ">", 5))
    assert shift(having, SCHEMA, 101, 0.5) == pytest.approx(0.5 / 100)
    assert shift(having, SCHEMA, 101, 1.0) == pytest.approx(1.0 / 100)


@each("records", [0, 1])
def test_almost_nobody_means_the_whole_range(records: int) -> None:
    assert shift(MeanQuery("x"), SCHEMA, records, 5.0) == pytest.approx(10.0)


def test_counts_move_by_their_sensitivity() -> None:
    histogram = HistogramQuery("x", edges=(0, 5, 10))
    for query in (CountQuery(), histogram):
        parts = query.parts(TWO_ROWS, Neighbors.REPLACE_ONE)
        assert largest_shift(query, parts, Guess(records=100)) == 2.0


VALUES = ((0.0,) * 6, (0.0,) * 5 + (10.0,), (5.0,) * 6, (0.0, 10.0) * 3, (0.0, 3.0, 7.0, 10.0, 10.0, 10.0))


@each(("schema", "rows"), [(SCHEMA, 1), (TWO_ROWS, 2)])
@each("values", VALUES)
@each("neighbors", Neighbors)
def test_a_variance_moves_no_further_than_said(
    neighbors: Neighbors, schema: Schema, rows: int, values: tuple[float, ...]
) -> None:
    query = VarianceQuery("x", where=Comparison("x", ">=", 0))
    guess = Guess(records=len(values), answer=float(np.var(values)))
    said = largest_shift(query, query.parts(schema, neighbors), guess)
    new = list(itertools.combinations_with_replacement((0.0, 2.5, 10.0), rows))
    gone = [
        [value for place, value in enumerate(values) if place not in out]
        for out in itertools.combinations(range(len(values)), rows)
    ]
    others = (
        [*gone, *([*values, *more] for more in new)]
        if neighbors is Neighbors.ADD_REMOVE
        else [[*kept, *more] for kept in gone for more in new]
    )
    moved = max(abs(float(np.var(other)) - float(np.var(values))) for other in others)
    assert moved <= said * (1 + 1e-9)


def test_the_bound_of_a_variance_is_reached_by_the_last_one_at_another_bound() -> None:
    values = [0.0] * 9 + [10.0]
    query = VarianceQuery("x")
    said = largest_shift(query, query.parts(SCHEMA, Neighbors.ADD_REMOVE), Guess(records=10, answer=9.0))
    assert said == pytest.approx(float(np.var(values)) - float(np.var(values[:-1])))
