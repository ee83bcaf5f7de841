"""What an attacker may believe about one person once answers that cost so much are known, in people of 100."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpengine.beliefs import best_success, likely_posterior_bounds, posterior_bounds
from dpengine.errors import require_between
from dpengine.plan.amounts import Amounts, Charge
from dpengine.plan.learned import UNLIKELY
from dpengine.privacy import Guarantee

_LAST_DIGITS = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """The attacker knew everybody else, believed `before` that this person is in the table, and read the answers.

    Afterwards the belief lies between `least` and `most`: for all answers where delta is 0, else for all but a share
    `unless` of them. Nobody who says "in" or "not in" is right with a larger chance than `right`. Under replace-one
    "in" means that the person's row is the one thought of rather than some other. Never below the truth. Sources: Lee
    and Clifton 2012; Kasiviswanathan and Smith 2014 for a delta; the Bayes risk for `right`.
    """

    before: float
    promise: Guarantee
    least: float
    most: float
    right: float
    unless: float

    @property
    def most_of_100(self) -> int:
        """The largest belief as "at most so many of 100"."""
        return _at_most(self.most)

    @property
    def least_of_100(self) -> int:
        """The least belief as "at least so many of 100"."""
        return math.floor(100.0 * self.least + _LAST_DIGITS)

    @property
    def right_of_100(self) -> int:
        """The best attacker's guesses that are right, as "at most so many of 100"."""
        return _at_most(self.right)


def believed(before: float, promise: Guarantee) -> Belief:
    """The bounds for one person from what all answers promise together."""
    require_between("before", before, 0.0, 1.0, open_at="both")
    if promise.delta == 0.0:
        least, most = posterior_bounds(before, epsilon=promise.epsilon)
    else:
        least, most = likely_posterior_bounds(before, guarantee=promise, failure_probability=UNLIKELY)
    return Belief(
        before=before,
        promise=promise,
        least=float(least),
        most=float(most),
        right=float(best_success(promise, prior=before)),
        unless=UNLIKELY if promise.delta else 0.0,
    )


def promised_by(total: Amounts) -> Guarantee:
    """What charges that add up to this promise together, by basic composition."""
    charge = Charge(rule="basic", amounts=total)
    return Guarantee(epsilon=charge.epsilon, delta=min(1.0, charge.delta))


def _at_most(chance: float) -> int:
    return min(100, math.ceil(100.0 * chance - _LAST_DIGITS))
