"""What a person explored: a plan, the question in focus, and what is publicly known of the sizes of its answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from dpengine.accuracy import ErrorLaw, Guess, error_sign
from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.formatting import assumptions
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, granted_by
from dpengine.scenario import Scenario

MOST_LISTED = 9
NOTHING = Amounts()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """Everything that a brief is made of; no row, and no exact value of a table that somebody brought.

    `place` is that of the question in focus, from 0. `guesses` are public, one for each place in `listed`;
    `answered` says of which places somebody typed the answer, and `sized` of which somebody said how many records
    there are. `public` says that the table is built in, so that its guesses may be exact. `spent` is
    what was charged before, of `granted` where there is an account and of the plan's budget otherwise.
    """

    plan: Scenario
    place: int
    guesses: Mapping[int, Guess]
    day: date
    answered: Collection[int] = ()
    sized: Collection[int] = ()
    public: bool = False
    confidence: float = 0.95
    prior: float = 0.5
    spent: Amounts = NOTHING
    granted: Amounts | None = None

    def __post_init__(self) -> None:
        require_whole("place", self.place, least=0)
        if self.place >= len(self.plan.queries):
            raise InvalidParameterError("place", self.place, f"below the number of questions, {len(self.plan.queries)}")
        missing = [place for place in listed(self.plan, self.place) if place not in self.guesses]
        if missing:
            raise InvalidParameterError("guesses", missing, "one for every question that is listed")
        require_between("confidence", self.confidence, 0.0, 1.0, open_at="both")
        require_between("prior", self.prior, 0.0, 1.0, open_at="both")

    @property
    def planned(self) -> PlannedQuery:
        """The question in focus."""
        return self.plan.queries[self.place]

    @property
    def budget(self) -> Amounts:
        """What may be spent in all."""
        return granted_by(self.plan.budget) if self.granted is None else self.granted

    def law(self, planned: PlannedQuery, place: int) -> ErrorLaw:
        """How wrong each number of an answer may be."""
        return planned.error(self.plan.schema, self.plan.neighbors, self.guesses[place])

    def coordinates(self, planned: PlannedQuery) -> int:
        """How many numbers an answer has."""
        return planned.parts(self.plan.schema, self.plan.neighbors)[0].coordinates

    @property
    def guessed(self) -> bool:
        """Whether somebody typed the answer of the question in focus."""
        return self.place in self.answered

    def judged(self, *, by_size: bool) -> bool:
        """Whether anything may be said of the size of the answer in focus: somebody said it, or it is public.

        `by_size`: what is said depends on the number of records too, as every error of several noisy parts does.
        """
        parts = self.planned.parts(self.plan.schema, self.plan.neighbors)
        return self.public or (self.guessed and (self.place in self.sized or (len(parts) == 1 and not by_size)))

    def assumed(self, place: int) -> str:
        """The guesses that the error of an answer depends on, and whether somebody has made them."""
        planned = self.plan.queries[place]
        if self.public or len(planned.parts(self.plan.schema, self.plan.neighbors)) == 1:
            return ""
        rows, answer = place in self.sized, place in self.answered
        return assumptions.assumed(planned, self.plan.schema, self.guesses[place], rows=rows, answer=answer)

    def sign(self, planned: PlannedQuery) -> str:
        """What stands before the error of an answer."""
        return error_sign(planned.parts(self.plan.schema, self.plan.neighbors))

    def half_width(self, planned: PlannedQuery, place: int) -> float:
        """The error that all numbers of so many of 100 answers stay within."""
        return self.law(planned, place).quantile(self.confidence, self.coordinates(planned))


def listed(plan: Scenario, place: int) -> tuple[int, ...]:
    """Places of the questions that a page has room for: the first ones, and that in focus."""
    first = range(min(len(plan.queries), MOST_LISTED))
    return tuple(first) if place in first else (*first[:-1], place)
