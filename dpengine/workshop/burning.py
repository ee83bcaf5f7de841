"""How a room's shared budget burns, question by question: added up naively, and by advanced composition."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from dpengine import accounting
from dpengine.data import Schema
from dpengine.ledger import Account, Amounts, Entry
from dpengine.losses import concentrated_epsilon
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED
from dpengine.privacy import Event, Guarantee
from dpengine.privacy.amounts import NANO
from dpengine.spending import Balance
from dpengine.workshop.room import Ask

MOST_REMEMBERED = 4096
DELTA = 1e-6
"""What advanced composition may add where the budget has no delta of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Burnt:
    """One question of the room, and everything charged up to it by each rule; a refused one adds nothing.

    `counted` is epsilon by the rule that decides: the naive sum, or what the sum of rho is worth.
    """

    planned: PlannedQuery
    refused: bool
    waits: bool
    sentence: str
    naive: float
    advanced: float
    counted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Beyond:
    """What the first question that the budget refused would make of all that is charged by now.

    `more` is how many such questions advanced composition would allow beside that, this one among them.
    """

    question: Burnt
    naive: float
    advanced: float
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Burning:
    """The budget, what of it is spent by the account's own rule, and the questions in their order.

    `delta` is the total at which advanced composition is shown. `share` is spent / granted by the rule that counts,
    `balance` the amounts of both.
    `beyond` is about the first question that the budget refused.
    """

    budget: Guarantee
    rule: str
    delta: float
    share: float
    balance: Balance
    left: str
    questions: tuple[Burnt, ...]
    beyond: Beyond | None

    @property
    def refusal(self) -> Burnt | None:
        """The first question that the budget refused."""
        return None if self.beyond is None else self.beyond.question

    @property
    def answered(self) -> int:
        """How many questions were charged."""
        return sum(not one.refused and not one.waits for one in self.questions)

    @property
    def own_epsilon(self) -> float:
        """What these cost, just added up; without what was charged to the account elsewhere."""
        charged = (one.planned.guarantee.epsilon for one in self.questions if not one.refused and not one.waits)
        return math.fsum(charged)


def delta_for(budget: Guarantee) -> float:
    """The total delta at which a room's sums are shown: the budget's, or DELTA where it has none."""
    return budget.delta or DELTA


def burning(
    account: Account,
    asked: Sequence[Ask],
    charged: Sequence[Entry],
    *,
    schema: Schema,
    granted: Amounts | None = None,
) -> Burning:
    """How the account burnt, as far as this room's questions did it; what was charged before counts at the start.

    `schema`: how the table is declared in the room, which may be otherwise than when its account was opened; `granted`:
    what the room may let the account hold, where it is less than the account's own.
    What somebody's cap refused never came to the budget, and is left out.
    Both curves are never below the truth: basic composition, and the least of the forms of advanced composition.
    Source: Dwork, Rothblum, Vadhan 2010; Kairouz, Oh, Viswanath 2015.
    """
    asked = [one for one in asked if one.state != "capped"]
    total = _Total(account=account)
    lines = list(_in_order(total, asked, charged))
    held, spent = account.balance()
    granted = granted or held
    unfitting = (
        (one, line)
        for one, line in zip(asked, lines, strict=True)
        if line.refused and not (spent + one.amounts).within(granted, account.rule)
    )
    first = next(unfitting, None)
    counted = COUNTED[account.rule][0]
    return Burning(
        budget=replace(account.terms, granted=granted).budget,
        rule=account.rule,
        delta=total.delta,
        share=getattr(spent, counted) / getattr(granted, counted),
        balance=Balance(granted=granted, spent=spent, rule=account.rule),
        left=_told(spent.left_of(granted), spent).in_words(account.rule),
        questions=tuple(lines),
        beyond=None if first is None else total.beyond(*first, schema),
    )


def _in_order(total: _Total, asked: Sequence[Ask], charged: Sequence[Entry]) -> Iterator[Burnt]:
    """Each ask of the room, added up to there after what was charged elsewhere."""
    ours = {one.request_id for one in asked}
    entries = {entry.request_id: entry for entry in charged}
    for entry in charged:
        if entry.request_id not in ours:
            total.add(entry)
    for one in asked:
        if one.request_id in entries:
            total.add(entries[one.request_id])
        yield total.line(one)


def _told(left: Amounts, spent: Amounts) -> Amounts:
    """A delta of which nothing was spent is not worth a word."""
    return left if spent.delta else replace(left, delta=0)


@dataclass(slots=True, kw_only=True)
class _Total:
    """Everything charged up to here, under both rules."""

    account: Account
    amounts: Amounts = field(default_factory=Amounts)
    events: Counter[Event] = field(default_factory=Counter)

    @property
    def delta(self) -> float:
        return delta_for(self.account.budget)

    @property
    def naive(self) -> float:
        return self.amounts.epsilon / NANO

    @property
    def counted(self) -> float:
        if self.account.rule == "basic" or not self.amounts.rho:
            return self.naive
        return float(concentrated_epsilon(np.array([math.nextafter(self.amounts.rho / NANO, math.inf)]), self.delta)[0])

    @property
    def advanced(self) -> float:
        return _advanced(tuple(self.events.items()), self.delta) if self.events else 0.0

    def add(self, entry: Entry) -> None:
        self.amounts += entry.charge.amounts
        self.events.update(entry.planned_query.events(entry.schema, entry.neighbors))

    def beyond(self, one: Ask, line: Burnt, schema: Schema) -> Beyond:
        """What a refused question would make of it."""
        events = one.planned.events(schema, self.account.neighbors)
        with_it = _Total(account=self.account, amounts=self.amounts + one.amounts, events=self.events + Counter(events))
        shown = Guarantee(epsilon=self.account.budget.epsilon, delta=self.delta)
        more = _room_for(tuple(events.items()), shown, tuple(self.events.items()))
        return Beyond(question=line, naive=with_it.naive, advanced=with_it.advanced, more=more)

    def line(self, one: Ask) -> Burnt:
        return Burnt(
            planned=one.planned,
            refused=one.state == "refused",
            waits=one.state == "waiting",
            sentence=one.sentence,
            naive=self.naive,
            advanced=self.advanced,
            counted=self.counted,
        )


@lru_cache(maxsize=MOST_REMEMBERED)
def _advanced(events: tuple[tuple[Event, int], ...], delta: float) -> float:
    """The same sums come back with every question that follows."""
    return accounting.epsilon(dict(events), delta=delta, accountant="advanced")


@lru_cache(maxsize=MOST_REMEMBERED)
def _room_for(events: tuple[tuple[Event, int], ...], budget: Guarantee, after: tuple[tuple[Event, int], ...]) -> int:
    return accounting.affordable(dict(events), budget=budget, accountant="advanced", after=dict(after))
