"""What a room could have asked instead: many smaller questions of the same budget, by each way of adding up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.spending.consumption import Spending
from dpengine.spending.onward import SpentOnward, onward
from dpengine.workshop.room import Room, Saying

AS_MANY, SO_MANY_TIMES_MORE, MORE = 0, 1, 2
"""What people vote: as many as before, as many times more as they are smaller, or more than that."""
MOST = 5000
"""How many questions are followed."""
_TIMES, _APART = (10, 100, 1000), 1.5
"""How many times smaller the questions may be, until advanced composition allows so many times as many."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Smaller:
    """Questions `times` smaller than the room's, of epsilon `each`: how many fit the budget.

    `before` is how many fit at the room's own price, just added up. `fits` says it of the smaller ones under each rule,
    the account's own first where that is another one, None where more than MOST fit; `spent` has epsilon after each of
    `questions`, never below the truth. `delta` is the total at which the rules that need one are asked.
    """

    times: int
    each: float
    budget: float
    delta: float
    before: int
    questions: NDArray[np.int64]
    spent: Mapping[str, NDArray[np.float64]]
    fits: Mapping[str, int | None]

    @property
    def best_vote(self) -> int:
        """What is true of them: more fit than were just added up, wherever advanced composition says so."""
        naive, advanced = (self.fits[rule] or MOST for rule in ("basic", "advanced"))
        return MORE if advanced > naive else SO_MANY_TIMES_MORE


def smaller(room: Room, budget: Guarantee, *, delta: float) -> Smaller:
    """Ten times smaller than the question of the dial; smaller still where the rules do not part before.

    `budget` is the room's, the whole of it; `delta` what advanced composition may add. Sources: those of `accounting`.
    """
    own = room.planned(room.setting.dialed)
    budget = replace(budget, delta=delta)
    times, spent = _where_the_rules_part(room, own, budget)
    before = _fitting(_asked_on(room, own, budget))
    return Smaller(
        times=times,
        each=own.guarantee.epsilon / times,
        budget=budget.epsilon,
        delta=delta,
        before=before["basic"] or MOST,
        questions=spent.questions,
        spent=dict(zip(spent.rules, spent.spent, strict=True)),
        fits=_fitting(spent),
    )


def counted(votes: Sequence[Saying]) -> tuple[int, int, int]:
    """How many people voted for each of the three."""
    said = Counter(int(one.value) for one in votes)
    return said[AS_MANY], said[SO_MANY_TIMES_MORE], said[MORE]


def _where_the_rules_part(room: Room, own: PlannedQuery, budget: Guarantee) -> tuple[int, SpentOnward]:
    """How many times smaller, and what such questions spend; ten times where the rules never part."""
    ten = _asked_on(room, own.at(own.guarantee.epsilon / _TIMES[0]), budget)
    if _parts(ten):
        return _TIMES[0], ten
    others = ((times, _asked_on(room, own.at(own.guarantee.epsilon / times), budget)) for times in _TIMES[1:])
    return next((one for one in others if _parts(one[1])), (_TIMES[0], ten))


def _asked_on(room: Room, planned: PlannedQuery, budget: Guarantee) -> SpentOnward:
    plan = room.setting.plan
    rules = ("basic", "advanced") if plan.rule == "basic" else (plan.rule, "basic", "advanced")
    spending = Spending(scenario=replace(plan, queries=(planned,)), rounds=1, budget=budget)
    return onward(spending, rules, most=MOST)


def _fitting(spent: SpentOnward) -> Mapping[str, int | None]:
    """How many fit under each rule."""
    return {rule: number and number - 1 for rule, number in zip(spent.rules, spent.refused, strict=True)}


def _parts(spent: SpentOnward) -> bool:
    """Whether advanced composition allows many more than adding up does."""
    fits = _fitting(spent)
    return (fits["advanced"] or MOST) >= _APART * (fits["basic"] or MOST)
