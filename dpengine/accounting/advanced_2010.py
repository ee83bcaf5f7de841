"""The first advanced composition theorem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.accounting.protocol import Counts, DeltaGoes
from dpengine.accounting.shares import SLIDING_PART, shares_of
from dpengine.accounting.textbook import log_inverse, spread
from dpengine.losses.arrays import Array, numbers, whole_numbers


@dataclass(frozen=True, slots=True)
class Advanced2010Accountant:
    """sqrt(2 ln(1/delta') sum of epsilon^2) + sum of epsilon (e^epsilon - 1): true everywhere, seldom tight.

    Gaussian runs and their like share equally half of the delta that the others leave; the rest is delta'.
    Source: Dwork, Rothblum, Vadhan 2010, Theorem III.3.
    """

    name: str = "advanced_2010"
    label: str = "Advanced composition of 2010"
    sound: bool = True
    delta_goes: DeltaGoes = "shared"
    asked_at_most: tuple[int, int] | None = None
    never_above: tuple[str, ...] = ()

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """The formula itself, even where adding up is smaller; infinite where no delta' remains."""
        shares = shares_of(counts, delta=delta, for_sliding=SLIDING_PART)
        with np.errstate(over="ignore"):
            means = shares.total(shares.epsilons * np.expm1(shares.epsilons))
            return spread(shares, 2.0 * log_inverse(shares.free)) + means


def composed_delta(answers: npt.ArrayLike, *, each: float, slack: float) -> Array:
    """The delta of this many answers together: those of their own, and the theorem's slack; at most 1.

    Source: Dwork, Rothblum, Vadhan 2010, Theorem III.3 (k delta + delta').
    """
    own, free = (float(numbers(name, value, 0.0, 1.0)) for name, value in (("each", each), ("slack", slack)))
    return np.minimum(whole_numbers("answers", answers, least=1) * own + free, 1.0)
