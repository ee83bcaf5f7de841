"""Why one person moves an answer no further: sentences that always name their neighbor relation."""

from __future__ import annotations

import math
from fractions import Fraction

from dpengine.errors import InvalidParameterError, require_finite, require_kind
from dpengine.privacy import Neighbors, Sensitivity

_RELATIONS = {
    Neighbors.ADD_REMOVE: "(One person added or removed.)",
    Neighbors.REPLACE_ONE: "(One person replaced.)",
}


def under(neighbors: Neighbors, because: str) -> str:
    """The sentence and the relation it holds in, so that two relations are never mixed silently."""
    require_kind("neighbors", neighbors, Neighbors)
    return f"{because} {_RELATIONS[neighbors]}"


def number_of(value: Fraction, because: str) -> Sensitivity:
    """The sensitivity of a single number, a whole one as it is, any other rounded up."""
    return Sensitivity.of_number(up(value), because)


def up(value: Fraction) -> float:
    """The least float of at least this value; a whole number stays whole."""
    if value.denominator == 1:
        return value.numerator
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def root_up(square: Fraction) -> float:
    """A float of at least the root, by less than two last digits; exact where the square is one of a whole number."""
    if square.denominator == 1 and math.isqrt(square.numerator) ** 2 == square.numerator:
        return math.isqrt(square.numerator)
    nearest = math.sqrt(float(square))
    return nearest if Fraction(nearest) ** 2 >= square else math.nextafter(nearest, math.inf)


def shown(value: float | Fraction) -> str:
    """A number as a sentence carries it."""
    return f"{float(value):,.6g}"


def plural(count: int, word: str) -> str:
    """A counted word.

    >>> plural(1, "row"), plural(3, "row")
    ('1 row', '3 rows')
    """
    return f"{count} {word}" + ("" if count == 1 else "s")


def bounds(lower: float, upper: float) -> tuple[Fraction, Fraction]:
    """Public bounds without rounding; raises InvalidParameterError where they are not in order."""
    require_finite("lower", lower)
    require_finite("upper", upper)
    if not lower < upper:
        raise InvalidParameterError("lower", lower, f"below upper, {upper:g}")
    if not upper - lower < 1e150:
        raise InvalidParameterError("upper - lower", upper - lower, "below 1e150")
    return Fraction(lower), Fraction(upper)
