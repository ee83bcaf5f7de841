"""Both directions on the trade-off page: the epsilons that meet both targets, and what to change where none does."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import NumberColumn, Schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import MeanQuery
from dpengine.scenario import Scenario
from tests.examples.tables import read_here
from tests.ui.reading import moved, switch, texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The built-in table's first question, a count of people at epsilon 0.1, and a belief of 55 that is accepted."""
    page = open_page("explore/tradeoff")
    return page.number_input(key="target_belief").set_value(55.0).run()


def demanded(page: AppTest, question: int, error: float) -> AppTest:
    """A belief that allows epsilon 0.2, and an error that needs more."""
    if page.selectbox(key="tradeoff_question").value != question:
        page.selectbox(key="tradeoff_question").set_value(question).run()
    page.number_input(key=f"target_error_{question}").set_value(error).run()
    assert "No ε meets both." in texts(page)
    assert "Any one of these is enough:" in texts(page)
    return page


def test_each_button_alone_makes_the_targets_meet(page: AppTest) -> None:
    """Both targets are typed anew before each press."""
    for question, error in ((0, 6.0), (1, 10.0), (2, 20.0)):
        for button in ("target_accept", "target_tolerate"):
            page.number_input(key="target_belief").set_value(55.0)
            demanded(page, question, error).button(key=button).click().run()
            assert "No ε meets both" not in texts(page)
            assert re.search(r"ε [\d.]+ to [\d.]+ meets both", texts(page))


def test_without_a_belief_that_somebody_chose_the_error_alone_decides(page: AppTest) -> None:
    page.number_input(key="target_belief").set_value(None).run()
    assert "How sure may an attacker become, starting from 50 out of 100? No limit yet." in texts(page)
    page.number_input(key="target_error_0").set_value(6.0).run()
    found = re.search(r"\*\*ε ([\d.]+) is enough for this error\.\*\*", texts(page))
    assert found
    assert "No ε meets both" not in texts(page)
    page.button(key="target_use").click().run()
    assert moved(page.number_input, "tradeoff_epsilon_box").value == float(found[1])
    assert page.title[0].value == "95% of possible answers are off by at most 6 people"


@pytest.mark.parametrize(("box", "limit"), [("target_belief", "ε at most"), ("target_error_0", "ε at least")])
def test_a_target_is_off_until_somebody_types_one_and_again_when_it_is_emptied(
    page: AppTest, box: str, limit: str
) -> None:
    links = []
    for typed in (None, 70.0, None):
        page.number_input(key=box).set_value(typed).run()
        assert (limit in texts(page)) is (typed is not None)
        links.append(page.query_params["plan"])
    assert links[0] == links[2] != links[1]


def test_no_error_is_accepted_before_somebody_has_said_one(open_page: OpenPage) -> None:
    page = open_page("explore/tradeoff")
    for question in range(3):
        page.selectbox(key="tradeoff_question").set_value(question).run()
        assert page.number_input(key=f"target_error_{question}").value is None
        assert "How far off may an answer be and still be of use (tail bound)? No limit yet." in texts(page)
        assert not any(words in texts(page) for words in ("is enough for this error", "ε at least", "ε at most"))
        assert "target_use" not in [button.key for button in page.button]


def test_the_changes_of_a_count_are_those_of_its_noise(page: AppTest) -> None:
    said = texts(demanded(page, 0, 6.0))
    assert "Accept an error of **15 people** instead of 6." in said
    assert "Tolerate a belief of **61.3 out of 100** instead of 55." in said
    assert "In a table **2.5 times as large**, an error of 15 people matters as little as" in said


def test_more_rows_help_a_mean(page: AppTest) -> None:
    said = texts(demanded(page, 1, 10.0))
    assert re.search(r"Ask about more rows: \*\*[\d,]+\*\* instead of 20,190", said)
    assert "times as large" not in said


def test_groups_at_once_need_more_than_one_by_one(page: AppTest) -> None:
    said = texts(demanded(page, 2, 20.0))
    assert "A coarser question would not help: even a single group has noise as large as that." in said
    page.number_input(key="target_error_2").set_value(95.0).run()
    assert "Ask a coarser question: **at most 2 groups** of equal size instead of 4." in texts(page)
    page.checkbox(key="target_together_2").set_value(False).run()
    assert "meets both for each number alone, not all 4 at once." in texts(page)
    assert "in 95% of releases for each number alone, not all 4 at once: **ε at least" in texts(page)


def test_an_error_of_several_numbers_begins_as_that_of_the_headline(page: AppTest) -> None:
    """So that the epsilon read off makes the title say the very error that was typed."""
    page.selectbox(key="tradeoff_question").set_value(2).run()
    page.number_input(key="target_belief").set_value(None)
    page.number_input(key="target_error_2").set_value(95.0).run()
    page.button(key="target_use").click().run()
    assert page.title[0].value == "All 4 counts are off by at most 95 rows in 95% of releases"


def test_an_error_of_nothing_gets_a_sentence_and_loses_no_belief(page: AppTest) -> None:
    page.number_input(key="target_error_0").set_value(0.0).run()
    assert "Type an error above 0." in texts(page)
    assert "ε at most 0.2006" in texts(page)
    page.number_input(key="target_error_0").set_value(30.0).run()
    assert "ε at least 0.09819" in texts(page)


def test_a_delta_that_allows_more_says_which_would_do(page: AppTest) -> None:
    moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
    page.number_input(key="target_error_0").set_value(100.0).run()
    moved(page.number_input, "tradeoff_delta_box").set_value(1e-3).run()
    assert "The delta alone allows more." in texts(page)
    assert "Promise a smaller delta: **10⁻⁵**." in texts(page)
    moved(page.number_input, "tradeoff_delta_box").set_value(1e-5).run()
    assert "meets both" in texts(page)


def test_laplace_noise_is_one_press_away_where_it_would_do(page: AppTest) -> None:
    moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
    page.number_input(key="target_error_0").set_value(20.0).run()
    assert "Choose **Laplace noise**, which needs no delta" in texts(page)
    page.button(key="target_laplace").click().run()
    assert moved(page.selectbox, "tradeoff_mechanism").value == "laplace"
    assert "meets both" in texts(page)


def with_rows(new_app: Callable[[], AppTest], rows: int, *, shown: bool) -> AppTest:
    """The page of a mean of real people, of whom there are so many."""
    schema = Schema(name="trial", columns=(NumberColumn(name="age", lower=0, upper=120),))
    table = read_here(b"age\n" + b"40\n80\n" * (rows // 2), schema=schema)
    page = new_app()
    asked = PlannedQuery(query=MeanQuery("age"), guarantee=Guarantee(epsilon=0.5))
    page.session_state["table"], page.session_state["exact_shown"] = table, shown
    page.session_state["scenario"] = Scenario(
        table_name="trial",
        schema=schema,
        neighbors=Neighbors.ADD_REMOVE,
        queries=(asked,),
        budget=Guarantee(epsilon=1.0),
    )
    return page.switch_page("pages/explore/tradeoff/page.py").run()


@pytest.mark.parametrize("rows", [430, 434])
def test_an_epsilon_that_exact_rows_say_is_enough_goes_into_the_plan_in_two_digits(
    new_app: Callable[[], AppTest], rows: int
) -> None:
    """It goes into links and labels then, and more digits of it would tell how many rows there are."""
    page = with_rows(new_app, rows, shown=True)
    page.number_input(key="target_error_0").set_value(1.0).run()
    found = re.search(r"\*\*ε ([\d.]+) is enough for this error", texts(page))
    assert found
    assert len(found[1]) > len("0.70"), "The control: on the screen it has more digits."
    page.button(key="target_use").click().run()
    assert moved(page.number_input, "tradeoff_epsilon_box").value == 0.7


def test_an_epsilon_of_a_thousand_is_a_number_too(new_app: Callable[[], AppTest]) -> None:
    """It is written with a comma, and was read without regard to that."""
    page = with_rows(new_app, 430, shown=True)
    page.number_input(key="target_error_0").set_value(7e-4).run()
    assert page.button(key="target_use").label == "Set the dial to ε 1,000"
    assert not page.button(key="target_use").click().run().exception
    assert moved(page.number_input, "tradeoff_epsilon_box").value == 1000.0


def test_a_tolerated_error_that_was_proposed_from_exact_rows_is_hidden_with_them(
    new_app: Callable[[], AppTest],
) -> None:
    proposed = set[float]()
    for rows in (430, 1874):
        page = with_rows(new_app, rows, shown=True)
        page.segmented_control(key="closer_look").set_value("How often is it worse?").run()
        exact = moved(page.number_input, "tradeoff_tolerance_0_exact").value
        switch(page, "exact_toggle").set_value(False).run()
        proposed.add(float(str(moved(page.number_input, "tradeoff_tolerance_0").value)))
        assert exact not in proposed, "The control: it was another one."
    assert len(proposed) == 1, "Whatever the rows."
