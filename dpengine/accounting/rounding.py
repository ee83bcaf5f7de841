"""Exact results as numbers of this machine, rounded towards more privacy loss."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

LARGEST = sys.float_info.max


def rounded_up(exact: Fraction) -> float:
    """The least number at or above it; infinite beyond them all.

    >>> rounded_up(Fraction(1, 3)) >= Fraction(1, 3), rounded_up(Fraction(1, 2))
    (True, 0.5)
    """
    if exact > LARGEST:
        return math.inf
    near = float(exact)
    return near if near >= exact else math.nextafter(near, math.inf)


def rounded_down(exact: Fraction) -> float:
    """The largest number at or below it, for amounts of at least 0.

    >>> rounded_down(Fraction(1, 3)) <= Fraction(1, 3), rounded_down(Fraction(0))
    (True, 0.0)
    """
    if exact > LARGEST:
        return LARGEST
    near = float(exact)
    return near if near <= exact else math.nextafter(near, 0.0)
