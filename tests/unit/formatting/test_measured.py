"""A share is kept as a part of 1 and read in percentage points and per cent; every other unit as it was declared."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.charts import LIGHT, Chart
from dpengine.charts.accuracy import noise_charts
from dpengine.charts.accuracy.noise_charts import AnswerView
from dpengine.data import BooleanColumn, Comparison, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.formatting import Measure, answer_in, error_in, measure_of
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, MeanQuery, ProportionQuery, Query
from tests.contracts.charts.test_charts import TINY_NOISE
from tests.running.cases import each

ILL = ProportionQuery(Comparison("ill", "=", True))
PEOPLE = Schema(name="people", columns=(BooleanColumn(name="ill"),))
ROWS = Schema(
    name="visits",
    columns=(*PEOPLE.columns, TextColumn(name="person")),
    unit=PrivacyUnit(identifier="person", rows=2),
)


@each(("schema", "whom"), [(PEOPLE, "people"), (ROWS, "rows")])
def test_the_unit_of_every_share_is_known(schema: Schema, whom: str) -> None:
    query: Query = ILL
    measure = measure_of(query, schema)
    assert (measure.times, measure.errors, measure.answers) == (100.0, "percentage points", f"% of {whom}")
    assert answer_in(measure, 0.432) == f"43.2% of {whom}"


@each("unit", ["share of income", "share of people", "share of rows"])
def test_a_unit_that_somebody_declared_is_left_alone(unit: str) -> None:
    """What it is a share of, and whether its numbers go to 1 or to 100, nobody has said: not even in our own words."""
    declared = Schema(name="people", columns=(NumberColumn(name="part", lower=0.0, upper=1.0, unit=unit),))
    measure = measure_of(MeanQuery("part"), declared)
    assert error_in(measure, 0.043) == f"0.043 ({unit})"
    assert answer_in(measure, 43.0) == f"43 ({unit})"


@each(("schema", "one", "several"), [(PEOPLE, "1 person", "2 people"), (ROWS, "1 row", "2 rows")])
def test_one_is_a_single_one(schema: Schema, one: str, several: str) -> None:
    measure = measure_of(CountQuery(), schema)
    assert (error_in(measure, 1.0), error_in(measure, 2.0), answer_in(measure, 1.0)) == (one, several, one)


def test_an_error_of_a_share_is_never_rounded_below_the_truth() -> None:
    rng = np.random.default_rng(7)
    for error in (*10.0 ** rng.uniform(-8.0, 0.0, 2000), 0.07, 0.29, 0.57, 0.043, 1.0):
        read = float(error_in(measure_of(ILL, PEOPLE), float(error)).split(" ")[0])
        assert 100.0 * error * (1.0 - 1e-12) <= read <= 101.0 * error


def test_what_somebody_typed_comes_back_as_it_was_typed() -> None:
    measure = measure_of(ILL, PEOPLE)
    for typed in (4.3, 7.0, 29.0, 57.0, 0.1, 33.3333, 1e-7, *(step / 1000 for step in range(1, 3000, 7))):
        assert measure.read(measure.kept(typed)) == typed
        assert math.isclose(measure.kept(typed), typed / 100.0, rel_tol=1e-15)
    assert measure.kept(4.3) == 0.043


def likely(measure: Measure, center: float | None, neighbors: Neighbors = Neighbors.ADD_REMOVE) -> Chart:
    """One hundred likely answers."""
    view = AnswerView(law=TINY_NOISE, shift=0.02, confidence=0.95, center=center, measure=measure, neighbors=neighbors)
    return noise_charts.likely_answers(view, LIGHT)


@each(
    ("neighbors", "names", "alt"),
    [
        (Neighbors.ADD_REMOVE, ["without", "with one person"], "answers without one person, and with one person."),
        (Neighbors.REPLACE_ONE, ["one value", "another value of one person"], "and with another value."),
    ],
)
def test_the_two_worlds_are_those_of_the_relation(neighbors: Neighbors, names: list[str], alt: str) -> None:
    picture = likely(measure_of(CountQuery(), PEOPLE), None, neighbors)
    assert [said.text for said in picture.figure.layout.annotations] == names
    assert picture.alt.endswith(alt)


@each("center", [None, 0.4])
def test_likely_answers_of_a_share_are_those_of_a_count_that_is_100_times_as_large(center: float | None) -> None:
    share, plain = shown = [likely(measure_of(query, PEOPLE), center) for query in (ILL, CountQuery())]
    assert share.figure.layout.xaxis.title.text == (
        "error, percentage points" if center is None else "answer, % of people"
    )
    assert share.figure.layout.xaxis.range == pytest.approx([100.0 * end for end in plain.figure.layout.xaxis.range])
    assert share.figure.layout.yaxis.range == pytest.approx(plain.figure.layout.yaxis.range)
    for of_share, of_plain in zip(share.figure.data, plain.figure.data, strict=True):
        np.testing.assert_allclose(of_share.x, 100.0 * np.asarray(of_plain.x), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(of_share.y, of_plain.y, rtol=1e-5)
    tabled = [np.asarray(next(iter(chart.numbers.values())), dtype=float) for chart in shown]
    np.testing.assert_allclose(tabled[0], 100.0 * tabled[1])
    assert np.median(tabled[0]) == pytest.approx(100.0 * (center or 0.0))


def test_the_tail_of_a_share_is_drawn_and_told_in_percentage_points() -> None:
    picture = noise_charts.tail(
        tolerances=np.array([0.0, 0.05, 0.1]),
        probabilities=np.array([1.0, 0.3, 0.1]),
        tolerance=0.05,
        probability=0.3,
        measure=measure_of(ILL, PEOPLE),
        palette=LIGHT,
    )
    assert picture.alt == "The error exceeds 5 percentage points in 30% of answers."
    assert picture.figure.layout.xaxis.range == (0, pytest.approx(10.0))
    assert [list(line.x) for line in picture.figure.data] == [pytest.approx([0, 5, 10]), [5, 5], [5]]
