"""Which noise answers each question of a list, so that what its account's rule counts is least."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dpengine import calibration
from dpengine.feasible.delta_split import DeltaPrices, cheapest_split
from dpengine.feasible.least_shares import LeastShares, shares_at
from dpengine.feasible.wishes import Wish, delta_left, noises
from dpengine.losses.arrays import Array
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, cost_of
from dpengine.privacy.amounts import ATTO, NANO, attos_down

_DELTAS_PER_DECADE = 10
_DIGITS = 4
_LITTLE_MORE = 1.002
_ROOM = 2
"""Times the least delta of a question: no part is rounded to one below that."""
Plan = list[PlannedQuery | None]
"""A planned question for each wish; None where no epsilon keeps the error."""


def cost(wish: Wish, planned: PlannedQuery) -> Amounts:
    """What an account is charged for it, exactly."""
    return cost_of(planned, wish.asked.schema, wish.asked.neighbors)


def least_rho(wishes: Sequence[Wish], delta: float, shares: LeastShares) -> Plan:
    """Each question by itself, since rho adds up and takes nothing of delta."""
    able = {
        place: wish for place, wish in enumerate(wishes) if not wish.is_kept and attos_down(delta) >= wish.least_delta
    }
    shares.find((wish, kind, delta, None) for wish in able.values() for kind in noises(wish, needing_delta=True))
    found = {place: _of_least_rho(wish, shares.with_delta(wish, delta)) for place, wish in able.items()}
    others = {place: wish for place, wish in enumerate(wishes) if not _pure_costs_more(wish, found.get(place), shares)}
    shares.find_pure(others.values())
    for place, wish in others.items():
        with_delta = found.get(place)
        found[place] = _of_least_rho(wish, shares.kept_or_pure(wish) + ([with_delta] if with_delta else []))
    return [found[place] for place in range(len(wishes))]


def _of_least_rho(wish: Wish, possible: Sequence[PlannedQuery]) -> PlannedQuery | None:
    return min(possible, key=lambda one: cost(wish, one).rho, default=None)


def _pure_costs_more(wish: Wish, other: PlannedQuery | None, shares: LeastShares) -> bool:
    """Whether one look tells that no noise without a delta keeps the error at the other's rho: at a little more."""
    if other is None:
        return False
    rho = cost(wish, other).rho
    for kind in noises(wish, needing_delta=False):
        asked = shares.certain_split(wish, kind)
        if asked is None:
            return False
        squares = sum(part.share**2 for part in asked.planned.parts(asked.schema, asked.neighbors))
        share = calibration.four_digits_down(math.sqrt(2.0 * rho / NANO / squares) * _LITTLE_MORE)
        at = asked.at(min(max(share, calibration.LOWEST_EPSILON), calibration.HIGHEST_EPSILON))
        if cost(wish, at.planned).rho <= rho or shares.is_enough(at, wish.targets):
            return False
    return True


def least_epsilon(wishes: Sequence[Wish], delta: float, shares: LeastShares) -> Plan:
    """Noise that needs a delta where that makes the sum smaller; a question that saves nothing by it goes without."""
    left = delta_left(wishes, delta)
    shares.find_pure(wishes)
    pure = [min(shares.kept_or_pure(wish), key=_epsilon, default=None) for wish in wishes]
    sharing = _with_all(left, wishes, pure, shares)
    while sharing:
        found: dict[int, PlannedQuery | None] = {}
        split = _split(wishes, pure, sharing, left)
        shares.find(
            (wishes[place], noise, own, near)
            for place, (own, near) in split.items()
            for noise in noises(wishes[place], needing_delta=True)
        )
        for place, (own, near) in split.items():
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
    able = {
        place: wish
        for place, wish in enumerate(wishes)
        if not wish.is_kept and attos_down(delta) > _ROOM * wish.least_delta
    }
    kinds = shares.kinds_within([(wish, pure[place]) for place, wish in able.items()], delta)
    useful = {place: some for place, some in zip(able, kinds, strict=True) if some}
    shares.find((wishes[place], kind, delta, None) for place, some in useful.items() for kind in some)
    possible = {place: shares.with_delta(wishes[place], delta, kinds=some) for place, some in useful.items()}
    return {place: min(some, key=_epsilon) for place, some in possible.items() if some}


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
