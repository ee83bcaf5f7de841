"""Answers that are chosen, simulated or grouped: what the trade-off, budget and release pages say of each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.charts import Chart
from dpengine.data import CategoryColumn, Comparison, NumberColumn, Schema, read_table, sample_schema
from dpengine.formatting import at_most
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    MeanQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    VarianceQuery,
)
from dpengine.scenario import Scenario
from pages.session.first_plan import first_plan
from pages.widgets import outputs
from tests.servers.server import ROOT
from tests.ui.reading import button, texts

OpenPlan = Callable[..., AppTest]
MUMPS, ADULT = Comparison("disease", "=", "mumps"), Comparison("age", ">=", 18)
EVERY_KIND: tuple[Query, ...] = (
    VarianceQuery("age"),
    GroupedCountQuery(("sex", "disease")),
    GroupedSumQuery("age", ("sex",)),
    GroupedMeanQuery("age", ("sex",)),
    GroupedProportionQuery(Comparison("age", ">", 30), ("sex",)),
    QuantileQuery("age"),
    QuantileQuery("age", quantile=0.9, candidates=(20.0, 40.0, 60.0, 80.0)),
    ModeQuery("disease"),
    StatisticalQueries((MUMPS, ADULT)),
    SeveralProportionsQuery((MUMPS, ADULT)),
)


def planned(*queries: Query, table: str = "patients", epsilon: float = 0.5) -> Scenario:
    asked = tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon)) for query in queries)
    return replace(first_plan(table), queries=asked, budget=Guarantee(epsilon=50.0, delta=1e-6))


@pytest.fixture
def open_plan(new_app: Callable[[], AppTest]) -> OpenPlan:
    """Open a page with a plan of the test's own."""

    def opened(page: str, plan: Scenario, *, shown: bool = True) -> AppTest:
        app = new_app()
        app.session_state["scenario"], app.session_state["exact_shown"] = plan, shown
        app.switch_page(f"pages/{page}/page.py").run()
        assert not app.exception
        return app

    return opened


def test_every_kind_has_a_trade_off_shown_and_hidden(open_plan: OpenPlan) -> None:
    """What is shown of a variance takes a second to simulate; hidden, the test of its guesses opens it."""
    page = open_plan("explore/tradeoff", planned(*EVERY_KIND[1:], EVERY_KIND[0]))
    for shown in (True, False):
        page.sidebar.toggle(key="exact_toggle").set_value(shown)
        for number in range(len(EVERY_KIND) - (not shown)):
            page.selectbox(key="tradeoff_question").set_value(number).run()
            assert not page.exception
            assert not page.error
            assert "% of " in page.title[0].value


def test_every_closer_look_at_a_choice_has_words_of_its_own(open_plan: OpenPlan) -> None:
    page = open_plan("explore/tradeoff", planned(QuantileQuery("age")))
    page.segmented_control(key="closer_look").set_value("How often is it worse?").run()
    assert "in **at most 5%** of releases, for any rows" in texts(page)
    page.segmented_control(key="closer_look").set_value("Sampling error").run()
    assert "depends on more than the number of rows" in texts(page)
    page.segmented_control(key="closer_look").set_value("Textbook bounds").run()
    assert "Theorem 3.11" in texts(page)


def test_the_headline_of_a_median_is_the_bound_on_its_rank(open_plan: OpenPlan) -> None:
    query = QuantileQuery("age", candidates=tuple(range(0, 121, 5)))
    plan = planned(query, epsilon=0.2)
    page = open_plan("explore/tradeoff", plan)
    within = at_most(plan.queries[0].error(plan.schema, plan.neighbors).quantile(0.95))
    assert within == at_most(2 * 0.5 / 0.2 * (math.log(25) + math.log(20)))
    where = f"within {within} people of the true median"
    assert page.title[0].value == f"95% of answers are {where}"
    assert "answers are exactly that" in texts(page)
    assert page.selectbox(key="tradeoff_chosen").disabled


def test_the_chances_of_a_mode_are_shown_only_where_exact_values_are(
    open_plan: OpenPlan,
) -> None:
    page = open_plan("explore/tradeoff", planned(ModeQuery("disease")))
    assert "Most frequent: `none`" in texts(page)
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert "Most frequent" not in texts(page)
    assert "With 7 candidates, 95% of answers fall short by at most" in texts(page)
    page.number_input(key="guess_records_0").set_value(100.0).run()
    assert "of a guessed 100" in texts(page)
    assert not [box for box in page.number_input if box.key == "guess_answer_0"]


def test_a_variance_has_a_guess_of_its_mean_and_says_that_it_is_simulated(
    open_plan: OpenPlan,
) -> None:
    page = open_plan("explore/tradeoff", planned(VarianceQuery("age")), shown=False)
    assert "Simulated with the noise that is released" in texts(page)
    page.number_input(key="guess_records_0").set_value(900.0).run()
    page.number_input(key="guess_answer_0").set_value(80.0).run()
    before = page.title[0].value
    assert before.endswith("(which nobody has said)"), "The error depends on the mean, too."
    page.number_input(key="guess_mean_0").set_value(110.0).run()
    assert page.title[0].value != before
    assert "nobody has said" not in page.title[0].value
    page.number_input(key="guess_answer_0").set_value(1e9).run()
    assert "within the public bounds" in texts(page)


def test_means_of_groups_are_those_of_a_group_of_average_size(open_plan: OpenPlan) -> None:
    page = open_plan("explore/tradeoff", planned(GroupedMeanQuery("age", ("sex",))))
    assert page.title[0].value.startswith("All 2 means are off by at most about ")
    assert "a group of average size, 1,000 rows (public practice data);" in texts(page)
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert "a group of average size, 1,000 rows;" in texts(page)


def test_every_kind_is_burnt_and_listed(open_plan: OpenPlan) -> None:
    page = open_plan("explore/budget", planned(*EVERY_KIND))
    assert page.title[0].value == "All 10 questions fit: they would spend ε 5 of ε 50"
    assert "Takes three noisy answers: a sum of squares" in texts(page)
    page.switch_page("pages/explore/queries/page.py").run()
    assert not page.exception
    assert page.title[0].value == "10 questions planned; together they cost ε 5"


def test_every_kind_is_released_read_and_kept(open_plan: OpenPlan) -> None:
    page = open_plan("explore/release", planned(*EVERY_KIND, epsilon=2.0))
    button(page, "open_account").click().run()
    titles = [released(page, number) for number in range(len(EVERY_KIND))]
    assert "years squared (" in titles[0]
    assert titles[1].startswith("The answer: 14 counts, all within ±")
    assert titles[2].startswith("The answer: 2 sums, all within ±")
    assert titles[3] == "The answer: 2 means, each with its interval"
    assert titles[4] == "The answer: 2 shares, each with its interval"
    assert titles[5].endswith(" years")
    assert titles[6] in {f"The answer: {age} years" for age in (20, 40, 60, 80)}
    assert titles[7] == "The answer: none"
    assert titles[8].startswith("The answer: 2 counts, all within ±")
    history = page.dataframe[-1].value
    assert len(history) == len(EVERY_KIND)
    assert "none" in set(history["answer, 95% interval"])


def released(page: AppTest, number: int) -> str:
    """The title after the button was pressed for one question."""
    page.selectbox(key="release_question").set_value(number).run()
    (button,) = [one for one in page.button if one.label == "Release this answer"]
    button.click().run()
    assert not page.exception
    assert not page.error
    return page.title[0].value.replace("\\", "")


def test_a_choice_says_how_good_it_is_and_has_no_interval(open_plan: OpenPlan) -> None:
    page = open_plan("explore/release", planned(ModeQuery("disease"), QuantileQuery("age")))
    button(page, "open_account").click().run()
    released(page, 0)
    assert "people short of the most frequent one" in texts(page)
    released(page, 1)
    assert "In 95% of such releases, its place in the sorted list is at most " in texts(page)
    assert "there is no interval around it" in texts(page)
    assert "The exact answer lies in the interval" not in texts(page)


def test_a_plan_that_wants_gaussian_noise_for_a_choice_gets_a_sentence(
    open_plan: OpenPlan,
) -> None:
    plan = planned(ModeQuery("disease"))
    chosen = plan.queries[0].with_mechanism("gaussian", delta=1e-7)
    page = open_plan("explore/release", replace(plan, queries=(chosen,)))
    button(page, "open_account").click().run()
    assert not page.exception
    assert "selected at random and gets no noise" in texts(page)


def own_table(rows: int) -> tuple[Scenario, object]:
    """The study as somebody's own table, in which at most so many rows of a person count."""
    schema = sample_schema("rand_hie")
    capped = Schema(name="study", columns=schema.columns, unit=replace(schema.unit, rows=rows), people=schema.people)
    table = read_table(ROOT / "dpengine" / "data" / "samples" / "tables" / "rand_hie.csv", schema=capped)
    asked = tuple(
        PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.5))
        for query in (CountQuery(), MeanQuery("medical_dollars"), GroupedCountQuery(("year",)))
    )
    plan = Scenario(
        table_name="study",
        schema=capped,
        neighbors=Neighbors.ADD_REMOVE,
        queries=asked,
        budget=Guarantee(epsilon=3.0, delta=1e-6),
    )
    return plan, table


def test_what_a_bound_on_rows_does_is_told_to_the_curator_alone(
    open_plan: OpenPlan,
) -> None:
    plan, table = own_table(rows=3)
    page = open_plan("explore/queries", plan)
    page.session_state["table"] = table
    page.session_state["exact_shown"] = False
    page.switch_page("pages/explore/tradeoff/page.py").run()
    page.segmented_control(key="closer_look").set_value("Sampling error").run()
    assert "at most 3 rows per person" not in texts(page)
    page.sidebar.toggle(key="exact_toggle").set_value(True).run()
    assert (
        "Counting at most 3 rows per person drops **16%** of the rows and changes the exact answer from 20,190 to "
        "**16,952** :gray[(exact; for your eyes only)]. A larger epsilon does not undo that."
    ) in texts(page)
    page.selectbox(key="tradeoff_question").set_value(2).run()
    assert "changes the exact answers by 16" in texts(page)
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert "16,952" not in texts(page)


HOSTILE = "[x](http://a.example) <img src=x> $y$"


def test_hostile_units_and_values_stay_text_on_every_page(open_plan: OpenPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Chart] = []
    monkeypatch.setattr(outputs, "chart", lambda _place, picture, **_look: drawn.append(picture))
    schema = Schema(
        name=HOSTILE,
        columns=(
            NumberColumn(name="age", lower=0, upper=100, unit="<a href='http://b.example'>" + HOSTILE),
            CategoryColumn(name="kind", categories=(HOSTILE, "<a href='http://c.example'>z</a>")),
        ),
    )
    table = read_table(f'age,kind\n34,"{HOSTILE}"\n50,"{HOSTILE}"\n'.encode(), schema=schema, format="csv")
    queries = (MeanQuery("age"), QuantileQuery("age"), ModeQuery("kind"), GroupedMeanQuery("age", ("kind",)))
    asked = tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.5)) for query in queries)
    page = open_plan(
        "explore/queries", replace(first_plan("patients"), table_name=HOSTILE, schema=schema, queries=asked)
    )
    page.session_state["table"] = table
    written = [shown_text(page)]
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    for number in range(len(queries)):
        released(page, number)
        written.append(shown_text(page))
    page.switch_page("pages/explore/tradeoff/page.py").run()
    for shown in (True, False):
        page.sidebar.toggle(key="exact_toggle").set_value(shown).run()
        for number in range(len(queries)):
            page.selectbox(key="tradeoff_question").set_value(number).run()
            assert not page.exception
            written.append(shown_text(page))
    assert not [text for text in written if "](" in text or "<img" in text]
    figures = "".join(picture.figure.to_json() for picture in drawn)
    assert "b.example" in figures
    assert "c.example" in figures
    assert "<a " not in figures
    assert "\\u003ca " not in figures


def shown_text(page: AppTest) -> str:
    """Everything that is drawn as markdown, code spans and escaped signs left out."""
    elements = (*page.title, *page.markdown, *page.error, *page.info, *page.number_input, *page.caption)
    text = "\n".join(getattr(element, "label", "") or str(element.value) for element in elements)
    return re.sub(r"\\.", "", re.sub(r"`[^`]*`", "", text))
