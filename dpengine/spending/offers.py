"""What would fit instead of a question that does not: found in the ledger's whole numbers, before any row is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dpengine.data import Schema
from dpengine.errors import DPEngineError
from dpengine.mechanisms import exact_noise
from dpengine.mechanisms.released import PURE_NOISE
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, Amounts, cost_of, granted_by
from dpengine.privacy import Guarantee, Neighbors, nanos_down
from dpengine.privacy.amounts import ATTO, NANO, attos_down
from dpengine.scenario import Scenario
from dpengine.spending.counted import Counted
from dpengine.spending.steps import step_of

_LEAST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What an account was granted and has spent, under both rules, and the rule that decides."""

    granted: Amounts
    spent: Amounts
    rule: str

    @classmethod
    def untouched(cls, budget: Guarantee, rule: str) -> Balance:
        """The whole of a budget, of which nothing is spent."""
        return cls(granted=granted_by(budget), spent=Amounts(), rule=rule)

    @property
    def left(self) -> Amounts:
        """What is not spent; never below 0."""
        return self.spent.left_of(self.granted)

    def share(self, charge: Amounts) -> float:
        """Which share of what is left a charge takes, of the amount that is scarcer; 1 where it does not fit."""
        if not self.admits(charge):
            return 1.0
        counted = [(getattr(charge, name), getattr(self.left, name)) for name in COUNTED[self.rule]]
        return max(float(price / left) for price, left in counted if left)

    def admits(self, charge: Amounts) -> bool:
        """Whether a charge fits in what is left."""
        total = self.spent + charge
        return total.storable and total.within(self.granted, self.rule)

    def room(self, charge: Amounts, rule: str) -> int:
        """How many such questions an account under this rule would have room for, after the same charges."""
        return Counted(rule=rule, granted=self.granted, charges=(self.spent,)).room_for(charge)


def what_fits(
    planned: PlannedQuery, schema: Schema, neighbors: Neighbors, *, balance: Balance
) -> Iterator[PlannedQuery]:
    """The same question at the largest epsilon that fits; for noise with a delta, then also with noise without one.

    No epsilon is above that of the question itself. Nothing where not even a billionth would do.
    """
    noises = (planned.mechanism, PURE_NOISE.name) if planned.noise.needs_delta else (planned.mechanism,)
    for noise in noises:
        found = _largest(planned.with_mechanism(noise, delta=planned.guarantee.delta), schema, neighbors, balance)
        if found is not None:
            yield found


def _largest(planned: PlannedQuery, schema: Schema, neighbors: Neighbors, balance: Balance) -> PlannedQuery | None:
    """By halving: what a question costs never falls as its epsilon grows."""
    if balance.rule == "basic":
        planned = _within_delta(planned, balance)
    low, high = _LEAST - 1, nanos_down(planned.guarantee.epsilon) + 1
    if balance.rule == "basic":
        high = min(high, balance.spent.left_of(balance.granted).epsilon + 1)
        low = max(low, high - 2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fits(planned, middle, schema, neighbors, balance) else (low, middle)
    if low < _LEAST or not _fits(planned, low, schema, neighbors, balance):
        return None
    found = planned.at(low / NANO)
    return found if _drawable(found, schema, neighbors) else None


def _drawable(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> bool:
    """Whether a release could draw the noise; at a smaller epsilon it is wider still."""
    return all(map(exact_noise.drawable, planned.mechanisms(schema, neighbors)))


def _within_delta(planned: PlannedQuery, balance: Balance) -> PlannedQuery:
    """With no more delta than is left; as it is where so little is left that no noise can use it."""
    left = balance.spent.left_of(balance.granted).delta
    wanted = planned.guarantee
    delta = left / ATTO if attos_down(left / ATTO) <= left else (left - _LEAST**3) / ATTO
    if attos_down(wanted.delta) <= left or delta * ATTO < 2 * _LEAST:
        return planned
    return replace(planned, guarantee=Guarantee(epsilon=wanted.epsilon, delta=delta))


def _fits(planned: PlannedQuery, nanos: int, schema: Schema, neighbors: Neighbors, balance: Balance) -> bool:
    """Noise that cannot be had at so little does not fit."""
    try:
        return balance.admits(cost_of(planned.at(nanos / NANO), schema, neighbors))
    except DPEngineError:
        return False


def others_that_fit(plan: Scenario, *, balance: Balance, besides: int) -> tuple[int, ...]:
    """Places of the plan's other questions that each would still fit, alone."""
    return tuple(
        place
        for place, planned in enumerate(plan.queries)
        if place != besides
        and balance.admits(step_of(planned, plan.schema, plan.neighbors).amounts)
        and _drawable(planned, plan.schema, plan.neighbors)
    )


def left_out(charges: Sequence[Amounts], *, balance: Balance, rounds: int = 1) -> tuple[int, ...]:
    """Places of questions without which the rest fits, so often: the dearest ones first; all where nothing fits.

    Dearest in what is not enough, later ones first, so that under one amount no shorter list would do.
    """
    kept = list(range(len(charges)))
    while kept:
        total = sum((charges[place] for place in kept), Amounts())
        all_rounds = Amounts(epsilon=total.epsilon * rounds, delta=total.delta * rounds, rho=total.rho * rounds)
        if balance.admits(all_rounds):
            break
        short = _short_of(balance, all_rounds)
        kept.remove(max(kept, key=lambda place: (getattr(charges[place], short), place)))
    return tuple(place for place in range(len(charges)) if place not in kept)


def _short_of(balance: Balance, charge: Amounts) -> str:
    counted = Counted(rule=balance.rule, granted=balance.granted, charges=(balance.spent + charge,))
    return counted.lacking(0) or COUNTED[balance.rule][0]
