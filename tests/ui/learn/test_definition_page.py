"""The lesson on the definition: an input changes, and the engine's new number stands on the screen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.beliefs import chance_bounds, posterior_bounds
from dpengine.formatting import amount, at_most, lower_of_100, number_in, tiny, upper_of_100
from dpengine.losses.definitions import TwoLaws
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee
from pages.learn.definition.definition import OF_SETS
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
        at(page, 9)
        assert box(page, "definition_size_epsilon_box").value == epsilon
        assert f"become {ratio} to 1" in texts(page)


def test_a_dial_stays_where_it_was_while_other_steps_are_open(page: AppTest) -> None:
    at(page, 1)
    page.number_input(key="definition_promise_epsilon_box").set_value(2.0).run()
    at(page, 9)
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
    at(page, 6)
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
    at(page, 7)
    for name, expected in VERDICTS.items():
        page.pills(key="definition_attempt").set_value(name).run()
        table = next(element.value for element in page.markdown if "| promise | holds |" in element.value)
        rows = table.splitlines()[2:]
        assert [held in row for held, row in zip(expected, rows, strict=True)] == [True] * 3, rows


def test_titles_of_attempts_follow_the_choice_and_the_dial(page: AppTest) -> None:
    at(page, 7).pills(key="definition_attempt").set_value("One random row").run()
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
    at(page, 9).number_input(key="definition_size_epsilon_box").set_value(0.1).run()
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
    at(page, 9)
    assert "can be right in at most **73.2 out of 100** cases" in texts(page)
    assert "odds of 1 to 1 become 2.72 to 1" in texts(page)
    page.number_input(key="definition_size_epsilon_box").set_value(0.0001).run()
    assert page.title[0].value == "A belief of 50 ends between 49.9 and 50.1 out of 100"


def test_laplace_noise_never_loses_more_than_epsilon(page: AppTest) -> None:
    at(page, 10)
    for answer, loss in ((39, "−0.5"), (39.5, "0"), (40, "0.5"), (55, "0.5"), (25, "−0.5")):
        page.slider(key="definition_observed").set_value(answer).run()
        assert page.title[0].value.endswith(f"loss {loss}")


def test_gaussian_noise_loses_more_the_farther_out(page: AppTest) -> None:
    at(page, 10).pills(key="definition_noise").set_value("Gaussian noise").run()
    page.slider(key="definition_observed").set_value(55).run()
    assert page.title[0].value.endswith(f"loss {(55 - 39.5) / 8:.3g}")


def test_many_small_gaps_are_a_large_one(page: AppTest) -> None:
    at(page, 11)
    for chosen, gap in ((1, 5), (6, 30), (20, 100)):
        page.slider(key="definition_chosen").set_value(chosen).run()
        assert page.title[0].value.endswith(f" by {gap} percentage points")
    assert f"the loss is above 1 with a chance of {tiny(2.1e-5)}" in texts(page)


def test_half_widths_are_those_of_the_noise(page: AppTest) -> None:
    """The picture's own sentence, as a screen reader says it, in the numbers behind the picture."""
    at(page, 4).toggle(key="definition_3_numbers").set_value(True).run()
    half_width = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1).error_quantile(0.95) / 10
    assert f"30 ±{at_most(half_width, 2)} noise" in "".join(element.value for element in page.caption).replace("\\", "")


def test_noise_settles_one_of_four_parts_of_privacy(page: AppTest) -> None:
    """The table frames the part that is asked about; only of the extent does noise change what it says."""
    at(page, 5)
    for part in page.pills(key="definition_part").options:
        page.pills(key="definition_part").set_value(part).run()
        (table,) = (one.proto.body for one in page.get("html") if "who decides" in one.proto.body)
        (marked,) = re.findall(r'<tr class="marked"><td>(.+?)</td><td>(.+?)</td><td>(.+?)</td>', table)
        assert marked[0] == part
        assert ("ε" in marked[1]) == ("limit" in marked[2]) == (part == "To what extent?")
    assert len(page.pills(key="definition_part").options) == 4


def test_factors_multiply_and_epsilons_add(page: AppTest) -> None:
    at(page, 8)
    for p, count, title in (
        (1.0, 2, "p = 1: nothing can be learned, and nothing useful is said"),
        (3.0, 1, "With p = 3, no answer is more than 3 times as likely"),
        (3.0, 2, "2 answers with p = 3 need p = 9 together"),
        (1.5, 3, "3 answers with p = 1.5 need p = 3.38 together"),
        (math.inf, 3, "Without a limit, your answer gives you away for certain"),
    ):
        page.select_slider(key="definition_p").set_value(p)
        page.slider(key="definition_answers").set_value(count).run()
        assert not page.exception
        assert page.title[0].value == title
        for said in (1, 2, 3):
            row = f"| {at_most_times(p**said)} | {at_most(said * math.log(p))} |"
            assert f"| {said} answer{'s' if said > 1 else ''} {row}" in texts(page)


def test_a_small_epsilon_is_a_little_more_than_its_percentage(page: AppTest) -> None:
    at(page, 9)
    low, high = map(float, re.findall(r"it can be ([\d.]+)% and ([\d.]+)%", texts(page))[0])
    for said, epsilon in ((low, "0.01"), (high, "0.1")):
        assert 0.0 <= 100 * mpmath.expm1(mpmath.mpf(epsilon)) - said < 0.01
        assert said > 100 * float(epsilon), "What the slip denies."


def test_pages_keep_delta_one_by_one_and_break_it_together(page: AppTest) -> None:
    at(page, 12)
    for pages in (2, 40, 100):
        page.slider(key="definition_pages").set_value(pages).run()
        assert page.title[0].value == f"Each page has a chance of 1%, all {pages} together {pages}%"
        assert f"the set of all pages needs δ = {pages}%" in texts(page)
    page.slider(key="definition_pages").set_value(1).run()
    assert page.title[0].value == "One page: its chance of 1% is δ"


def test_without_delta_a_set_stays_between_its_answers(page: AppTest) -> None:
    at(page, 12).pills(key="definition_one_or_many").set_value("ε alone").run()
    seen = []
    for count in (1, 15, 20, 29):
        page.slider(key="definition_in_set").set_value(count).run()
        seen.append(number_in(page.title[0].value.split()[-2]))
        assert math.exp(-0.5) < seen[-1] <= 1.65
    assert seen[0] == seen[1] == 1.65
    assert seen[1] > seen[2] > seen[3] == 1.0
    page.toggle(key="definition_11_numbers").set_value(True)
    page.slider(key="definition_in_set").set_value(15).run()
    assert "15 single answers, the largest with 1.65; together 1.65." in "".join(one.value for one in page.caption)


def test_delta_is_subtracted_before_the_logarithm(page: AppTest) -> None:
    at(page, 13)
    for delta, chance in ((1e-6, 1e-8), (1e-2, 0.1), (1e-4, 1e-9)):
        page.select_slider(key="definition_delta").set_value(delta)
        page.select_slider(key="definition_rare").set_value(chance).run()
        most = chance_bounds(chance, guarantee=Guarantee(epsilon=1.0, delta=delta))[1] / chance
        stricter = chance_bounds(chance, guarantee=Guarantee(epsilon=1.0 + delta))[1] / chance
        assert page.title[0].value.endswith(f"become {at_most(most)} times as likely")
        assert f"with ε + δ, only {at_most(stricter)} times" in texts(page)
        assert stricter < most
    page.select_slider(key="definition_delta").set_value(0.0).run()
    assert page.title[0].value == "Without δ, no event becomes more than 2.72 times as likely"
    assert "without a δ, both are the same" in texts(page)


def test_the_feedback_on_sets_is_true_of_the_worst_case() -> None:
    """A million answers that only one world gives, each with a chance of a millionth."""
    share, zeros = np.full(10**6, 1e-6), np.zeros(10**6)
    laws = TwoLaws(with_person=np.concatenate([share, zeros]), without_person=np.concatenate([zeros, share]))
    assert (laws.delta_of_outputs(1.0), laws.delta(1.0)) == pytest.approx((1e-6, 1.0))
    (right,) = (answer for answer in OF_SETS.answers if answer.right)
    assert "together may exceed ε by 1" in right.text
    assert tiny(1e-6) in right.feedback
