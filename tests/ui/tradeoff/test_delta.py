"""Delta on the trade-off page: a box where it changes something, and Gaussian noise that is calibrated with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.privacy import Guarantee
from tests.ui.dials import frames_on
from tests.ui.reading import moved, read_in, texts

OpenPage = Callable[[str], AppTest]
NO_DELTA = "**No δ here.** This promises ε alone; δ changes how many answers add up (**Budget**)."


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The page on the built-in table's first question, a count of people at epsilon 0.1."""
    return open_page("explore/tradeoff")


def test_delta_changes_what_advanced_composition_allows(page: AppTest) -> None:
    page.segmented_control(key="closer_look").set_value("How fast the budget burns")
    page.number_input(key="tradeoff_epsilon_box").set_value(0.01).run()
    before = texts(page)
    moved(page.number_input, "tradeoff_delta_box").set_value(1e-3).run()
    assert "The naive rule allows **300**" in before
    assert "The naive rule allows **300**" in texts(page)
    assert before != texts(page)


def test_gaussian_noise_is_calibrated_with_delta(page: AppTest) -> None:
    page.number_input(key="tradeoff_epsilon_box").set_value(1.0)
    moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
    assert "Gaussian noise of standard deviation 4.23." in texts(page)
    assert "for all but 1 in 1,000 answers" in frames_on(page).header["whose"]


def test_gaussian_noise_is_kept_in_the_plan_with_its_delta(page: AppTest) -> None:
    page.number_input(key="tradeoff_epsilon_box").set_value(1.0)
    moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
    moved(page.number_input, "tradeoff_delta_box").set_value(1e-7).run()
    assert page.button(key="tradeoff_keep").label == "Keep this epsilon, delta and noise in the plan"
    page.button(key="tradeoff_keep").click().run()
    kept = page.session_state["scenario"].queries[0]
    assert (kept.mechanism, kept.guarantee) == ("gaussian", Guarantee(epsilon=1.0, delta=1e-7))
    page.selectbox(key="tradeoff_question").set_value(1).run()
    assert moved(page.selectbox, "tradeoff_mechanism").value == "laplace"
    assert NO_DELTA in read_in(page.main)
    page.selectbox(key="tradeoff_question").set_value(0).run()
    assert moved(page.selectbox, "tradeoff_mechanism").value == "gaussian"
    assert moved(page.number_input, "tradeoff_delta_box").value == 1e-7
    moved(page.selectbox, "tradeoff_mechanism").set_value("laplace").run()
    page.button(key="tradeoff_keep").click().run()
    kept = page.session_state["scenario"].queries[0]
    assert (kept.mechanism, kept.guarantee) == ("laplace", Guarantee(epsilon=1.0))


def test_gaussian_noise_without_a_delta_gets_a_sentence(page: AppTest) -> None:
    moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
    moved(page.number_input, "tradeoff_delta_box").set_value(0.0).run()
    assert "delta must be above 0 for Gaussian noise, which is never pure" in texts(page)
    moved(page.number_input, "tradeoff_delta_box").set_value(1e-6).run()
    assert page.title[0].value.startswith("95%")


def test_delta_has_a_box_where_it_changes_something_and_says_what(page: AppTest) -> None:
    def boxes() -> list[str]:
        return [str(box.key) for box in page.number_input if str(box.key).startswith("tradeoff_delta")]

    assert boxes() == []
    assert NO_DELTA in read_in(page.main)
    page.segmented_control(key="closer_look").set_value("How fast the budget burns").run()
    assert len(boxes()) == 1
    assert "Changes what the rules other than naive make of many answers." in read_in(page.main)
    page.segmented_control(key="closer_look").set_value("Sampling error").run()
    assert boxes() == []
    moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
    assert len(boxes()) == 1
    assert NO_DELTA not in read_in(page.main)
    assert "Changes the noise: the smaller δ, the more of it." in read_in(page.main)


def test_a_bad_delta_loses_nothing_that_was_typed(page: AppTest) -> None:
    moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
    page.number_input(key="target_error_0").set_value(77.0).run()
    moved(page.number_input, "tradeoff_delta_box").set_value(1.0).run()
    assert "δ must be less than 1; 1 would allow anything." in texts(page)
    moved(page.number_input, "tradeoff_delta_box").set_value(1e-5).run()
    assert page.number_input(key="target_error_0").value == 77.0
