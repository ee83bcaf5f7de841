"""A room as it is filled in: what is wrong with it, in one sentence, and the setting that comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpengine.ledger import Amounts
from dpengine.ledger.entries.terms import LARGEST_EPSILON
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of
from dpengine.privacy import Guarantee
from dpengine.promises import Promise
from dpengine.scenario import Scenario
from dpengine.workshop import JUDGE, Fitting, Setting, fitting
from pages.room.hosting.paying import Payer
from pages.widgets.typed_numbers import plain

LEAST_EPSILON = 1e-9
"""The ledger counts in billionths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What stands in the boxes; None where one is empty. `choice` is what becomes of the account, None where open.

    `each` is the epsilon of every question, None for what the plan gives to each. `trusted` is whether people may spend
    what never comes back: a practice budget does. `promise` is what the room judges at its end, None for nothing;
    `unread` says why what was pasted is none.
    """

    title: str
    plan: Scenario
    asked: tuple[PlannedQuery, ...]
    steps: tuple[str, ...]
    each: float | None = None
    epsilon: float | None = None
    delta: float | None = None
    rule: str = "basic"
    cap: float | None = None
    columns: tuple[str, ...] = ()
    people: float | None = None
    dialed: int = 0
    days: int = 1
    choice: str | None = None
    trusted: bool = False
    promise: Promise | None = None
    unread: str = ""

    @property
    def problem(self) -> str:
        """Why the room cannot be opened like this; empty where it can."""
        return next(self._problems(), "")

    @property
    def filled_in(self) -> Scenario:
        """The plan with the questions, prices, budget and rule of the form; raises where a number cannot be one."""
        budget = Guarantee(epsilon=float(self.epsilon or 0.0), delta=float(self.delta or 0.0))
        asked = self.asked if self.each is None else tuple(one.at(self.each) for one in self.asked)
        return replace(self.plan, queries=asked, budget=budget, rule=self.rule)

    def setting(self, payer: Payer) -> Setting:
        """The room that was filled in, on the terms of the account that pays; only where nothing is wrong."""
        return Setting(
            title=self.title,
            plan=payer.terms(self.filled_in, str(self.choice)),
            steps=self.steps if self.promise is None else (*self.steps, JUDGE),
            cap=self.cap,
            columns=self.columns,
            people=float(self.people or 0.0),
            dialed=self.dialed,
            days=self.days,
            promise=self.promise,
        )

    def fits(self, payer: Payer) -> Fitting:
        """How many questions of how many people fit."""
        setting = self.setting(payer)
        plan = setting.plan
        prices: list[Amounts] = [cost_of(one, plan.schema, plan.neighbors) for one in plan.queries]
        return fitting(setting, prices, payer.left(plan, str(self.choice)))

    def _problems(self) -> Iterator[str]:
        if not self.asked:
            yield "Tick at least one question: a room without questions has nothing to ask."
        if self.unread:
            yield self.unread
        if not (self.steps or self.promise):
            yield "Choose at least one step: a room without steps has nothing to do."
        yield from self._problems_of_the_budget()
        if self.people is None or self.people < 1.0:
            yield "Type how many people the table has, at least 1; a public guess will do."
        if self.choice is None:
            yield "Another open room spends from the same practice account. Choose what becomes of it."

    def _problems_of_the_budget(self) -> Iterator[str]:
        if self.epsilon is None or not LEAST_EPSILON <= self.epsilon <= LARGEST_EPSILON:
            yield f"The budget ε must be more than 0 and at most {plain(LARGEST_EPSILON)}: type one, such as 3."
        elif self.cap is not None and self.cap > self.epsilon:
            yield (
                f"Each person may spend ε {plain(self.cap)}, more than the whole budget of ε {plain(self.epsilon)}. "
                "Lower the one or raise the other."
            )
        if self.each is not None and not LEAST_EPSILON <= self.each <= LARGEST_EPSILON:
            yield f"Each question must cost more than ε 0 and at most {plain(LARGEST_EPSILON)}: type one, such as 0.05."
        if self.cap is not None and self.cap < LEAST_EPSILON:
            yield "With a cap of 0 nobody can ask anything. Type one above 0, or empty the box for no cap."
        if self.delta is None or not 0.0 <= self.delta < 1.0:
            yield "The budget δ must be at least 0 and less than 1: type one, such as 0.000001."
        elif self.rule == "concentrated" and not self.delta:
            yield "The concentrated rule needs a budget with a δ above 0: type one, such as 0.000001, or choose naive."
