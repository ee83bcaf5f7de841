"""The plan within a budget of which the weighted sum of all relative errors is least.

What an error costs is worked out at a few multiples of it, and read off between them as if it fell with the cost, or
with its root where the cost is rho; then one multiplier shares the budget, as in `delta_split`.
Source: Boyd and Vandenberghe 2004, section 5.5.3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dpengine import calibration
from dpengine.errors import InvalidParameterError, items_of, require_positive
from dpengine.feasible.changes import accepted
from dpengine.feasible.delta_split import least_sum
from dpengine.feasible.kinds_by_rule import cost
from dpengine.feasible.scaled_plans import CheapestPlan, ScaledPlans, fits, priced
from dpengine.feasible.wishes import Wish
from dpengine.losses.arrays import Array
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, Amounts, granted_by
from dpengine.privacy import Guarantee

_POWERS: Mapping[str, float] = {"basic": -1.0, "concentrated": -0.5}
"""The power of the cost that an error is about in proportion to."""
_MULTIPLES = tuple(4.0**power for power in range(-3, 4))
_FAR, _LEAST_PART, _FINELY = 1e6, 1e-4, 600
_WORTHWHILE = 5e-4
"""Of the budget: what has to be left to be spent on larger shares."""


def require_weights(weights: object, wishes: Sequence[Wish]) -> tuple[float, ...]:
    """One number above 0 for each wish, whatever stands beside those that are kept; else InvalidParameterError."""
    listed = items_of("weights", weights)  # type: ignore[arg-type]
    if len(listed) != len(wishes):
        raise InvalidParameterError("weights", len(listed), f"as many as there are questions, {len(wishes)}")
    for number, (wish, weight) in enumerate(zip(wishes, listed, strict=True), start=1):
        if not wish.is_kept:
            require_positive(f"the weight of question {number}", weight)
    return listed


def relative_error(wish: Wish, planned: PlannedQuery) -> float:
    """The error at the wish's confidence over what is accepted; 0 of a wish that accepts any."""
    if wish.targets.error is None:
        return 0.0
    return accepted(replace(wish.asked, planned=planned), wish.targets, planned.guarantee.epsilon) / wish.targets.error


def least_weighted_sum(scaled: ScaledPlans, budget: Guarantee, weights: Sequence[float]) -> tuple[CheapestPlan, float]:
    """The plan and the sum; what is left of the budget in the end goes where it lowers the sum most.

    Where questions share a delta it is found twice: the second time each has the delta that it got the first time. The
    sum is never above that of the plan whose largest relative error is least.
    """
    even, _ = scaled.largest_that_fits(budget)
    found = [(_weighted_sum(scaled.wishes, even.queries, weights), even)]
    deltas = [0.0] * len(weights)
    for _ in range(2 if scaled.delta and scaled.rule == "basic" else 1):
        factors = _best_factors(scaled, granted_by(budget), weights, deltas)
        plan, _ = scaled.with_errors(factors).largest_that_fits(budget)
        plan = _with_the_rest(plan, scaled.wishes, weights, granted_by(budget))
        found.append((_weighted_sum(scaled.wishes, plan.queries, weights), plan))
        deltas = [one.used_delta for one in plan.queries]
    total, best = min(found, key=lambda one: one[0])
    return best, total


def _weighted_sum(wishes: Sequence[Wish], queries: Sequence[PlannedQuery], weights: Sequence[float]) -> float:
    terms = zip(wishes, queries, weights, strict=True)
    return sum(weight * relative_error(wish, one) for wish, one, weight in terms if not wish.is_kept)


def _best_factors(
    scaled: ScaledPlans, granted: Amounts, weights: Sequence[float], deltas: Sequence[float]
) -> list[float]:
    """The relative error of each wish, 1 of those that are kept, where their weighted sum is least."""
    wishes, power = scaled.wishes, _POWERS[scaled.rule]
    places = [place for place, wish in enumerate(wishes) if not wish.is_kept]
    near, free = scaled.near(granted), float(scaled.free(granted))
    known: dict[object, tuple[Array, Array]] = {}
    curves = list[tuple[Array, Array]]()
    for place in places:
        key = wishes[place].asked.planned.query, wishes[place].asked.guess, wishes[place].targets, deltas[place]
        if key not in known:
            known[key] = _curve(scaled, wishes[place], deltas[place], near)
        curves.append(known[key])
    costs = np.geomspace(_LEAST_PART * free / len(places), free, _FINELY)
    rows = [weights[place] * np.interp(costs**power, *curve) for place, curve in zip(places, curves, strict=True)]
    factors = [1.0] * len(wishes)
    for place, own, curve in zip(places, least_sum(costs, np.array(rows)), curves, strict=True):
        factors[place] = float(np.interp(own**power, *curve)) or near
    return factors


def _curve(scaled: ScaledPlans, wish: Wish, delta: float, near: float) -> tuple[Array, Array]:
    """A power of the cost, growing, and the relative error there: in proportion beyond what was worked out."""
    power, found = _POWERS[scaled.rule], {0.0: 0.0}
    for multiple in _MULTIPLES:
        planned = scaled.cheapest(wish.times(near * multiple), delta)
        if planned is not None:
            place = float(getattr(cost(wish, planned), COUNTED[scaled.rule][0])) ** power
            found[place] = relative_error(wish, planned)
    last = max(found)
    found[last * _FAR] = found[last] * _FAR
    places = sorted(found)
    return np.array(places), np.array([found[place] for place in places])


def _with_the_rest(
    plan: CheapestPlan, wishes: Sequence[Wish], weights: Sequence[float], granted: Amounts
) -> CheapestPlan:
    """With larger shares for equal questions, those first whose weighted errors fall most by what is left."""
    counted = COUNTED[plan.rule][0]
    if getattr(plan.amounts.left_of(granted), counted) <= _WORTHWHILE * getattr(granted, counted):
        return plan

    def gain(larger: CheapestPlan, places: Sequence[int]) -> float:
        first = places[0]
        before, after = (relative_error(wishes[first], one.queries[first]) for one in (plan, larger))
        return weights[first] * len(places) * (before - after)

    groups = _equal(wishes, weights, plan.queries)
    gains = [gain(_larger(plan, wishes, places, granted), places) for places in groups]
    for place in np.argsort(gains, kind="stable")[::-1]:
        larger = _larger(plan, wishes, groups[place], granted)
        if fits(larger, granted) and gain(larger, groups[place]) > 0.0:
            plan = larger
    return plan


def _equal(wishes: Sequence[Wish], weights: Sequence[float], queries: Sequence[PlannedQuery]) -> list[list[int]]:
    """The places of questions that are planned alike and weigh the same; those that are kept left out."""
    groups = defaultdict[object, list[int]](list)
    for place, (wish, weight, planned) in enumerate(zip(wishes, weights, queries, strict=True)):
        if not wish.is_kept:
            groups[wish.asked.guess, wish.targets, weight, planned].append(place)
    return list(groups.values())


def _larger(plan: CheapestPlan, wishes: Sequence[Wish], places: Sequence[int], granted: Amounts) -> CheapestPlan:
    """The plan in which these share what is left equally."""
    first, counted = places[0], COUNTED[plan.rule][0]
    left = getattr(plan.amounts.left_of(granted), counted) / len(places)
    times = (1.0 + left / max(getattr(cost(wishes[first], plan.queries[first]), counted), 1)) ** -_POWERS[plan.rule]
    most = min(plan.queries[first].guarantee.epsilon * times, calibration.HIGHEST_EPSILON)
    share = calibration.four_digits_down(most)
    larger = [one.at(share) if place in places else one for place, one in enumerate(plan.queries)]
    return priced(wishes, larger, plan.rule)
