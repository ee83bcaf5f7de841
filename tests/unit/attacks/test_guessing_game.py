"""A game of one player and of many: rounds come from the seed, scores from the guesses, everything is plain data."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from dpengine.attacks import BEST_ATTACKER, Game, GuessingRules, Score
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Guarantee

RULES = GuessingRules(without=26, guarantee=Guarantee(epsilon=1.0), answers=2)
GAME = Game(rules=RULES, seed=7)


def played(game, player, said):
    for present in said:
        game = game.guessed(player, game.next_number(player), present=present)
    return game


def test_a_round_is_the_same_whenever_it_is_asked_for():
    assert GAME.round(3) == Game(rules=RULES, seed=7).round(3)
    assert [GAME.round(number).answers for number in range(20)] != [
        Game(rules=RULES, seed=8).round(number).answers for number in range(20)
    ]
    assert len({GAME.round(number).present for number in range(40)}) == 2


def test_a_round_holds_what_the_best_attacker_makes_of_it():
    found = GAME.round(0)
    assert len(found.answers) == 2
    assert found.beliefs == pytest.approx(RULES.beliefs(found.answers))
    assert found.best_guess == (found.beliefs[-1] > 0.5)


def test_scores_follow_from_the_guesses():
    truth = [GAME.round(number).present for number in range(6)]
    said = [not truth[0], *truth[1:4], not truth[4], truth[5]]
    game = played(GAME, "Ana", said)
    assert game.wins_of("Ana") == (False, True, True, True, False, True)
    assert game.score("Ana") == Score(wins=4, rounds=6, streak=1, longest=3)
    best = game.score(BEST_ATTACKER)
    assert best.rounds == 6
    assert best.wins == sum(GAME.round(number).best_guess == truth[number] for number in range(6))


def test_a_room_full_of_players_shares_the_rounds():
    game = played(played(GAME, "Ana", [True, False]), "Ben", [True])
    assert list(game.scores()) == ["Ana", "Ben"]
    assert game.next_number("Ana") == 2
    assert game.next_number("Cleo") == 0
    assert game.score("Cleo") == Score()
    assert game.guessed("Ben", 5, present=True).next_number("Ben") == 6
    assert game.score(BEST_ATTACKER).rounds == 2
    assert asdict(game)["guesses"][2] == {"player": "Ben", "number": 0, "present": True}


def test_nobody_guesses_twice_about_one_round():
    game = GAME.guessed("Ana", 0, present=True)
    with pytest.raises(InvalidParameterError, match="not guessed yet"):
        game.guessed("Ana", 0, present=False)


def test_wins_are_measured_against_chance_and_the_bound():
    outcome = played(GAME, "Ana", [True] * 8).outcome("Ana")
    assert (outcome.trials, outcome.baseline, outcome.bound) == (8, 0.5, RULES.bound)
    with pytest.raises(InvalidParameterError):
        GAME.outcome("Ana")


def test_without_noise_every_guess_can_be_right():
    game = Game(rules=GuessingRules(without=26), seed=1)
    truth = [game.round(number).answers[0] == 27 for number in range(30)]
    assert played(game, "Ana", truth).score("Ana") == Score(wins=30, rounds=30, streak=30, longest=30)
