"""The lesson on randomized response: p and gamma are never mixed up, and every number is the engine's."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy.local_and_central import (
    central_standard_error,
    errors_of_rare_options,
    likely_estimates,
    local_standard_error,
    times_as_many,
)
from dpengine.beliefs import posterior
from dpengine.charts import amount, interval, nearest_of_100
from tests.reading import texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The page on its first step."""
    return open_page("learn/randomized_response")


def at(page: AppTest, number: int) -> AppTest:
    return page.segmented_control(key="randomized_response_step").set_value(number - 1).run()


def dial(page: AppTest, key: str, epsilon: float) -> AppTest:
    return page.number_input(key=f"randomized_response_{key}_epsilon_box").set_value(epsilon).run()


@pytest.mark.parametrize("told", [4, 50, 98])
def test_who_is_told_is_not_who_is_true(page: AppTest, told: int) -> None:
    page.select_slider(key="randomized_response_told").set_value(told).run()
    truth = told / 100 + (1 - told / 100) / 2
    epsilon = math.log(truth / (1 - truth))
    assert (
        page.title[0].value == f"A report that is true {amount(100 * truth)} of 100 times keeps ε = {amount(epsilon)}"
    )
    assert f"**p = {told} of 100** are told" in texts(page)
    assert f"**γ = {amount(100 * truth)} of 100** reports are true" in texts(page)


def test_the_plain_coin_reveals_nothing(page: AppTest) -> None:
    page.select_slider(key="randomized_response_told").set_value(0).run()
    assert page.title[0].value.endswith("ε = 0")
    assert not page.exception


@pytest.mark.parametrize("epsilon", [0.1, 2.0])
@pytest.mark.parametrize("before", [1, 50, 99])
def test_one_answer_moves_the_odds_by_e_to_the_epsilon(page: AppTest, epsilon: float, before: int) -> None:
    at(page, 2).select_slider(key="randomized_response_before").set_value(before).run()
    dial(page, "one", epsilon)
    yes, no = (posterior(before / 100, log_likelihood_ratio=sign * epsilon) for sign in (1, -1))
    assert (
        page.title[0].value
        == f"One “yes” takes a belief of {before} of 100 to {nearest_of_100(yes, before / 100)}, no further"
    )
    assert f"had you reported “no”, {nearest_of_100(no, before / 100)}." in texts(page)
    odds = before / (100 - before) * math.exp(epsilon)
    shown = f"{amount(odds)} to 1" if odds >= 1 else f"1 to {amount(1 / odds)}"
    assert f"| after a “yes” | {shown} |" in texts(page)


@pytest.mark.parametrize("epsilon,after", [(1.0, "73.1"), (0.0001, "50.0025"), (10.0, "99.99546")])
def test_a_belief_is_written_with_the_digits_that_tell_it(page: AppTest, epsilon: float, after: str) -> None:
    at(page, 2)
    dial(page, "one", epsilon)
    assert page.title[0].value == f"One “yes” takes a belief of 50 of 100 to {after}, no further"


def test_a_band_beyond_everything_tells_nothing(page: AppTest) -> None:
    at(page, 3)
    dial(page, "many", 0.01)
    found = page.title[0].value
    assert found.startswith("At ε = 0.01, 1,000 people tell nothing: 95 of 100 polls land from −")
    assert "-" not in found


def test_odds_that_hardly_move_are_told_apart(page: AppTest) -> None:
    at(page, 2)
    dial(page, "one", 0.0001)
    assert "| before | 1 to 1 |" in texts(page)
    assert "| after a “yes” | 1.0001 to 1 |" in texts(page)
    assert "| after a “no” | 1 to 1.0001 |" in texts(page)


@pytest.mark.parametrize("people", [50, 1000, 100_000])
def test_the_band_follows_people_and_dial(page: AppTest, people: int) -> None:
    at(page, 3).select_slider(key="randomized_response_many_people").set_value(people).run()
    dial(page, "many", 0.5)
    ends = likely_estimates(people, epsilon=0.5, share=0.3, confidence=0.95)
    low, high = (end.replace("-", "−") for end in interval(*(100 * float(end) for end in ends)))
    assert (
        page.title[0].value == f"With {people:,} people, 95 of 100 polls land between {low} and {high}; the truth is 30"
    )
    assert "The wavy line is an illustration" in texts(page)


def test_local_and_central_are_told_apart(page: AppTest) -> None:
    at(page, 4)
    assert page.title[0].value == "With noise of your own you need to trust nobody"
    page.pills(key="randomized_response_model").set_value("Central: noise before they publish").run()
    assert page.title[0].value == "With noise added later, you trust one curator with your exact answer"


@pytest.mark.parametrize("people", [10, 1000, 100_000])
def test_the_price_of_local_noise_is_the_engine_s(page: AppTest, people: int) -> None:
    at(page, 5).select_slider(key="randomized_response_price_people").set_value(people).run()
    local, central = (
        100 * float(error(people, epsilon=1.0)) for error in (local_standard_error, central_standard_error)
    )
    assert f"local noise errs by {amount(local)} of 100, central noise by {amount(central)} of" in page.title[0].value
    assert f"**{amount(times_as_many(people, epsilon=1.0))} times as many people**" in texts(page)
    assert f"**{amount(times_as_many(people, epsilon=1.0, share=0.3))} times as many**" in texts(page)


def test_an_error_beyond_everything_is_said_in_words(page: AppTest) -> None:
    at(page, 5)
    dial(page, "price", 0.01)
    assert "local noise errs by more than everything, central noise by " in page.title[0].value
    dial(page, "price", 0.0001)
    assert page.title[0].value.endswith("local noise errs by more than everything, and so does central noise")


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_bits_win_beyond_the_crossing_only(page: AppTest, epsilon: float) -> None:
    at(page, 6)
    dial(page, "options", epsilon)
    crossing = 3 * math.exp(epsilon) + 2
    for count in (2, 6, 8, 10, 12, 20, 30, 1000):
        page.select_slider(key="randomized_response_options_count").set_value(count).run()
        better = "a row of bits" if count > crossing else "one option at random"
        assert page.title[0].value == f"With {count:,} options, {better} errs less"
        direct, unary = errors_of_rare_options(count, epsilon=epsilon, people=10_000)
        assert f"Error **{amount(100 * float(direct))} of 100**" in texts(page)
        assert f"Error **{amount(100 * float(unary))} of 100**" in texts(page)


@pytest.mark.parametrize("epsilon", [1e-6, 10.0, 100.0, 10000.0])
@pytest.mark.parametrize("step,key", [(2, "one"), (3, "many"), (5, "price"), (6, "options")])
def test_the_ends_of_the_dial_are_drawn_or_refused_in_words(page: AppTest, epsilon: float, step: int, key: str) -> None:
    at(page, step)
    dial(page, key, epsilon)
    assert not page.exception
    assert not page.error or "than this picture can show" in page.error[0].value
