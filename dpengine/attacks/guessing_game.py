"""Rounds of the guessing game for one player or a room full of them: who guessed what, and who has won how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpengine.attacks.guessing import GuessingRules
from dpengine.attacks.outcome import Outcome
from dpengine.errors import InvalidParameterError, require_kind, require_whole

BEST_ATTACKER = "the best possible attacker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round, the same for all players: whether the person is in, what was published, what the best attacker says.

    `beliefs` are the best attacker's, before any answer and after each.
    """

    number: int
    present: bool
    answers: tuple[int, ...]
    best_guess: bool
    beliefs: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessMade:
    """What a player said of one round: True for "in"."""

    player: str
    number: int
    present: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Wins of one player: in all, in a row up to now, and the longest row there was."""

    wins: int = 0
    rounds: int = 0
    streak: int = 0
    longest: int = 0

    def after(self, *, won: bool) -> Score:
        """The score with one more round."""
        streak = self.streak + 1 if won else 0
        return Score(wins=self.wins + won, rounds=self.rounds + 1, streak=streak, longest=max(self.longest, streak))


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as plain data: rules, a seed from which every round follows, and all guesses in their order."""

    rules: GuessingRules
    seed: int
    guesses: tuple[GuessMade, ...] = ()

    def __post_init__(self) -> None:
        require_kind("rules", self.rules, GuessingRules)
        require_whole("seed", self.seed, least=0)

    def round(self, number: int) -> Round:
        """The round of this number, from 0 on; asked twice it is the same."""
        require_whole("number", number, least=0)
        return _drawn(self.rules, self.seed, number)

    def next_number(self, player: str) -> int:
        """The first round after all that the player has guessed."""
        return max((guess.number + 1 for guess in self.guesses if guess.player == player), default=0)

    def guessed(self, player: str, number: int, *, present: bool) -> Game:
        """The game with one more guess. Raises InvalidParameterError for a second guess about the same round."""
        require_whole("number", number, least=0)
        if any(guess.player == player and guess.number == number for guess in self.guesses):
            raise InvalidParameterError("number", number, f"a round that {player!r} has not guessed yet")
        return replace(self, guesses=(*self.guesses, GuessMade(player=player, number=number, present=present)))

    def wins_of(self, player: str) -> tuple[bool, ...]:
        """Right or wrong, guess by guess; the best attacker plays the rounds that anybody has guessed."""
        return tuple(guess.present == self.round(guess.number).present for guess in self.guesses_of(player))

    def guesses_of(self, player: str) -> tuple[GuessMade, ...]:
        """All guesses of a player in their order."""
        if player != BEST_ATTACKER:
            return tuple(guess for guess in self.guesses if guess.player == player)
        numbers = sorted({guess.number for guess in self.guesses})
        return tuple(
            GuessMade(player=player, number=number, present=self.round(number).best_guess) for number in numbers
        )

    def score(self, player: str) -> Score:
        """How a player stands."""
        return _score(self.wins_of(player))

    def scores(self) -> Mapping[str, Score]:
        """How everybody stands who has guessed, in the order in which they began."""
        return {player: self.score(player) for player in dict.fromkeys(guess.player for guess in self.guesses)}

    def outcome(self, player: str) -> Outcome:
        """A player's wins with the exact interval, the chance line and the bound; needs one guess at least."""
        score = self.score(player)
        return Outcome(successes=score.wins, trials=score.rounds, baseline=self.rules.baseline, bound=self.rules.bound)


def _score(wins: Sequence[bool]) -> Score:
    score = Score()
    for won in wins:
        score = score.after(won=won)
    return score


@lru_cache(maxsize=4096)
def _drawn(rules: GuessingRules, seed: int, number: int) -> Round:
    rng = np.random.default_rng((seed, number))
    present = bool(rng.random() < rules.prior)
    answers = rules.draw([present], rng)[0]
    return Round(
        number=number,
        present=present,
        answers=tuple(int(answer) for answer in answers),
        best_guess=bool(rules.best_guess(answers)),
        beliefs=tuple(float(belief) for belief in rules.beliefs(answers)),
    )
