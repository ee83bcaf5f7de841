"""The budget page: shares and budget change, and the engine's consumption stands in the title and the sentences."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accounting import ACCOUNTANTS
from dpengine.formatting import at_most
from dpengine.privacy import Guarantee
from dpengine.spending import Spending
from pages.explore.budget.burn_panels import EVERY_RULE
from pages.phrasing import rules
from tests.ui.reading import button, texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """Three questions at epsilon 0.1 each, on a budget of 3."""
    return open_page("explore/budget")


def test_the_title_says_what_is_spent_and_the_mean_is_itemized(page: AppTest) -> None:
    assert page.title[0].value == "All 3 questions fit: they would spend ε 0.3 of ε 3"
    assert "Takes two noisy answers: a centered sum (60% of ε: 0.06) and a count (40% of ε: 0.04)." in texts(page)
    page.number_input(key="share_1_box").set_value(0.5).run()
    assert page.title[0].value == "All 3 questions fit: they would spend ε 0.7 of ε 3"


def test_a_budget_of_exactly_the_sum_fits_and_a_hair_less_does_not(page: AppTest) -> None:
    page.number_input(key="budget_epsilon").set_value(0.3).run()
    assert page.title[0].value == "All 3 questions fit: they would spend ε 0.3 of ε 0.3"
    page.number_input(key="budget_epsilon").set_value(0.2999).run()
    assert page.title[0].value.endswith("question 3 of this plan does not fit")


def test_many_rounds_stop_later_under_the_advanced_rule_which_begins_to_win_where_it_says(page: AppTest) -> None:
    page.number_input(key="budget_rounds").set_value(100).run()
    title = page.title[0].value
    assert title.startswith("Naive stops at question 31 of this plan, advanced at question ")
    assert int(title.rsplit(" ", 1)[1]) > 31
    assert "one person: at most ε 3, because questions stop when the budget is spent" in texts(page)
    assert "(the whole list would be ε 30)" in texts(page)
    assert "is promised ε 12 by the naive rule" in texts(page)
    assert f"from {8 * math.log(1e6):.0f} answers on" in texts(page)
    assert "below naive from question" in texts(page)
    page.number_input(key="budget_rounds").set_value(1).run()
    assert "not below naive in this list" in texts(page)


def test_the_textbook_formula_is_called_false_where_it_is(page: AppTest) -> None:
    assert "The textbook formula is proved for this many questions." in texts(page)
    for index in range(3):
        page.number_input(key=f"share_{index}_box").set_value(2.0)
    page.number_input(key="budget_epsilon").set_value(1200.0)
    page.number_input(key="budget_rounds").set_value(100).run()
    assert "is false here" in texts(page)


def test_without_delta_only_naive_adding_is_left(page: AppTest) -> None:
    page.number_input(key="budget_delta_box").set_value(0.0).run()
    assert not page.exception
    assert page.title[0].value == "All 3 questions fit: they would spend ε 0.3 of ε 3"
    assert "Without a delta, advanced cannot be used" in texts(page)


def test_what_was_released_is_no_longer_there_to_spend(page: AppTest) -> None:
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    next(button for button in page.button if button.label == "Release this answer").click().run()
    page.switch_page("pages/explore/budget/page.py").run()
    assert page.title[0].value == "All 3 questions fit: they would spend ε 0.3 of the ε 2.9 that is left"
    assert "Charged already: 1 answer, ε 0.1 of ε 3; every line begins with that." in texts(page)
    assert "| **naive** (the account's rule) | all fit: ε 0.4 with earlier answers | **26** |" in texts(page)
    page.number_input(key="budget_rounds").set_value(100).run()
    start = "Naive stops at question 30 of this plan (number 31 on the picture), advanced at question "
    assert page.title[0].value.startswith(start)
    assert texts(page).count("Answered once; asking again costs again.") == 1
    page.switch_page("pages/explore/tradeoff/page.py").run()
    assert "costs **ε 0.1** of the ε 2.9 that is left: **29** such answers fit (naive: just added up)" in texts(page)


@pytest.mark.parametrize(
    ("epsilon", "start"), [(3.0, "Nothing is left of the budget of ε 3"), (2.5, "The ε 0.5 that is left is not enough")]
)
def test_what_is_left_of_a_budget_is_named_where_it_holds_no_question(
    page: AppTest, epsilon: float, start: str
) -> None:
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    plan = page.session_state["scenario"]
    asked = replace(plan.queries[0], guarantee=Guarantee(epsilon=epsilon))
    page.session_state["scenario"] = plan.with_query_at(0, asked)
    page.run()
    next(button for button in page.button if button.label == "Release this answer").click().run()
    page.switch_page("pages/explore/budget/page.py").run()
    assert page.title[0].value == f"{start}: question 1 of this plan (number 2 on the picture) does not fit"


def test_senseless_amounts_get_a_sentence_and_lose_nothing(page: AppTest) -> None:
    amounts = {"budget_epsilon": (-1.0, 3.0), "share_0_box": (0.0, 0.1), "budget_delta_box": (1.5, 1.0, 0.25)}
    for key, (*senseless, sensible) in amounts.items():
        for bad in senseless:
            page.number_input(key=key).set_value(bad).run()
            assert not page.exception
            assert "must be" in texts(page)
            assert page.title[0].value == "All 3 questions fit: they would spend ε 0.3 of ε 3"
        page.number_input(key=key).set_value(sensible).run()
        assert not page.error


def test_every_rule_says_where_it_stops_and_what_still_fits(page: AppTest) -> None:
    """The numbers are the engine's, for the plan that the page shows."""
    plan = page.session_state["scenario"]
    spending = Spending(scenario=plan, rounds=1, budget=Guarantee(epsilon=3.0, delta=1e-6))
    names = ["exact", "renyi", "concentrated", "advanced", "advanced_2010", "textbook", "basic"]
    page.toggle(key=EVERY_RULE).set_value(True).run()
    page.pills(key="budget_rules").set_value(names).run()
    for name in names:
        label = rules.RULES[name].label + (" (for comparison)" if name == "textbook" else "")
        label = label if name != "basic" else "**naive** (the account's rule)"
        spent, more = f"ε {at_most(float(spending.spent(name)[-1]))}", spending.room_for_more(name)
        if name == "concentrated":
            rho = sum(step.amounts.rho for step in spending.planned) / 1e9
            spent = f"ρ {at_most(rho, 4)} (converted: {spent})"
        assert f"| {label} | all fit: {spent} | **{more:,}** |" in texts(page)
    page.number_input(key="budget_rounds").set_value(100).run()
    many = Spending(scenario=plan, rounds=100, budget=Guarantee(epsilon=3.0, delta=1e-6))
    for name in ("exact", "concentrated", "basic"):
        label = rules.RULES[name].label if name != "basic" else "**naive** (the account's rule)"
        refused = f"| {label} | question **{many.first_refused(name):,}** is the first"
        assert refused in texts(page)


def test_optimal_adding_is_offered_where_all_shares_are_equal(page: AppTest) -> None:
    page.toggle(key=EVERY_RULE).set_value(True).run()
    assert "optimal" not in page.pills(key="budget_rules").options, "The mean has two unequal parts."
    for index in (1, 0):
        page.switch_page("pages/explore/queries/page.py").run()
        button(page, f"remove_{index}_of").click().run()
    page.switch_page("pages/explore/budget/page.py").run()
    assert "optimal" in page.pills(key="budget_rules").options


def test_a_family_is_promised_less(page: AppTest) -> None:
    assert "A family of 4, all in the table or all out of it, is promised ε 1.2 by the naive rule (group" in texts(page)
    page.number_input(key="budget_rounds").set_value(9)
    page.slider(key="budget_family").set_value(20).run()
    assert "promised ε 54 by the naive rule, or ε " in texts(page)


def test_what_is_not_kept_is_said_beside_the_button(page: AppTest) -> None:
    assert "Not kept yet" not in texts(page)
    page.number_input(key="share_2_box").set_value(0.4).run()
    assert "**Not kept yet: the plan still has other shares**" in texts(page)
    page.number_input(key="budget_epsilon").set_value(5.0).run()
    assert "**Not kept yet: the plan still says ε 3, δ 10⁻⁶**" in texts(page)
    assert page.button(key="budget_keep").proto.type == "primary"
    page.button(key="budget_keep").click().run()
    assert "Not kept yet" not in texts(page)
    assert page.button(key="budget_keep").proto.type == "secondary"


def test_another_budget_than_the_accounts_is_only_thought_of(page: AppTest) -> None:
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    page.switch_page("pages/explore/budget/page.py").run()
    assert page.title[0].value == "All 3 questions fit: they would spend ε 0.3 of ε 3"
    box = page.number_input(key="budget_epsilon")
    assert box.label == "What if the budget were ε"
    box.set_value(1.0).run()
    title = "With a budget of ε 1, δ 10⁻⁶, all 3 questions fit: they would spend ε 0.3 of ε 1"
    assert page.title[0].value == title


def test_keeping_puts_budget_and_shares_into_the_plan(page: AppTest) -> None:
    page.number_input(key="budget_epsilon").set_value(5.0)
    page.number_input(key="share_2_box").set_value(0.4).run()
    page.button(key="budget_keep").click().run()
    plan = page.session_state["scenario"]
    assert plan.budget.epsilon == 5.0
    assert [planned.guarantee.epsilon for planned in plan.queries] == [0.1, 0.1, 0.4]


def test_each_accountant_has_its_words_on_the_screens() -> None:
    """One without a name there is offered nowhere, and the lesson on composition ends in an error."""
    assert rules.RULES.keys() == ACCOUNTANTS.keys()
