"""What a room would choose: the epsilons of a round, their median and their spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpengine.workshop.room import Saying


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """One round: every epsilon in the order of size; the middle half lies between `lower` and `upper`."""

    epsilons: tuple[float, ...]
    median: float
    lower: float
    upper: float

    @property
    def times(self) -> float:
        """How many times as large the largest is as the least."""
        return self.epsilons[-1] / self.epsilons[0]


def votes(choices: Sequence[Saying], *, number: int) -> Votes | None:
    """A round of choosing, in which an earlier choice counts until its owner changes it; None where nobody has chosen.

    Quartiles are taken of the logarithms, as the dial is one.
    """
    said = sorted((one for one in choices if one.number <= number), key=lambda one: one.number)
    epsilons = sorted({one.participant: one.value for one in said}.values())
    if not epsilons:
        return None
    lower, middle, upper = (math.exp(value) for value in np.quantile(np.log(epsilons), (0.25, 0.5, 0.75)))
    return Votes(epsilons=tuple(epsilons), median=rounded(middle), lower=lower, upper=upper)


_SAID_ALOUD = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def said_aloud(epsilon: float) -> float:
    """The nearest number that one says aloud, by its logarithm.

    >>> said_aloud(0.1414), said_aloud(0.245), said_aloud(3.6)
    (0.15, 0.25, 4.0)
    """
    power = math.floor(math.log10(epsilon))
    nearest = min(_SAID_ALOUD, key=lambda digits: abs(math.log(digits) - math.log(epsilon) + power * math.log(10.0)))
    return float(f"{nearest}e{power}")


def rounded(epsilon: float) -> float:
    """To three significant digits, as a setting is said aloud.

    >>> rounded(0.123456)
    0.123
    """
    return float(f"{epsilon:.3g}")
