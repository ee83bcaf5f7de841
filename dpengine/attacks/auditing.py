"""Why auditing questions does not help: sets of questions that each keep a rule, and together tell one person's secret.

Sources: Schlörer 1975 and Denning, Denning, Schwartz 1979 (trackers); Dobkin, Jones, Lipton 1979 (overlaps);
Kenthapadi, Mishra, Nissim 2013 (denials).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, require_between, require_whole

Crowd = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How many of these people have the trait, how the answer enters the sum, and the answer."""

    about: Crowd
    weight: int
    answer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evasion:
    """Questions that a rule lets pass; their weighted sum over `divisor` is the person's secret, 0 or 1."""

    questions: tuple[Question, ...]
    divisor: int = 1

    @property
    def told(self) -> float:
        """What the attacker computes."""
        return sum(one.weight * one.answer for one in self.questions) / self.divisor

    @property
    def smallest(self) -> int:
        """People in the smallest question."""
        return min(len(one.about) for one in self.questions)

    @property
    def largest(self) -> int:
        """People in the largest question."""
        return max(len(one.about) for one in self.questions)

    @property
    def most_shared(self) -> int:
        """The most people whom two of the questions share."""
        sets = [one.about for one in self.questions]
        return max(len(one & other) for place, one in enumerate(sets) for other in sets[:place])


def pair(trait: npt.ArrayLike, *, person: int) -> Evasion:
    """Everybody, and everybody but one: no question is about few people."""
    bits = _bits(trait, person)
    everybody = frozenset(range(bits.size))
    return _evasion(bits, [(everybody, 1), (everybody - {person}, -1)])


def tracker(trait: npt.ArrayLike, *, person: int, wide: npt.ArrayLike, narrow: npt.ArrayLike) -> Evasion:
    """Two facts single a person out, and are never asked together: those with the first, less those without the second.

    Raises InvalidParameterError where the two facts do not fit this person alone. Source: Schlörer 1975.
    """
    bits = _bits(trait, person)
    first, both = (frozenset(np.flatnonzero(fits).tolist()) for fits in (wide, np.logical_and(wide, narrow)))
    if both != {person}:
        raise InvalidParameterError("narrow", len(both), "a fact that singles this person out, with the first one")
    return _evasion(bits, [(first, 1), (first - both, -1)])


def grid(trait: npt.ArrayLike, *, person: int, size: int) -> Evasion:
    """2 size - 1 questions about `size` people each, of which no two share more than one person.

    The others stand in `size` rows of size - 1: each row is asked about together with the person, each column alone.
    Rows less columns are `size` times the secret. Source: Dobkin, Jones, Lipton 1979, for such sets.
    """
    bits = _bits(trait, person)
    require_whole("size", size, least=2)
    others = np.delete(np.arange(bits.size), person)
    if others.size < size * (size - 1):
        raise InvalidParameterError("size", size, f"so small that {size * (size - 1):,} others are in the table")
    square = others[: size * (size - 1)].reshape(size, size - 1)
    rows = [(frozenset(row.tolist()) | {person}, 1) for row in square]
    return _evasion(bits, [*rows, *((frozenset(column.tolist()), -1) for column in square.T)], divisor=size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """The largest of three values is told; the largest of the first two is refused if it would tell the third."""

    largest: int
    refused: bool

    @property
    def told(self) -> int | None:
        """The third person's value, where the refusal itself tells it."""
        return self.largest if self.refused else None


def denial(values: Sequence[int]) -> Denial:
    """An auditor that looks at the answer before it refuses. Source: Kenthapadi, Mishra, Nissim 2013, section 1."""
    if len(values) != 3 or len(set(values)) != 3:
        raise InvalidParameterError("values", values, "three different values")
    return Denial(largest=max(values), refused=max(values[:2]) < max(values))


def _bits(trait: npt.ArrayLike, person: int) -> npt.NDArray[np.int64]:
    bits = np.asarray(trait, dtype=np.int64)
    require_whole("people", bits.size, least=2)
    require_between("person", person, 0, bits.size - 1)
    return bits


def _evasion(bits: npt.NDArray[np.int64], asked: Sequence[tuple[Crowd, int]], divisor: int = 1) -> Evasion:
    questions = (Question(about=who, weight=sign, answer=int(bits[sorted(who)].sum())) for who, sign in asked)
    return Evasion(questions=tuple(questions), divisor=divisor)
