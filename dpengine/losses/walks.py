"""Hints for and against a person: how the losses of many equal answers wander and mostly cancel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import expit

from dpengine.errors import require_between, require_positive, require_whole
from dpengine.losses.arrays import Array, whole_numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class HintWalk:
    """The total loss after 1, 2, ... answers that each lose plus or minus epsilon, for a person who took part.

    This is the law of randomized response and of whole-number noise on a count of sensitivity 1, the worst that an
    epsilon allows. Source: Kairouz, Oh, Viswanath 2015, Section 3.
    """

    epsilon: float

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    @property
    def chance_for(self) -> float:
        """The chance that one hint points to the truth."""
        return float(expit(self.epsilon))

    def between(self, repetitions: npt.ArrayLike, *, share: float) -> tuple[Array, Array]:
        """Losses between which at least `share` of all walks are after so many answers; as little as fits beyond each.

        The same shape as `repetitions`.
        """
        require_between("share", share, 0.0, 1.0, open_at="both")
        runs = whole_numbers("repetitions", repetitions, least=0)
        beyond = (1.0 - share) / 2.0
        hints = scipy.stats.binom
        ends = hints.ppf(beyond, runs, self.chance_for), hints.isf(beyond, runs, self.chance_for)
        lower, upper = (self.epsilon * (2.0 * np.asarray(end, dtype=np.float64) - runs) for end in ends)
        return lower, upper

    def simulate(self, repetitions: int, *, walks: int, rng: np.random.Generator) -> Array:
        """One row a walk: its losses after 0, 1, ... answers. For pictures only."""
        require_whole("repetitions", repetitions)
        require_whole("walks", walks)
        hints = np.where(rng.random((walks, repetitions)) < self.chance_for, self.epsilon, -self.epsilon)
        return np.hstack([np.zeros((walks, 1)), np.cumsum(hints, axis=1)])
