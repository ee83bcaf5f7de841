"""The least budget that keeps every error of a whole list, and the least errors that a budget keeps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dpengine import calibration
from dpengine.calibration import HIGHEST_EPSILON
from dpengine.errors import InvalidParameterError, require_between, require_one_of
from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import accepted, enough
from dpengine.feasible.kinds_by_rule import PLANS, cost
from dpengine.feasible.least_shares import LeastShares, extrapolated
from dpengine.feasible.sum_shares import every_split
from dpengine.feasible.wishes import Wish, noises, require_wishes
from dpengine.formatting import at_most
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, Amounts, granted_by
from dpengine.privacy import Guarantee, require_guarantee
from dpengine.privacy.amounts import attos_down

_FACTORS, _LARGER = range(-6, 7), range(7)
_GUESSES = 3
_HAIR = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class CheapestPlan:
    """The planned questions in the order of the wishes, and what an account with this rule is charged for them all."""

    queries: tuple[PlannedQuery, ...]
    amounts: Amounts
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChange:
    """What one question can do for a list that does not fit: `error` is accepted of it instead, or it is left out.

    `error` is in the answer's unit; None where it accepts none, or where no error of this question is large enough.
    `left_out` says whether all others then fit.
    """

    error: float | None
    left_out: bool


def cheapest_plan(wishes: Iterable[Wish], *, rule: str = "basic", delta: float = 0.0) -> CheapestPlan:
    """The plan that keeps every accepted error and for which an account is charged least, by `cost_of`, exactly.

    Each question gets the least epsilon of four digits, from 0.0001 to 1000, at which its own error law stays within
    its target, with Laplace noise, or with Gaussian noise where that costs less; choices keep their own mechanism. A
    mean or a share whose sum and count share its epsilon has the split in whole per cents that costs least, to two
    thousandths, or its own where none saves a thousandth.
    Under "basic" the epsilons add up, and Gaussian questions share what kept ones leave of `delta` in the way that
    costs least: the sum is above the least possible one by about a thousandth at most, as four digits have it, and
    beyond 8 such questions by no more than what one of them saves. Under "concentrated" each question has the least
    rho, and `delta` is that of each Gaussian question's guarantee.

    Raises InvalidParameterError that names the question's number and the least error possible where no such epsilon
    keeps its error; for no question, questions of several tables, or a delta below what kept questions need.
    Sources: those of `calibration`, `delta_split` and `sum_shares`.
    """
    listed = require_wishes(wishes)
    require_one_of("rule", rule, COUNTED)
    require_between("delta", delta, 0.0, 1.0, open_at="upper")
    queries = PLANS[rule](listed, delta, LeastShares(rule))
    for number, (wish, query) in enumerate(zip(listed, queries, strict=True), start=1):
        if query is None:
            raise _unreachable(wish, number, delta)
    return _priced(listed, queries, rule)


def best_shares(
    wishes: Iterable[Wish], *, budget: Guarantee, rule: str = "basic", delta: float = 0.0
) -> tuple[CheapestPlan, float]:
    """The plan within a budget whose largest relative error is least, and that number, of four digits.

    It is the cheapest plan for all accepted errors times that number: 2 says that each error is kept within twice what
    is accepted. Looked for from 0.000001 to 1000000. `delta` is what Gaussian noise may use of the budget's delta.

    Raises InvalidParameterError where no wish accepts an error, and where a budget is too small for any number.
    """
    listed = require_wishes(wishes)
    require_one_of("rule", rule, COUNTED)
    require_guarantee("budget", budget)
    require_between("delta", delta, 0.0, budget.delta)
    if all(wish.is_kept for wish in listed):
        raise InvalidParameterError(
            "the accepted error", None, "given for at least one question, to be made smaller or larger"
        )
    granted = granted_by(budget)
    if not getattr(granted, COUNTED[rule][0]):
        raise InvalidParameterError(
            "budget", budget, "one with a delta above 0 under this rule, since no rho stands for a pure one"
        )
    scaled = _ScaledPlans(listed, rule=rule, delta=delta)
    number = calibration.least_of_four_digits(
        lambda factor: _fits(scaled.plan(factor), granted), decades=_FACTORS, near=scaled.near(granted)
    )
    plan = scaled.plan(number or 10.0 ** _FACTORS[-1])
    if plan is None or number is None:
        needed = (
            "" if plan is None else f": the list costs {plan.amounts.in_words(rule)} even at a million times the errors"
        )
        raise InvalidParameterError("budget", budget, f"larger{needed}")
    return plan, number


def single_changes(
    wishes: Iterable[Wish], *, budget: Guarantee, rule: str = "basic", delta: float = 0.0
) -> tuple[ListChange, ...]:
    """For each question, in the order of the wishes, the change of it alone with which the budget keeps every error.

    Its error grows by the least number of four digits, from 1 to 1000000; all others stay as they are. `delta` is what
    Gaussian noise may use of the budget's delta.
    """
    listed = require_wishes(wishes)
    require_one_of("rule", rule, COUNTED)
    require_guarantee("budget", budget)
    require_between("delta", delta, 0.0, budget.delta)
    granted, shares = granted_by(budget), LeastShares(rule)

    def fits(*asked: Wish) -> bool:
        queries = PLANS[rule](asked, delta, shares) if asked else []
        return None not in queries and _fits(_priced(asked, queries, rule), granted)

    def error(place: int) -> float | None:
        before, wish, after = listed[:place], listed[place], listed[place + 1 :]
        accepted = wish.targets.error
        times = accepted and calibration.least_of_four_digits(
            lambda factor: fits(*before, wish.times(factor), *after), decades=_LARGER
        )
        return accepted * times if accepted and times else None

    return tuple(
        ListChange(error=error(place), left_out=fits(*listed[:place], *listed[place + 1 :]))
        for place in range(len(listed))
    )


class _ScaledPlans:
    """The cheapest plans for all accepted errors times a number, each worked out once."""

    def __init__(self, wishes: Sequence[Wish], *, rule: str, delta: float) -> None:
        self._wishes, self._rule, self._delta = wishes, rule, delta
        self._shares = LeastShares(rule)
        self._plans: dict[float, CheapestPlan | None] = {}

    def plan(self, factor: float) -> CheapestPlan | None:
        """None where some error is not kept by any epsilon."""
        if factor not in self._plans:
            queries = PLANS[self._rule]([wish.times(factor) for wish in self._wishes], self._delta, self._shares)
            self._plans[factor] = None if None in queries else _priced(self._wishes, queries, self._rule)
        return self._plans[factor]

    def near(self, granted: Amounts) -> float:
        """About the number at which the plan costs what is granted: epsilon grows as errors shrink, rho as squares."""
        counted = COUNTED[self._rule][0]
        kept = sum(getattr(cost(wish, wish.asked.planned), counted) for wish in self._wishes if wish.is_kept)
        free = max(getattr(granted, counted) - kept, 1)
        factor, slope = 1.0, -0.5 if counted == "rho" else -1.0
        spent = list[tuple[float, float]]()
        for _ in range(_GUESSES):
            plan = self.plan(factor)
            if plan is not None:
                spent.append((max(getattr(plan.amounts, counted) - kept, 1) / free, factor))
            factor = extrapolated(spent, 1.0, slope=slope) or 10.0 * factor
            factor = min(max(factor, 10.0 ** _FACTORS[0]), 10.0 ** _FACTORS[-1])
        return factor


def _unreachable(wish: Wish, number: int, delta: float) -> InvalidParameterError:
    """That no epsilon keeps this error, and the least one that some epsilon keeps."""
    kinds = [*noises(wish, needing_delta=False)]
    if attos_down(delta) >= wish.least_delta:
        kinds += noises(wish, needing_delta=True)
    possible = _least_error(wish, (one for kind in kinds for one in every_split(wish.with_noise(kind, delta))))
    if wish.targets.error is not None and wish.targets.error >= possible:
        return InvalidParameterError(
            "delta", delta, f"larger: question {number} needs more of it than the others leave"
        )
    rule = f"at least {at_most(possible, 4)}, the least that epsilon {HIGHEST_EPSILON:g} keeps"
    return InvalidParameterError(f"the accepted error of question {number}", wish.targets.error, rule)


def _least_error(wish: Wish, asked: Iterable[Asked]) -> float:
    """The least error that one of these keeps at the largest epsilon, to a millionth of it."""
    least = math.inf
    for one in asked:
        if math.isinf(least) or enough(one, replace(wish.targets, error=least * (1.0 - _HAIR)), HIGHEST_EPSILON):
            least = accepted(one, wish.targets, HIGHEST_EPSILON)
    return least


def _fits(plan: CheapestPlan | None, granted: Amounts) -> bool:
    return plan is not None and plan.amounts.within(granted, plan.rule)


def _priced(wishes: Sequence[Wish], queries: Iterable[PlannedQuery | None], rule: str) -> CheapestPlan:
    planned = tuple(query for query in queries if query)
    amounts = sum((cost(wish, query) for wish, query in zip(wishes, planned, strict=True)), Amounts())
    return CheapestPlan(queries=planned, amounts=amounts, rule=rule)
