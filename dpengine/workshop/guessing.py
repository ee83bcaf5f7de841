"""The guessing game of a whole room: everybody plays rounds of their own, and all wins count together."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from dpengine.attacks import Game, Guess, GuessingRules, Outcome, Round, Score
from dpengine.privacy import Guarantee
from dpengine.workshop.room import Participant, Room, Saying

MOST_GUESSES = 200
"""By one person; enough to see where it leads."""
EPSILON = 1.0
"""Of each answer, where the room has not chosen one."""
_ME = "me"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wins:
    """All guesses of a room in their order: right or wrong, and the share of right ones after each."""

    won: tuple[bool, ...]
    shares: tuple[float, ...]
    score: Score
    outcome: Outcome | None


def rules(room: Room) -> GuessingRules:
    """A made-up count with one person or without, and the noise of the room's epsilon; no row is read."""
    epsilon = EPSILON if room.epsilon is None else room.epsilon
    return GuessingRules(without=round(room.setting.people), guarantee=Guarantee(epsilon=epsilon))


def game(room: Room, whom: Participant, guesses: Sequence[Saying]) -> Game:
    """One person's game: rounds that nobody else has, so that nobody can look them up on another phone."""
    own = tuple(
        Guess(player=_ME, number=one.number, present=one.value > 0.0) for one in guesses if one.participant == whom.id
    )
    return Game(rules=rules(room), seed=_seed(room, whom.id), guesses=own)


def next_round(game_of_one: Game) -> Round:
    """The round that a person guesses next."""
    return game_of_one.round(game_of_one.next_number(_ME))


def own_score(game_of_one: Game) -> Score:
    """How one person stands."""
    return game_of_one.score(_ME)


def wins(room: Room, guesses: Sequence[Saying]) -> Wins:
    """How the room stands: every guess of everybody, oldest first."""
    games = {one: Game(rules=rules(room), seed=_seed(room, one)) for one in {said.participant for said in guesses}}
    won = tuple((said.value > 0.0) == games[said.participant].round(said.number).present for said in guesses)
    score = Score()
    shares = []
    for right in won:
        score = score.after(won=right)
        shares.append(score.wins / score.rounds)
    return Wins(won=won, shares=tuple(shares), score=score, outcome=_outcome(room, score))


def _outcome(room: Room, score: Score) -> Outcome | None:
    if not score.rounds:
        return None
    known = rules(room)
    return Outcome(successes=score.wins, trials=score.rounds, baseline=known.baseline, bound=known.bound)


def _seed(room: Room, participant: int) -> int:
    """Known to the server alone: the projector's key is part of it, the rows are not."""
    said = f"{room.screen}-{room.account}-{participant}".encode()
    return int.from_bytes(hashlib.sha256(said).digest()[:8])
