"""How many questions of how many people fit in a shared budget, before anybody has asked one, and what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpengine.accounting import repeated
from dpengine.ledger import Amounts
from dpengine.plan.amounts import COUNTED, cost_of
from dpengine.workshop.burning import delta_for
from dpengine.workshop.room import Setting

MOST_LOOKED_AT = 1000
SEEN = 0.95
"""Two lines of which the lower is below this share of the upper are told apart on a wall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """How many of the dearest questions fit: in what is left of the budget, and in one person's cap (None without).

    `people` is how many can each ask all that their cap holds. `alike` says whether all questions cost the same, so
    that the numbers are exact; otherwise they are what fits at the least. `parts` is from which question of the dial on
    advanced composition shows clearly less than the naive sum; None where the budget is gone before.
    """

    together: int
    each: int | None
    people: int | None
    alike: bool
    parts: int | None

    @property
    def any_at_all(self) -> bool:
        """Whether the dearest question fits once, in the budget and in somebody's cap."""
        return self.together > 0 and self.each != 0


def fitting(setting: Setting, prices: Sequence[Amounts], left: Amounts) -> Fitting:
    """Count what fits in `left` when every question is the dearest of `prices`, in the currency of the plan's rule."""
    counted = COUNTED[setting.plan.rule]
    dearest = {name: max(getattr(price, name) for price in prices) for name in counted}
    together, granted = _times(left, dearest), setting.granted_each()
    each = None if granted is None else _times(granted, dearest)
    people = None if each is None else _times(left, {name: each * price for name, price in dearest.items()})
    alike = all(getattr(price, name) == dearest[name] for price in prices for name in counted)
    parts = _parting(setting, min(together, MOST_LOOKED_AT))
    return Fitting(together=together, each=each, people=people, alike=alike, parts=parts)


def fitting_at(setting: Setting, epsilon: float, left: Amounts) -> Fitting:
    """What would fit in `left` if every question cost this epsilon, as after a room's choice."""
    plan = replace(setting.plan, queries=tuple(one.at(epsilon) for one in setting.plan.queries))
    prices = [cost_of(one, plan.schema, plan.neighbors) for one in plan.queries]
    return fitting(replace(setting, plan=plan), prices, left)


def _parting(setting: Setting, most: int) -> int | None:
    plan = setting.plan
    events = plan.queries[setting.dialed].events(plan.schema, plan.neighbors)
    asked = np.arange(1, most + 1)
    delta = delta_for(plan.budget)
    naive, advanced = (
        repeated(events, repetitions=asked, delta=delta, accountant=accountant) for accountant in ("basic", "advanced")
    )
    return next((int(count) for count in asked[advanced < SEEN * naive]), None)


def _times(granted: Amounts, price: dict[str, int]) -> int:
    """How often a price fits, in every amount that counts; 0 where nothing is asked."""
    return min((getattr(granted, name) // cost for name, cost in price.items() if cost), default=0)
