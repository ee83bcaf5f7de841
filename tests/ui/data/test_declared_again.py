"""A table of which somebody says roughly how large it is, and one that is declared otherwise once it has questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from dpengine.scenario import Scenario
from tests.ui.data.test_data_page import declare, sentences, use
from tests.ui.reading import number_box, travelled

OpenPage = Callable[[str], AppTest]
QUERIES = (MeanQuery("age"), HistogramQuery("sex"), CountQuery(where=Comparison("sex", "=", "m")))


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The trial, declared; nobody has pressed the button yet."""
    return declare(open_page("explore/data"))


def plan(page: AppTest) -> Scenario:
    found = page.session_state["scenario"]
    assert isinstance(found, Scenario)
    return found


def ask(page: AppTest) -> AppTest:
    asked = tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.1)) for query in QUERIES)
    page.session_state["scenario"] = replace(plan(page), queries=asked)
    return page.run()


def test_how_large_it_is_roughly_is_asked_once_and_travels_with_the_plan(page: AppTest) -> None:
    assert page.number_input(key="about_rows").value is None, "It is a guess of a person, not the rows' number."
    page.number_input(key="about_rows").set_value(300_000).run()
    ask(use(page))
    assert (travelled(page).targets.rows, travelled(page).targets.people) == (300_000, None)
    page.switch_page("pages/explore/tradeoff.py").run()
    assert page.title[0].value.endswith(" years, assuming about 300,000 rows")
    page.switch_page("pages/explore/data.py").run()
    page.button(key="declare_again").click().run()
    assert page.number_input(key="about_rows").value == 300_000


def test_nobody_has_to_say_it_and_then_it_is_said_that_nobody_has(page: AppTest) -> None:
    ask(use(page))
    assert travelled(page).targets.rows is None
    page.switch_page("pages/explore/tradeoff.py").run()
    assert page.title[0].value.endswith(", if there are 1,000 rows")


def test_people_are_asked_for_where_they_are_not_rows(page: AppTest) -> None:
    assert not [box for box in page.number_input if box.key == "about_people"]
    page.selectbox(key="kind_1").set_value("text").run()
    page.radio(key="unit_kind").set_value("identifier").run()
    assert page.number_input(key="about_people").value is None


def test_a_corrected_bound_keeps_the_questions(page: AppTest) -> None:
    asked = plan(ask(use(page))).queries
    page.button(key="declare_again").click().run()
    page.number_input(key="upper_0").set_value(100).run()
    use(page)
    assert plan(page).schema.number("age").upper == 100
    assert plan(page).queries == asked
    assert "question" not in sentences(page, "warning")


def test_a_value_that_is_gone_is_named_with_the_question_that_needs_it(page: AppTest) -> None:
    asked = plan(ask(use(page))).queries
    page.button(key="declare_again").click().run()
    page.text_input(key="values_1").set_value("f, x").run()
    use(page)
    assert plan(page).queries == asked[:2]
    said = sentences(page, "warning")
    assert "one question does not hold any more and was left out (2 came along)" in said
    assert "Question 3: 'm' is not a category of 'sex'" in said


def test_what_is_said_about_a_question_stays_with_it_when_another_one_is_lost(page: AppTest) -> None:
    ask(use(page))
    page.session_state["scenario"] = replace(plan(page), queries=plan(page).queries[::-1])
    page.switch_page("pages/explore/tradeoff.py").run()
    for place, error in enumerate((3.25, 4.25, 5.25)):
        page.selectbox(key="tradeoff_question").set_value(place).run()
        number_box(page, "Guess: the answer").set_value(10 * error).run()
        number_box(page, "Accepted error").set_value(error).run()
    page.switch_page("pages/explore/data.py").run()
    page.button(key="declare_again").click().run()
    page.text_input(key="values_1").set_value("f, x").run()
    use(page)
    assert travelled(page).targets.errors == (4.25, 5.25)
    page.switch_page("pages/explore/tradeoff.py").run()
    for place, answer in enumerate((42.5, 52.5)):
        page.selectbox(key="tradeoff_question").set_value(place).run()
        assert number_box(page, "Guess: the answer").value == answer
