"""One noisy piece of a question: an aggregate, how far one person moves it, and its share of epsilon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from dpengine.data import Aggregate
from dpengine.errors import InvalidParameterError, named, require_one_of, require_positive, require_whole
from dpengine.privacy import Sensitivity
from dpengine.queries.sensitivity.score_sensitivities import ScoreSensitivity
from dpengine.queries.statistics import Statistic

Integers = NDArray[np.int64]
CHOSEN_BY = ("exponential", "noisy max")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What additive noise will answer, in whole grid steps of `step` each.

    `grid_sensitivity` is in grid steps, `sensitivity` the same in the answer's unit; `labels` names the coordinates;
    `offset` is a public constant that is added to every reading. `statistic` turns the aggregate's integers into those
    that noise is added to, where they are not the same.
    """

    name: str
    aggregate: Aggregate
    grid_sensitivity: Sensitivity
    step: float = 1.0
    offset: float = 0.0
    share: Fraction = Fraction(1)
    labels: tuple[str, ...] = ("",)
    statistic: Statistic | None = None

    def __post_init__(self) -> None:
        if self.grid_sensitivity.l1 != round(self.grid_sensitivity.l1):
            raise InvalidParameterError(
                "l1 sensitivity of a part", self.grid_sensitivity.l1, "a whole number of grid steps"
            )
        _require_share(self.share)

    @property
    def sensitivity(self) -> Sensitivity:
        """The sensitivity in the unit of the answer."""
        grid = self.grid_sensitivity
        return Sensitivity(
            l1=grid.l1 * self.step, l2=grid.l2 * self.step, linf=grid.linf * self.step, because=grid.because
        )

    @property
    def coordinates(self) -> int:
        """How many numbers this part answers at once."""
        return len(self.labels)

    def exact(self, integers: Integers) -> Integers:
        """What noise is added to, from what the aggregate counted."""
        return integers if self.statistic is None else self.statistic(integers)

    def exact_reading(self, integers: Integers) -> Reading:
        """The exact answer, from what the aggregate counted: for the curator's eyes only."""
        return self.reading(self.exact(integers).tolist())

    def reading(self, integers: Iterable[int]) -> Reading:
        """Grid integers, exact or noisy, as numbers in the unit of the answer."""
        values = np.asarray(list(integers), dtype=np.float64) * self.step + self.offset
        return Reading(part=self, values=values)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a selection mechanism will answer: which of the public candidates has the best score.

    Scores are whole numbers of `step` rows each; `values` are the candidates as numbers, in the answer's unit, and
    `names` what they are called where they are no numbers. `chosen_by` is "exponential" or "noisy max".
    """

    name: str
    aggregate: Aggregate
    score_sensitivity: ScoreSensitivity
    values: Sequence[float]
    names: tuple[str, ...] = ()
    step: float = 1.0
    share: Fraction = Fraction(1)
    chosen_by: str = "exponential"
    statistic: Statistic | None = None

    def __post_init__(self) -> None:
        require_one_of("chosen_by", self.chosen_by, CHOSEN_BY)
        require_whole("score sensitivity of a choice", self.score_sensitivity.score_sensitivity)  # type: ignore[arg-type]
        require_whole("number of candidates", len(self.values))
        require_positive("step", self.step)
        _require_share(self.share)

    @property
    def labels(self) -> tuple[str, ...]:
        """One unnamed answer."""
        return ("",)

    @property
    def coordinates(self) -> int:
        """One answer."""
        return 1

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves any candidate's score, in rows."""
        score = self.score_sensitivity
        return Sensitivity.of_number(score.score_sensitivity * self.step, score.because)

    def exact(self, integers: Integers) -> Integers:
        """The candidates' scores, from what the aggregate counted; shape (candidates,)."""
        return integers if self.statistic is None else self.statistic(integers)

    def exact_reading(self, integers: Integers) -> Reading:
        """The best candidate, the middle one of several: for the curator's eyes only."""
        scores = self.exact(integers)
        best = np.flatnonzero(scores == scores.max())
        return self.reading([int(best[(len(best) - 1) // 2])])

    def reading(self, integers: Iterable[int]) -> Reading:
        """The chosen candidate's value, from its index."""
        (index,) = integers
        return Reading(part=self, values=np.array([self.values[int(index)]], dtype=np.float64))


AnyPart = Part | Choice


def counted_alike(first: Sequence[AnyPart], second: Sequence[AnyPart]) -> bool:
    """Whether two questions' parts count the same in the same steps, however they share epsilon."""
    whole = Fraction(1)
    return [replace(part, share=whole) for part in first] == [replace(part, share=whole) for part in second]


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The numbers that came out of one part, in the unit of the answer."""

    part: AnyPart
    values: npt.NDArray[np.float64]


def _require_share(share: Fraction) -> None:
    if not 0 < share <= 1:
        raise InvalidParameterError("share", share, "above 0 and at most 1")
