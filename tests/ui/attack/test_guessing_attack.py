"""The guessing game on screen: one click is one round, scores and bounds are the engine's, analysts play too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import (
    BEST_ATTACKER,
    Crowd,
    Game,
    GuessingRules,
    best_attacker_plays,
    crowd_success,
    threshold_rates,
)
from dpengine.formatting import nearest_of_100, out_of_100, upper_of_100
from dpengine.privacy import Guarantee
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]
OTHERS, SEED = 120, 2026


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page on its first act: Pablo and 120 others have mumps."""
    return new_app().switch_page("pages/attack/guessing/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "guessing", number)


def metrics(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def said(page: AppTest) -> str:
    values = (str(getattr(found, "value", "")) for found in page.get("html"))
    return next(value for value in values if 'role="status"' in value)


def rules(epsilon: float = 1.0, **more: object) -> GuessingRules:
    return GuessingRules(without=OTHERS, guarantee=Guarantee(epsilon=epsilon), **more)  # type: ignore[arg-type]


def test_the_exact_count_is_won_every_time(page: AppTest) -> None:
    at(page, 1)
    assert page.title[0].value == "120 or 121: the count alone reveals whether Pablo is in"
    at(page, 2)
    game = Game(rules=GuessingRules(without=OTHERS), seed=SEED)
    for number in range(4):
        published = game.round(number).answers[0]
        assert f"published {published}" in texts(page)
        page.button(key=f"guessing_exact_{'in' if published == 121 else 'out'}").click().run()
        assert "✓ Right" in said(page)
    assert metrics(page) == {"In a row": "4", "You won": "4 of 4", "Best possible attacker": "4 of 4"}
    page.button(key="guessing_exact_again").click().run()
    assert metrics(page)["You won"] == "0 of 0"


def test_one_click_is_one_round_and_the_best_attacker_plays_along(page: AppTest) -> None:
    at(page, 3)
    game = Game(rules=rules(), seed=SEED)
    bound = upper_of_100(rules().bound)
    assert page.title[0].value == f"ε = 1: any attacker wins at most {bound} out of 100"
    for _ in range(6):
        number = game.next_number("you")
        page.button(key="guessing_noisy_in").click().run()
        game = game.guessed("you", number, present=True)
        found = game.round(number)
        assert ("✓ Right" in said(page)) == found.present
        assert f"said “{'in' if found.best_guess else 'not in'}”" in said(page)
        assert f"is in: {nearest_of_100(found.beliefs[-1], 0.5)} out of 100" in said(page)
    yours, best = game.score("you"), game.score(BEST_ATTACKER)
    assert metrics(page) == {
        "In a row": str(yours.streak),
        "You won": f"{yours.wins} of 6",
        "Best possible attacker": f"{best.wins} of 6",
    }


def test_other_rules_begin_another_score_and_the_old_one_waits(page: AppTest) -> None:
    at(page, 3)
    page.button(key="guessing_noisy_in").click().run()
    page.number_input(key="guessing_epsilon_box").set_value(0.1).run()
    assert metrics(page)["You won"].endswith("of 0")
    assert upper_of_100(rules(0.1).bound) in page.title[0].value
    page.number_input(key="guessing_epsilon_box").set_value(1.0).run()
    assert metrics(page)["You won"].endswith("of 1")


def test_each_look_shows_the_engines_numbers(page: AppTest) -> None:
    at(page, 3)
    looks = page.pills(key="guessing_look").options
    page.slider(key="guessing_answers").set_value(3).run()
    assert page.title[0].value == "3 answers: any attacker wins at most 95.3 out of 100"
    page.pills(key="guessing_look").set_value(looks[1]).run()
    first = Game(rules=rules(answers=3), seed=SEED).round(1_000_000)
    assert (
        page.title[0].value == f"After 3 answers: {nearest_of_100(first.beliefs[-1], 0.5)} out of 100 that Pablo is in"
    )
    assert "ε = 3 together" in texts(page)
    page.slider(key="guessing_answers").set_value(1)
    page.slider(key="guessing_prior").set_value(30)
    page.pills(key="guessing_look").set_value(looks[2]).run()
    outcome = best_attacker_plays(rules(prior=0.3), rounds=10_000, seed=20).outcome
    assert page.title[0].value == f"10,000 rounds: the best possible attacker won {100 * outcome.rate:.1f}%, chance 70%"
    assert f"at most **{upper_of_100(rules(prior=0.3).bound)}**" in texts(page)
    page.pills(key="guessing_look").set_value(looks[3]).run()
    alarms, hits = (out_of_100(rate) for rate in threshold_rates(rules(prior=0.3)))
    assert page.title[0].value == f"{hits}% hits come with {alarms}% false alarms"
    page.pills(key="guessing_look").set_value(looks[4]).run()
    known = out_of_100(crowd_success(rules(prior=0.3), Crowd(people=500, rate=0.05)))
    assert page.title[0].value.startswith(f"500 strangers: {known}% won, where the promise allows")
    assert not page.exception
    assert not page.error


def test_gaussian_noise_and_bad_input_get_a_picture_or_a_sentence(page: AppTest) -> None:
    at(page, 3)
    page.pills(key="guessing_noise").set_value("Gaussian (needs a δ)").run()
    promised = Guarantee(epsilon=1.0, delta=1e-6)
    bound = GuessingRules(without=OTHERS, guarantee=promised, noise="gaussian").bound
    assert f"any attacker wins at most {upper_of_100(bound)} out of 100" in page.title[0].value
    for look in page.pills(key="guessing_look").options:
        page.pills(key="guessing_look").set_value(look).run()
        assert not page.exception
        assert not page.error
    page.number_input(key="guessing_delta_box").set_value(0.0).run()
    assert "delta must be" in page.error[0].value
    page.number_input(key="guessing_delta_box").set_value(1e-6)
    page.number_input(key="guessing_epsilon_box").set_value(0.0001).run()
    assert "pure chance" in page.error[0].value
    assert not page.exception
