"""What somebody says about a question, the answer to expect and the error to accept, stays with it and goes with it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from pages.session.first_plan import first_plan
from tests.ui.reading import button, number_box, travelled

OpenPlan = Callable[..., AppTest]
Said = tuple[float, float]
"""A guessed answer, and an accepted error."""
QUESTIONS, TRADEOFF = "pages/explore/queries/page.py", "pages/explore/tradeoff/page.py"
KINDS = {"CountQuery": "mean", "MeanQuery": "sum", "SumQuery": "count"}


@pytest.fixture
def open_plan(new_app: Callable[[], AppTest]) -> OpenPlan:
    """Open the questions page on counts of patients, exact values hidden, once something was said about some."""

    def opened(said: list[Said | None]) -> AppTest:
        conditions = (Comparison("age", ">", 20 + place) for place in range(len(said)))
        asked = tuple(PlannedQuery(query=CountQuery(one), guarantee=Guarantee(epsilon=0.1)) for one in conditions)
        app = new_app()
        app.session_state["scenario"] = replace(first_plan("patients"), queries=asked)
        app.session_state["exact_shown"] = False
        app.switch_page(TRADEOFF).run()
        for place, one in enumerate(said):
            app.selectbox(key="tradeoff_question").set_value(place).run()
            if one is not None:
                number_box(app, "Guess: the answer").set_value(one[0]).run()
                number_box(app, "Accepted error").set_value(one[1]).run()
        return app.switch_page(QUESTIONS).run()

    return opened


def told(page: AppTest) -> list[tuple[object, object]]:
    """What stands in the boxes of each question, one after the other."""
    page.switch_page(TRADEOFF).run()
    found: list[tuple[object, object]] = []
    for place in range(len(page.session_state["scenario"].queries)):
        page.selectbox(key="tradeoff_question").set_value(place).run()
        found.append((number_box(page, "Guess: the answer").value, number_box(page, "Accepted error").value))
    return found


def change(page: AppTest, place: int) -> AppTest:
    """Another kind of question in this place."""
    kind = KINDS[type(page.session_state["scenario"].queries[place].query).__name__]
    page.button(key=f"change_{place}").click().run()
    page.selectbox(key="query_kind").set_value(kind).run()
    return page.button(key="add_question").click().run()


def walk(page: AppTest, said: list[Said | None], steps: int, lot: random.Random) -> list[Said | None]:
    """Random steps on the questions page, and what should be known of each question after them."""
    for _ in range(steps):
        place = lot.randrange(len(said))
        match lot.choice(["remove", "change", "undo", "epsilon", "add"]):
            case "remove" if len(said) > 1:
                button(page, f"remove_{place}_of").click().run()
                said = said[:place] + said[place + 1 :]
            case "change":
                change(page, place)
                said = [*said[:place], None, *said[place + 1 :]]
            case "epsilon":
                page.button(key=f"change_{place}").click().run()
                page.number_input(key="query_epsilon").set_value(lot.choice([0.2, 0.3])).run()
                page.button(key="add_question").click().run()
            case "undo":
                page.button(key=f"change_{place}").click().run()
                page.button(key="leave_question").click().run()
            case _:
                page.button(key="add_question").click().run()
                said = [*said, None]
        assert not page.exception
    return said


@pytest.mark.parametrize("seed", [4, 6])
def test_whatever_becomes_of_the_others(open_plan: OpenPlan, seed: int) -> None:
    first: list[Said | None] = [(111.25, 11.25), (222.25, 22.25), None, (444.25, 44.25)]
    page, lot = open_plan(first), random.Random(seed)
    said = walk(page, first, 7, lot)
    errors = travelled(page).targets.errors
    assert [*errors, *[None] * len(said)][: len(said)] == [one and one[1] for one in said]
    everything = {number for one in first if one for number in one}
    for found, expected in zip(told(page), said, strict=True):
        assert found == expected if expected else not everything & set(found)
