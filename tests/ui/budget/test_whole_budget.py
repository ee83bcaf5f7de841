"""The other direction: all that is left, shared so that the errors of a list are as small as they can be."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.queries import CountQuery
from pages.explore.budget.whole_budget_panels import LARGEST, LEAST_BUDGET, SUM
from tests.ui.budget.test_accepted import boxes
from tests.ui.budget.test_budget_argues import laplace, voters
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """Two counts of which the second may be off by four times as much, and a budget so small that steps are fine."""
    opened = voters(new_app, "budget", laplace(0.01, CountQuery()), laplace(0.02, CountQuery()))
    opened.number_input(key="budget_epsilon").set_value(0.05).run()
    for place, error in enumerate((20.0, 80.0)):
        boxes(opened)[place].set_value(error).run()
    return opened


def looked_for(page: AppTest, way: str) -> AppTest:
    page.segmented_control(key="accepted_way").set_value(way).run()
    assert not page.exception
    return page


def shares(page: AppTest) -> list[float]:
    page.button(key="accepted_take").click().run()
    return [planned.guarantee.epsilon for planned in page.session_state["scenario"].queries]


def half_width(epsilon: float) -> float:
    return DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).error_quantile(0.95)


def test_the_largest_error_is_least_and_the_whole_budget_is_used(page: AppTest) -> None:
    budget = float(page.number_input(key="budget_epsilon").value or 0.0)
    looked_for(page, LARGEST)
    assert f"**The whole budget of ε {budget:g} keeps every error within " in texts(page)
    told = [float(one) for one in re.findall(r"\| ±([\d,.]+) people \|", texts(page))]
    (times,) = map(float, re.findall(r"every error within ([\d.]+) times", texts(page)))
    first, second = shares(page)
    assert told == [half_width(first), half_width(second)]
    largest = max(told[0] / 20.0, told[1] / 80.0)
    assert largest <= times <= 1.02 * largest
    assert 0.99 * budget <= first + second <= budget
    assert half_width(first) / 20.0 == pytest.approx(half_width(second) / 80.0, rel=0.03), "In whole people."
    assert first == pytest.approx(4.0 * second, rel=0.03)


def test_the_sum_of_errors_is_least_by_weights(page: AppTest) -> None:
    """Of errors a / epsilon the shares are as the roots of weight times a."""
    budget = float(page.number_input(key="budget_epsilon").value or 0.0)
    looked_for(page, SUM)
    assert "times what you accept, on average.**" in texts(page)
    (average,) = map(float, re.findall(r"keeps the errors within ([\d.]+) times", texts(page)))
    even = shares(page)
    true = (half_width(even[0]) / 20.0 + half_width(even[1]) / 80.0) / 2.0
    assert true <= average <= 1.01 * true
    assert sum(even) <= budget
    assert even[0] == pytest.approx(2.0 * even[1], rel=0.05)
    looked_for(page, SUM)
    weights = [box for box in page.number_input if str(box.key).startswith("accepted_weight_")]
    weights[1].set_value(16.0).run()
    weighed = shares(page)
    assert weighed[1] == pytest.approx(2.0 * weighed[0], rel=0.05)
    assert sum(weighed) <= budget * (1.0 + 1e-12)


def test_back_to_the_least_budget_everything_typed_is_there(page: AppTest) -> None:
    looked_for(looked_for(page, SUM), LEAST_BUDGET)
    assert [box.value for box in boxes(page)] == [20.0, 80.0]
    assert "These errors need" in texts(page)
