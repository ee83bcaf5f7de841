"""The lesson on properties: an input changes, and the engine's new number stands on the screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.beliefs import odds_out_of_100
from dpengine.formatting import upper_of_100
from dpengine.privacy import Guarantee
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its steps."""
    return new_app().switch_page("pages/learn/properties/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "properties", number)


def test_work_on_a_noisy_table_costs_nothing_and_is_never_drawn_anew(page: AppTest) -> None:
    at(page, 1)
    first = texts(page)
    assert "| most frequent | hypertension | 0 |" in first
    assert "fixed seed" in first
    page.pills(key="properties_process").set_value("rounded to tens").run()
    assert "| flu or mumps | 60 | 0 |" in texts(page)
    page.pills(key="properties_process").set_value("no negative counts").run()
    assert texts(page) == first


def test_groups_are_promised_less(page: AppTest) -> None:
    at(page, 2)
    for size in (1, 7, 50):
        page.slider(key="properties_size").set_value(size).run()
        together = Guarantee(epsilon=0.1, delta=1e-6).for_group(size)
        most = upper_of_100(odds_out_of_100(together).with_data / 100)
        assert page.title[0].value.endswith(f": at most {most} out of 100 guesses are right")
        assert f"ε = {together.epsilon:.3g}" in texts(page)


def test_costs_add_up_whatever_is_asked_second(page: AppTest) -> None:
    at(page, 3).select_slider(key="properties_second").set_value(1.5).run()
    assert page.title[0].value == "0.5 and 1.5 cost at most 2, whatever you ask second"
    assert "7.39 times" in texts(page)


def test_parts_side_by_side_under_both_relations(page: AppTest) -> None:
    at(page, 4)
    for relation, first, cost in (
        ("You are added or removed", 0.5, "0.5: the largest cost"),
        ("You are added or removed", 0.1, "0.3: the largest cost"),
        ("You are replaced", 0.5, "0.8: the two largest costs together"),
        ("You are replaced", 0.1, "0.5: the two largest costs together"),
    ):
        page.pills(key="properties_relation").set_value(relation)
        page.select_slider(key="properties_part").set_value(first).run()
        assert page.title[0].value == f"Four counts cost {cost}"


def test_a_fall_shows_while_no_belief_moves_far(page: AppTest) -> None:
    at(page, 5)
    for epsilon, lowest, highest in ((0.1, "47.5", "52.5"), (0.02, "49.5", "50.5"), (1.0, "26.8", "73.2")):
        page.number_input(key="properties_fall_epsilon_box").set_value(epsilon).run()
        assert f"a belief of 50 that you had mumps ends between {lowest} and {highest} out of 100" in texts(page)


def test_a_fall_can_drown(page: AppTest) -> None:
    at(page, 5).number_input(key="properties_fall_epsilon_box").set_value(0.01).run()
    shows = float(page.title[0].value.split("shows in at least ")[1].split("%")[0])
    assert 80 < shows < 90
