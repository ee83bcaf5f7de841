"""A plan's consumption under several ways of adding up: what the budget page shows and nothing else decides."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpengine import accounting
from dpengine.accounting import Validity
from dpengine.errors import UnsupportedEventError, require_kind, require_whole
from dpengine.privacy import Event, Guarantee, require_guarantee
from dpengine.scenario import Scenario

MOST_STEPS = 3000
Runs = Mapping[Event, int]


@dataclass(frozen=True, kw_only=True)
class Spending:
    """A list of questions, asked `rounds` times in a row, against one budget, after what was answered `earlier`.

    Arrays have one entry a question, the earlier ones first. The budget's delta is what advanced composition may use.
    """

    scenario: Scenario
    rounds: int
    budget: Guarantee
    earlier: Sequence[Runs] = ()
    _asked: dict[str, NDArray[np.float64]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_kind("scenario", self.scenario, Scenario)
        require_guarantee("budget", self.budget)
        require_whole("rounds", self.rounds)
        require_whole("number of questions", len(self.scenario.queries))

    @cached_property
    def planned(self) -> Sequence[Runs]:
        """The events of each question still to be asked; at most 3,000 questions are followed."""
        schema, neighbors = self.scenario.schema, self.scenario.neighbors
        once = [planned.events(schema, neighbors) for planned in self.scenario.queries]
        return (once * self.rounds)[:MOST_STEPS]

    @cached_property
    def steps(self) -> Sequence[Runs]:
        """The earlier questions, then the planned ones."""
        return [*self.earlier, *self.planned]

    @property
    def questions(self) -> NDArray[np.int64]:
        """1, 2, ... up to the last question, earlier ones counted."""
        return np.arange(1, len(self.steps) + 1)

    def understands(self, accountant: str) -> bool:
        """Whether an accountant can say anything about this list."""
        once = {event: 1 for step in self.steps for event in step}
        try:
            accounting.epsilon(once, delta=self.budget.delta, accountant=accountant)
        except UnsupportedEventError:
            return False
        return True

    def spent(self, accountant: str) -> NDArray[np.float64]:
        """Epsilon after each question under one accountant, never below the truth.

        A dear accountant is asked after about 60 questions, the one that its budget stops at among them.
        """
        if accountant not in self._asked:
            refused = accounting.first_refused(self.steps, budget=self.budget, accountant=accountant)
            at = () if refused is None else (refused - 1, refused)
            self._asked[accountant] = accounting.drawn_consumption(
                self.steps, delta=self.budget.delta, accountant=accountant, exactly=at
            )
        return self._asked[accountant]

    def first_refused(self, accountant: str) -> int | None:
        """Number of the first planned question that does not fit, from 1; None if all fit."""
        place = accounting.first_beyond(self.spent(accountant), budget=self.budget.epsilon)
        return None if place is None else max(place - len(self.earlier), 0) + 1

    def room_for_more(self, accountant: str) -> int:
        """How many more questions like the last one would fit after all of them."""
        if self.first_refused(accountant) is not None:
            return 0
        total: Counter[Event] = sum((Counter(step) for step in self.steps), Counter())
        return accounting.affordable(self.steps[-1], budget=self.budget, accountant=accountant, after=total)

    def for_group(self, size: int, *, accountant: str) -> float:
        """Epsilon after the last question, at the budget's delta, for so many people together."""
        total: Counter[Event] = Counter()
        for step in self.steps:
            total.update(accounting.events_for_group(step, size))
        return accounting.epsilon(total, delta=self.budget.delta, accountant=accountant)

    @property
    def spent_before(self) -> float:
        """Epsilon of the earlier questions when epsilons add up."""
        return float(self.spent("basic")[len(self.earlier) - 1]) if self.earlier else 0.0

    @property
    def left_before(self) -> float:
        """What they leave of the budget; never below 0."""
        return max(self.budget.epsilon - self.spent_before, 0.0)

    def worth_drawing(self, accountants: Iterable[str] = ("basic", "advanced")) -> int:
        """How many questions a picture needs: all, or half as many again as the last of these rules lets through."""
        refused = [self.first_refused(accountant) for accountant in accountants]
        last = len(self.earlier) + max((question or len(self.planned)) for question in refused)
        return min(len(self.steps), last + last // 2 + 3)

    @cached_property
    def textbook_validity(self) -> Sequence[Validity]:
        """What is known of the textbook formula after each question."""
        return accounting.textbook_validity_of_steps(self.steps, delta=self.budget.delta)

    def first_below(self, accountant: str) -> int | None:
        """The first planned question after which an accountant asks for less than adding up; None if never here."""
        below = np.flatnonzero(self.spent(accountant) < self.spent("basic") - accounting.BILLIONTH)
        return max(int(below[0]) - len(self.earlier), 0) + 1 if below.size else None

    @property
    def textbook_threshold(self) -> float:
        """8 ln(1/delta): with equal shares the textbook formula is below adding up from there on."""
        return 8.0 * math.log(1.0 / self.budget.delta) if self.budget.delta else math.inf
