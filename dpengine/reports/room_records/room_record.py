"""What a workshop takes home, as values: settings, votes, answers, guesses, checks; whoever has a room fills it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime

from dpengine.data import Labels
from dpengine.errors import (
    InvalidParameterError,
    require_between,
    require_fields,
    require_non_negative,
    require_positive,
    require_whole,
)
from dpengine.ledger import Release
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, granted_by
from dpengine.privacy import Guarantee, Neighbors

MOST_VOTES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesOfARound:
    """The epsilons of one round of choosing, in any order; the middle half of them lies from `lower` to `upper`."""

    epsilons: tuple[float, ...]
    median: float
    lower: float
    upper: float

    def __post_init__(self) -> None:
        require_fields(self)
        if not 0 < len(self.epsilons) <= MOST_VOTES:
            raise InvalidParameterError("epsilons", len(self.epsilons), f"from 1 to {MOST_VOTES} votes")
        for epsilon in (*self.epsilons, self.lower, self.median, self.upper):
            require_positive("epsilon", epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedInRoom:
    """One question of the room's account: answered, refused with a sentence, or charged and not yet answered."""

    planned: PlannedQuery
    release: Release | None = None
    refused: str = ""
    who: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        require_fields(self)
        if self.release is not None and (self.refused or self.release.planned_query != self.planned):
            raise InvalidParameterError("release", self.release.request_id, "of this question, which was not refused")


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessesOfARoom:
    """How often the room guessed right who was in at an epsilon, beside chance and the most that anybody could.

    The last two are shares.
    """

    epsilon: float
    guesses: int
    wins: int
    chance: float
    bound: float

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_whole("guesses", self.guesses)
        require_whole("wins", self.wins, least=0)
        require_between("wins", self.wins, 0, self.guesses)
        require_between("chance", self.chance, 0.0, 1.0)
        require_between("bound", self.bound, self.chance, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOfARoom:
    """One question: how many gave each of the answers, and which one is right, counted from 0; None where none is."""

    question: str
    answers: tuple[str, ...]
    given: tuple[int, ...]
    right: int | None

    def __post_init__(self) -> None:
        require_fields(self)
        if not self.answers or len(self.given) != len(self.answers):
            raise InvalidParameterError("given", self.given, "a number for each answer")
        for number in self.given:
            require_whole("given", number, least=0)
        if self.right is not None:
            require_between("right", self.right, 0, len(self.answers) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentInRoom:
    """Epsilon of everything charged up to one question, by each way of adding up; a refused one adds nothing."""

    naive: float
    advanced: float
    refused: bool = False

    def __post_init__(self) -> None:
        require_fields(self)
        require_non_negative("naive", self.naive)
        require_non_negative("advanced", self.advanced)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOnRoom:
    """What one attack on the room's answers comes to, with noise and budget and without them, in sentences."""

    title: str
    protected: str
    bare: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedInRoom:
    """A promise that the room judged: what it states by quantity, what it comes to, and what people answered.

    `figures` are after how long, epsilon at most, and the upper limit for any attacker out of a hundred.
    """

    promise: str
    by: str
    stated: tuple[tuple[str, str], ...]
    finding: str
    why: str
    figures: tuple[tuple[str, str, str], ...]
    assumed: tuple[str, ...]
    answers: tuple[CheckOfARoom, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRecord:
    """Everything that the record tells; no row, no exact value, no key of anybody.

    `labels` are the words of the table. `granted` is the account's budget, `spent` what was charged to it by
    everybody; `cap` the epsilon of each person, None without one. `person` says who one person is. `chosen` is the
    epsilon that the room settled on for each question, None where it kept the plan's own. `link` is the whole address
    of the plan, empty for none, and `plan` the plan as a file. `people` are the pseudonyms, which are written only
    where they are asked for; `active` of them said or asked something. `spending` has each question in its order.
    `smaller` says how many smaller questions the budget would have held, `judged` what became of a promise.
    `continues` says whether its account goes on after one of an earlier edition of the table.
    """

    title: str
    began: datetime
    expires: datetime
    table_name: str
    labels: Labels
    practice: bool
    person: str
    neighbors: Neighbors
    granted: Guarantee
    rule: str
    spent: Amounts
    cap: float | None = None
    rounds: tuple[VotesOfARound, ...] = ()
    chosen: float | None = None
    asked: tuple[AskedInRoom, ...] = ()
    guesses: tuple[GuessesOfARoom, ...] = ()
    checks: tuple[CheckOfARoom, ...] = ()
    spending: tuple[SpentInRoom, ...] = ()
    attacks: tuple[AttackOnRoom, ...] = ()
    judged: JudgedInRoom | None = None
    head: str = ""
    link: str = ""
    plan: str = ""
    smaller: str = ""
    continues: bool = False
    active: int = 0
    people: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        require_fields(self)
        require_between("active", self.active, 0, len(self.people))
        if any(check.right is None for check in self.checks):
            raise InvalidParameterError("right", None, "the place of the right answer in each check")
        for name in ("cap", "chosen"):
            if getattr(self, name) is not None:
                require_positive(name, getattr(self, name))
        if self.link and not (self.link.startswith(("http://", "https://")) and self.link.isprintable()):
            raise InvalidParameterError("link", self.link, "an address that begins with http:// or https://")

    @property
    def budget(self) -> Amounts:
        """The budget as the ledger counts it."""
        return granted_by(self.granted)

    @property
    def left(self) -> Amounts:
        """What of the budget nobody has spent."""
        return self.spent.left_of(self.budget)


def times_apart(votes: VotesOfARound) -> float:
    """How many times as large the largest vote is as the least: the spread of a round."""
    return max(votes.epsilons) / min(votes.epsilons)


def reach(rounds: tuple[VotesOfARound, ...]) -> tuple[float, float]:
    """Whole powers of ten around all votes of all rounds, at least one apart; the ends of their common axis."""
    everything = [epsilon for one in rounds for epsilon in (*one.epsilons, one.lower, one.upper, one.median)]
    low = math.floor(math.log10(min(everything)) + 1e-12)
    high = math.ceil(math.log10(max(everything)) - 1e-12)
    return 10.0**low, 10.0 ** max(high, low + 1)
