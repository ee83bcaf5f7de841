"""How a room's shared budget burns, question by question: added up naively, and by advanced composition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from dpengine import accounting
from dpengine.ledger import Account, Entry
from dpengine.plan import PlannedQuery
from dpengine.privacy import Event, Guarantee
from dpengine.privacy.amounts import NANO
from dpengine.workshop.room import Ask

DELTA = 1e-6
"""What advanced composition may add where the budget has no delta of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Burnt:
    """One question of the room, and everything charged up to it by either rule; a refused one adds nothing."""

    planned: PlannedQuery
    refused: bool
    waits: bool
    sentence: str
    naive: float
    advanced: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Burning:
    """The budget, what of it is spent by the account's own rule, and the questions in their order.

    `delta` is the total at which advanced composition is shown. `share` is spent / granted by the rule that counts.
    """

    budget: Guarantee
    rule: str
    delta: float
    share: float
    left: str
    questions: tuple[Burnt, ...]

    @property
    def refusal(self) -> Burnt | None:
        """The first question that the budget refused."""
        return next((one for one in self.questions if one.refused), None)


def burning(account: Account, asked: Sequence[Ask], charged: Sequence[Entry]) -> Burning:
    """How the account burnt, as far as this room's questions did it; what was charged before counts at the start.

    Both curves are never below the truth: basic composition, and the least of the forms of advanced composition.
    Source: Dwork, Rothblum, Vadhan 2010; Kairouz, Oh, Viswanath 2015.
    """
    ours = {one.request_id for one in asked}
    entries = {entry.request_id: entry for entry in charged}
    total = _Total(account=account)
    for entry in charged:
        if entry.request_id not in ours:
            total.add(entry)
    lines = []
    for one in asked:
        if one.request_id in entries:
            total.add(entries[one.request_id])
        lines.append(total.line(one))
    granted, spent = account.balance()
    counted = "rho" if account.rule == "concentrated" else "epsilon"
    return Burning(
        budget=account.budget,
        rule=account.rule,
        delta=total.delta,
        share=getattr(spent, counted) / getattr(granted, counted),
        left=spent.left_of(granted).in_words(account.rule),
        questions=tuple(lines),
    )


@dataclass(slots=True, kw_only=True)
class _Total:
    """Everything charged up to here, under both rules."""

    account: Account
    epsilon: int = 0
    events: Counter[Event] = field(default_factory=Counter)

    @property
    def delta(self) -> float:
        return self.account.budget.delta or DELTA

    def add(self, entry: Entry) -> None:
        self.epsilon += entry.charge.amounts.epsilon
        self.events.update(entry.planned_query.events(self.account.schema, self.account.neighbors))

    def line(self, one: Ask) -> Burnt:
        naive = self.epsilon / NANO
        advanced = accounting.epsilon(self.events, delta=self.delta, accountant="advanced") if self.events else 0.0
        return Burnt(
            planned=one.planned,
            refused=one.state == "refused",
            waits=one.state == "waiting",
            sentence=one.sentence,
            naive=naive,
            advanced=advanced,
        )
