"""From what an aggregate counted to what noise is added to, or to scores of candidates; whole numbers throughout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class Statistic(Protocol):
    """Exact arithmetic on the integers of one aggregate; frozen, and equal to any other that does the same."""

    def __call__(self, integers: Integers) -> Integers:
        """The new integers; no rounding but to whole grid steps, and none that one person could move further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SumOfSquares:
    """The second of two moments."""

    def __call__(self, integers: Integers) -> Integers:
        return integers[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadOverPeople:
    """Sum of squared distances from the mean of `people` values: squares - sum**2 / people, rounded to a whole number.

    `lower` <= 0 <= `upper` bound each value's distance from the center; the sum is kept within people times these. A
    value x replaced by y moves the result by at most (upper - lower)**2, whatever the rows: the change is
    (y - x)(y + x - s) with s between 2 lower and 2 upper, so for x < y it lies between (upper - y)**2 - (upper - x)**2
    and (y - lower)**2 - (x - lower)**2; and rounding keeps a bound that is a whole number.
    """

    people: int
    lower: int
    upper: int

    def __call__(self, integers: Integers) -> Integers:
        distances, squares = map(int, integers)
        within = min(max(distances, self.people * self.lower), self.people * self.upper)
        twice = 2 * (self.people * squares - within * within) + self.people
        return np.array([twice // (2 * self.people)], dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankScores:
    """Minus the distance of each candidate's rank from `numerator / denominator` of all rows, times the denominator.

    The integers are counts between increasing edges; candidate i has all counts before `below[i]` below it and all
    before `at_most[i]` at most at it, and every rank between these two is its own, so that ties cost nothing.
    Source: Smith 2011, with the rank of a tie as a range.
    """

    numerator: int
    denominator: int
    below: Sequence[int]
    at_most: Sequence[int]

    def __call__(self, integers: Integers) -> Integers:
        sums = np.concatenate([[0], np.cumsum(integers)])
        wanted = self.numerator * int(sums[-1])
        too_high = self.denominator * sums[np.asarray(self.below)] - wanted
        too_low = wanted - self.denominator * sums[np.asarray(self.at_most)]
        return np.asarray(-np.maximum(np.maximum(too_high, too_low), 0), dtype=np.int64)
