"""A belief that is tolerated holds for a whole list: what it allows, and each change that is enough."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.queries import CountQuery
from pages.explore.budget.whole_budget_panels import LARGEST
from tests.ui.budget.test_accepted import boxes
from tests.ui.budget.test_budget_argues import gaussian, laplace, voters
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]
TAKE = "accepted_take"


def tolerating(page: AppTest, of_100: float) -> AppTest:
    """As if it had been typed on the Trade-off page."""
    typed = page.session_state.get("kept_typed_targets", None)
    page.session_state["kept_typed_targets"] = (typed or {}) | {"target_belief": of_100}
    return page.run()


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """Two counts, each within 20 people: about epsilon 0.3 in all."""
    opened = voters(new_app, "budget", laplace(0.1, CountQuery()), laplace(0.2, CountQuery()))
    return within(opened, 20.0)


def within(page: AppTest, error: float) -> AppTest:
    for place in range(2):
        boxes(page)[place].set_value(error).run()
    return page


def test_what_it_allows_is_said_beside_what_the_errors_need(page: AppTest) -> None:
    assert "that you tolerate" not in texts(page)
    assert not page.button(key=TAKE).disabled
    tolerating(page, 60.0)
    most = math.floor(math.log(1.5) * 1e4) / 1e4
    assert f"that you tolerate allows the whole list ε {most:g}: it is kept." in texts(page)
    assert not page.button(key=TAKE).disabled
    tolerating(page, 52.0)
    assert ", and this needs more.**" in texts(page)
    assert page.button(key=TAKE).disabled


def test_each_change_alone_is_enough(page: AppTest) -> None:
    tolerating(page, 52.0)
    shown = texts(page)
    times, belief = (
        float(re.search(rule, shown)[1])  # type: ignore[index]
        for rule in (r"every error \*\*([\d.]+) times as large", r"a belief of \*\*([\d.]+) out of 100\*\* that")
    )
    tolerating(page, belief)
    assert ": it is kept.**" in texts(page)
    tolerating(page, 52.0)
    assert ": it is kept.**" in texts(within(page, 20.0 * times))
    assert "needs more.**" in texts(within(page, 18.0 * times)), "The control: a little less is not enough."


def test_a_delta_that_allows_more_by_itself_is_said(new_app: NewApp) -> None:
    page = voters(new_app, "budget", gaussian(0.5, 1e-6), laplace(0.2, CountQuery()))
    boxes(page)[1].set_value(20.0).run()
    tolerating(page, 50.02)
    assert "allows the whole list nothing, because of its δ, and this needs more.**" in texts(page)
    assert "or take noise without a δ." in texts(page)


def test_it_holds_for_the_smallest_errors_of_a_budget_too(page: AppTest) -> None:
    page.segmented_control(key="accepted_way").set_value(LARGEST).run()
    assert not page.button(key=TAKE).disabled, "The control."
    tolerating(page, 60.0)
    assert ", and this needs more.**" in texts(page)
    assert page.button(key=TAKE).disabled
