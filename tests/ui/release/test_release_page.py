"""The release page: nothing leaves without an account, one press one charge, and a refusal that explains itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from dpengine.mechanisms import exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import VarianceQuery
from tests.ui.reading import button, texts

OpenPage = Callable[[str], AppTest]
AGAIN = "Ask again, and pay again"


def press(page: AppTest, label: str) -> AppTest:
    """Click the button with this label."""
    return next(button for button in page.button if button.label == label).click().run()


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return open_page("explore/release")


def test_nothing_can_be_released_before_the_account_is_open(page: AppTest) -> None:
    assert page.title[0].value == "Nothing has been released from this table"
    assert [button.label for button in page.button if button.label.startswith("Release")] == []


def test_without_its_rows_nothing_is_said_of_what_was_released(opened: AppTest) -> None:
    press(opened, "Release this answer")
    opened.session_state["scenario"] = replace(opened.session_state["scenario"], table_name="elsewhere")
    opened.run()
    assert opened.title[0].value == "The rows of `elsewhere` are not here"
    assert "finds its budget and its answers again" in texts(opened)
    assert "Bring its rows on the **Data** page" in "".join(one.value for one in opened.sidebar.markdown)


def test_an_answer_is_charged_and_stands_in_the_title_and_the_history(opened: AppTest) -> None:
    assert opened.title[0].value == "ε 3 is left of ε 3 (δ 10⁻⁶)"
    press(opened, "Release this answer")
    assert opened.title[0].value.startswith("The answer: 1,")
    assert "± 30 people" in opened.title[0].value
    assert "**ε 2.9** left of ε 3" in texts(opened)
    assert len(opened.dataframe[0].value) == 1


def test_how_far_off_an_answer_may_be_stands_beside_its_price_before_it_is_paid(
    opened: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From public numbers alone, and whatever exact values are shown: as the Trade-off page says it.

    The noisy numbers are fixed: once in some fifty runs so much noise leaves an interval that says something.
    """
    assert "**ε 3** is left. **95% of possible answers are off by at most 30 people.**" in texts(opened)
    opened.selectbox(key="release_question").set_value(1).run()
    shown = texts(opened).replace("\\", "")
    assert "**95% of possible answers are off by at most about " in shown
    assert "if there are 5,912 rows and an answer of 2,500 (nobody has said so).**" in shown
    plan = opened.session_state["scenario"]
    lost = replace(plan.queries[1], guarantee=Guarantee(epsilon=1e-5))
    opened.session_state["scenario"] = plan.with_query_at(1, lost)
    opened.switch_page("pages/explore/tradeoff/page.py").run()
    opened.sidebar.toggle(key="exact_toggle").set_value(False).run()
    for box in ("guess_records_1", "guess_answer_1"):
        opened.number_input(key=box).set_value(900.0).run()
    opened.switch_page("pages/explore/release/page.py").run()
    assert "**This says nothing: 95% of possible answers are off by at most about " in texts(opened)
    monkeypatch.setattr(exact_noise, "answer", lambda _, exact: np.zeros_like(exact))
    press(opened, "Release this answer")
    assert opened.title[0].value.startswith("The answer says nothing: ")
    assert opened.dataframe[-1].value["answer, 95% interval"][0].startswith("says nothing: ")
    opened.switch_page("pages/explore/released/page.py").run()
    assert "This says nothing: the noise drowns the answer." in texts(opened)


def test_a_dial_that_was_left_without_keeping_is_named_before_anything_is_paid(opened: AppTest) -> None:
    left = "**On Trade-off you left the dial at ε 0.7 without keeping it.** The plan, and so this page, asks for ε "
    opened.switch_page("pages/explore/tradeoff/page.py").run()
    opened.switch_page("pages/explore/release/page.py").run()
    assert "without keeping it" not in texts(opened), "As planned."
    opened.switch_page("pages/explore/tradeoff/page.py").run()
    opened.number_input(key="tradeoff_epsilon_box").set_value(0.7).run()
    opened.switch_page("pages/explore/release/page.py").run()
    assert left in texts(opened)
    opened.switch_page("pages/explore/tradeoff/page.py").run()
    opened.number_input(key="tradeoff_epsilon_box").set_value(0.7).run()
    press(opened, "Keep this epsilon in the plan")
    opened.switch_page("pages/explore/release/page.py").run()
    assert "without keeping it" not in texts(opened)


def test_the_same_is_named_before_the_account_is_opened(page: AppTest) -> None:
    for typed in (None, 0.7):
        page.switch_page("pages/explore/tradeoff/page.py").run()
        if typed:
            page.number_input(key="tradeoff_epsilon_box").set_value(typed).run()
        page.switch_page("pages/explore/release/page.py").run()
        assert any(button.label == "Open the account" for button in page.button)
        assert ("**On Trade-off you left the dial at ε 0.7 without keeping it.**" in texts(page)) is (typed is not None)


def test_a_guess_that_makes_no_sense_keeps_nobody_from_an_answer(opened: AppTest) -> None:
    plan = opened.session_state["scenario"]
    variance = replace(plan.queries[0], query=VarianceQuery("medical_dollars"))
    opened.session_state["scenario"] = plan.with_query_at(0, variance)
    opened.switch_page("pages/explore/tradeoff/page.py").run()
    opened.sidebar.toggle(key="exact_toggle").set_value(False).run()
    opened.number_input(key="guess_answer_0").set_value(1e12).run()
    assert "within the public bounds" in texts(opened)
    opened.switch_page("pages/explore/release/page.py").run()
    assert "It costs **ε 0.1**" in texts(opened)
    assert "95% of answers fall" not in texts(opened)
    press(opened, "Release this answer")
    assert opened.title[0].value.startswith("The answer: ")


def test_another_session_finds_the_same_budget(opened: AppTest, new_app: Callable[[], AppTest]) -> None:
    press(opened, "Release this answer")
    other = new_app().switch_page("pages/explore/release/page.py").run()
    assert other.title[0].value == opened.title[0].value
    assert "**ε 2.9** left of ε 3" in texts(other)


def test_a_mean_shows_an_interval_from_the_released_values(opened: AppTest) -> None:
    opened.selectbox(key="release_question").set_value(1).run()
    press(opened, "Release this answer")
    assert "dollars" in opened.title[0].value
    assert "interval holds the answer that the table gives once values are cut to 0 to " in texts(opened)


def test_a_histogram_says_how_far_all_cells_are_off(opened: AppTest) -> None:
    opened.selectbox(key="release_question").set_value(2).run()
    press(opened, "Release this answer")
    assert opened.title[0].value == "The answer: 4 counts, all within ±218 rows"
    assert "4 cells; in 95% of releases, all of them are within 218 rows." in texts(opened)


def gaussian(page: AppTest, *, epsilon: float, delta: float, budget_delta: float = 1e-6) -> AppTest:
    """The page whose first question, about a count, is planned with Gaussian noise."""
    plan = page.session_state["scenario"]
    planned = PlannedQuery(
        query=plan.queries[0].query, guarantee=Guarantee(epsilon=epsilon, delta=delta), mechanism="gaussian"
    )
    budget = Guarantee(epsilon=plan.budget.epsilon, delta=budget_delta)
    page.session_state["scenario"] = replace(plan.with_query_at(0, planned), budget=budget)
    return page.run()


def test_a_gaussian_count_is_charged_epsilon_and_delta(page: AppTest) -> None:
    gaussian(page, epsilon=1.0, delta=4e-7)
    press(page, "Open the account")
    assert "It costs **ε 1, δ 4·10⁻⁷**; **ε 3, δ 10⁻⁶** is left." in texts(page)
    press(page, "Release this answer")
    assert page.title[0].value.startswith("The answer: 1,")
    assert "± 9 people" in page.title[0].value
    assert "Charged: **ε 1, δ 4·10⁻⁷**." in texts(page)
    assert "**ε 2, δ 6·10⁻⁷** left" in texts(page)
    press(page, AGAIN)
    assert (
        "**It does not fit.** Nothing is charged. On the **Trade-off** page, choose Laplace noise, which needs no δ, or"
        in texts(page)
    )
    assert page.title[0].value.startswith("The answer: "), "Nobody has asked for more yet."
    (off,) = releasing(page)
    assert (off.disabled, off.help) == (True, "This question costs ε 1, δ 4·10⁻⁷, and ε 1, δ 2·10⁻⁷ is left.")
    assert len(page.dataframe[0].value) == 2


def test_gaussian_noise_under_the_concentrated_rule_is_charged_its_rho(page: AppTest) -> None:
    gaussian(page, epsilon=0.5, delta=1e-6)
    page.radio(key="account_rule").set_value("concentrated").run()
    press(page, "Open the account")
    press(page, "Release this answer")
    assert "Charged: **ρ 0.007" in texts(page)


def test_the_rule_of_the_plan_is_proposed_for_its_account(page: AppTest) -> None:
    assert page.radio(key="account_rule").value == "basic"
    page.session_state["scenario"] = replace(page.session_state["scenario"], rule="concentrated")
    assert page.run().radio(key="account_rule").value == "concentrated"


def test_a_budget_without_a_delta_says_what_to_do_with_a_gaussian_question(page: AppTest) -> None:
    gaussian(page, epsilon=1.0, delta=1e-6, budget_delta=0.0)
    assert "**The plan asks for Gaussian noise, and this budget has no δ.**" in texts(page)
    press(page, "Open the account")
    assert (
        "**It does not fit.** Nothing is charged. On the **Trade-off** page, choose Laplace noise, which needs no δ."
        in texts(page)
    )
    assert [button.disabled for button in releasing(page)] == [True]
    assert page.title[0].value == "It does not fit: this question costs ε 1, δ 10⁻⁶, and ε 3 is left"
    assert "History: 0 answers released" in texts(page)


def test_asking_again_is_announced_as_a_second_charge(opened: AppTest) -> None:
    asked = "**How many people were in hospital at least once?**"
    assert asked in texts(opened)
    press(opened, "Release this answer")
    assert asked in texts(opened), "Beside the button that asks it again."
    assert texts(opened).count("one person can change the count by at most 1.") == 1
    assert "Asking again draws new noise: it **costs again**." in texts(opened)
    assert [button.label for button in opened.button if str(button.key).startswith("release_")] == [AGAIN]
    press(opened, AGAIN)
    assert "History: 2 answers released" in texts(opened)


def test_an_answer_that_was_paid_for_is_there_again_after_another_question_and_in_a_new_session(
    opened: AppTest, new_app: Callable[[], AppTest]
) -> None:
    press(opened, "Release this answer")
    said = opened.title[0].value
    opened.selectbox(key="release_question").set_value(1).run()
    assert opened.title[0].value == "ε 2.9 is left of ε 3 (δ 10⁻⁶)"
    press(opened, "Release this answer")
    opened.selectbox(key="release_question").set_value(0).run()
    other = new_app().switch_page("pages/explore/release/page.py").run()
    for page in (opened, other):
        assert page.title[0].value == said
        assert re.search(r":gray\[Released on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. ", texts(page))
    assert "History: 2 answers released" in texts(other)


def releasing(page: AppTest) -> list[Button]:
    """The buttons that would let an answer out."""
    return [button for button in page.button if str(button.key).startswith("release_")]


def test_once_nothing_is_left_the_page_says_so_and_offers_nothing(
    opened: AppTest, new_app: Callable[[], AppTest]
) -> None:
    plan = opened.session_state["scenario"]
    changed = plan.with_query_at(0, plan.queries[0].at(2.9)).with_query_at(2, plan.queries[2].at(1.0))
    opened.session_state["scenario"] = changed
    opened.run()
    press(opened, "Release this answer")
    assert [box.key for box in opened.number_input if box.key == "again_epsilon_0"] == ["again_epsilon_0"]
    assert "What would fit" in texts(opened)
    assert [button.disabled for button in releasing(opened)] == [True]
    other = new_app().switch_page("pages/explore/release/page.py").run()
    press(other.selectbox(key="release_question").set_value(1).run(), "Release this answer")
    spent = "Nothing is left of ε 3: no further question is answered with this budget."
    for question, title in ((2, spent.rstrip(".")), (0, "The answer: "), (1, "The answer: ")):
        opened.selectbox(key="release_question").set_value(question).run()
        assert opened.title[0].value.startswith(title)
        assert f"**{spent}** What you can still do costs nothing: read the answers" in texts(opened)
        assert "A practice account may be started over, below." in texts(opened)
        assert "raise the budget" not in texts(opened)
        assert [button.disabled for button in releasing(opened)] == [True]
        assert "What would fit" not in texts(opened)
        assert [box.key for box in opened.number_input if str(box.key).startswith("again_epsilon")] == []
    other.selectbox(key="release_question").set_value(2).run()
    assert other.title[0].value == spent


def test_who_presses_when_another_was_faster_pays_nothing(opened: AppTest, new_app: Callable[[], AppTest]) -> None:
    """The button was on when the page was drawn; what the ledger says in the moment of asking comes first."""
    plan = opened.session_state["scenario"]
    asked, others = plan.queries[0].at(2.0), plan.queries[1].at(2.0)
    opened.session_state["scenario"] = plan.with_query_at(0, asked)
    opened.run()
    other = new_app().switch_page("pages/explore/release/page.py").run()
    other.session_state["scenario"] = plan.with_query_at(1, others)
    press(other.selectbox(key="release_question").set_value(1).run(), "Release this answer")
    press(opened, "Release this answer")
    assert opened.title[0].value == "It does not fit: this question costs ε 2, and ε 1 is left"
    assert [button.disabled for button in releasing(opened)] == [True]
    opened.session_state["kept_refused"] = asked, "It asks for ε 2, but only ε 1 is left."
    assert opened.run().title[0].value == "Refused: this question costs ε 2, and ε 1 is left"
    assert "It costs **ε 2**" not in texts(opened), "The title and the refusal say it."
    assert len(opened.dataframe[0].value) == 1


def test_an_account_can_add_up_rhos(page: AppTest) -> None:
    page.radio(key="account_rule").set_value("concentrated").run()
    press(page, "Open the account")
    assert re.fullmatch(r"ρ (0\.185\d*) is left of ρ \1 \(ε 3, δ 10⁻⁶\)", page.title[0].value)
    bar = "".join(item.proto.body for item in page.get("html"))
    assert re.search(r"spent ρ 0, this question ρ 0\.005, left afterwards ρ 0\.18\d{0,2}\"", bar)
    priced = r"It costs \*\*ρ 0\.005 \(ε 0\.1 by itself\)\*\*; \*\*ρ [\d.]+\*\* is left of ρ [\d.]+ \(ε 3, δ 10⁻⁶\)\."
    assert re.search(priced, texts(page))
    press(page, "Release this answer")
    assert "Charged: **ρ 0.005**" in texts(page)


def test_what_is_refused_in_rho_is_said_in_epsilon_with_the_largest_that_fits(page: AppTest) -> None:
    page.radio(key="account_rule").set_value("concentrated").run()
    press(page, "Open the account")
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = plan.with_query_at(0, plan.queries[0].at(2.0))
    unfitting = r"It does not fit: this question costs ρ 2 \(ε 2 by itself\), and ρ 0\.185\d* is left"
    assert re.fullmatch(unfitting, page.run().title[0].value)
    said = re.findall(r"On the \*\*Trade-off\*\* page, give it ε ([\d.]+) or less", texts(page))
    page.session_state["scenario"] = plan.with_query_at(0, plan.queries[0].at(float(said[0])))
    press(page.run(), "Release this answer")
    assert "The answer:" in page.title[0].value


def test_a_practice_account_can_start_over(opened: AppTest) -> None:
    press(opened, "Release this answer")
    button(opened, "restart_account").click().run()
    assert opened.title[0].value.startswith("ε 3")
    assert "History: 0 answers released" in texts(opened)
