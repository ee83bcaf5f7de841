"""A plan's consumption under several ways of adding up: what the budget page shows and nothing else decides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpengine import accounting
from dpengine.accounting import Validity
from dpengine.errors import require_whole
from dpengine.privacy import Event, Guarantee
from dpengine.scenario import Scenario

MOST_STEPS = 3000


@dataclass(frozen=True, kw_only=True)
class Spending:
    """A list of questions, asked `rounds` times in a row, against one budget.

    Arrays have one entry a question asked, in order. The budget's delta is what advanced composition may use.
    """

    scenario: Scenario
    rounds: int
    budget: Guarantee

    def __post_init__(self) -> None:
        require_whole("rounds", self.rounds)
        require_whole("number of questions", len(self.scenario.queries))

    @cached_property
    def steps(self) -> Sequence[Mapping[Event, int]]:
        """The events of each question asked; at most 3,000 questions are followed."""
        schema, neighbors = self.scenario.schema, self.scenario.neighbors
        once = [planned.events(schema, neighbors) for planned in self.scenario.queries]
        return (once * self.rounds)[:MOST_STEPS]

    @property
    def questions(self) -> NDArray[np.int64]:
        """1, 2, ... up to the last question asked."""
        return np.arange(1, len(self.steps) + 1)

    def spent(self, accountant: str) -> NDArray[np.float64]:
        """Epsilon after each question under one accountant."""
        return accounting.consumption(self.steps, delta=self.budget.delta, accountant=accountant)

    def first_refused(self, accountant: str) -> int | None:
        """Number of the first question that does not fit, from 1; None if all fit."""
        place = accounting.first_beyond(self.spent(accountant), budget=self.budget.epsilon)
        return None if place is None else place + 1

    @cached_property
    def worth_drawing(self) -> int:
        """How many questions a picture needs: all, or half as many again as the last rule lets through."""
        refused = [self.first_refused(accountant) for accountant in ("basic", "advanced")]
        last = max((question or len(self.steps)) for question in refused)
        return min(len(self.steps), last + last // 2 + 3)

    @cached_property
    def textbook_validity(self) -> Sequence[Validity]:
        """What is known of the textbook formula after each question."""
        return accounting.textbook_validity_of_steps(self.steps, delta=self.budget.delta)

    def first_below(self, accountant: str) -> int | None:
        """Number of the first question after which an accountant asks for less than adding up; None if never here."""
        below = np.flatnonzero(self.spent(accountant) < self.spent("basic") - accounting.BILLIONTH)
        return int(below[0]) + 1 if below.size else None

    @property
    def textbook_threshold(self) -> float:
        """8 ln(1/delta): with equal shares the textbook formula is below adding up from there on."""
        return 8.0 * math.log(1.0 / self.budget.delta) if self.budget.delta else math.inf
