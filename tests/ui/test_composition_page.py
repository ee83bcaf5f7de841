"""The lesson on composition: every rule's number of the engine stands on the screen, and turns are said in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accounting import ACCOUNTANTS, Repetition, epsilon
from dpengine.charts import at_most
from dpengine.privacy import DiscreteLaplaceEvent, Event, LaplaceEvent, RandomizedResponseEvent
from pages.ui import rules
from pages.ui.lessons.composition import NOISES
from tests.reading import texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The page on its first step: 300 counts at epsilon 0.5."""
    return open_page("learn/composition")


def at(page: AppTest, number: int) -> AppTest:
    return page.segmented_control(key="composition_step").set_value(number - 1).run()


@pytest.mark.parametrize(
    ("noise", "event"),
    [
        ("Noise on a count", DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1)),
        ("Laplace noise", LaplaceEvent(noise_multiplier=10.0)),
        ("A coin-flipped answer", RandomizedResponseEvent(epsilon=0.1)),
    ],
)
def test_the_title_and_the_table_show_the_engines_numbers(page: AppTest, noise: str, event: Event) -> None:
    page.number_input(key="composition_all_epsilon_box").set_value(0.1)
    page.slider(key="composition_all_chosen").set_value(200)
    page.pills(key="composition_noise").set_value(noise).run()
    said = {name: at_most(epsilon({event: 200}, delta=1e-6, accountant=name)) for name in ACCOUNTANTS}
    assert page.title[0].value == f"200 answers cost ε = {said['exact']} together, not 20"
    for name, value in said.items():
        assert f"| {rules.RULES[name].label} | **{value}** | {rules.RULES[name].needs} |" in texts(page)


def test_the_table_begins_with_the_tightest(page: AppTest) -> None:
    page.pills(key="composition_noise").set_value("Laplace noise").run()
    (table,) = (element.value for element in page.markdown if "added up by" in element.value)
    values = [float(line.split("**")[1]) for line in table.splitlines()[2:] if "**" in line]
    assert values == sorted(values)
    assert table.splitlines()[2].startswith("| exact |")


def test_every_noise_opens_and_no_noise_is_asked_what_it_cannot_say(page: AppTest) -> None:
    for noise in NOISES:
        page.pills(key="composition_noise").set_value(noise).run()
        assert not page.exception
        assert not page.error
    page.pills(key="composition_noise").set_value("Gaussian noise").run()
    assert "optimal" not in page.pills(key="composition_rules").options
    assert "| optimal |" not in texts(page)


def test_any_choice_of_rules_can_be_drawn(page: AppTest) -> None:
    for wanted in (list(rules.RULES), ["optimal"], []):
        page.pills(key="composition_rules").set_value(wanted).run()
        assert not page.exception
        assert not page.error


def test_where_the_textbook_formula_turns_false_is_said(page: AppTest) -> None:
    page.number_input(key="composition_all_epsilon_box").set_value(1.0).run()
    assert "**first fails at 206** answers:" in texts(page)
    assert "| ~~" in texts(page), "At 300 answers its number is no guarantee."
    page.number_input(key="composition_all_epsilon_box").set_value(0.5).run()
    assert "**first fails at 611** answers and is false from 613 on:" in texts(page)
    page.slider(key="composition_all_chosen").set_value(200).run()
    assert "| ~~" not in texts(page)
    page.number_input(key="composition_all_epsilon_box").set_value(0.1).run()
    assert "never wrong up to 1,000 answers" in texts(page)
    assert "below naive adding from **30** answers on" in texts(page)


def test_the_second_step_is_about_the_textbook_formula(page: AppTest) -> None:
    at(page, 2).number_input(key="composition_textbook_epsilon_box").set_value(1.0).run()
    assert page.title[0].value == "The textbook formula fails at 206 answers"
    assert "promises more than can be true here" in texts(page)
    page.number_input(key="composition_textbook_epsilon_box").set_value(0.1).run()
    assert page.title[0].value == "The textbook formula holds here"


def test_without_a_delta_answers_add_up(page: AppTest) -> None:
    page.number_input(key="composition_all_delta_box").set_value(0.0).run()
    assert not page.exception
    assert page.title[0].value == "300 answers cost ε = 150 together: nothing is gained over adding up yet"
    assert "Without a δ no rule beats adding up." in texts(page)


def test_extreme_settings_keep_the_page(page: AppTest) -> None:
    for value in (1e-6, 20.0, 1e4):
        page.number_input(key="composition_all_epsilon_box").set_value(value).run()
        assert not page.exception
    page.number_input(key="composition_all_delta_box").set_value(1e-300).run()
    assert not page.exception


def test_the_right_answer_of_the_check_is_right() -> None:
    """400 counts at 0.1: about 12 by the sound rule, 11 exactly."""
    said = Repetition(
        event=DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1), delta=1e-6, chosen=400
    ).at_chosen
    assert 12.0 < said["advanced"] < 13.0
    assert 10.5 < said["exact"] < 12.0
