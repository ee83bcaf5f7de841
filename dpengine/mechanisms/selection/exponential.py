"""The exponential mechanism: better candidates are exponentially more likely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from dpengine.errors import named
from dpengine.losses.arrays import Array
from dpengine.mechanisms.kinds import ScoresMoved, SelectionKind
from dpengine.mechanisms.selection.selection_protocol import (
    covers,
    gaps,
    require_selection,
    scale_of,
    shortfall,
    utility_bound_of,
)
from dpengine.privacy import BoundedRangeEvent


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ExponentialMechanism:
    """Reports a candidate with probability proportional to e^(epsilon score / (2 score_sensitivity)).

    Without the 2 where one person moves all scores in the same direction (`monotone`).
    Source: McSherry and Talwar 2007; Dwork and Roth 2014, section 3.4.
    """

    epsilon: float
    score_sensitivity: float
    monotone: bool = False

    def __post_init__(self) -> None:
        require_selection(self)

    @property
    def event(self) -> BoundedRangeEvent:
        """Losses of any two candidates differ by at most epsilon, monotone or not: cheaper than pure.

        Source: Durfee and Rogers 2019.
        """
        return BoundedRangeEvent(epsilon=float(self.epsilon))

    def probabilities(self, scores: npt.ArrayLike) -> Array:
        """Of each candidate being reported; exact up to rounding, shape (candidates,)."""
        return np.asarray(softmax(-gaps(self, scores)))

    def utility_bound(self, confidence: float, candidates: int) -> float:
        """(2 score_sensitivity / epsilon) ln(candidates / (1 - confidence)), half of it if monotone.

        Never below the truth, whatever the scores. Source: Dwork and Roth 2014, Theorem 3.11.
        """
        return utility_bound_of(self, confidence, candidates)

    def expected_shortfall(self, scores: npt.ArrayLike) -> float:
        """The best score less the mean score of what is reported; exact."""
        return shortfall(scores, self.probabilities(scores))

    def simulate(self, scores: npt.ArrayLike, rng: np.random.Generator) -> int:
        """The best score after Gumbel noise, for pictures only."""
        distances = gaps(self, scores)
        return int(np.argmax(rng.gumbel(size=distances.size) - distances))


def _calibrated(moved: ScoresMoved, epsilon: float) -> ExponentialMechanism:
    return ExponentialMechanism(epsilon=epsilon, score_sensitivity=moved.score_sensitivity, monotone=moved.monotone)


EXPONENTIAL = SelectionKind(
    name="exponential",
    in_words=lambda _: "exponential mechanism",
    mechanism=ExponentialMechanism,
    measured_in="rho",
    scale=scale_of,
    moved=lambda mechanism: mechanism.score_sensitivity,
    calibrated=_calibrated,
    rho=lambda _, share: share * share / 8,
    covers=covers,
)
"""Its rho is that of a bounded range. Source: Cesar and Rogers 2021."""
