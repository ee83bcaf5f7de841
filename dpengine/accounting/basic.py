"""Adding up: epsilons and deltas are summed. True for every choice of later questions, even adaptive ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpengine.accounting.protocol import Counts, DeltaGoes
from dpengine.accounting.shares import Shares, shares_of
from dpengine.losses.arrays import Array


@dataclass(frozen=True, slots=True)
class BasicAccountant:
    """Epsilon is the sum of all epsilons; Gaussian runs and their like share equally what the others leave of delta.

    Source: Dwork and Roth 2014, Theorem 3.16.
    """

    name: str = "basic"
    label: str = "Naive composition"
    sound: bool = True
    delta_goes: DeltaGoes = "questions"
    asked_at_most: tuple[int, int] | None = None
    never_above: tuple[str, ...] = ()

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Infinite where the runs' own deltas add up to more than delta."""
        shares = shares_of(counts, delta=delta, for_sliding=1.0)
        return sum_where_allowed(shares)


def sum_where_allowed(shares: Shares) -> Array:
    """The sum of all epsilons, infinite where the runs' own deltas are too much."""
    return np.where(shares.free < 0.0, np.inf, shares.sum)
