"""The lesson on randomized response: p and gamma are never mixed up, and every number is the engine's."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy.lessons.local_and_central import (
    central_standard_error,
    errors_of_rare_options,
    likely_estimates,
    local_standard_error,
    times_as_many,
)
from dpengine.beliefs import posterior
from dpengine.formatting import amount, between_of_100, interval
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its steps."""
    return new_app().switch_page("pages/learn/randomized_response/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "randomized_response", number)


def dial(page: AppTest, key: str, epsilon: float) -> AppTest:
    return page.number_input(key=f"randomized_response_{key}_epsilon_box").set_value(epsilon).run()


def test_who_is_told_is_not_who_is_true(page: AppTest) -> None:
    at(page, 1)
    for told in (4, 50, 98):
        page.select_slider(key="randomized_response_told").set_value(told).run()
        truth = told / 100 + (1 - told / 100) / 2
        kept = amount(math.log(truth / (1 - truth)))
        assert page.title[0].value == f"A report true in {amount(100 * truth)}% of cases satisfies ε = {kept}"
        assert f"**p = {told}%** of people are told" in texts(page)
        assert f"**γ = {amount(100 * truth)}%** of reports are true" in texts(page)


def test_the_plain_coin_reveals_nothing(page: AppTest) -> None:
    at(page, 1)
    page.select_slider(key="randomized_response_told").set_value(0).run()
    assert page.title[0].value.endswith("reveals nothing, and teaches nothing")
    assert "depends on γ alone: ε = 0." in texts(page)
    assert not page.exception


def test_one_answer_moves_the_odds_by_e_to_the_epsilon(page: AppTest) -> None:
    at(page, 2)
    for epsilon, before in product((0.1, 2.0), (1, 50, 99)):
        page.select_slider(key="randomized_response_before").set_value(before)
        dial(page, "one", epsilon)
        yes, no = (posterior(before / 100, log_likelihood_ratio=sign * epsilon) for sign in (1, -1))
        least, most = between_of_100((no, yes))
        assert page.title[0].value == f"One “yes” lifts a belief of {before} to at most {most}"
        assert f"had you reported “no”, at least {least}." in texts(page)
        odds = before / (100 - before) * math.exp(epsilon)
        shown = f"{amount(odds)} to 1" if odds >= 1 else f"1 to {amount(1 / odds)}"
        assert f"| after a “yes” | {shown} |" in texts(page)


def test_a_belief_is_written_as_the_same_risk_elsewhere(page: AppTest) -> None:
    at(page, 2)
    for epsilon, after in ((1.0, "73.2"), (0.0001, "50.1"), (10.0, "99.9955")):
        dial(page, "one", epsilon)
        assert page.title[0].value == f"One “yes” lifts a belief of 50 to at most {after}"


def test_a_band_beyond_everything_tells_nothing(page: AppTest) -> None:
    at(page, 3)
    dial(page, "many", 0.01)
    found = page.title[0].value
    assert found.startswith("1,000 people say nothing: 95% of polls land from −")
    assert "-" not in found


def test_odds_that_hardly_move_are_told_apart(page: AppTest) -> None:
    at(page, 2)
    dial(page, "one", 0.0001)
    assert "| before | 1 to 1 |" in texts(page)
    assert "| after a “yes” | 1.0001 to 1 |" in texts(page)
    assert "| after a “no” | 1 to 1.0001 |" in texts(page)


def test_the_band_follows_people_and_dial(page: AppTest) -> None:
    at(page, 3)
    for people in (50, 1000, 100_000):
        page.select_slider(key="randomized_response_many_people").set_value(people)
        dial(page, "many", 0.5)
        ends = likely_estimates(people, epsilon=0.5, share=0.3, confidence=0.95)
        low, high = (end.replace("-", "−") for end in interval(*(100 * float(end) for end in ends)))
        found = f"With {people:,} people, 95% of polls land between {low}% and {high}%"
        assert page.title[0].value == found
        assert "The wavy line is an illustration" in texts(page)


def test_local_and_central_are_told_apart(page: AppTest) -> None:
    at(page, 4)
    assert page.title[0].value == "With noise of your own you need to trust nobody"
    page.pills(key="randomized_response_model").set_value("Central: noise before they publish").run()
    assert page.title[0].value == "With noise added later, you trust one curator with your exact answer"


def test_the_price_of_local_noise_is_the_engine_s(page: AppTest) -> None:
    at(page, 5)
    for people in (10, 1000, 100_000):
        page.select_slider(key="randomized_response_price_people").set_value(people).run()
        local, central = (
            amount(100 * float(error(people, epsilon=1.0))) for error in (local_standard_error, central_standard_error)
        )
        assert f"standard error {local} points locally, {central} points centrally" in page.title[0].value
        assert f"**{amount(times_as_many(people, epsilon=1.0))} times as many people**" in texts(page)
        assert f"**{amount(times_as_many(people, epsilon=1.0, share=0.3))} times as many**" in texts(page)


def test_an_error_beyond_everything_is_said_in_words(page: AppTest) -> None:
    at(page, 5)
    dial(page, "price", 0.01)
    assert "standard error over 100% locally, " in page.title[0].value
    dial(page, "price", 0.0001)
    assert page.title[0].value.endswith("both local and central standard errors are above 100%")


def test_bits_win_beyond_the_crossing_only(page: AppTest) -> None:
    """On both sides of each crossing, 6.9, 10.2 and 24.2 options, and at both ends."""
    at(page, 6)
    for epsilon, count in ((0.5, 2), (0.5, 6), (0.5, 8), (1.0, 10), (1.0, 12), (2.0, 20), (2.0, 30), (2.0, 1000)):
        page.select_slider(key="randomized_response_options_count").set_value(count)
        dial(page, "options", epsilon)
        better = "a row of bits" if count > 3 * math.exp(epsilon) + 2 else "one option at random"
        assert page.title[0].value == f"With {count:,} options, {better} errs less"
        direct, unary = errors_of_rare_options(count, epsilon=epsilon, people=10_000)
        assert f"Standard error **{amount(100 * float(direct))} points**" in texts(page)
        assert f"Standard error **{amount(100 * float(unary))} points**" in texts(page)


@pytest.mark.parametrize(
    ("step", "key", "most"), [(2, "one", 20), (3, "many", 1e4), (5, "price", 700), (6, "options", 700)]
)
def test_the_ends_of_the_dial_are_drawn_and_beyond_stands_a_sentence(
    page: AppTest, step: int, key: str, most: float
) -> None:
    at(page, step)
    for epsilon in (1e-6, most, 10000.0):
        dial(page, key, epsilon)
        assert not page.exception, epsilon
        refused = [f"ε = 10000 is more than this picture can show (at most {most:g}); it still shows {most:g}."]
        assert [error.value.replace("\\", "") for error in page.error] == refused * (epsilon > most)
