"""The course notes' formula, drawn as they state it; see validity.py for where it is true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpengine.accounting.protocol import Counts, DeltaGoes
from dpengine.accounting.shares import SLIDING_PART, Shares, shares_of
from dpengine.losses.arrays import Array


@dataclass(frozen=True, slots=True)
class TextbookAccountant:
    """sqrt(8 ln(1/delta') times the sum of squared epsilons): NOT a guarantee outside its range.

    Gaussian runs and their like share equally half of the delta that the others leave; the rest is delta'.
    Source: Dwork and Roth 2014, Corollary 3.21 (which assumes a total epsilon below 1).
    """

    name: str = "textbook"
    label: str = "The textbook formula"
    sound: bool = False
    delta_goes: DeltaGoes = "shared"
    asked_at_most: tuple[int, int] | None = None
    never_above: tuple[str, ...] = ()

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """The formula itself, even where adding up is smaller; infinite where no delta' remains."""
        return textbook_value(shares_of(counts, delta=delta, for_sliding=SLIDING_PART))


def textbook_value(shares: Shares) -> Array:
    """The formula for shares whose free delta is delta'."""
    return spread(shares, 8.0 * log_inverse(shares.free))


def log_inverse(delta: Array) -> Array:
    """ln(1 / delta), infinite at 0 and below."""
    with np.errstate(divide="ignore"):
        return -np.log(np.maximum(delta, 0.0))


def spread(shares: Shares, factor: Array) -> Array:
    """sqrt(factor * sum of squared epsilons); 0 where either is 0, infinite where the runs' own deltas are too much."""
    squares = shares.sum_of_squares
    with np.errstate(invalid="ignore", over="ignore"):
        value = np.where((squares == 0.0) | (factor == 0.0), 0.0, np.sqrt(factor) * np.sqrt(squares))
    return np.where(shares.free < 0.0, np.inf, value)
