"""The shares of the budget page: one total, locks, equal shares, and a sentence for what cannot be had."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.reading import moved, texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """Three questions at epsilon 0.1 each, on a budget of 3."""
    return open_page("explore/budget")


def shares(page: AppTest) -> list[float | None]:
    return [moved(page.number_input, f"share_{place}_box").value for place in range(3)]


def total(page: AppTest) -> float | None:
    return moved(page.number_input, "budget_total").value


def test_without_a_held_total_nothing_else_moves(page: AppTest) -> None:
    moved(page.number_input, "share_1_box").set_value(0.5).run()
    assert shares(page) == [0.1, 0.5, 0.1]
    assert total(page) == 0.7


def test_a_typed_total_is_held_and_shared_out_in_proportion(page: AppTest) -> None:
    moved(page.number_input, "share_1_box").set_value(0.2).run()
    moved(page.number_input, "budget_total").set_value(2.0).run()
    assert shares(page) == [0.5, 1.0, 0.5]
    assert moved(page.toggle, "budget_hold").value
    moved(page.number_input, "share_1_box").set_value(1.6).run()
    assert shares(page) == [0.2, 1.6, 0.2]
    assert total(page) == 2.0
    assert page.title[0].value == "All 3 questions fit: they would spend ε 2 of ε 3"


def test_a_slider_moves_the_others_too(page: AppTest) -> None:
    moved(page.number_input, "budget_total").set_value(3.0).run()
    moved(page.select_slider, "share_0").set_value(2.0).run()
    assert shares(page) == [2.0, 0.5, 0.5]


def test_what_is_locked_stays(page: AppTest) -> None:
    moved(page.number_input, "budget_total").set_value(3.0).run()
    moved(page.checkbox, "share_2_lock").check().run()
    moved(page.number_input, "share_0_box").set_value(1.5).run()
    assert shares(page) == [1.5, 0.5, 1.0]
    moved(page.number_input, "budget_total").set_value(2.0).run()
    assert shares(page) == [0.75, 0.25, 1.0]
    page.button(key="budget_equally").click().run()
    assert shares(page) == [0.5, 0.5, 1.0]


def test_equal_shares_keep_the_total(page: AppTest) -> None:
    moved(page.number_input, "share_1_box").set_value(0.5).run()
    page.button(key="budget_equally").click().run()
    assert shares(page) == [0.233333334, 0.233333333, 0.233333333]
    assert total(page) == 0.7
    assert not moved(page.toggle, "budget_hold").value


def test_a_share_that_cannot_be_had_returns_and_says_why(page: AppTest) -> None:
    moved(page.number_input, "budget_total").set_value(3.0).run()
    moved(page.checkbox, "share_2_lock").check().run()
    for wish in (2.5, 3.0, 100.0):
        moved(page.number_input, "share_0_box").set_value(wish).run()
        assert "The share of question 1 must be between 0.000001 and 1.999999, which is what the total" in texts(page)
        assert shares(page) == [1.0, 1.0, 1.0]
    page.run()
    assert not page.error


def test_all_locked_is_said_and_changes_nothing(page: AppTest) -> None:
    for place in range(3):
        moved(page.checkbox, f"share_{place}_lock").check()
    page.run()
    moved(page.number_input, "budget_total").set_value(1.0).run()
    assert "The total must be 0.3, as all questions are locked; it is 1.0." in texts(page)
    assert (shares(page), total(page)) == ([0.1, 0.1, 0.1], 0.3)


def test_a_senseless_total_or_share_moves_nothing(page: AppTest) -> None:
    moved(page.number_input, "budget_total").set_value(3.0).run()
    for bad in (-1.0, 0.0, None):
        moved(page.number_input, "share_0_box").set_value(bad).run()
        assert not page.exception
        assert shares(page)[1:] == [1.0, 1.0]
        moved(page.number_input, "share_0_box").set_value(1.0).run()
        moved(page.number_input, "budget_total").set_value(bad).run()
        assert not page.exception
        assert (shares(page), total(page)) == ([1.0, 1.0, 1.0], 3.0)


def test_moved_shares_are_kept_in_the_plan(page: AppTest) -> None:
    moved(page.number_input, "budget_total").set_value(1.0).run()
    page.button(key="budget_keep").click().run()
    kept = [planned.guarantee.epsilon for planned in page.session_state["scenario"].queries]
    assert kept == shares(page)
    page.switch_page("pages/explore/tradeoff/page.py").run()
    page.switch_page("pages/explore/budget/page.py").run()
    assert shares(page) == kept
    assert not moved(page.toggle, "budget_hold").value
