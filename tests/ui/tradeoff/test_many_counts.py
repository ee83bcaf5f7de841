"""Many counts: every noise side by side, a range that a person marks, and what no noise can do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy import Guess
from dpengine.charts import Chart
from dpengine.data import Comparison
from dpengine.feasible import Asked, least_of_any_way, ways_to_count
from dpengine.formatting import amount
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, Query, SeveralProportionsQuery, StatisticalQueries
from pages.session.first_plan import first_plan
from pages.widgets import outputs
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]
BINS = HistogramQuery("age", edges=tuple(float(edge) for edge in range(0, 121, 2)))
BUDGET = Guarantee(epsilon=3.0, delta=1e-6)
LOOK = "Noise for many counts"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Chart]:
    """Every picture that the pages have drawn."""
    pictures: list[Chart] = []
    monkeypatch.setattr(outputs, "chart", lambda _place, picture, **_look: pictures.append(picture))
    return pictures


def opened(new_app: NewApp, query: Query, budget: Guarantee = BUDGET) -> AppTest:
    app = new_app()
    asked = PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.5))
    app.session_state["scenario"] = replace(first_plan("patients"), queries=(asked,), budget=budget)
    return app.switch_page("pages/explore/tradeoff/page.py").run()


def looked_at(new_app: NewApp, query: Query, budget: Guarantee = BUDGET) -> AppTest:
    page = opened(new_app, query, budget)
    page.segmented_control(key="closer_look").set_value(LOOK).run()
    assert not page.exception
    assert not page.error
    return page


def test_errors_stand_side_by_side_and_follow_the_range(new_app: NewApp, drawn: list[Chart]) -> None:
    page, plan = looked_at(new_app, BINS), first_plan("patients")
    asked = Asked(
        planned=PlannedQuery(query=BINS, guarantee=Guarantee(epsilon=0.5)),
        schema=plan.schema,
        neighbors=plan.neighbors,
        guess=Guess(records=2000),
    )
    for span in ((15, 44), (30, 30)):
        page.select_slider[0].set_range(*span).run()
        ways = ways_to_count(asked, delta=1e-6, confidence=0.95, span=span)
        one, together, ranges = list(drawn[-1].numbers.values())[1:]
        assert [*one] == [way.each for way in ways]
        assert [*together] == [way.together for way in ways]
        assert [*ranges] == [way.in_range for way in ways]
    assert "Laplace noise errs least for all counts and this range" in texts(page)
    least = least_of_any_way(asked, delta=1e-6, confidence=0.95)
    assert f"keeps all 60 counts within less than {amount(least)} people in 95% of releases of every table" in texts(
        page
    )
    page.select_slider[0].set_range(5, 54).run()
    assert re.search(r"\*\*\d histograms\*\*, with bins as wide as 1 and \d+ of these, share the budget", texts(page))


def test_shares_of_a_public_number_are_compared_in_percentage_points(new_app: NewApp, drawn: list[Chart]) -> None:
    """They are counts over it; of a private number each noise is that of two parts, and there is no such look."""
    shares = SeveralProportionsQuery((Comparison("age", ">=", 18), Comparison("sex", "=", "female")))
    page = opened(new_app, shares)
    assert "Noise for many shares" not in page.segmented_control(key="closer_look").options
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, neighbors=Neighbors.REPLACE_ONE)
    page.run().segmented_control(key="closer_look").set_value("Noise for many shares").run()
    assert not page.exception
    assert "Laplace noise errs least for all shares" in texts(page)
    counts = StatisticalQueries(shares.conditions)
    asked = Asked(
        planned=PlannedQuery(query=counts, guarantee=Guarantee(epsilon=0.5)),
        schema=plan.schema,
        neighbors=Neighbors.REPLACE_ONE,
        guess=Guess(records=2000),
    )
    least = 100 * least_of_any_way(asked, delta=1e-6, confidence=0.95) / 2000
    said = re.search(r"keeps all 2 shares within less than ([\d.]+) percentage points in 95%", texts(page))
    assert said
    assert least * 0.99 < float(said[1]) <= least * (1 + 1e-9), "Rounded down: less would be possible otherwise."
    numbers = drawn[-1].numbers
    assert [*numbers][1:] == ["one share, percentage points", "all 2 at once, percentage points"]
    for found, way in zip(
        zip(*list(numbers.values())[1:], strict=True), ways_to_count(asked, delta=1e-6, confidence=0.95), strict=True
    ):
        assert found == pytest.approx((way.each / 20, way.together / 20))


def test_groups_in_no_order_have_no_range_and_no_delta_means_no_gaussian_noise(
    new_app: NewApp, drawn: list[Chart]
) -> None:
    page = looked_at(new_app, HistogramQuery("disease"), Guarantee(epsilon=3.0))
    assert not page.select_slider
    assert list(drawn[-1].numbers["way"]) == ["Laplace noise"]
    assert "Gaussian noise would need a δ, too" in texts(page)


def test_one_count_has_no_such_look(new_app: NewApp) -> None:
    options = opened(new_app, CountQuery()).segmented_control(key="closer_look").options
    assert LOOK not in options
    assert LOOK in opened(new_app, BINS).segmented_control(key="closer_look").options
