"""Privacy amounts as exact integers, as they were typed: epsilon and rho in billionths, delta in units of 1e-18."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from dpengine.errors import require_non_negative

NANO = 10**9
ATTO = 10**18


def exact_decimal(value: float) -> Fraction:
    """The number that a person wrote: 0.1 is one tenth, not the binary number nearest to it.

    >>> exact_decimal(0.1)
    Fraction(1, 10)
    """
    require_non_negative("amount", value)
    return Fraction(Decimal(repr(float(value))))


def nanos_up(value: float | Fraction) -> int:
    """Billionths, rounded up: what is charged.

    >>> nanos_up(0.1), nanos_up(1e-12)
    (100000000, 1)
    """
    return math.ceil(_exact(value) * NANO)


def nanos_down(value: float | Fraction) -> int:
    """Billionths, rounded down: what is granted."""
    return _units_down(_exact(value), NANO)


def attos_down(delta: float) -> int:
    """Units of 1e-18, rounded down: how much delta may be split or granted.

    >>> attos_down(1e-6)
    1000000000000
    """
    return _units_down(exact_decimal(delta), ATTO)


def _units_down(exact: Fraction, units: int) -> int:
    return exact.numerator * units // exact.denominator


def _exact(value: float | Fraction) -> Fraction:
    return value if isinstance(value, Fraction) else exact_decimal(value)
