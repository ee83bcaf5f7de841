"""Why one person moves an answer no further: sentences that always name their neighbor relation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from dpengine.errors import InvalidParameterError, require_finite, require_kind
from dpengine.privacy import Neighbors, Sensitivity

_RELATIONS = {
    Neighbors.ADD_REMOVE: "(One person added or removed.)",
    Neighbors.REPLACE_ONE: "(One person replaced.)",
}
_MANY = {"person": "people"}
_ONE = {"are": "is", "were": "was", "have": "has", "do": "does"}


def under(neighbors: Neighbors, because: str) -> str:
    """The sentence and the relation it holds in, so that two relations are never mixed silently."""
    require_kind("neighbors", neighbors, Neighbors)
    return f"{because} {_RELATIONS[neighbors]}"


def relation_apart(sentences: Sequence[str]) -> tuple[list[str], str]:
    """Sentences without the relation that all of them hold in, and that relation; it stays where they do not share one.

    >>> relation_apart(["a sum (One person replaced.)", "a count (One person replaced.)"])
    (['a sum', 'a count'], '(One person replaced.)')
    """
    for relation in _RELATIONS.values():
        if all(sentence.endswith(f" {relation}") for sentence in sentences):
            return [sentence.removesuffix(f" {relation}") for sentence in sentences], relation
    return list(sentences), ""


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
    """A float of at least the root, by less than two last digits; a whole root stays whole.

    In whole numbers, because the square itself may be too large or too small for a float.
    """
    digits = 64 + max(0, square.denominator.bit_length() - square.numerator.bit_length())
    root = math.isqrt((square.numerator << 2 * digits) // square.denominator)
    while Fraction(root, 1 << digits) ** 2 < square:
        root += 1
    return up(Fraction(root, 1 << digits))


def shown(value: float | Fraction) -> str:
    """A number as a sentence carries it.

    >>> shown(1500000), shown(0.5), shown(1e20)
    ('1,500,000', '0.5', '1e+20')
    """
    number = float(value)
    return f"{number:,.0f}" if 1e6 <= abs(number) < 1e15 else f"{number:,.6g}"


def plural(count: int, word: str) -> str:
    """A counted word.

    >>> plural(1, "row"), plural(3, "row"), plural(2, "person")
    ('1 row', '3 rows', '2 people')
    """
    return f"{count:,} {word if count == 1 else _MANY.get(word, f'{word}s')}"


def agreeing(count: int, verb: str) -> str:
    """A verb as it stands after so many, given as it stands after several.

    >>> agreeing(1, "do"), agreeing(2, "do"), agreeing(1, "lie")
    ('does', 'do', 'lies')
    """
    return verb if count != 1 else _ONE.get(verb, f"{verb}s")


def rows_of_one_person(rows: int) -> str:
    """How a sentence about one person's rows begins."""
    return "One person has one row" if rows == 1 else f"One person has at most {rows:,} rows"


def measured(value: float | Fraction, unit: str = "") -> str:
    """A number with its unit, if it has one."""
    return f"{shown(value)} {unit}" if unit else shown(value)


def bounds(lower: float, upper: float) -> tuple[Fraction, Fraction]:
    """Public bounds without rounding; raises InvalidParameterError where they are not in order."""
    require_finite("lower", lower)
    require_finite("upper", upper)
    if not lower < upper:
        raise InvalidParameterError("lower", lower, f"below upper, {upper:g}")
    if not upper - lower < 1e150:
        raise InvalidParameterError("upper - lower", upper - lower, "below 1e150")
    return Fraction(lower), Fraction(upper)
