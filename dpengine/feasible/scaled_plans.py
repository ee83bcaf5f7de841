"""The cheapest plans of a list for all of its accepted errors times a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpengine import calibration
from dpengine.errors import InvalidParameterError
from dpengine.feasible.kinds_by_rule import PLANS, cost
from dpengine.feasible.least_shares import LeastShares
from dpengine.feasible.share_searches import extrapolated
from dpengine.feasible.wishes import Wish
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, Amounts, granted_by
from dpengine.privacy import Guarantee

_FACTORS = range(-6, 7)
_GUESSES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CheapestPlan:
    """The planned questions in the order of the wishes, and what an account with this rule is charged for them all."""

    queries: tuple[PlannedQuery, ...]
    amounts: Amounts
    rule: str


class ScaledPlans:
    """The cheapest plans for all accepted errors times a number, each worked out once."""

    def __init__(self, wishes: Sequence[Wish], *, rule: str, delta: float) -> None:
        self.wishes, self.rule, self.delta = wishes, rule, delta
        self.shares = LeastShares(rule)
        self._plans: dict[float, CheapestPlan | None] = {}

    def plan(self, factor: float) -> CheapestPlan | None:
        """None where some error is not kept by any epsilon."""
        if factor not in self._plans:
            queries = PLANS[self.rule]([wish.times(factor) for wish in self.wishes], self.delta, self.shares)
            self._plans[factor] = None if None in queries else priced(self.wishes, queries, self.rule)
        return self._plans[factor]

    def near(self, granted: Amounts) -> float:
        """About the number at which the plan costs what is granted: epsilon grows as errors shrink, rho as squares."""
        counted, free = COUNTED[self.rule][0], self.free(granted)
        kept = getattr(granted, counted) - free
        factor, slope = 1.0, -0.5 if counted == "rho" else -1.0
        spent = list[tuple[float, float]]()
        for _ in range(_GUESSES):
            plan = self.plan(factor)
            if plan is not None:
                spent.append((max(getattr(plan.amounts, counted) - kept, 1) / free, factor))
            factor = extrapolated(spent, 1.0, slope=slope) or 10.0 * factor
            factor = min(max(factor, 10.0 ** _FACTORS[0]), 10.0 ** _FACTORS[-1])
        return factor

    def free(self, granted: Amounts) -> int:
        """What the questions that are kept as planned leave of what the rule counts, at least 1."""
        counted = COUNTED[self.rule][0]
        kept = sum(getattr(cost(wish, wish.asked.planned), counted) for wish in self.wishes if wish.is_kept)
        return max(int(getattr(granted, counted) - kept), 1)

    def cheapest(self, wish: Wish, delta: float) -> PlannedQuery | None:
        """What keeps the error of one wish at the least cost; where a delta is shared, with this one or without."""
        own = self.delta if self.rule == "concentrated" else delta
        (planned,) = PLANS[self.rule]([wish], own, self.shares)
        return planned

    def with_errors(self, factors: Sequence[float]) -> ScaledPlans:
        """The same with each accepted error times a number of its own; what is known of shares is shared."""
        wishes = [wish.times(factor) for wish, factor in zip(self.wishes, factors, strict=True)]
        other = ScaledPlans(wishes, rule=self.rule, delta=self.delta)
        other.shares = self.shares
        return other

    def largest_that_fits(self, budget: Guarantee) -> tuple[CheapestPlan, float]:
        """The plan of the least number of four digits by which the errors can be multiplied, and that number.

        Raises InvalidParameterError where a million times the errors does not fit either.
        """
        granted = granted_by(budget)
        number = calibration.least_of_four_digits(
            lambda factor: fits(self.plan(factor), granted), decades=_FACTORS, near=self.near(granted)
        )
        plan = self.plan(number or 10.0 ** _FACTORS[-1])
        if plan is None or number is None:
            needed = plan and f": the list costs {plan.amounts.in_words(self.rule)} even at a million times the errors"
            raise InvalidParameterError("budget", budget, f"larger{needed or ''}")
        return plan, number


def fits(plan: CheapestPlan | None, granted: Amounts) -> bool:
    """Whether there is such a plan, and it is within what is granted."""
    return plan is not None and plan.amounts.within(granted, plan.rule)


def priced(wishes: Sequence[Wish], queries: Iterable[PlannedQuery | None], rule: str) -> CheapestPlan:
    """A plan with what an account is charged for it."""
    planned = tuple(query for query in queries if query)
    amounts = sum((cost(wish, query) for wish, query in zip(wishes, planned, strict=True)), Amounts())
    return CheapestPlan(queries=planned, amounts=amounts, rule=rule)
