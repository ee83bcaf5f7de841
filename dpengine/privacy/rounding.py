"""Exact results as numbers of this machine, rounded towards more privacy loss."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from dpengine.privacy.amounts import exact_decimal
from dpengine.privacy.guarantee import Guarantee

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


def decimal_up(exact: Fraction) -> float:
    """The least number whose decimal, which is what a person reads, is at or above it; infinite beyond them all.

    >>> decimal_up(3 * Fraction(1, 10)), decimal_up(Fraction(1, 3)), rounded_up(Fraction(3, 10))
    (0.3, 0.33333333333333337, 0.30000000000000004)
    """
    if exact > LARGEST:
        return math.inf
    near = float(exact)
    return near if exact_decimal(near) >= exact else math.nextafter(near, math.inf)


def rounded_down(exact: Fraction) -> float:
    """The largest number at or below it, for amounts of at least 0.

    >>> rounded_down(Fraction(1, 3)) <= Fraction(1, 3), rounded_down(Fraction(0))
    (True, 0.0)
    """
    top, bottom = exact.numerator, exact.denominator
    try:
        near = top / bottom
    except OverflowError:
        return LARGEST
    most, units = near.as_integer_ratio()
    return near if most * bottom <= top * units else math.nextafter(near, 0.0)


def promise_of(share: Fraction, delta: Fraction) -> Guarantee:
    """What noise is calibrated to: the floats nearest to both shares that are not above them."""
    return Guarantee(epsilon=rounded_down(share), delta=rounded_down(delta))


def loss_of_noise(noise_multiplier: float) -> float:
    """The largest loss of Laplace noise, 1 / noise_multiplier, as a number whose decimal is never below it."""
    return decimal_up(1 / Fraction(float(noise_multiplier)))


def noise_multiplier_of(scale: float, sensitivity: float) -> float:
    """scale / sensitivity, rounded down: what is told of the noise never promises more than the noise keeps."""
    length, moved = float(scale), float(sensitivity)
    near = min(length / moved, LARGEST)
    (times, units), (steps, parts), (most, pieces) = (one.as_integer_ratio() for one in (near, moved, length))
    return near if times * steps * pieces <= most * units * parts else math.nextafter(near, 0.0)
