"""An account that promises something else than the plan says: named before the button, or refused there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import NumberColumn, PrivacyUnit, Schema, TextColumn, read_table
from dpengine.errors import RefusedQueryError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import SumQuery
from dpengine.release import require_releasable
from dpengine.scenario import Scenario
from tests.ui.reading import button, texts

ROWS = b"who,cost\n" + b"".join(f"{row // 2},{row % 7 * 100}\n".encode() for row in range(100))
AS_DRAWN, TO_DATA = (
    "The pictures here show what such an answer would be like.",
    "To the declaration, on the Data page →",
)
SAME = "Releases follow the account"


def scenario_of(*, neighbors: Neighbors, rows: int = 5) -> Scenario:
    schema = Schema(
        name="visits",
        columns=(TextColumn(name="who"), NumberColumn(name="cost", lower=0, upper=1000, unit="euros")),
        unit=PrivacyUnit(identifier="who", rows=rows),
        people=50,
    )
    asked = PlannedQuery(query=SumQuery("cost"), guarantee=Guarantee(epsilon=0.5))
    return Scenario(
        table_name="visits", schema=schema, neighbors=neighbors, queries=(asked,), budget=Guarantee(epsilon=2.0)
    )


def declare(page: AppTest, plan: Scenario) -> AppTest:
    """Bring the same file under another declaration."""
    page.session_state["table"] = read_table(ROWS, schema=plan.schema, format="csv")
    page.session_state["scenario"] = plan
    page.session_state["exact_shown"] = False
    return page.run()


@pytest.fixture
def page(new_app: Callable[[], AppTest]) -> AppTest:
    """The Release page with an account that hides adding or removing one person."""
    page = declare(new_app(), scenario_of(neighbors=Neighbors.ADD_REMOVE))
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    assert not page.exception
    assert SAME not in texts(page)
    return page


def release_buttons(page: AppTest) -> int:
    return sum(button.label == "Release this answer" for button in page.button)


def test_an_account_under_another_relation_is_named_on_both_pages(page: AppTest) -> None:
    declare(page, scenario_of(neighbors=Neighbors.REPLACE_ONE))
    assert "hides adding or removing one person (their number is private); your plan says replacing" in texts(page)
    assert SAME in texts(page)
    assert release_buttons(page) == 1
    page.switch_page("pages/explore/tradeoff/page.py").run()
    assert not page.exception
    assert SAME in texts(page)
    assert "The pictures here follow your plan." in texts(page)
    declare(page, scenario_of(neighbors=Neighbors.ADD_REMOVE))
    assert SAME not in texts(page)


def test_other_terms_are_refused_before_the_button(page: AppTest) -> None:
    assert release_buttons(page) == 1
    plan = scenario_of(neighbors=Neighbors.ADD_REMOVE, rows=3)
    declare(page, plan)
    assert release_buttons(page) == 0
    (refused,) = page.error
    assert "at most 5 rows for each 'who'" in refused.value.replace("\\", "")
    assert "declared with at most 3 rows for each 'who'" in refused.value.replace("\\", "")


def test_the_trade_off_says_what_release_would_refuse_before_anything_is_pressed_there(page: AppTest) -> None:
    other = scenario_of(neighbors=Neighbors.ADD_REMOVE, rows=3)
    sentence = declare(page, other).error[0].value.removeprefix("**Refused.** ")
    assert "so nothing is released" in sentence
    page.switch_page("pages/explore/tradeoff/page.py").run()
    assert [one.value for one in page.error] == [f"**The Release page would refuse this.** {sentence} {AS_DRAWN}"]
    assert TO_DATA in [link.proto.label for link in page.get("page_link")]
    declare(page, scenario_of(neighbors=Neighbors.ADD_REMOVE))
    assert not page.error
    assert TO_DATA not in [link.proto.label for link in page.get("page_link")]


def test_the_trade_off_says_that_noise_would_be_too_wide_to_be_drawn(new_app: Callable[[], AppTest]) -> None:
    wide = scenario_of(neighbors=Neighbors.ADD_REMOVE, rows=10**6)
    page = declare(new_app(), wide).switch_page("pages/explore/tradeoff/page.py").run()
    assert not page.error
    page.number_input(key="tradeoff_epsilon_box").set_value(1e-6).run()
    (refused,) = page.error
    with pytest.raises(RefusedQueryError) as refusal:
        require_releasable(wide.queries[0].at(1e-6), wide.schema, wide.neighbors)
    assert "64-bit" in str(refusal.value)
    assert refused.value.replace("\\", "") == f"**The Release page would refuse this.** {refusal.value} {AS_DRAWN}"
