"""The live picture of the budget: what the page tells its script is what the engine says of the list."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from dpengine.accounting import epsilon as worth
from dpengine.privacy import DiscreteLaplaceEvent
from dpengine.queries import CountQuery
from pages.explore.budget.burn_panels import EVERY_RULE
from pages.explore.budget.live_burn.frames import title
from tests.running.cases import each
from tests.ui.budget.test_budget_argues import laplace, names_of_lines, voters
from tests.ui.dials import now_on

NewApp = Callable[[], AppTest]


def test_the_first_picture_goes_on_until_every_rule_refuses(new_app: NewApp) -> None:
    """Thirty at 0.1 are the whole budget of 3; the others as an accountant says of one more question each time."""
    page = voters(new_app, "budget", laplace(0.1, CountQuery()), rule="basic")
    event = DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1)
    advanced, exact = (rounds_within(event, name) + 1 for name in ("advanced", "exact"))
    frame = now_on(page)["now"]["frame"]
    assert frame["refused"] == [31, advanced, exact]
    assert advanced == 31
    assert frame["title"] == f"30 questions fit the budget; the advanced rule would allow as many, exact {exact - 1}"
    names = [
        "naive: refuses question 31",
        f"advanced: would refuse question {advanced}",
        f"exact: would refuse question {exact}",
    ]
    said = int(re.search(r"^At least 1% cheaper than naive: .*exact from question (\d+) on\.$", frame["parted"])[1])  # type: ignore[index]
    parting = parting_of(event, exact)
    assert parting <= said <= parting + 3, "It is asked after some questions alone, and never told below the truth."
    assert frame["names"] == [
        "naive: 30 fit, refuses 31",
        f"advanced: {advanced - 1} would fit",
        f"exact: {exact - 1} would fit",
    ]
    page.toggle(key=EVERY_RULE).set_value(True).run()
    page.pills(key="budget_rules").set_value(["exact", "advanced", "basic"]).run()
    assert names_of_lines(page) == set(names)
    (chart,) = page.get("plotly_chart")
    drawn_numbers = {note["text"] for note in json.loads(chart.proto.spec)["layout"]["annotations"]}
    assert drawn_numbers >= {f"<b>{number}</b>" for number in (31, advanced, exact)}


def parting_of(event: DiscreteLaplaceEvent, last: int) -> int:
    """From how many such answers on the exact rule stays a hundredth below their sum, up to the `last`."""
    above = (
        count for count in range(last, 0, -1) if worth({event: count}, delta=1e-6, accountant="exact") > 0.099 * count
    )
    return next(above) + 1


def test_that_no_rule_is_below_naive_is_said(new_app: NewApp) -> None:
    frame = now_on(voters(new_app, "budget", laplace(2.0, CountQuery())))["now"]["frame"]
    assert (frame["title"], frame["parted"]) == (
        "1 question fits the budget, by every rule",
        "No rule is 1% cheaper than naive as long as the budget lasts.",
    )


def rounds_within(event: DiscreteLaplaceEvent, accountant: str) -> int:
    """How many such answers an accountant lets through, asked one by one."""
    return next(
        count for count in itertools.count(1) if worth({event: count + 1}, delta=1e-6, accountant=accountant) > 3.0
    )


@each(
    ("refused", "said"),
    [
        ((31, 37, 55), "30 questions fit the budget; the advanced rule would allow 36, exact 54"),
        ((9, 9, 9), "8 questions fit the budget, by every rule"),
        ((9, 9, 10), "8 questions fit the budget; the advanced rule would allow as many, exact 9"),
        ((9, None, None), "8 questions fit the budget; the advanced and exact rules would allow all 1,000"),
        ((9, 912, None), "8 questions fit the budget; the advanced rule would allow 911, exact all 1,000"),
        ((None, None, None), "All of the first 1,000 questions fit the budget"),
        ((1234,), "1,233 questions fit the budget"),
        ((1, 1, 2), "No question fits the budget; the advanced rule would allow as many, exact 1"),
    ],
)
def test_the_title_says_how_many_questions_each_rule_allows(refused: tuple[int | None, ...], said: str) -> None:
    by_rule = dict(zip(("basic", "advanced", "exact"), refused, strict=False))
    assert title("basic", by_rule, followed=1000) == said
    asked_before = {rule: number and number + 4 for rule, number in by_rule.items()}
    assert title("basic", asked_before, followed=1000, before=4) == said
