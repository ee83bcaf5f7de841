"""The lesson on the definition: an input changes, and the engine's new number stands on the screen."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.beliefs import posterior_bounds
from dpengine.formatting import amount, at_most, lower_of_100, tiny, upper_of_100
from dpengine.mechanisms import DiscreteLaplaceMechanism
from pages.learn.definition.definition_tables import at_most_times
from tests.ui.reading import texts
from tests.ui.steps import at_step, box

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its steps."""
    return new_app().switch_page("pages/learn/definition/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "definition", number)


def test_the_promise_is_a_ratio_that_follows_the_dial(page: AppTest) -> None:
    at(page, 1)
    for epsilon in (0.01, 0.1, 1.0, 10.0):
        page.number_input(key="definition_promise_epsilon_box").set_value(epsilon).run()
        most = at_most_times(math.exp(epsilon))
        assert page.title[0].value == f"With you, answers are at most {most} times as likely as without"


def test_one_ratio_is_written_alike_in_both_steps(page: AppTest) -> None:
    for epsilon, ratio in ((0.0001, "1.000101"), (0.01, "1.0101"), (0.5, "1.65"), (10.0, "22,100")):
        box(at(page, 1), "definition_promise_epsilon_box").set_value(epsilon).run()
        assert f" {ratio} times as likely" in page.title[0].value
        at(page, 7)
        assert box(page, "definition_size_epsilon_box").value == epsilon
        assert f"become {ratio} to 1" in texts(page)


def test_a_dial_stays_where_it_was_while_other_steps_are_open(page: AppTest) -> None:
    at(page, 1)
    page.number_input(key="definition_promise_epsilon_box").set_value(2.0).run()
    at(page, 7)
    at(page, 1)
    assert page.number_input(key="definition_promise_epsilon_box").value == 2.0
    assert "7.39 times" in page.title[0].value


def test_an_epsilon_too_large_to_draw_gets_a_sentence(page: AppTest) -> None:
    at(page, 1)
    page.number_input(key="definition_promise_epsilon_box").set_value(100.0).run()
    assert not page.exception
    assert "ε = 100 is more than this picture can show (at most 20); it still shows 0.5." in texts(page)
    page.number_input(key="definition_promise_epsilon_box").set_value(1.0).run()
    assert not page.error


def test_everybody_who_asks_is_told_what_they_get(page: AppTest) -> None:
    at(page, 2)
    titles = set()
    for audience in ("The public", "Your doctor", "A thief", "The curator"):
        page.pills(key="definition_audience").set_value(audience).run()
        assert f"<b>{audience}</b>" in "".join(element.proto.body for element in page.get("html"))
        titles.add(page.title[0].value)
    assert len(titles) == 4


def test_rounding_hides_all_counts_but_one_in_ten(page: AppTest) -> None:
    at(page, 3).pills(key="definition_published").set_value("rounded to tens").run()
    assert page.title[0].value == "Without randomness, the answer gives you away for certain"
    page.slider(key="definition_cases").set_value(44).run()
    assert page.title[0].value == "Rounding hides you at 44 cases, and gives you away at 45"
    page.pills(key="definition_published").set_value("with noise, ε = 0.5").run()
    assert page.title[0].value == "With noise no answer is certain: at most 1.65 times as likely"


def test_one_runner_more_moves_the_study_by_one_share(page: AppTest) -> None:
    at(page, 4).select_slider(key="definition_runners").set_value(500).run()
    assert "at most 0.2 points" in texts(page)


def test_a_list_of_counts_moves_by_one_or_by_two(page: AppTest) -> None:
    at(page, 5)
    assert "| counts of all diseases | 1 |" in texts(page)
    page.pills(key="definition_relation").set_value("You are replaced").run()
    assert "| counts of all diseases | 2 |" in texts(page)
    assert "| count of patients with mumps | 1 |" in texts(page)


def test_sampling_error_is_told_apart_from_the_noise(page: AppTest) -> None:
    at(page, 4)
    sampled = 1.959964 * math.sqrt(0.3 * 0.7 / 1000) * 100
    assert f"adds ±{amount(sampled, 2)} (sampling error)" in texts(page)
    assert amount(sampled, 2) == "2.8"


VERDICTS = {
    "One random row": ("for every p of 0.01 or more |", "**never**", "at every ε, for every δ of 0.01 or more |"),
    "A coin-flipped answer": (
        "for every p of 0.245 or more |",
        "for every ε of 0.5 or more |",
        "at ε = 0.5, for every δ of 0 or more |",
    ),
    "A noisy count": (
        "for every p of 0.245 or more |",
        "for every ε of 0.5 or more |",
        "at ε = 0.5, for every δ of 0 or more |",
    ),
    "Noise with a limit": (
        "for every p of 0.249 or more |",
        "**never**",
        "at ε = 0.5, for every δ of 0.00455 or more |",
    ),
}


def test_each_attempt_holds_or_fails_as_computed(page: AppTest) -> None:
    at(page, 6)
    for name, expected in VERDICTS.items():
        page.pills(key="definition_attempt").set_value(name).run()
        table = next(element.value for element in page.markdown if "| promise | holds |" in element.value)
        rows = table.splitlines()[2:]
        assert [held in row for held, row in zip(expected, rows, strict=True)] == [True] * 3, rows


def test_titles_of_attempts_follow_the_choice_and_the_dial(page: AppTest) -> None:
    at(page, 6).pills(key="definition_attempt").set_value("One random row").run()
    assert page.title[0].value == "Chances differ by at most 0.01, and somebody is exposed for certain"
    assert not page.number_input, "No dial where no epsilon is chosen."
    assert "A δ of 0.01 allows this, at every ε: **your whole row may come out" in texts(page)
    page.pills(key="definition_attempt").set_value("A coin-flipped answer").run()
    assert "It holds for every p of 0.649 or more" in texts(page)
    page.pills(key="definition_attempt").set_value("A noisy count").run()
    for epsilon in (0.5, 1.0):
        page.number_input(key="definition_attempt_epsilon_box").set_value(epsilon).run()
        assert page.title[0].value.endswith(f"at most {at_most_times(math.exp(epsilon))} times as likely")


def test_epsilons_as_ratios_and_odds(page: AppTest) -> None:
    at(page, 7).number_input(key="definition_size_epsilon_box").set_value(0.1).run()
    lower, upper = posterior_bounds(0.5, epsilon=0.1)
    assert f"between {lower_of_100(lower)} and {upper_of_100(upper)} out of 100" in page.title[0].value
    for row in (
        "| 0 | 1 | 1 | 50 to 50 |",
        "| 0.01 | 1.0101 | 1.01 | 49.7 to 50.3 |",
        "| 0.1 | 1.11 | 1.1 | 47.5 to 52.5 |",
        "| 1 | 2.72 | 2 | 26.8 to 73.2 |",
    ):
        assert row in texts(page)


def test_the_chosen_epsilon_as_odds(page: AppTest) -> None:
    at(page, 7)
    assert "can be right in at most **73.2 out of 100** cases" in texts(page)
    assert "odds of 1 to 1 become 2.72 to 1" in texts(page)
    page.number_input(key="definition_size_epsilon_box").set_value(0.0001).run()
    assert page.title[0].value == "A belief of 50 ends between 49.9 and 50.1 out of 100"


def test_laplace_noise_never_loses_more_than_epsilon(page: AppTest) -> None:
    at(page, 8)
    for answer, loss in ((39, "−0.5"), (39.5, "0"), (40, "0.5"), (55, "0.5"), (25, "−0.5")):
        page.slider(key="definition_observed").set_value(answer).run()
        assert page.title[0].value.endswith(f"loss {loss}")


def test_gaussian_noise_loses_more_the_farther_out(page: AppTest) -> None:
    at(page, 8).pills(key="definition_noise").set_value("Gaussian noise").run()
    page.slider(key="definition_observed").set_value(55).run()
    assert page.title[0].value.endswith(f"loss {(55 - 39.5) / 8:.3g}")


def test_many_small_gaps_are_a_large_one(page: AppTest) -> None:
    at(page, 9)
    for chosen, gap in ((1, 5), (6, 30), (20, 100)):
        page.slider(key="definition_chosen").set_value(chosen).run()
        assert page.title[0].value.endswith(f" by {gap} percentage points")
    assert f"the loss is above 1 with a chance of {tiny(2.1e-5)}" in texts(page)


def test_half_widths_are_those_of_the_noise(page: AppTest) -> None:
    """The picture's own sentence, as a screen reader says it, in the numbers behind the picture."""
    at(page, 4).toggle(key="definition_3_numbers").set_value(True).run()
    half_width = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1).error_quantile(0.95) / 10
    assert f"30 ±{at_most(half_width, 2)} noise" in "".join(element.value for element in page.caption).replace("\\", "")
