"""The promise itself: (epsilon, delta)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpengine.errors import InvalidParameterError, named, require_between, require_non_negative, require_whole

_LAST_DIGIT = 2.0**-52


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """(epsilon, delta)-differential privacy; delta 0 is pure, delta 1 promises nothing.

    Source: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        require_non_negative("epsilon", self.epsilon)
        require_between("delta", self.delta, 0.0, 1.0)
        for field in ("epsilon", "delta"):
            object.__setattr__(self, field, float(getattr(self, field)))

    def for_group(self, size: int) -> Guarantee:
        """What holds for `size` people together: size * epsilon, and delta * (e^(size epsilon) - 1) / (e^epsilon - 1).

        Never below the truth. Source: Dwork and Roth 2014, Theorem 2.2, with the geometric sum kept exact.
        """
        require_whole("size", size)
        return Guarantee(epsilon=self._group_epsilon(int(size)), delta=self._group_delta(int(size)))

    def __add__(self, other: Guarantee) -> Guarantee:
        """What two promises to the same people come to: epsilons and deltas add up, never below the truth.

        >>> Guarantee(epsilon=0.1, delta=0.75) + Guarantee(epsilon=0.2, delta=0.75)
        Guarantee(epsilon=0.30000000000000004, delta=1.0)

        Source: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006 (basic composition).
        """
        return Guarantee(epsilon=_sum_up(self.epsilon, other.epsilon), delta=min(1.0, _sum_up(self.delta, other.delta)))

    def _group_epsilon(self, size: int) -> float:
        exact = size * Fraction(self.epsilon)
        try:
            rounded = float(exact)
        except OverflowError as error:
            raise InvalidParameterError("size", size, "small enough for a finite epsilon") from error
        return rounded if rounded >= exact else math.nextafter(rounded, math.inf)

    def _group_delta(self, size: int) -> float:
        if self.delta == 0.0 or size == 1:
            return self.delta
        log_alone, log_factor = math.log(self.delta), _log_geometric_sum(self.epsilon, size)
        log_delta = log_alone + log_factor + _LAST_DIGIT * (4.0 - log_alone + 2.0 * log_factor)
        return 1.0 if log_delta >= 0.0 else math.exp(log_delta)

    def __str__(self) -> str:
        return f"epsilon {self.epsilon:g}" + (f", delta {self.delta:g}" if self.delta else "")


def _sum_up(one: float, other: float) -> float:
    rounded = one + other
    return rounded if Fraction(rounded) >= Fraction(one) + Fraction(other) else math.nextafter(rounded, math.inf)


def require_guarantee(name: str, guarantee: Any) -> None:
    """Refuse what is no guarantee, such as a bare epsilon."""
    if not isinstance(guarantee, Guarantee):
        raise InvalidParameterError(name, guarantee, "a Guarantee, such as Guarantee(epsilon=1.0)")


def _log_geometric_sum(epsilon: float, size: int) -> float:
    """ln of 1 + e^epsilon + ... + e^((size - 1) epsilon), without overflow."""
    if epsilon == 0.0:
        return math.log(size)
    return (size - 1) * epsilon + math.log(math.expm1(-size * epsilon) / math.expm1(-epsilon))
