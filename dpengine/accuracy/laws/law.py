"""What every law of an error can tell, in the unit of the answer."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from dpengine.losses.arrays import Array, Numbers, like
from dpengine.mechanisms.additive.protocol import any_of

__all__ = ["Array", "ErrorLaw", "Numbers", "any_off"]


@runtime_checkable
class ErrorLaw(Protocol):
    """How far an answer may lie from what it stands for: frozen, equal to any other that says the same.

    Tails and half-widths are never below the truth; each class says how far above it they may be.
    """

    @property
    def standard_deviation(self) -> float:
        """Root of the mean squared error, a bias included."""

    @property
    def expected_absolute_error(self) -> float:
        """Mean of |error|."""

    @property
    def grid_step(self) -> float | None:
        """Distance between possible errors; None where they lie everywhere or too densely to be drawn."""

    def tail(self, t: Numbers) -> Numbers:
        """P(|error| > t); scalar or array."""

    def above(self, t: Numbers) -> Numbers:
        """P(error > t) for t >= 0: the answer is too large."""

    def below(self, t: Numbers) -> Numbers:
        """P(error < -t) for t >= 0: the answer is too small."""

    def density(self, x: Numbers) -> Numbers:
        """Probability per unit at the error x; for pictures. A discrete law spreads each atom over its grid step."""

    def quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Half-width t with P(|error| > t) <= 1 - confidence, for all coordinates together."""

    def quantile_function(self, probability: Numbers) -> Numbers:
        """Signed error that is exceeded with probability 1 - probability; for pictures."""

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest |error| among independent coordinates."""

    def likely_errors(self, count: int = 100) -> Array:
        """Equally likely errors: the signed quantiles at (i + 1/2) / count."""


def any_off(law: ErrorLaw, t: Numbers, coordinates: int) -> Numbers:
    """P(at least one of so many independent errors of this law is beyond t); scalar or array."""
    return like(t, any_of(np.asarray(law.tail(t)), coordinates))
