"""The lesson on composition: every rule's number of the engine stands on the screen, and turns are said in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accounting import ACCOUNTANTS, Repetition, composed_delta, epsilon
from dpengine.formatting import at_most, tiny, tiny_at_most
from dpengine.formatting.numbers import interval
from dpengine.losses.walks import HintWalk
from dpengine.privacy import ApproximateEvent, DiscreteLaplaceEvent, Event, LaplaceEvent, RandomizedResponseEvent
from pages.learn.composition import composition_walks
from pages.learn.composition.composition import CHECK, OF_DELTAS
from pages.learn.composition.composition_settings import NOISES
from pages.phrasing import rules
from tests.ui.reading import texts
from tests.ui.steps import at_step, box

OpenPage = Callable[[str], AppTest]
NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page on its second step, which adds up 300 counts by all rules."""
    return at(new_app().switch_page("pages/learn/composition/page.py"), 2)


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "composition", number)


EVENTS: dict[str, Event] = {
    "Noise on a count": DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1),
    "Laplace noise": LaplaceEvent(noise_multiplier=10.0),
    "A coin-flipped answer": RandomizedResponseEvent(epsilon=0.1),
}


def test_the_title_and_the_table_show_the_engines_numbers(page: AppTest) -> None:
    page.number_input(key="composition_all_epsilon_box").set_value(0.1)
    page.slider(key="composition_chosen").set_value(200)
    for noise, event in EVENTS.items():
        page.pills(key="composition_noise").set_value(noise).run()
        said = {name: at_most(epsilon({event: 200}, delta=1e-6, accountant=name)) for name in ACCOUNTANTS}
        assert page.title[0].value == f"200 answers: naive adds up to ε = 20, exact to {said['exact']}"
        for name, value in said.items():
            assert f"| {rules.RULES[name].label} | **{value}** | {rules.RULES[name].needs} |" in texts(page)


def test_the_table_begins_with_the_tightest(page: AppTest) -> None:
    page.pills(key="composition_noise").set_value("Laplace noise").run()
    (table,) = (element.value for element in page.markdown if "| rule for 300 answers |" in element.value)
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
    assert "**promises too much from 206 answers on**: such" in texts(page)
    assert "| ~~" in texts(page), "At 300 answers its number is no guarantee."
    page.number_input(key="composition_all_epsilon_box").set_value(0.5).run()
    assert "**promises too much from 611 answers on** (all but 612):" in texts(page)
    page.slider(key="composition_chosen").set_value(200).run()
    assert "| ~~" not in texts(page)
    page.number_input(key="composition_all_epsilon_box").set_value(0.1).run()
    assert "At ε = 0.1, the textbook formula holds up to 1,000 answers" in texts(page)
    assert "costs less than naive (just added up) from **30** answers on" in texts(page)


def test_the_third_step_is_about_the_textbook_formula(page: AppTest) -> None:
    at(page, 3).number_input(key="composition_textbook_epsilon_box").set_value(1.0).run()
    assert page.title[0].value == "At ε = 1, the textbook formula fails at 206 answers"
    assert "is false here" in texts(page)
    assert "Here it is proved up to 110 answers." in texts(page)
    legend = next(element.proto.body for element in page.get("html") if 'class="legend"' in element.proto.body)
    (false,) = (one for one in legend.split("<span>") if "false here" in one)
    assert "repeating-linear-gradient" in false, "The legend shows the dashes and dots of the picture."
    page.number_input(key="composition_textbook_epsilon_box").set_value(0.1).run()
    assert page.title[0].value == "The textbook formula holds at ε = 0.1 up to 1,000 answers"
    assert "Here it is proved up to 1,000 answers or more." in texts(page)


def test_the_settings_stay_from_step_to_step(page: AppTest) -> None:
    page.number_input(key="composition_all_epsilon_box").set_value(0.2)
    page.slider(key="composition_chosen").set_value(120)
    page.number_input(key="composition_delta_box").set_value(1e-7).run()
    for number, name in ((1, "why"), (3, "textbook"), (2, "all")):
        at(page, number)
        assert box(page, f"composition_{name}_epsilon_box").value == 0.2
        assert page.slider(key="composition_chosen").value == 120
        assert page.number_input(key="composition_delta_box").value == 1e-7


def test_the_dial_goes_where_the_formula_fails_by_a_button_alone(page: AppTest) -> None:
    at(page, 3)
    assert box(page, "composition_textbook_epsilon_box").value == 0.1
    page.button(key="composition_fails").click().run()
    assert box(page, "composition_textbook_epsilon_box").value == 0.5
    assert page.title[0].value == "At ε = 0.5, the textbook formula fails at 611 answers"
    assert "composition_fails" not in [button.key for button in page.button]
    assert box(at(page, 2), "composition_all_epsilon_box").value == 0.5


def test_without_a_delta_answers_add_up(page: AppTest) -> None:
    page.number_input(key="composition_delta_box").set_value(0.0).run()
    assert not page.exception
    assert page.title[0].value == "300 answers cost ε = 30: no rule costs less than naive"
    assert "Without a δ no rule costs less than naive (just added up)." in texts(page)


def test_extreme_settings_keep_the_page(page: AppTest) -> None:
    for value in (1e-6, 20.0, 1e4):
        page.number_input(key="composition_all_epsilon_box").set_value(value).run()
        assert not page.exception
    page.number_input(key="composition_delta_box").set_value(1e-300).run()
    assert not page.exception


def test_the_right_answer_of_the_check_is_the_engines_number() -> None:
    event = DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1)
    said = Repetition(event=event, delta=1e-6, chosen=400).at_chosen
    assert said["exact"] == said["optimal"]
    assert said["basic"] == pytest.approx(40.0)
    (right,) = (answer for answer in CHECK.answers if answer.right)
    assert right.text == f"About ε = {said['exact']:.0f}, with that small δ."
    assert 5.0 < said["exact"] / (400**0.5 * 0.1) < 6.0, "About five times what is typical."


def test_a_total_that_protects_nobody_is_called_so(page: AppTest) -> None:
    """e to the power of 74.7 is 2.9e32."""
    assert page.title[0].value == "300 answers: naive adds up to ε = 30, exact to 9.17"
    assert "protects nobody" not in texts(page)
    page.number_input(key="composition_all_epsilon_box").set_value(0.5).run()
    assert "**ε = 74.8 protects nobody**: some answers may be 2·10³² times as likely with you" in texts(page)


def test_steps_of_a_line_are_explained_where_there_are_any(page: AppTest) -> None:
    assert "computed at" not in texts(page)
    page.pills(key="composition_noise").set_value("Laplace noise").run()
    assert "computed at 120 numbers of answers, never below the truth" in texts(page)
    page.pills(key="composition_rules").set_value(["basic"]).run()
    assert "computed at" not in texts(page)


def test_the_first_step_shows_that_hints_cancel(open_page: OpenPage) -> None:
    page = open_page("learn/composition")
    walk = HintWalk(epsilon=0.1)
    low, high = interval(*(float(end) for end in walk.between(300, share=0.95)))
    ends = f"{low} and {high}".replace("-", "−")
    assert page.title[0].value == f"300 hints mostly cancel: between {ends}, where naive counts 30"
    event = DiscreteLaplaceEvent(noise_multiplier=10.0, sensitivity=1)
    for name, label in (("basic", "Naive"), ("advanced", "Advanced"), ("exact", "Exact")):
        said = at_most(epsilon({event: 300}, delta=1e-6, accountant=name))
        assert any(f"**{label}**" in line and f": {said}." in line for line in texts(page).splitlines())
    page.number_input(key="composition_why_epsilon_box").set_value(10.0).run()
    assert page.title[0].value == "300 hints about you may add up to 3,000"


def test_the_lines_of_the_first_step_are_the_rules_at_every_number() -> None:
    event = NOISES["Noise on a count"](0.1)
    for chosen in (1, 7, 300):
        view = composition_walks._view(0.1, Repetition(event=event, delta=1e-6, chosen=chosen, most=1000))
        assert view.answers[0] == 0
        assert view.answers[-1] == chosen
        for rule, drawn in (("advanced", view.advanced), ("exact", view.exact)):
            told = [epsilon({event: int(count)}, delta=1e-6, accountant=rule) for count in view.answers[1:]]
            assert drawn[0] == 0.0
            assert drawn[1:] == pytest.approx(told, rel=0.02 if rule == "exact" else 1e-9), rule
            assert np.all(drawn[1:] >= np.array(told) * (1 - 1e-9)), "Never below the truth."


def test_the_first_step_holds_at_every_end(open_page: OpenPage) -> None:
    page = open_page("learn/composition")
    for delta, (epsilon_each, answers) in product((1e-6, 0.0), ((1e-6, 1000), (1e4, 1000), (0.1, 1), (5.0, 2))):
        page.slider(key="composition_chosen").set_value(answers)
        page.number_input(key="composition_delta_box").set_value(delta)
        page.number_input(key="composition_why_epsilon_box").set_value(epsilon_each).run()
        assert not page.exception, (epsilon_each, answers)
        assert not page.error, (epsilon_each, answers)
        assert ("even the rarest case counts" in texts(page)) == (delta == 0.0)


def test_deltas_of_the_answers_come_beside_that_of_advanced(page: AppTest) -> None:
    at(page, 4)
    assert page.title[0].value == "300 answers: δ is 4·10⁻⁶ together, not 10⁻⁶"
    for each, count in ((1e-8, 300), (1e-6, 1000), (1e-10, 1)):
        page.select_slider(key="composition_own_delta").set_value(each)
        page.slider(key="composition_chosen").set_value(count).run()
        total = count * each + 1e-6
        assert page.title[0].value == f"{count:,} answers: δ is {tiny_at_most(total, 3)} together, not 10⁻⁶"
        (said,) = re.findall(r"ε = ([\d.]+) with δ = (\S+?)\.\*\*", texts(page))
        assert said[1] == tiny_at_most(total, 3)
        least = epsilon({ApproximateEvent(epsilon=0.1, delta=each): count}, delta=total, accountant="advanced")
        assert least <= float(said[0]) <= 1.02 * least


def test_own_deltas_hold_at_every_end(page: AppTest) -> None:
    at(page, 4)
    for delta, epsilon_each in ((0.0, 0.1), (1e-300, 1e4), (0.9, 1e-6)):
        page.number_input(key="composition_delta_box").set_value(delta)
        box(page, "composition_own_epsilon_box").set_value(epsilon_each).run()
        assert not page.exception, (delta, epsilon_each)
        assert not page.error, (delta, epsilon_each)
    page.number_input(key="composition_delta_box").set_value(0.0).run()
    assert page.title[0].value == "300 answers: δ is 3·10⁻⁶ together, not 0"


def test_the_right_answer_on_deltas_is_the_engines_number() -> None:
    (right,) = (answer for answer in OF_DELTAS.answers if answer.right)
    own, total = (float(composed_delta(300, each=1e-8, slack=slack)) for slack in (0.0, 1e-6))
    assert right.text == f"{tiny(total)}."
    assert f"300 × 10⁻⁸ is {tiny(own)} for the answers" in right.feedback
