"""A button changes the plan that it was drawn for: pressed when another one is in use by then, it changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.scenario import Scenario
from pages.session.first_plan import first_plan
from tests.ui.reading import button

OpenPage = Callable[[str], AppTest]
OTHER = first_plan("anes_1996")


def pressed(page: AppTest, name: str, *, late: bool) -> Scenario:
    """The plan after a press; a late one comes when another plan is in use, and the old page is still shown."""
    press = button(page, name).click()
    if late:
        page.session_state["scenario"] = OTHER
    press.run()
    assert not page.exception
    plan: Scenario = page.session_state["scenario"]
    return plan


def test_a_late_press_on_remove_takes_no_question_out(open_page: OpenPage) -> None:
    assert pressed(open_page("explore/queries"), "remove_0_of", late=True) == OTHER
    page = open_page("explore/queries")
    plan = page.session_state["scenario"]
    assert pressed(page, "remove_0_of", late=False).queries == plan.queries[1:], "The control."


@pytest.mark.parametrize("late", [True, False])
def test_a_late_press_on_change_begins_with_no_other_question(open_page: OpenPage, late: bool) -> None:
    page = open_page("explore/queries")
    pressed(page, "change_0", late=late)
    assert any(one.key == "leave_question" for one in page.button) is not late
