"""Asking again on screen: the error falls, the bill rises, and a kept answer or a ledger ends both."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import AveragingRules, Bill
from dpengine.charts import amount, at_most, out_of_100
from tests.reading import texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The page on its last act."""
    return at(open_page("attack/averaging"), 3)


def at(page: AppTest, number: int) -> AppTest:
    return page.segmented_control(key="averaging_step").set_value(number - 1).run()


def test_the_error_falls_and_the_bill_rises(page: AppTest) -> None:
    rules, bill = AveragingRules(answers=100, epsilon=0.1), Bill(epsilon=0.1, delta=1e-6, most=1000, budget=1.0)
    error = amount(rules.error)
    assert page.title[0].value == f"100 fresh answers: the error falls to ±{error} people, the bill rises to ε = 10"
    for rule, name in (("basic", "added up"), ("advanced", "advanced"), ("exact", "exact")):
        assert f"| ε, {name} | {at_most(bill.at(100)[rule])} |" in texts(page)
    assert f"| best attacker of all | {out_of_100(rules.optimum)} |" in texts(page)


def test_a_kept_answer_tells_nothing_new(page: AppTest) -> None:
    page.pills(key="averaging_way").set_value("The same answer again").run()
    error = amount(AveragingRules(answers=1, epsilon=0.1).error)
    assert page.title[0].value == f"Asked 100 times, answered once: the error stays ±{error} people, the bill 0.1"


def test_a_ledger_refuses(page: AppTest) -> None:
    page.pills(key="averaging_way").set_value("A ledger with a budget").run()
    assert page.title[0].value.startswith("Refused after 10 answers")
    assert "refuses question 11 and all after" in texts(page)
    page.number_input(key="averaging_epsilon_box").set_value(2.0).run()
    assert page.title[0].value.startswith("The budget is smaller than one answer")
    assert not page.exception


def test_more_answers_tell_more(page: AppTest) -> None:
    at(page, 2)
    assert page.title[0].value.startswith(
        f"300 answers: the error is down to ±{amount(AveragingRules(answers=300).error)}"
    )
    page.select_slider(key="averaging_times").set_value(1000).run()
    assert f"| best attacker of all | {out_of_100(AveragingRules(answers=1000).optimum)} |" in texts(page)
    assert "is this attack" in texts(at(page, 1))
