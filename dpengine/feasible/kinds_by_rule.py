"""Which noise answers each question of a list, so that what its account's rule counts is least."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dpengine.feasible.delta_split import DeltaPrices, cheapest_split
from dpengine.feasible.least_shares import LeastShares, shares_at
from dpengine.feasible.wishes import Wish, delta_left
from dpengine.losses.arrays import Array
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, cost_of
from dpengine.privacy.amounts import ATTO, attos_down

_DELTAS_PER_DECADE = 10
_DIGITS = 4
_ROOM = 2
"""Times the least delta of a question: no part is rounded to one below that."""
Plan = list[PlannedQuery | None]
"""A planned question for each wish; None where no epsilon keeps the error."""


def cost(wish: Wish, planned: PlannedQuery) -> Amounts:
    """What an account is charged for it, exactly."""
    return cost_of(planned, wish.asked.schema, wish.asked.neighbors)


def least_rho(wishes: Sequence[Wish], delta: float, shares: LeastShares) -> Plan:
    """Each question by itself, since rho adds up and takes nothing of delta."""
    return [_of_least_rho(wish, delta, shares) for wish in wishes]


def _of_least_rho(wish: Wish, delta: float, shares: LeastShares) -> PlannedQuery | None:
    possible = shares.kept_or_pure(wish)
    if not wish.is_kept and attos_down(delta) >= wish.least_delta:
        possible += shares.with_delta(wish, delta)
    return min(possible, key=lambda one: cost(wish, one).rho, default=None)


def least_epsilon(wishes: Sequence[Wish], delta: float, shares: LeastShares) -> Plan:
    """Noise that needs a delta where that makes the sum smaller; a question that saves nothing by it goes without."""
    left = delta_left(wishes, delta)
    pure = [min(shares.kept_or_pure(wish), key=_epsilon, default=None) for wish in wishes]
    sharing = _with_all(left, wishes, pure, shares)
    while sharing:
        found: dict[int, PlannedQuery | None] = {}
        for place, (own, near) in _split(wishes, pure, sharing, left).items():
            found[place] = min(shares.with_delta(wishes[place], own, near=near), key=_epsilon, default=None)
        useless = {place for place, one in found.items() if _epsilon(one) >= _epsilon(pure[place])}
        if not useless:
            return [found.get(place, one) for place, one in enumerate(pure)]
        sharing = {place: one for place, one in sharing.items() if place not in useless}
    return pure


PLANS: Mapping[str, Callable[[Sequence[Wish], float, LeastShares], Plan]] = {
    "basic": least_epsilon,
    "concentrated": least_rho,
}


def _epsilon(planned: PlannedQuery | None) -> float:
    return math.inf if planned is None else planned.guarantee.epsilon


def _with_all(delta: float, wishes: Sequence[Wish], pure: Plan, shares: LeastShares) -> dict[int, PlannedQuery]:
    """Which questions a delta could make cheaper, each as if all of it were its own."""
    found: dict[int, PlannedQuery] = {}
    for place, wish in enumerate(wishes):
        if not wish.is_kept and attos_down(delta) > _ROOM * wish.least_delta:
            possible = shares.with_delta(wish, delta, other=pure[place])
            if possible:
                found[place] = min(possible, key=_epsilon)
    return found


def _split(
    wishes: Sequence[Wish], pure: Plan, sharing: Mapping[int, PlannedQuery], delta: float
) -> dict[int, tuple[float, float]]:
    """The delta of each question that gets one, and about the epsilon that it then needs."""
    least = _ROOM * max(wishes[place].least_delta for place in sharing) / ATTO
    deltas = np.geomspace(least, delta, math.ceil(_DELTAS_PER_DECADE * math.log10(delta / least)) + 2)
    different = {one: wishes[place].asked for place, one in sharing.items()}
    curves = {one: shares_at(one, asked, deltas) for one, asked in different.items()}
    rows = [curves[one] for one in sharing.values()]
    without = np.array([_epsilon(pure[place]) for place in sharing])
    parts = cheapest_split(DeltaPrices(deltas=deltas, epsilons=np.array(rows), without=without))
    amounts = _rounded(parts, delta)
    return {
        place: (own, float(np.interp(math.log(own), np.log(deltas), row)))
        for place, own, row in zip(sharing, amounts, rows, strict=True)
        if own
    }


def _rounded(parts: Array, delta: float) -> list[float]:
    """In whole units of 1e-18 and of four digits, which sum to at most the delta; a single part is all of it."""
    whole = attos_down(delta)
    if np.count_nonzero(parts) == 1:
        return [delta if part else 0.0 for part in parts]
    amounts = [_four_digits(round(part / delta * whole)) for part in parts]
    while sum(amounts) > whole:
        largest = amounts.index(max(amounts))
        amounts[largest] = _four_digits(amounts[largest] - 1)
    return [amount / ATTO for amount in amounts]


def _four_digits(amount: int) -> int:
    unit: int = 10 ** max(len(str(amount)) - _DIGITS, 0)
    return amount // unit * unit
