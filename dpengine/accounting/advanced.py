"""Advanced composition for any mix of shares: the rule to report when nothing more is known."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpengine.accounting.basic import BasicAccountant, sum_where_allowed
from dpengine.accounting.protocol import Counts, DeltaGoes
from dpengine.accounting.shares import SLIDING_PART, Shares, left_by_product, shares_of
from dpengine.accounting.textbook import log_inverse, spread
from dpengine.losses.arrays import Array

_BASIC = BasicAccountant()
_RAISED = 1.0 + 16.0 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class AdvancedAccountant:
    """The least of the theorem's three forms; own deltas add as 1 - prod(1 - delta_i).

    Gaussian runs and their like share equally half of the delta that the others leave, or all of it where adding up is
    smaller.
    Source: Kairouz, Oh, Viswanath 2015, Theorem 3.5.
    """

    name: str = "advanced"
    label: str = "Advanced composition"
    sound: bool = True
    delta_goes: DeltaGoes = "shared"
    asked_at_most: tuple[int, int] | None = None
    never_above: tuple[str, ...] = ()

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Never more than adding up; infinite where the runs' own deltas are too much."""
        shares = shares_of(counts, delta=delta, for_sliding=SLIDING_PART)
        shares = replace(shares, free=left_by_product(shares, delta))
        return np.minimum(least_form(shares), _BASIC.epsilon(counts, delta=delta))


def least_form(shares: Shares) -> Array:
    """The least of the three forms, for shares whose free delta is the theorem's slack."""
    squares, slack = shares.sum_of_squares, np.maximum(shares.free, 0.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        grown = np.where(squares == 0.0, 0.0, np.sqrt(squares) / slack)
        usual = 2.0 * log_inverse(slack)
        small = 2.0 * np.logaddexp(1.0, np.log(grown))
    drift = shares.sum_of_means
    forms = [sum_where_allowed(shares), *(_RAISED * (drift + spread(shares, root)) for root in (usual, small))]
    return np.asarray(np.min(forms, axis=0))
