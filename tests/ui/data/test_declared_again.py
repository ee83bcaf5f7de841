"""A table of which somebody says roughly how large it is, and one that is declared otherwise once it has questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from dpengine.scenario import Scenario
from tests.ui.data.test_data_page import declare, sentences, use
from tests.ui.reading import button, number_box, travelled

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


def sizes(page: AppTest) -> list[str]:
    """The boxes that ask how large the table is."""
    return [box.key for box in page.number_input if box.key in ("about_rows", "about_people", "people")]


def test_how_large_it_is_roughly_is_asked_once_and_travels_with_the_plan(page: AppTest) -> None:
    assert page.number_input(key="about_rows").value is None, "It is a guess of a person, not the rows' number."
    page.number_input(key="about_rows").set_value(300_000).run()
    ask(use(page))
    assert (travelled(page).targets.rows, travelled(page).targets.people) == (300_000, None)
    page.switch_page("pages/explore/tradeoff/page.py").run()
    assert page.title[0].value.endswith(
        " years, assuming about 300,000 rows, with an answer of 60 (which nobody has said)"
    )
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="declare_again").click().run()
    assert page.number_input(key="about_rows").value == 300_000


def test_nobody_has_to_say_it_and_then_it_is_said_that_nobody_has(page: AppTest) -> None:
    ask(use(page))
    assert travelled(page).targets.rows is None
    page.switch_page("pages/explore/tradeoff/page.py").run()
    assert page.title[0].value.endswith(", if there are 1,000 rows and an answer of 60 (nobody has said so)")


def test_people_are_asked_for_where_they_are_not_rows(page: AppTest) -> None:
    assert not [box for box in page.number_input if box.key == "about_people"]
    page.selectbox(key="kind_1").set_value("text").run()
    page.radio(key="unit_kind").set_value("identifier").run()
    assert page.number_input(key="about_people").value is None
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    assert sizes(page) == ["about_rows", "people"], "Their number is declared: nobody is asked to guess it, too."


def test_where_the_number_of_people_is_public_and_each_is_a_row_it_is_asked_once(page: AppTest) -> None:
    assert sizes(page) == ["about_rows"]
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    assert sizes(page) == ["people"]
    page.number_input(key="people").set_value(4_000).run()
    ask(use(page))
    page.switch_page("pages/explore/tradeoff/page.py").run()
    assert " 4,000 rows" in page.title[0].value, "and is what the errors of means are judged by"


def test_a_corrected_bound_keeps_the_questions(page: AppTest) -> None:
    asked = plan(ask(use(page))).queries
    page.button(key="declare_again").click().run()
    page.number_input(key="upper_0").set_value(100).run()
    use(page)
    assert plan(page).schema.number("age").upper == 100
    assert plan(page).queries == asked
    assert "question" not in sentences(page, "warning")


def test_an_answer_under_other_bounds_is_no_answer_to_this_question(page: AppTest) -> None:
    foreseen = "ogether with the answer so far"  # As a sentence of its own, or where even both say nothing.
    ask(use(page)).switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    next(button for button in page.button if button.label == "Release this answer").click().run()
    assert foreseen in sentences(page, "markdown"), "The control."
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="declare_again").click().run()
    page.number_input(key="upper_0").set_value(100).run()
    use(page).switch_page("pages/explore/release/page.py").run()
    assert "ε 2.9" in sentences(page, "markdown"), "It is the same account."
    assert foreseen not in sentences(page, "markdown")


def declare_values(page: AppTest, values: str) -> AppTest:
    """The same table, with other values of its second column."""
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="declare_again").click().run()
    page.text_input(key="values_1").set_value(values).run()
    return use(page)


def lost(page: AppTest) -> list[str | None]:
    return [button.key for button in page.button if str(button.key).startswith("mend_")]


def test_a_question_that_does_not_hold_any_more_is_kept_with_its_reason_and_mended(page: AppTest) -> None:
    asked = plan(ask(use(page))).queries
    declare_values(page, "f, x")
    assert plan(page).queries == travelled(page).queries == asked[:2]
    assert "one question does not hold any more (2 came along). The Questions page says why" in sentences(
        page, "warning"
    )
    page.switch_page("pages/explore/queries/page.py").run()
    assert "'m' is not a category of 'sex'; it has 'f', 'x'." in sentences(page, "markdown")
    page.button(key="mend_0").click().run()
    assert "## Correct a question" in [one.value for one in page.markdown]
    assert "'m' is not a category of 'sex'" in sentences(page), "Nothing is added by itself."
    assert page.selectbox(key="query_kind").value == "count"
    assert page.button(key="add_question").disabled
    (value,) = [box for box in page.selectbox if box.label == "Value"]
    assert value.value is None, "No other value stands in for the one that is gone."
    value.set_value("x").run()
    page.button(key="add_question").click().run()
    assert not page.exception
    assert [one.query for one in plan(page).queries[2:]] == [CountQuery(where=Comparison("sex", "=", "x"))]
    assert lost(page) == []


def test_all_that_is_lost_is_kept_until_it_holds_again_or_is_let_go(page: AppTest) -> None:
    ask(use(page))
    five = tuple(PlannedQuery(query=QUERIES[2], guarantee=Guarantee(epsilon=0.1 * (1 + i))) for i in range(5))
    page.session_state["scenario"] = replace(plan(page), queries=five)
    declare_values(page.run(), "f, x")
    page.switch_page("pages/explore/queries/page.py").run()
    assert lost(page) == [f"mend_{i}" for i in range(5)]
    page.button(key="mend_1").click().run()
    page.button(key="let_go_1").click().run()
    assert "## Build a question (query)" in [one.value for one in page.markdown]
    assert len(lost(page)) == 4
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="open_patients").click().run()
    page.switch_page("pages/explore/queries/page.py").run()
    assert lost(page) == [], "They are not about this table."


def test_what_was_lost_comes_back_once_it_holds_again(page: AppTest) -> None:
    asked = plan(ask(use(page))).queries
    declare_values(page, "f, x")
    declare_values(page, "f, x, m")
    assert plan(page).queries == asked
    page.switch_page("pages/explore/queries/page.py").run()
    assert lost(page) == []


def test_a_category_that_is_text_now_is_still_compared_with_its_value(page: AppTest) -> None:
    asked = plan(ask(use(page))).queries
    page.button(key="declare_again").click().run()
    page.selectbox(key="kind_1").set_value("text").run()
    use(page)
    assert plan(page).queries == (asked[0], asked[2])
    assert page.dataframe[0].value["what it can be"].tolist()[1] == "any text"
    page.switch_page("pages/explore/queries/page.py").run()
    assert len(lost(page)) == 1, "The values of a text are no public list to count each of."


def test_a_column_of_which_nothing_can_be_asked_any_more_leaves_the_builder_without_it(page: AppTest) -> None:
    asked = plan(ask(use(page))).queries
    page.button(key="declare_again").click().run()
    page.selectbox(key="kind_1").set_value("text").run()
    page.radio(key="unit_kind").set_value("identifier").run()
    page.number_input(key="person_rows").set_value(2).run()
    use(page)
    assert page.dataframe[0].value["what it can be"].tolist()[1] == "never asked about"
    assert plan(page).schema.unit.identifier is not None
    assert plan(page).queries == asked[:1]
    page.switch_page("pages/explore/queries/page.py").run()
    for place in range(2):
        page.button(key=f"mend_{place}").click().run()
        assert not page.exception
        assert page.button(key="add_question").disabled
    page.button(key="leave_question").click().run()
    assert len(lost(page)) == 2


def test_what_is_said_about_a_question_stays_with_it_when_another_one_is_lost(page: AppTest) -> None:
    ask(use(page))
    page.session_state["scenario"] = replace(plan(page), queries=plan(page).queries[::-1])
    page.switch_page("pages/explore/tradeoff/page.py").run()
    for place, error in enumerate((3.25, 4.25, 5.25)):
        page.selectbox(key="tradeoff_question").set_value(place).run()
        number_box(page, "Guess: the answer").set_value(10 * error).run()
        number_box(page, "Accepted error").set_value(error).run()
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="declare_again").click().run()
    page.text_input(key="values_1").set_value("f, x").run()
    use(page)
    assert travelled(page).targets.errors == (4.25, 5.25)
    page.switch_page("pages/explore/tradeoff/page.py").run()
    for place, answer in enumerate((42.5, 52.5)):
        page.selectbox(key="tradeoff_question").set_value(place).run()
        assert number_box(page, "Guess: the answer").value == answer
