"""Answers that the noise drowns, and what caps leave out: named on the trade-off and the release page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import BooleanColumn, CategoryColumn, NumberColumn, PrivacyUnit, Schema, TextColumn, read_table
from dpengine.ledger import Estimate
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    HistogramQuery,
    MeanQuery,
    Query,
)
from dpengine.scenario import Scenario
from pages.phrasing.released_words import bounds
from pages.question.uninformative import ADVICE, of_release
from tests.ui.reading import button, texts

OpenPlan = Callable[..., AppTest]
NOTHING = "This says nothing: the noise drowns the answer."
CAPPED = "The error is measured from the capped answer"
DROWNED = "the noise drowns"
ROWS = b"who,cost,new,day\n" + b"".join(
    f"{row // 10},{row % 7 * 100},{row % 2},{row % 6}\n".encode() for row in range(400)
)
SCHEMA = Schema(
    name="visits",
    columns=(
        TextColumn(name="who"),
        NumberColumn(name="cost", lower=0, upper=1000, unit="euros"),
        BooleanColumn(name="new"),
    ),
    unit=PrivacyUnit(identifier="who", rows=8, groups=2, rows_per_group=3),
)


BY_DAY = replace(SCHEMA, columns=(*SCHEMA.columns, CategoryColumn(name="day", categories=tuple("012345"))))
"""Of noise alone each day's mean says something once in fifty releases or less: all six do less than once in 10^10."""


@pytest.fixture
def open_plan(new_app: Callable[[], AppTest]) -> OpenPlan:
    """Open a page about 40 people who have ten rows each."""

    def opened(
        page: str,
        query: Query,
        *,
        epsilon: float,
        schema: Schema = SCHEMA,
        shown: bool = False,
        rows: int | None = None,
        people: int | None = None,
    ) -> AppTest:
        app = new_app()
        app.session_state["kept_table_sizes"] = {schema: (rows, people)}
        asked = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))
        app.session_state["table"] = read_table(ROWS, schema=schema, format="csv")
        app.session_state["scenario"] = Scenario(
            table_name="visits",
            schema=schema,
            neighbors=Neighbors.ADD_REMOVE,
            queries=(asked,),
            budget=Guarantee(epsilon=2000.0),
        )
        app.session_state["exact_shown"] = shown
        app.switch_page(f"pages/{page}/page.py").run()
        assert not app.exception
        return app

    return opened


def released(page: AppTest) -> AppTest:
    button(page, "open_account").click().run()
    next(button for button in page.button if button.label == "Release this answer").click().run()
    assert not page.exception
    return page


def test_means_as_wide_as_the_declared_range_are_not_praised(open_plan: OpenPlan) -> None:
    page = open_plan("explore/tradeoff", GroupedMeanQuery("cost", ("new",)), epsilon=0.001, rows=400)
    page.number_input(key="guess_answer_0").set_value(300.0).run()
    assert page.title[0].value.startswith("This says nothing: all 2 means are off by at most about ")
    assert page.title[0].value.endswith(", assuming about 400 rows and a group's answer of 300")
    assert NOTHING in texts(page)
    page.number_input(key="target_error_0").set_value(600.0).run()
    assert "Every possible answer is as close as that." in texts(page)
    assert "meets both" not in texts(page)


def test_nothing_is_judged_by_a_guess_that_nobody_has_made(open_plan: OpenPlan) -> None:
    page = open_plan("explore/tradeoff", GroupedMeanQuery("cost", ("new",)), epsilon=0.001)
    assert page.title[0].value.startswith("All 2 means are off by at most about ")
    assert page.title[0].value.endswith(", if there are 1,000 rows and a group's answer of 500 (nobody has said so)")
    assert "Nobody has said how many rows there are and how large the answer is" in texts(page)
    for box, unsaid in (("records", True), ("answer", False)):
        assert NOTHING not in texts(page)
        page.number_input(key=f"guess_{box}_0").set_value(400.0).run()
        assert ("Nobody has said how large the answer is**" in texts(page)) == unsaid
    assert page.title[0].value.startswith("This says nothing: ")
    assert page.title[0].value.endswith(", assuming about 400 rows and a group's answer of 400")


@pytest.mark.parametrize(("query", "said"), [(CountPeopleQuery(), 40.0), (CountQuery(), None)])
def test_how_many_people_there_are_is_said_of_people_and_not_of_their_rows(
    open_plan: OpenPlan, query: Query, said: float | None
) -> None:
    page = open_plan("explore/tradeoff", query, epsilon=1.0, people=40)
    assert page.number_input(key="guess_records_0").value == said


def test_no_target_is_judged_by_a_number_of_rows_that_nobody_has_said(open_plan: OpenPlan) -> None:
    """Nor is anything offered instead: the size is asked for, and once it is said all this is."""
    page = open_plan("explore/tradeoff", MeanQuery("cost"), epsilon=0.1)
    page.number_input(key="target_belief").set_value(55.0).run()
    page.number_input(key="target_error_0").set_value(1.0).run()
    page.segmented_control(key="closer_look").set_value("How often is it worse?").run()
    unsaid = "Nobody has said how many rows there are and how large the answer is**, and this error depends on it"
    assert unsaid in texts(page)
    assert "ε at most" in texts(page), "The belief depends on no size."
    assert re.search(
        r"%\*\* of releases, if there are 1,000 rows and an answer of 500 \(nobody has said so\)\.", texts(page)
    )
    judged = ("No ε", "meets both", "Any one of these is enough", "Ask about more", "ε at least")
    for box in ("records", "answer"):
        assert not [words for words in judged if words in texts(page)]
        page.number_input(key=f"guess_{box}_0").set_value(400.0).run()
    assert "No ε meets both, assuming about 400 rows and an answer of 400" in texts(page)
    assert re.search(r"Ask about more rows: \*\*[\d,]+\*\* instead of 400", texts(page))
    assert "nobody has said" not in texts(page)
    assert "Nobody has said" not in texts(page)


def test_sampling_is_not_called_negligible_for_a_size_that_nobody_has_said(open_plan: OpenPlan) -> None:
    page = open_plan("explore/tradeoff", MeanQuery("cost"), epsilon=1000.0)
    page.segmented_control(key="closer_look").set_value("Sampling error").run()
    assert "All this assumes 1,000 rows and an answer of 500; **nobody has said** so." in texts(page)
    for box in ("records", "answer"):
        assert "which we call negligible" not in texts(page)
        page.number_input(key=f"guess_{box}_0").set_value(400.0).run()
    assert "This takes values to lie about 250 euros from their mean (a quarter of the declared range" in texts(page)
    assert "which we call negligible" in texts(page)


def test_precise_means_keep_their_interval_and_their_goal(open_plan: OpenPlan) -> None:
    page = open_plan("explore/tradeoff", GroupedMeanQuery("cost", ("new",)), epsilon=500.0)
    assert page.title[0].value.startswith("All 2 means are off by at most about ")
    assert NOTHING not in texts(page)
    assert "Every possible answer is" not in texts(page)


@pytest.mark.parametrize(("epsilon", "lost"), [(0.001, True), (1000.0, False)])
def test_a_released_answer_without_content_says_so(open_plan: OpenPlan, epsilon: float, lost: bool) -> None:
    page = released(open_plan("explore/release", GroupedMeanQuery("cost", ("day",)), epsilon=epsilon, schema=BY_DAY))
    assert (DROWNED in texts(page)) is lost


def estimated(query: Query, sums: Sequence[int], rows: Sequence[int]) -> Estimate:
    """A mean, or several, of these noisy sums (in steps around the middle) and counts."""
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=1.0))
    of_values, of_rows = planned.parts(SCHEMA, Neighbors.ADD_REMOVE)
    return Estimate(
        query=query,
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        readings=(of_values.reading(sums), of_rows.reading(rows)),
        noises=planned.mechanisms(SCHEMA, Neighbors.ADD_REMOVE),
    )


@pytest.mark.parametrize(
    ("rows", "said"), [((0, 0), ADVICE), ((0, 10**6), "**1 of the 2 answers says nothing"), ((10**6, 10**6), "")]
)
def test_each_answer_without_content_is_counted(rows: tuple[int, int], said: str) -> None:
    estimate = estimated(GroupedMeanQuery("cost", ("new",)), [0, 0], rows)
    told = of_release(estimate, bounds(estimate, 0.95))
    assert told.startswith(said)
    assert bool(told) is bool(said)


@pytest.mark.parametrize(("total", "end"), [(10**12, "1,000"), (-(10**12), "0")])
def test_of_one_answer_that_was_cut_it_is_said_at_which_end(total: int, end: str) -> None:
    estimate = estimated(MeanQuery("cost"), [total], [1000])
    assert f"This answer is exactly {end} euros: the noise" in of_release(estimate, bounds(estimate, 0.95))


@pytest.mark.parametrize(("epsilon", "lost"), [(0.001, True), (1000.0, False)])
def test_asking_again_promises_nothing_where_the_noise_still_drowns_a_group(
    open_plan: OpenPlan, epsilon: float, lost: bool
) -> None:
    page = released(open_plan("explore/release", GroupedMeanQuery("cost", ("day",)), epsilon=epsilon, schema=BY_DAY))
    silent = f"for **ε {2 * epsilon:,g}** in total, the least certain group **would say nothing**: the noise drowns it."
    assert (silent in texts(page)) is lost
    assert ("euros** for the least certain group, in 95% of releases" in texts(page)) is not lost
    assert ("as exact" in texts(page)) is not lost


def test_what_caps_leave_out_is_named_and_shown_to_the_curator_alone(open_plan: OpenPlan) -> None:
    query = GroupedCountQuery(("new",))
    for name in ("explore/tradeoff", "explore/release"):
        hidden = open_plan(name, query, epsilon=1.0)
        limits = "a person counts in at most 2 groups, with at most 3 rows in each"
        assert (limits in texts(hidden)) is name.endswith("release")
        hidden = released(hidden) if name.endswith("release") else hidden
        assert f"{CAPPED}. What the caps on rows and groups drop comes on top." in texts(hidden)
        assert "for your eyes only" not in texts(hidden)
    page = open_plan("explore/tradeoff", query, epsilon=1.0, shown=True)
    assert (
        "Counting at most 8 rows per person, in at most 2 groups, with at most 3 rows in each (the cap on rows alone "
        "drops **20%** of the rows), changes the exact answers by 40"
    ) in texts(page)


def test_nothing_is_said_of_caps_where_every_row_is_another_person(open_plan: OpenPlan) -> None:
    alone = replace(SCHEMA, unit=PrivacyUnit())
    page = open_plan("explore/tradeoff", GroupedCountQuery(("new",)), epsilon=1.0, schema=alone)
    assert CAPPED not in texts(page)


def test_a_histogram_with_one_category_names_it(open_plan: OpenPlan) -> None:
    single = replace(SCHEMA, columns=(*SCHEMA.columns[:2], CategoryColumn(name="new", categories=("1",))))
    page = released(open_plan("explore/release", HistogramQuery("new"), epsilon=1.0, schema=single))
    assert page.title[0].value.startswith("The answer: 1\\: ")
