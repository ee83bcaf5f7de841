"""A share of people is read in per cent, its errors in percentage points, wherever a number of it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy import guess_from_rows
from dpengine.charts import LIGHT
from dpengine.charts.accuracy import noise_charts
from dpengine.data import CategoryColumn, Comparison, Schema
from dpengine.formatting import Measure, measure_of
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    HistogramQuery,
    ProportionQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
)
from dpengine.scenario import Scenario
from pages.phrasing import released_words, wording
from pages.question import one_person
from pages.question.dial import trade_off_axes
from pages.room import spending_words
from pages.session.first_plan import first_plan
from tests.examples.drawn import planned_as, released
from tests.examples.ledgers import SCHEMA
from tests.examples.tables import shared_sample
from tests.ui.dials import frames_on
from tests.ui.reading import button, moved, texts, travelled

NewApp = Callable[[], AppTest]
ILL = Comparison("ill", "=", True)
VOTES = first_plan("anes_1996")
"""Its first question is a share."""


@pytest.mark.parametrize(("query", "unit"), [(ProportionQuery(ILL), "% of people"), (CountQuery(), "people")])
def test_a_released_number_and_its_interval(query: Query, unit: str) -> None:
    known = released(planned_as(query, 0.5), [[9]] * len(query.parts(SCHEMA, Neighbors.ADD_REMOVE)))
    for words in (released_words.headline(known, 0.95), released_words.one_line(known, 0.95)):
        assert re.search(rf"\d {re.escape(unit)}".replace(" %", "%"), words)
        assert len(re.findall(r"\bpeople\b", words)) == 1
    assert f" {unit}. It covers".replace(" %", "%") in released_words.meaning(known, 0.95)
    follows = "wider or narrower than the ± that was planned" in released_words.meaning(known, 0.95)
    assert follows == (len(known.parts) > 1), "Only a ratio's interval follows from what was drawn."


@pytest.mark.parametrize(
    ("measure", "after", "written"),
    [
        (measure_of(ProportionQuery(ILL), SCHEMA), "percentage points", ("25", "50")),
        (Measure(errors="years", answers="years"), "years", ("0.25", "0.5")),
    ],
)
def test_what_a_picture_says_of_its_errors(measure: Measure, after: str, written: tuple[str, str]) -> None:
    picture = noise_charts.intervals(
        sampling=0.25, noise=0.5, combined=0.75, confidence=0.95, measure=measure, palette=LIGHT
    )
    assert f"sampling error within {written[0]} {after}, privacy noise within {written[1]}," in picture.alt
    assert picture.figure.layout.xaxis.title.text == f"error, {after}"
    assert max(picture.numbers[f"half-width, {after}"]) == 1.5 * float(written[1])


def test_shares_by_group_are_read_in_per_cent_wherever_they_stand(new_app: NewApp) -> None:
    known = released(planned_as(GroupedProportionQuery(ILL, "ill"), 0.5), [[-40, 40], [100, 100]])
    assert released_words.one_line(known, 0.95).startswith("by ill: no → 30% (")
    assert spending_words.cells(known) == ["`no` **30%**", "`yes` **70%**"]
    page = arriving(new_app, VOTES)
    share = replace(VOTES.queries[0], query=GroupedProportionQuery(Comparison("age", ">", 50), "party"))
    page.session_state["scenario"] = replace(VOTES, queries=(share,), budget=Guarantee(epsilon=9.0))
    page.run()
    assert re.search(
        r"Any single share is within ±[\d.]+ percentage points\. Compared with a typical one of [\d.]+%", texts(page)
    )
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    (press,) = [one for one in page.button if one.label == "Release this answer"]
    press.click().run()
    numbers = page.dataframe[0].value
    assert "released, % of people" in numbers.columns
    assert 1.0 < numbers["released, % of people"].max() <= 100.0


def test_a_released_share_with_one_part_has_its_error_in_percentage_points() -> None:
    """Their number is public, so one noisy count is enough, and its interval is even."""
    schema, neighbors = replace(SCHEMA, people=200), Neighbors.REPLACE_ONE
    known = released(planned_as(ProportionQuery(ILL), 0.5), [[90]], schema=schema, neighbors=neighbors)
    assert re.fullmatch(r"45% of people ± 3\.?\d* percentage points", released_words.headline(known, 0.95))
    noise = wording.noise_line(known.planned_query, schema, neighbors)
    assert noise == "Laplace noise of scale 1 percentage point."
    assert one_person.under_both_relations(
        known.query,
        Scenario(table_name="people", schema=schema, neighbors=neighbors, queries=(), budget=Guarantee(epsilon=1.0)),
    ).endswith("| **0.5** percentage points |")


def test_released_shares_of_a_public_number_have_one_error_and_are_in_per_cent() -> None:
    schema, neighbors = replace(SCHEMA, people=200), Neighbors.REPLACE_ONE
    shares = SeveralProportionsQuery((ILL, Comparison("age", ">", 50)))
    known = released(planned_as(shares, 0.5), [[90, 31]], schema=schema, neighbors=neighbors)
    assert re.fullmatch(r"2 shares, all within ±[\d.]+ percentage points", released_words.headline(known, 0.95))
    line = r"all ± [\d.]+ percentage points: ill = yes → 45%; age > 50 → 15\.5%"
    assert re.fullmatch(line, released_words.one_line(known, 0.95))
    assert wording.noise_line(known.planned_query, schema, neighbors) == "Laplace noise of scale 2 percentage points."


def arriving(new_app: NewApp, plan: Scenario) -> AppTest:
    """The trade-off page of a session that begins with this plan."""
    fresh = new_app()
    fresh.query_params["plan"] = plan.to_link()
    return fresh.run().switch_page("pages/explore/tradeoff/page.py").run()


def test_a_person_reads_and_types_percentage_points_and_the_plan_keeps_a_part_of_one(new_app: NewApp) -> None:
    page, (table, _) = arriving(new_app, VOTES), shared_sample("anes_1996")
    planned, around = VOTES.queries[0], (VOTES.schema, VOTES.neighbors)
    half_width = planned.error(*around, guess_from_rows(planned.query, *around, table)).quantile(0.95)
    headline = re.match(
        r"95% of possible answers are off by at most about ([\d.]+) percentage points", page.title[0].value
    )
    assert headline
    assert 100.0 * half_width <= float(headline[1]) <= 101.0 * half_width
    assert page.number_input(key="target_error_0").label == "Accepted error, percentage points"
    page.number_input(key="target_error_0").set_value(7.0).run()
    assert travelled(page).targets.errors == (0.07,)
    again = arriving(new_app, travelled(page))
    assert again.number_input(key="target_error_0").value == 7.0
    assert re.search(r"\*\*ε at least ([\d.]+)\*\*", texts(again))
    page.number_input(key="target_error_0").set_value(0.07)
    page.number_input(key="target_belief").set_value(51.0).run()
    line = re.search(r"Accept an error of \*\*([\d.]+) percentage points\*\* instead of 0\.07\.", texts(page))
    assert line
    page.button(key="target_accept").click().run()
    assert page.number_input(key="target_error_0").value == float(line[1]) > 1.0
    assert "No ε meets both" not in texts(page)


def test_the_dial_of_a_share_is_in_percentage_points_around_a_per_cent(new_app: NewApp) -> None:
    page = arriving(new_app, VOTES)
    answers = frames_on(page).header["axes"]
    assert {axis["title"] for axis in answers} == {"answer, % of people"}
    for axis in answers:
        at, ticks = (
            [tick["at"] for tick in axis["ticks"]],
            [float(tick["text"].replace("−", "-")) for tick in axis["ticks"]],
        )
        assert (ticks[-1] - ticks[0]) / (at[-1] - at[0]) == pytest.approx(200.0 * axis["reach"], rel=0.02)
    exact = re.search(r"Exact answer \*\*([\d.]+)%\*\*", texts(page))
    assert exact
    assert "Divided by" not in texts(page)
    assert "one person can change it by at most 0.5) and a count" in texts(page)
    assert frames_on(page).header["tradeOff"]["title"] == "error within, percentage points"
    assert "10" in {tick["text"] for tick in frames_on(page).header["tradeOff"]["error"]}
    powers = trade_off_axes.error_ticks(
        trade_off_axes.TradeOffSpan(least_error=0.001, largest_error=1.0, prior=0.5), 100.0
    )
    assert [tick["text"] for tick in powers] == ["0.1", "1", "10", "100"]
    assert [tick["at"] for tick in powers] == pytest.approx([0.0, 1 / 3, 2 / 3, 1.0])
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert frames_on(page).header["axes"][0]["title"] == "error, percentage points"
    guess = page.number_input(key="guess_answer_0")
    assert (guess.label, guess.value) == ("Guess: the answer, % of people", None)
    guess.set_value(7.0).run()
    assert page.number_input(key="guess_answer_0").value == 7.0


def test_a_tolerated_error_of_a_share_is_typed_in_percentage_points(new_app: NewApp) -> None:
    page = arriving(new_app, VOTES)
    page.segmented_control(key="closer_look").set_value("How often is it worse?").run()
    box = moved(page.number_input, "tradeoff_tolerance_0")
    assert box.label == "Tolerated error, percentage points"
    assert "By more than ±" in texts(page)
    box.set_value(7.0).run()
    assert "By more than ±7 percentage points the answer is off in" in texts(page)
    assert moved(page.slider, "tradeoff_tolerance_0_slider").value == 7.0


@pytest.mark.parametrize(
    ("query", "begins"),
    [
        (HistogramQuery("ward"), r"all ± \d+ people, by ward: 0 → "),
        (GroupedCountQuery("ward"), r"all ± \d+ people, by ward: 0 → "),
        (GroupedMeanQuery("age", ("ward", "ill")), "by ward and ill: 0 · no → "),
        (StatisticalQueries((Comparison("age", ">", 50), ILL)), r"all ± [\d.]+ people: age > 50 → "),
        (SeveralProportionsQuery((Comparison("age", ">", 50), ILL)), r"age > 50 → [\d.]+% \([\d.]+ to [\d.]+\); ill"),
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


def test_a_share_of_a_public_number_of_people_says_by_which_one_it_is_divided(new_app: NewApp) -> None:
    public = replace(VOTES, schema=replace(VOTES.schema, people=944), neighbors=Neighbors.REPLACE_ONE)
    page = arriving(new_app, public)
    assert "Divided by the 944 people that were declared." in texts(page)
    assert "Divided by the 944 people that were declared." in frames_on(page).header["detail"][0]
