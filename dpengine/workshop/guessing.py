"""The guessing game of a whole room, at three epsilons: rounds of one's own, and all wins count together."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dpengine.attacks import Game, GuessingRules, GuessMade, Outcome, Round, Score
from dpengine.attacks.guessing import LEAST_EPSILON
from dpengine.errors import require_between, require_whole
from dpengine.privacy import Guarantee
from dpengine.workshop.room import ATTACK, GUESS, MOST_PEOPLE, PHASES, Participant, Room, Saying

MOST_GUESSES = 100
"""By one person at one epsilon; enough to see where it leads. Rounds of the next epsilon have the next numbers."""
EPSILONS = (0.1, 1.0, 5.0)
"""Of each answer: much noise, some, hardly any; a phase each."""
WHOLE_BUDGET = len(EPSILONS)
"""The place after them: one answer at all that the room may spend, played as the last act of the attack."""
_MOST_EPSILON = 50.0
"""A larger one is played at this: the person is in sight."""
_ME = "me"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wins:
    """All guesses of a room at one epsilon, in their order: right or wrong.

    `rounds` has how many each player has made; the longest streak of the score is one player's own.
    """

    rules: GuessingRules
    rounds: tuple[int, ...]
    won: tuple[bool, ...]
    score: Score
    outcome: Outcome | None

    def chance_of_longest(self, share: float) -> float:
        """How likely some player has a streak as long as the longest, if each guess is right with this chance."""
        none = (1.0 - chance_of_row(self.score.longest, among=rounds, chance=share) for rounds in self.rounds)
        return 1.0 - math.prod(none)

    @property
    def players(self) -> int:
        """How many have guessed."""
        return len(self.rounds)


def place_now(room: Room) -> int | None:
    """Which of the epsilons is played now; None where nobody plays."""
    if room.step == GUESS:
        return room.phase
    return WHOLE_BUDGET if room.step == ATTACK and room.phase == PHASES[ATTACK] - 1 else None


def place_of(number: int) -> int:
    """At which of the epsilons the round of this number is played."""
    return number // MOST_GUESSES


def rules(room: Room, place: int) -> GuessingRules:
    """A made-up count with one person or without, and the noise of one of the epsilons; no row is read."""
    epsilon = EPSILONS[place] if place < WHOLE_BUDGET else room.setting.plan.budget.epsilon
    epsilon = min(max(epsilon, LEAST_EPSILON), _MOST_EPSILON)
    return GuessingRules(without=round(room.setting.people), guarantee=Guarantee(epsilon=epsilon))


def game(room: Room, whom: Participant, guesses: Sequence[Saying], place: int) -> Game:
    """One person's game: rounds that nobody else has, so that nobody can look them up on another phone."""
    own = tuple(
        GuessMade(player=_ME, number=one.number, present=one.value > 0.0)
        for one in guesses
        if one.participant == whom.id and place_of(one.number) == place
    )
    return Game(rules=rules(room, place), seed=_seed(room, whom.id), guesses=own)


def next_round(game_of_one: Game, place: int) -> Round | None:
    """The round that a person guesses next at this epsilon; None once all of them are played."""
    made = len(game_of_one.guesses)
    return game_of_one.round(place * MOST_GUESSES + made) if made < MOST_GUESSES else None


def own_score(game_of_one: Game) -> Score:
    """How one person stands."""
    return game_of_one.score(_ME)


def wins(room: Room, guesses: Sequence[Saying], place: int) -> Wins:
    """How the room stands at one of the epsilons: every guess of everybody, oldest first."""
    known = rules(room, place)
    counted = [one for one in guesses if place_of(one.number) == place]
    seeds = {one: _seed(room, one) for one in {said.participant for said in counted}}
    won = tuple((said.value > 0.0) == _present(known, seeds[said.participant], said.number) for said in counted)
    everybodys, each = Score(), dict.fromkeys(seeds, Score())
    for said, right in zip(counted, won, strict=True):
        everybodys = everybodys.after(won=right)
        each[said.participant] = each[said.participant].after(won=right)
    score = replace(everybodys, longest=max((own.longest for own in each.values()), default=0))
    rounds = tuple(own.rounds for own in each.values())
    return Wins(rules=known, rounds=rounds, won=won, score=score, outcome=_outcome(known, score))


@lru_cache(maxsize=MOST_PEOPLE * MOST_GUESSES * (WHOLE_BUDGET + 1))
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
