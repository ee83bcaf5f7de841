"""The lesson on randomized response: p and gamma are never mixed up, and every number is the engine's."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy.lessons.local_and_central import (
    central_standard_error,
    errors_of_rare_options,
    laplace_over_response,
    laplace_standard_errors,
    likely_estimates,
    local_standard_error,
    rounded_standard_error,
    times_as_many,
)
from dpengine.accuracy.lessons.one_survey import (
    all_facts_standard_error,
    counts_of_groups,
    invented_people,
    one_fact_standard_error,
)
from dpengine.beliefs import posterior
from dpengine.formatting import amount, at_most, between_of_100, interval
from dpengine.mechanisms import RandomizedResponse
from pages.learn.randomized_response.randomized_response_local import CHECK, HOURS
from pages.learn.randomized_response.randomized_response_survey import SEED
from pages.lesson.story import MOST_WORDS
from tests.ui.reading import read_in, texts
from tests.ui.step_words import how
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
        kept = {4: "0.0801", 50: "1.10", 98: "4.60"}[told]
        assert math.log(truth / (1 - truth)) <= float(kept) < 1.002 * math.log(truth / (1 - truth))
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
    at(page, 7)
    for epsilon, count in ((0.5, 2), (0.5, 6), (0.5, 8), (1.0, 10), (1.0, 12), (2.0, 20), (2.0, 30), (2.0, 1000)):
        page.select_slider(key="randomized_response_options_count").set_value(count)
        dial(page, "options", epsilon)
        better = "a row of bits" if count > 3 * math.exp(epsilon) + 2 else "one option at random"
        assert page.title[0].value == f"With {count:,} options, {better} errs less"
        direct, unary = errors_of_rare_options(count, epsilon=epsilon, people=10_000)
        assert f"Standard error **{amount(100 * float(direct))} points**" in texts(page)
        assert f"Standard error **{amount(100 * float(unary))} points**" in texts(page)


@pytest.mark.parametrize(
    ("step", "key", "most"),
    [
        (2, "one", 20),
        (3, "many", 1e4),
        (5, "price", 700),
        (6, "laplace", 20),
        (7, "options", 700),
        (8, "survey", 1e4),
        (9, "facts", 20),
    ],
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


def test_local_laplace_stands_beside_coins_and_a_curator(page: AppTest) -> None:
    at(page, 6)
    for epsilon in (0.1, 1.0, 5.0):
        dial(page, "laplace", epsilon)
        times = laplace_over_response(epsilon=epsilon)
        assert page.title[0].value == f"Yes or no: local Laplace errs {amount(times)} times as much as coins"
        assert f"**{amount(times**2)} times as many people**" in texts(page)
    assert "at least 1.41 times as much" in texts(page)
    assert math.sqrt(2.0) >= 1.41


def test_a_number_in_a_range_has_local_laplace_or_is_rounded(page: AppTest) -> None:
    at(page, 6)
    page.pills(key="randomized_response_laplace_kind").set_value(HOURS).run()
    for epsilon, better in ((1.0, "less, whatever the hours are"), (5.0, "more, where hours lie in the middle")):
        dial(page, "laplace", epsilon)
        local, central = (float(one) for one in laplace_standard_errors(1000, epsilon=epsilon, width=24.0))
        said = f"1,000 people: standard error {amount(local)} hours locally, {amount(central)} centrally"
        assert page.title[0].value == said
        rounded = float(rounded_standard_error(1000, epsilon=epsilon, width=24.0))
        assert f"at most {at_most(rounded)} hours. At this ε it errs {better}." in texts(page)
    page.select_slider(key="randomized_response_laplace_people").set_value(100).run()
    assert page.title[0].value.startswith("100 people: ")


def test_any_group_is_counted_from_the_same_reports(page: AppTest) -> None:
    at(page, 8)
    rng = np.random.default_rng(SEED)
    survey = invented_people(2_000, rng)
    reports = RandomizedResponse.from_epsilon(1.0).simulate(survey.smokes, rng)
    counts = {(one.age, one.place): one for one in counts_of_groups(survey, reports, epsilon=1.0)}
    for who, age, place in (
        ("under 25", "under 25", "anywhere"),
        ("65 and over in the country", "65 and over", "country"),
    ):
        page.pills(key="randomized_response_survey_age").set_value(age)
        page.pills(key="randomized_response_survey_place").set_value(place).run()
        one = counts[0 if age == "under 25" else 2, None if place == "anywhere" else 1]
        low, high = (str(end).replace("-", "−") for end in (one.lower, one.upper))
        assert page.title[0].value == f"Smokers {who}: {low} to {high}, and ε stays 1"
        assert f"interval **{low} to {high}**; in truth {one.truth} of {one.people}." in texts(page)
        assert "**ε stays 1**" in texts(page)
        assert len(page.main.markdown[1].value.split()) <= MOST_WORDS


def test_a_survey_that_tells_nothing_says_so(page: AppTest) -> None:
    at(page, 8)
    page.pills(key="randomized_response_survey_age").set_value("any age").run()
    assert page.title[0].value.startswith("All smokers: ")
    dial(page, "survey", 0.01)
    assert page.title[0].value == "All smokers: at ε = 0.01 the reports say nothing"


def test_several_facts_share_one_epsilon(page: AppTest) -> None:
    at(page, 9)
    for facts in (2, 5):
        page.slider(key="randomized_response_facts_count").set_value(facts).run()
        one, alone = (one_fact_standard_error(2_000, count, epsilon=1.0) / 20.0 for count in (facts, 1))
        assert page.title[0].value == f"{facts} facts within ε = 1: {amount(one / alone)} times the error of one"
        assert f"{facts} facts get **{amount(1 / facts)}** each" in texts(page)
        assert f"a standard error of **{at_most(one)} points**" in texts(page)
        together = all_facts_standard_error(2_000, facts, epsilon=1.0) / 20.0
        assert f"up to **{at_most(together) if together <= 100 else 'over 100'}**" in texts(page)


def test_two_coins_say_ln_3_where_formulas_stand(page: AppTest) -> None:
    at(page, 1)
    (fold,) = how(page)
    assert "=ln 3approx 1.0986" in read_in(fold), "LaTeX, without its backslashes."
    assert "ε = 1.10." in texts(page)
    assert RandomizedResponse.from_coin(0.5).event.epsilon == pytest.approx(math.log(3.0))


@pytest.mark.parametrize(("step", "begins"), [(6, "Instead of"), (8, "2,000 invented"), (9, "Each fact")])
def test_a_step_has_at_most_sixty_words(page: AppTest, step: int, begins: str) -> None:
    said = [at(page, step).main.markdown[1].value]
    if step == 6:
        said.append(page.pills(key="randomized_response_laplace_kind").set_value(HOURS).run().main.markdown[1].value)
    assert said[0].startswith(begins)
    assert [len(text.split()) for text in said if len(text.split()) > MOST_WORDS] == []


def test_the_numbers_of_the_closing_question_on_local_laplace_are_the_engine_s() -> None:
    times = laplace_over_response(epsilon=1.0)
    local, central = laplace_standard_errors(1000, epsilon=1.0)
    same, _, more, curators = CHECK.answers
    assert more.right
    assert f"{amount(times * times)} times as many people" in more.text
    assert f"errs {amount(times)} times as much" in more.feedback
    assert f"{amount(times)} times as far" in same.feedback
    assert f"errs {amount(float(local / central))} times as much" in curators.feedback
