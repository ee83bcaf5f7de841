"""One noisy piece of a question: an aggregate, how far one person moves it, and its share of epsilon."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Aggregate
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Sensitivity


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one mechanism will answer, in whole grid steps of `step` each.

    `grid_sensitivity` is in grid steps, `sensitivity` the same in the answer's unit; `labels` names the coordinates;
    `offset` is a public constant that is added to every reading.
    """

    name: str
    aggregate: Aggregate
    grid_sensitivity: Sensitivity
    step: float = 1.0
    offset: float = 0.0
    share: Fraction = Fraction(1)
    labels: tuple[str, ...] = ("",)

    def __post_init__(self) -> None:
        if self.grid_sensitivity.l1 != round(self.grid_sensitivity.l1):
            raise InvalidParameterError(
                "l1 sensitivity of a part", self.grid_sensitivity.l1, "a whole number of grid steps"
            )
        if not 0 < self.share <= 1:
            raise InvalidParameterError("share", self.share, "above 0 and at most 1")

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

    def reading(self, integers: Iterable[int]) -> Reading:
        """Grid integers, exact or noisy, as numbers in the unit of the answer."""
        values = np.asarray(list(integers), dtype=np.float64) * self.step + self.offset
        return Reading(part=self, values=values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The numbers that came out of one part, in the unit of the answer."""

    part: Part
    values: NDArray[np.float64]
