"""The acts on how much noise hides: what each picture's title says is what the engine finds, in few words."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks.reconstruction import (
    BoundedError,
    GroupCounts,
    StoppedAttack,
    repeated,
    sampling_error,
    share_guessed_wrong,
)
from dpengine.formatting import amount
from pages.attack.reconstruction import reconstruction, reconstruction_hiding
from pages.attack.reconstruction.reconstruction_settings import FIRST_DAY
from pages.phrasing import words_below
from tests.ui.reading import texts
from tests.ui.step_words import running
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]
SECONDS, MOST_WORDS = 60, 60


@pytest.fixture
def page(new_app: NewApp, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page with smaller tables, to be opened on one of its acts."""
    monkeypatch.setattr(reconstruction_hiding, "CHOSEN_TABLES", (16, 256, 4096))
    monkeypatch.setattr(reconstruction_hiding, "RANDOM_TABLES", (16, 64))
    return new_app().switch_page("pages/attack/reconstruction/page.py")


def finished(page: AppTest) -> AppTest:
    until = time.monotonic() + SECONDS
    while page.title[0].value.endswith("…"):
        assert time.monotonic() < until
        page.run()
    assert not page.exception
    assert words_read(page) <= MOST_WORDS, running(page)
    return page


def words_read(page: AppTest) -> int:
    """Of a step, without its title and question, tables, and the page's glossary."""
    said = running(page)
    for other in (page.title[0].value, reconstruction.LESSON.question, words_below.sentences("reconstruction")):
        assert other in said
        said = said.replace(other, "")
    return len(" ".join(line for line in said.split("\n") if not line.startswith("|")).split())


def test_an_error_that_stays_hides_hardly_anybody_in_a_large_table(page: AppTest) -> None:
    finished(at_step(page, "reconstruction", 4))
    for start in (2, 1, 4):
        finished(page.select_slider(key="reconstruction_hiding_start").set_value(start).run())
        wrong = round(4096 * share_guessed_wrong(people=4096, most=start, seed=FIRST_DAY))
        verb = "is" if wrong == 1 else "are"
        assert page.title[0].value == f"E stays {start}: of 4,096 people, {wrong} {verb} guessed wrong"
    assert "at most: $16 E^2 + 1$" in page.expander[0].markdown[0].value


def test_random_groups_are_attacked_by_the_linear_program(page: AppTest) -> None:
    at_step(page, "reconstruction", 4)
    finished(page.pills(key="reconstruction_hiding").set_value("Fast, random groups").run())
    runs = repeated(GroupCounts(people=64, questions=64, noise=BoundedError(most=2)), runs=6, seed=FIRST_DAY)
    assert page.title[0].value == f"E stays 2: {amount(100 * (1 - runs.average), 2)}% of 64 people are guessed wrong"


def test_every_table_of_a_few_people_is_held_against_the_proved_limit(page: AppTest) -> None:
    at_step(page, "reconstruction", 4)
    finished(page.pills(key="reconstruction_hiding").set_value("Every possible table").run())
    assert page.title[0].value == "Of 12 people, no table left gets more than 4E wrong"
    page.slider(key="reconstruction_worst_people").set_value(8).run()
    assert finished(page).title[0].value == "Of 8 people, no table left gets more than 4E wrong"


def test_noise_stands_beside_the_error_of_a_sample(page: AppTest) -> None:
    finished(at_step(page, "reconstruction", 5))
    for wrong, counted, yes in ((25, 1, 50), (40, 4, 10)):
        for name, value in (("wrong", wrong), ("each", counted), ("yes", yes)):
            page.select_slider(key=f"reconstruction_sample_{name}").set_value(value)
        finished(page.run())
        noise = float(StoppedAttack(wrong=wrong / 100, each=counted).noise(10_000))
        error = sampling_error(people=10_000, share=yes / 100)
        row = f"| 10,000 | ±{amount(noise)} | ±{amount(error)} | ±{amount(math.hypot(noise, error))} |"
        assert row in texts(page)
        more = amount(math.hypot(noise, error) / error)
        assert f"errors are {more} times as large as without" in texts(page)
        ratio = amount(noise / error, 2)
        assert page.title[0].value == f"Noise that makes {wrong}% of guesses wrong: {ratio} times the sampling error"


def noise_for(wrong: float, people: int) -> float:
    return float(StoppedAttack(wrong=wrong).noise(people))


def test_the_numbers_of_the_second_question_are_the_engines() -> None:
    check = reconstruction.PACE
    assert [answer.text.split()[0].strip(":") for answer in check.answers] == ["±40", "±400", "±4,000"]
    assert [answer.right for answer in check.answers] == [False, True, False]
    assert "Among 10,000 people, noise of ±40 " in check.question
    assert "guess 27% of people wrong" in check.question
    assert noise_for(0.265, 10_000) < 40 < noise_for(0.275, 10_000)
    assert noise_for(0.265, 1_000_000) < 400 < noise_for(0.275, 1_000_000)
    assert noise_for(1e-9, 1_000_000) > 40, "Nobody would be guessed wrong but, perhaps, the first."
    assert "48% would be guessed wrong" in check.answers[2].feedback
    assert noise_for(0.475, 1_000_000) < 4000 < noise_for(0.485, 1_000_000)
    small, large = (sampling_error(people=people, share=0.5) for people in (10_000, 1_000_000))
    assert f"from at most ±{small:.0f} to at most ±{large:.0f}" in check.answers[1].feedback
    assert f"at least {4000 / large:.0f} times the sampling error" in check.answers[2].feedback
