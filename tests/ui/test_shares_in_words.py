"""A share of people stands in brackets wherever it follows a number; other units follow it bare."""

from __future__ import annotations

import re

import pytest

from dpengine.charts import LIGHT, noise_charts
from dpengine.data import CategoryColumn, Comparison, Schema
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    HistogramQuery,
    ProportionQuery,
    Query,
    StatisticalQueries,
)
from pages.ui import released_words
from tests.examples.drawn import planned_as, released
from tests.examples.ledgers import SCHEMA

ILL = Comparison("ill", "=", True)


@pytest.mark.parametrize(("query", "unit"), [(ProportionQuery(ILL), "(share of people)"), (CountQuery(), "people")])
def test_a_released_number_and_its_interval(query: Query, unit: str) -> None:
    known = released(planned_as(query, 0.5), [[9]] * len(query.parts(SCHEMA, Neighbors.ADD_REMOVE)))
    for words in (released_words.headline(known, 0.95), released_words.one_line(known, 0.95)):
        assert re.search(rf"\d {re.escape(unit)}", words)
        assert len(re.findall(r"\bpeople\b", words)) == 1
    assert f" {unit}. It covers" in released_words.meaning(known, 0.95)
    follows = "wider or narrower than the ± that was planned" in released_words.meaning(known, 0.95)
    assert follows == (len(known.parts) > 1), "Only a ratio's interval follows from what was drawn."


@pytest.mark.parametrize(("unit", "after"), [("share of people", "(share of people)"), ("years", "years")])
def test_what_a_picture_says_of_its_errors(unit: str, after: str) -> None:
    picture = noise_charts.intervals(sampling=0.25, noise=0.5, combined=0.75, confidence=0.95, unit=unit, palette=LIGHT)
    assert f"sampling error within 0.25 {after}, privacy noise" in picture.alt
    assert picture.figure.layout.xaxis.title.text == f"error, {unit}"


@pytest.mark.parametrize(
    ("query", "begins"),
    [
        (HistogramQuery("ward"), r"all ± \d+ people, by ward: 0 → "),
        (GroupedCountQuery("ward"), r"all ± \d+ people, by ward: 0 → "),
        (GroupedMeanQuery("age", ("ward", "ill")), "by ward and ill: 0 · no → "),
        (StatisticalQueries((Comparison("age", ">", 50), ILL)), r"all ± [\d.]+ people: age > 50 → "),
        (CountQuery(), ""),
    ],
)
def test_a_line_of_many_numbers_begins_with_their_error_and_the_columns_of_their_groups(
    query: Query, begins: str
) -> None:
    """The end of a cell may be cut off, and a group called 1 reads like a number."""
    schema = Schema(name="t", columns=(*SCHEMA.columns, CategoryColumn(name="ward", categories=("0", "1"))))
    parts = query.parts(schema, Neighbors.ADD_REMOVE)
    known = released(planned_as(query, 0.5), [[9] * len(part.labels) for part in parts], schema=schema)
    line = released_words.one_line(known, 0.95)
    assert re.match(begins, line)
    assert line.count(" → ") == (len(known.labels) if begins else 0)
