"""The list turned around on its page: errors that are accepted, and the least budget that keeps them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from dpengine.accuracy import Guess
from dpengine.data import CategoryColumn
from dpengine.feasible import Asked, ListChange, Wish
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, MeanQuery, ModeQuery
from pages import session
from pages.explore.budget import accepted_panels
from tests.ui.budget.test_budget_argues import laplace, voters
from tests.ui.reading import moved, read_in, texts

NewApp = Callable[[], AppTest]
CAME_ALONG = "came with the plan"
HEADING = "## Or begin with the errors you accept"


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """Two counts of rows, one after the other."""
    return voters(new_app, "budget", laplace(0.1, CountQuery()), laplace(0.2, CountQuery()))


def accept(page: AppTest, place: int, error: float | None) -> AppTest:
    return boxes(page)[place].set_value(error).run()


def boxes(page: AppTest) -> list[NumberInput]:
    """One for each question whose error rests on nothing that nobody has said."""
    return [box for box in page.number_input if str(box.key).startswith(session.error_key(0).removesuffix("0"))]


def least(error: float) -> float:
    """Of four digits, by the tail of the noise that is released."""
    candidates = (number / 10_000 for number in range(1, 100_000))
    return next(
        epsilon
        for epsilon in candidates
        if DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).error_quantile(0.95) <= error
    )


def test_nothing_is_asked_for_before_an_error_is_typed(page: AppTest) -> None:
    assert HEADING in texts(page)
    assert "These errors need" not in texts(page)


def test_each_error_has_its_least_share_and_the_others_keep_theirs(page: AppTest) -> None:
    accept(page, 0, 10.0)
    assert f"| 1 | ε {least(10.0):g} | Laplace |" in texts(page)
    assert "| 2 | ε 0.2 (as planned) | Laplace |" in texts(page)
    assert (
        f"**These errors need ε {least(10.0) + 0.2:.4g} (naive), asked once; the budget holds ε 3: they fit.**"
        in texts(page)
    )
    page.button(key="accepted_take").click().run()
    planned = page.session_state["scenario"].queries
    assert [one.guarantee for one in planned] == [Guarantee(epsilon=least(10.0)), Guarantee(epsilon=0.2)]
    assert moved(page.number_input, "share_0_box").value == least(10.0)
    assert not page.exception


def test_shares_that_are_taken_say_nothing_of_the_budget(new_app: NewApp) -> None:
    """A budget that came with somebody's link stays one that nobody here has set, until somebody does."""
    app = new_app()
    sent = replace(voters(new_app, "budget", laplace(0.1, CountQuery())).session_state["scenario"], table_name="sent")
    sent = replace(sent, schema=replace(sent.schema, name="sent"), budget=Guarantee(epsilon=37.0))
    app.query_params["plan"] = sent.to_link()
    app.switch_page("pages/explore/budget/page.py").run()
    accept(app, 0, 20.0).button(key="accepted_take").click().run()
    assert app.session_state["scenario"].queries[0].guarantee == Guarantee(epsilon=least(20.0)), "The control."
    assert CAME_ALONG in read_in(app.switch_page("pages/explore/data/page.py").run().main)
    app.switch_page("pages/explore/budget/page.py").run().button(key="budget_keep").click().run()
    assert CAME_ALONG not in read_in(app.switch_page("pages/explore/data/page.py").run().main)


def test_what_does_not_fit_says_how_much_larger_the_errors_have_to_be(page: AppTest) -> None:
    accept(page, 0, 1.0)
    accept(page, 1, 1.0)
    shown = texts(page)
    assert "They do not fit. Each of these alone is enough:" in shown
    assert re.search(r"- every error \*\*[\d.]+ times as large\*\*", shown)
    (larger,) = re.findall(r"- question 1 with \*\*±([\d.]+) people\*\*", shown)
    assert "- question 2 left out" in shown
    assert page.button(key="accepted_take").disabled
    accept(page, 0, float(larger))
    assert not page.button(key="accepted_take").disabled
    assert "They do not fit" not in texts(page)


def test_a_choice_falls_short_and_is_not_off_either_way(page: AppTest) -> None:
    plan = page.session_state["scenario"]
    (column, *_) = (one.name for one in plan.schema.columns if isinstance(one, CategoryColumn))
    guess = Guess(records=900, answer=0.0)
    for query, words in ((ModeQuery(column), "a shortfall of **40"), (CountQuery(), "**±40")):
        planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.1))
        asked = Asked(planned=planned, schema=plan.schema, neighbors=plan.neighbors, guess=guess)
        (said,) = accepted_panels._of_one(1, Wish(asked=asked), ListChange(error=40.0, left_out=False))
        assert said.startswith(f"question 1 with {words}")


def test_which_questions_split_their_epsilon_another_way_is_said(page: AppTest) -> None:
    plan = page.session_state["scenario"]

    def said(query: CountQuery | MeanQuery, answer: float, percent: int | None = None) -> str:
        planned = replace(laplace(0.1, query), percent_for_sum=percent)
        guess = Guess(records=900, answer=answer)
        asked = Asked(planned=planned, schema=plan.schema, neighbors=plan.neighbors, guess=guess)
        found = replace(planned, percent_for_sum=82 if answer == 50.0 else None)
        return accepted_panels._split(2, Wish(asked=asked), found)

    assert said(MeanQuery("age"), 50.0) == "Question 2: 82% of its ε goes to the sum, 18% to the count."
    assert said(MeanQuery("age"), 30.0, percent=82) == "Question 2: 60% of its ε goes to the sum, 40% to the count."
    assert (said(MeanQuery("age"), 30.0), said(CountQuery(), 50.0)) == ("", "")


def test_the_plan_takes_the_split_with_the_share(new_app: NewApp) -> None:
    """In the middle of the bounds nearly all of its epsilon goes to the sum."""
    page = voters(new_app, "tradeoff", laplace(0.1, MeanQuery("age")))
    age = page.session_state["scenario"].schema.number("age")
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    page.number_input(key="guess_answer_0").set_value((age.lower + age.upper) / 2).run()
    page.switch_page("pages/explore/budget/page.py").run()
    accept(page, 0, 2.0)
    (first, second) = re.findall(r"Question 1: (\d+)% of its ε goes to the sum, (\d+)% to the count", texts(page))[0]
    assert int(first) > 80
    assert int(first) + int(second) == 100
    page.button(key="accepted_take").click().run()
    assert page.session_state["scenario"].queries[0].percent_for_sum == int(first)
    assert not page.exception


def test_an_error_of_nothing_gets_a_sentence_and_stays(page: AppTest) -> None:
    accept(page, 0, 0.0)
    assert [one.value for one in page.error] == ["Type an error above 0."]
    assert boxes(page)[0].value == 0.0
    assert "These errors need" not in texts(page)


def test_no_error_rests_on_what_nobody_has_said(new_app: NewApp) -> None:
    page = voters(new_app, "budget", laplace(0.1, MeanQuery("age")))
    assert "Its error depends on how large the answer is: say it on **Trade-off** first." in [
        one.value for one in page.caption
    ]
    assert not boxes(page)
