"""Many released numbers as a table: digits that their intervals deserve, thousands apart, a head that names them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, Schema
from dpengine.ledger import Estimate
from dpengine.queries import CountQuery, GroupedCountQuery, GroupedMeanQuery, HistogramQuery, Query, StatisticalQueries
from pages.phrasing.released_words import CONFIDENCE, bounds, headline
from pages.plan import answer_panels
from tests.examples.drawn import planned_as, released

SCHEMA = Schema(
    name="people",
    columns=(
        NumberColumn(name="age", lower=0, upper=100),
        BooleanColumn(name="ill"),
        CategoryColumn(name="color", categories=("red", "green")),
    ),
)


def estimate(query: Query, noisy: list[list[int]], *, epsilon: float = 0.01) -> Estimate:
    return released(planned_as(query, epsilon), noisy, schema=SCHEMA).estimate


def read(known: Estimate) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table as they are read."""
    lines = answer_panels._as_read(known, CONFIDENCE).hide(axis="index").to_string(delimiter=";").splitlines()
    head, *rows = (line.strip().split(";") for line in lines if line.strip())
    return head, rows


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_counts_are_read_in_whole_people_with_thousands_apart() -> None:
    known = estimate(HistogramQuery("color"), [[1234567, 89]])
    head, rows = read(known)
    assert head[1:] == ["released, people", "from", "to"]
    assert [row[:2] for row in rows] == [["red", "1,234,567"], ["green", "89"]]
    lower, upper = bounds(known, CONFIDENCE)
    for (_, _, least, most), low, high in zip(rows, lower, upper, strict=True):
        assert low - 10 < number(least) <= low < high <= number(most) < high + 10


def test_one_number_is_not_said_to_be_surer_than_it_is() -> None:
    for epsilon in (0.0011, 0.0013, 0.0017, 0.0019):
        known = estimate(CountQuery(), [[123456]], epsilon=epsilon)
        said = number(re.split(" ± | people", headline(known, CONFIDENCE))[1])
        assert known.half_width(CONFIDENCE) <= said <= 1.01 * known.half_width(CONFIDENCE), epsilon


def test_a_mean_has_the_digits_of_its_own_interval() -> None:
    known = estimate(GroupedMeanQuery("age", ("ill",)), [[123456, 12345678], [1000, 100000]], epsilon=1.0)
    lower, upper = bounds(known, CONFIDENCE)
    assert upper[0] - lower[0] > 30 * (upper[1] - lower[1])
    (_, few, *_), (_, many, *_) = read(known)[1]
    assert len(few.partition(".")[2]) < len(many.partition(".")[2])


@pytest.mark.parametrize(
    ("query", "noisy", "head"),
    [
        (HistogramQuery("age", edges=(0.0, 50.0, 100.0)), [[1, 2]], "bin"),
        (HistogramQuery("color"), [[1, 2]], "group"),
        (GroupedCountQuery(("ill",)), [[1, 2]], "group"),
        (StatisticalQueries((Comparison("age", ">", 40), Comparison("ill", "=", True))), [[1, 2]], "condition"),
    ],
    ids=repr,
)
def test_the_first_column_says_what_it_names(query: Query, noisy: list[list[int]], head: str) -> None:
    known = estimate(query, noisy)
    (first, *_), rows = read(known)
    assert first == head
    assert [row[0] for row in rows] == list(known.labels)


def test_the_page_shows_it_and_the_download_keeps_its_own_columns(open_page: Callable[[str], AppTest]) -> None:
    page = open_page("explore/release")
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = plan.with_query_at(0, planned_as(HistogramQuery("self_rated_health"), 0.1))
    for label in ("Open the account", "Release this answer"):
        page.run()
        next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    (table,) = [shown for shown in page.dataframe if "from" in shown.value]
    assert list(table.value) == ["group", "released, rows", "from", "to"]
    assert table.value["from"].dtype == float
    assert table.proto.arrow_data.styler.display_values
