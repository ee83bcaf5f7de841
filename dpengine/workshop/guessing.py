"""The guessing game of a whole room: everybody plays rounds of their own, and all wins count together."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dpengine.attacks import Game, GuessingRules, GuessMade, Outcome, Round, Score
from dpengine.attacks.guessing import LEAST_EPSILON
from dpengine.errors import require_between, require_whole
from dpengine.privacy import Guarantee
from dpengine.workshop.room import MOST_PEOPLE, Participant, Room, Saying

MOST_GUESSES = 200
"""By one person; enough to see where it leads."""
EPSILON = 1.0
"""Of each answer, where the room has not chosen one."""
_ME = "me"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wins:
    """All guesses of a room at its epsilon, in their order: right or wrong.

    What was guessed before the room chose another epsilon had another bound, and is left out.
    """

    rules: GuessingRules
    players: int
    won: tuple[bool, ...]
    score: Score
    outcome: Outcome | None

    def chance_of_longest(self, share: float) -> float:
        """How likely a row as long as the longest is among so many guesses, each right with this chance."""
        return chance_of_row(self.score.longest, among=self.score.rounds, chance=share)


def rules(room: Room) -> GuessingRules:
    """A made-up count with one person or without, and the noise of the room's epsilon; no row is read.

    A smaller one than LEAST_EPSILON is played at that.
    """
    epsilon = EPSILON if room.epsilon is None else max(room.epsilon, LEAST_EPSILON)
    return GuessingRules(without=round(room.setting.people), guarantee=Guarantee(epsilon=epsilon))


def game(room: Room, whom: Participant, guesses: Sequence[Saying]) -> Game:
    """One person's game: rounds that nobody else has, so that nobody can look them up on another phone."""
    own = tuple(
        GuessMade(player=_ME, number=one.number, present=one.value > 0.0)
        for one in guesses
        if one.participant == whom.id
    )
    return Game(rules=rules(room), seed=_seed(room, whom.id), guesses=own)


def said_of(rules_seen: GuessingRules, *, present: bool) -> float:
    """What is kept of a guess: its sign says in or out, its size the epsilon of the answer that was seen."""
    seen = EPSILON if rules_seen.guarantee is None else rules_seen.guarantee.epsilon
    return seen if present else -seen


def next_round(game_of_one: Game) -> Round:
    """The round that a person guesses next."""
    return game_of_one.round(game_of_one.next_number(_ME))


def own_score(game_of_one: Game) -> Score:
    """How one person stands."""
    return game_of_one.score(_ME)


def wins(room: Room, guesses: Sequence[Saying]) -> Wins:
    """How the room stands: every guess of everybody, oldest first."""
    known = rules(room)
    epsilon = said_of(known, present=True)
    counted = [one for one in guesses if (abs(one.value) or EPSILON) == epsilon]
    seeds = {one: _seed(room, one) for one in {said.participant for said in counted}}
    won = tuple((said.value > 0.0) == _present(known, seeds[said.participant], said.number) for said in counted)
    score = Score()
    for right in won:
        score = score.after(won=right)
    outcome = _outcome(known, score)
    return Wins(rules=known, players=len(seeds), won=won, score=score, outcome=outcome)


def played(room: Room, guesses: Sequence[Saying]) -> Room:
    """The room at the epsilon at which most of its guesses were made, which it may have left since."""
    epsilons = Counter(abs(one.value) or EPSILON for one in guesses)
    return replace(room, epsilon=epsilons.most_common(1)[0][0]) if epsilons else room


@lru_cache(maxsize=MOST_PEOPLE * MOST_GUESSES)
def _present(known: GuessingRules, seed: int, number: int) -> bool:
    """Whether the person is in; kept, since all guesses count again after each."""
    return Game(rules=known, seed=seed).round(number).present


def _outcome(known: GuessingRules, score: Score) -> Outcome | None:
    if not score.rounds:
        return None
    return Outcome(successes=score.wins, trials=score.rounds, baseline=known.baseline, bound=known.bound)


def _seed(room: Room, participant: int) -> int:
    """Known to the server alone: the projector's key is part of it, the rows are not."""
    said = f"{room.screen}-{room.account}-{participant}".encode()
    return int.from_bytes(hashlib.sha256(said).digest()[:8])


def chance_of_row(length: int, *, among: int, chance: float) -> float:
    """How likely a row of so many wins or more stands somewhere among so many rounds, each won with this chance.

    Adds, round by round, that the first such row ends there; exact but for rounding in the last digits.
    Source: Feller 1968, XIII.7.

    >>> chance_of_row(2, among=3, chance=0.5), chance_of_row(5, among=4, chance=0.9)
    (0.375, 0.0)
    """
    require_whole("length", length, least=0)
    require_whole("rounds", among, least=0)
    require_between("chance", chance, 0.0, 1.0)
    if length == 0:
        return 1.0
    row = chance**length
    found = [0.0] * min(length, among + 1)
    for ends in range(length, among + 1):
        before = found[ends - length - 1] if ends > length else 0.0
        first = row if ends == length else (1.0 - chance) * row * (1.0 - before)
        found.append(found[-1] + first)
    return min(found[-1], 1.0)
