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
from dpengine.errors import require_kind, require_whole
from dpengine.plan.amounts import COUNTED, Amounts, granted_by
from dpengine.privacy import Event, Guarantee, require_guarantee
from dpengine.privacy.amounts import NANO
from dpengine.scenario import Scenario
from dpengine.spending import asked
from dpengine.spending.counted import Counted
from dpengine.spending.deltas import DeltaUse, delta_use, promised_to_group
from dpengine.spending.offers import Balance, left_out
from dpengine.spending.steps import QuestionSpending, step_of

MOST_STEPS = 3000
"""Questions of a list that are followed."""
Runs = Mapping[Event, int]


@dataclass(frozen=True, kw_only=True)
class Spending:
    """A list of questions, asked `rounds` times in a row, against one budget, after what was answered `earlier`.

    Arrays have one entry a question, the earlier ones first. Under "basic" and "concentrated", the rules of accounts,
    whole numbers decide, and so refuse the question that a ledger refuses; all other rules are for comparison.
    """

    scenario: Scenario
    rounds: int
    budget: Guarantee
    earlier: Sequence[QuestionSpending] = ()
    _asked: dict[str, NDArray[np.float64]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_kind("scenario", self.scenario, Scenario)
        require_guarantee("budget", self.budget)
        require_whole("rounds", self.rounds)
        require_whole("number of questions", len(self.scenario.queries))

    @cached_property
    def once(self) -> Sequence[QuestionSpending]:
        """Each question of the list."""
        schema, neighbors = self.scenario.schema, self.scenario.neighbors
        return [step_of(planned, schema, neighbors) for planned in self.scenario.queries]

    @cached_property
    def planned(self) -> Sequence[QuestionSpending]:
        """Each question still to be asked; at most 3,000 questions are followed."""
        return (list(self.once) * self.rounds)[:MOST_STEPS]

    @cached_property
    def steps(self) -> Sequence[Runs]:
        """The events of the earlier questions, then those of the planned ones."""
        return [step.events for step in (*self.earlier, *self.planned)]

    @cached_property
    def charges(self) -> Sequence[Amounts]:
        """What a ledger charges for each of them."""
        return [step.amounts for step in (*self.earlier, *self.planned)]

    @cached_property
    def granted(self) -> Amounts:
        """The budget in the ledger's whole numbers."""
        return granted_by(self.budget)

    @cached_property
    def counted(self) -> Mapping[str, Counted]:
        """The whole list by a ledger's whole numbers, under "basic" and under "concentrated"."""
        return {rule: Counted(rule=rule, granted=self.granted, charges=self.charges) for rule in COUNTED}

    @property
    def questions(self) -> NDArray[np.int64]:
        """1, 2, ... up to the last question, earlier ones counted."""
        return np.arange(1, len(self.steps) + 1)

    def understands(self, accountant: str) -> bool:
        """Whether an accountant can say anything about this list."""
        kinds = list({event: None for step in self.steps for event in step})
        return asked.understood(kinds, delta=self.budget.delta, accountant=accountant)

    def spent(self, accountant: str) -> NDArray[np.float64]:
        """Epsilon after each question under one accountant, never below the truth.

        A dear accountant is asked after about 60 questions, the one that its budget stops at among them. What the
        concentrated rule counts is rho: its epsilon is a conversion, and `first_refused` goes by rho.
        """
        if accountant not in self._asked:
            if accountant in COUNTED:
                self._asked[accountant] = self.counted[accountant].epsilons(self.budget.delta)
            else:
                self._asked[accountant] = asked.consumption(self.steps, budget=self.budget, accountant=accountant)
        return self._asked[accountant]

    def first_refused(self, accountant: str) -> int | None:
        """Number of the first planned question that does not fit, from 1; None if all fit."""
        place = self._place_refused(accountant)
        return None if place is None else max(place - len(self.earlier), 0) + 1

    def number_drawn(self, question: int) -> int:
        """The number on the pictures of a planned question, which count the earlier ones."""
        return len(self.earlier) + question

    def _place_refused(self, accountant: str) -> int | None:
        if accountant in COUNTED:
            return self.counted[accountant].first_refused
        return accounting.first_beyond(self.spent(accountant), budget=self.budget.epsilon)

    def lacking(self, accountant: str) -> str:
        """What the first question that does not fit lacks: "epsilon", "delta" or "rho"; empty where all fit."""
        place = self._place_refused(accountant)
        if place is None:
            return ""
        return self.counted[accountant].lacking(place) if accountant in COUNTED else "epsilon"

    def room_for_more(self, accountant: str) -> int:
        """How many more questions like the last one would fit after all of them."""
        if accountant in COUNTED:
            return self.counted[accountant].room_for(self.charges[-1])
        if self.first_refused(accountant) is not None:
            return 0
        total: Counter[Event] = sum((Counter(step) for step in self.steps), Counter())
        return asked.room(tuple(self.steps[-1].items()), tuple(total.items()), self.budget, accountant)

    def for_group(self, size: int, *, accountant: str) -> float:
        """Epsilon after the last question, at the budget's delta, for so many people together."""
        total: Counter[Event] = Counter()
        for step in self.steps:
            total.update(accounting.events_for_group(step, size))
        return asked.together(tuple(total.items()), self.budget.delta, accountant)

    def promised_to_group(self, size: int) -> Guarantee:
        """What adding up promises so many people together, at a delta that grows with them."""
        return promised_to_group(self.charges, size)

    def let_out_to_group(self, size: int) -> Guarantee:
        """What so many people are promised together by what an account with this budget answers of the list.

        It answers until the budget is gone: never more than the whole list, never more than the whole budget, where
        what was charged before is within it. Never below the truth.
        """
        whole, rule = self.promised_to_group(size), self.scenario.rule
        most = self.budget.for_group(size)
        if most.epsilon >= whole.epsilon or not self.before.within(self.granted, rule):
            return whole
        return Guarantee(epsilon=most.epsilon, delta=min(most.delta, whole.delta)) if rule == "basic" else most

    def delta_use(self, accountant: str) -> DeltaUse:
        """What an accountant does with the budget's delta."""
        kinds = {event for step in self.steps for event in step}
        return delta_use(accountant, charges=self.charges, events=kinds, delta=self.budget.delta)

    @property
    def before(self) -> Amounts:
        """What the earlier questions were charged."""
        return sum((step.amounts for step in self.earlier), Amounts())

    @property
    def left_before(self) -> Amounts:
        """What they leave of the budget; never below 0."""
        return self.before.left_of(self.granted)

    @property
    def asked(self) -> Amounts:
        """What the planned questions cost, all rounds together."""
        return sum((step.amounts for step in self.planned), Amounts())

    @property
    def largest_total(self) -> float:
        """The epsilon that the list may cost each time, so that all rounds fit where epsilons add up."""
        return self.left_before.epsilon // self.rounds / NANO

    def left_out(self, rule: str) -> tuple[int, ...]:
        """Places in the plan of questions without which the rest fits under a rule; empty where all fit."""
        once = [step.amounts for step in self.planned[: len(self.scenario.queries)]]
        return left_out(once, balance=Balance(granted=self.granted, spent=self.before, rule=rule), rounds=self.rounds)

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
