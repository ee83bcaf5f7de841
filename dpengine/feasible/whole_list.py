"""The least budget that keeps every error of a whole list, and the least errors that a budget keeps."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dpengine import calibration
from dpengine.calibration import HIGHEST_EPSILON
from dpengine.errors import InvalidParameterError, require_between, require_one_of
from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import accepted, enough
from dpengine.feasible.kinds_by_rule import PLANS
from dpengine.feasible.least_shares import LeastShares
from dpengine.feasible.scaled_plans import CheapestPlan, ScaledPlans, fits, priced
from dpengine.feasible.sum_shares import every_split
from dpengine.feasible.weighted_errors import least_weighted_sum, require_weights
from dpengine.feasible.wishes import Wish, noises, require_wishes
from dpengine.formatting import at_most
from dpengine.plan.amounts import COUNTED, granted_by
from dpengine.privacy import Guarantee, require_guarantee
from dpengine.privacy.amounts import attos_down

_LARGER = range(7)
_HAIR = 1e-6


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
    return priced(listed, queries, rule)


def best_shares(  # a list, what it may cost, and what is made least
    wishes: Iterable[Wish],
    *,
    budget: Guarantee,
    rule: str = "basic",
    delta: float = 0.0,
    weights: Iterable[float] | None = None,
) -> tuple[CheapestPlan, float]:
    """The plan within a budget whose largest relative error is least, and that number, of four digits.

    It is the cheapest plan for all accepted errors times that number: 2 says that each error is kept within twice what
    is accepted. Looked for from 0.000001 to 1000000. `delta` is what Gaussian noise may use of the budget's delta.

    With `weights`, one number above 0 for each wish, the weighted sum of the relative errors (the error at the wish's
    confidence over the accepted one) is made least instead, and that sum is returned; weights of kept wishes are not
    looked at. It is least to two thousandths where errors are many steps of their grid. Under "basic" with a delta,
    the errors and who gets how much of the delta are found in turn.

    Raises InvalidParameterError where no wish accepts an error, where a weight is not a number above 0, and where a
    budget is too small for any number. Sources: those of `cheapest_plan` and `weighted_errors`.
    """
    listed = require_wishes(wishes)
    require_one_of("rule", rule, COUNTED)
    require_guarantee("budget", budget)
    require_between("delta", delta, 0.0, budget.delta)
    weighed = None if weights is None else require_weights(weights, listed)
    if all(wish.is_kept for wish in listed):
        raise InvalidParameterError(
            "the accepted error", None, "given for at least one question, to be made smaller or larger"
        )
    if not getattr(granted_by(budget), COUNTED[rule][0]):
        raise InvalidParameterError(
            "budget", budget, "one with a delta above 0 under this rule, since no rho stands for a pure one"
        )
    scaled = ScaledPlans(listed, rule=rule, delta=delta)
    return scaled.largest_that_fits(budget) if weighed is None else least_weighted_sum(scaled, budget, weighed)


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

    def all_fit(*asked: Wish) -> bool:
        queries = PLANS[rule](asked, delta, shares) if asked else []
        return None not in queries and fits(priced(asked, queries, rule), granted)

    def error(place: int) -> float | None:
        before, wish, after = listed[:place], listed[place], listed[place + 1 :]
        accepted = wish.targets.error
        times = accepted and calibration.least_of_four_digits(
            lambda factor: all_fit(*before, wish.times(factor), *after), decades=_LARGER
        )
        return accepted * times if accepted and times else None

    return tuple(
        ListChange(error=error(place), left_out=all_fit(*listed[:place], *listed[place + 1 :]))
        for place in range(len(listed))
    )


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
