"""Permute-and-flip: candidates come in random order, and the first one whose coin says yes is reported."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.errors import named
from dpengine.losses.arrays import Array
from dpengine.mechanisms.selection.races import won_by_arrival
from dpengine.mechanisms.selection.selection_protocol import gaps, require_selection, shortfall, utility_bound_of
from dpengine.privacy import PureEvent


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class PermuteAndFlip:
    """A coin says yes with probability e^(-epsilon (best - score) / (2 score_sensitivity)); no 2 if `monotone`.

    The same law as ReportNoisyMax with exponential noise; never a larger expected error than ExponentialMechanism.
    Source: McKenna and Sheldon 2020; Ding, Kifer, Saghaian, Steinke, Wang, Xiao, Zhang 2021.
    """

    epsilon: float
    score_sensitivity: float
    monotone: bool = False

    def __post_init__(self) -> None:
        require_selection(self)

    @property
    def event(self) -> PureEvent:
        """Pure, and no more: the discount of the exponential mechanism for many runs does not hold here."""
        return PureEvent(epsilon=float(self.epsilon))

    def probabilities(self, scores: npt.ArrayLike) -> Array:
        """Of each candidate being reported; right to 1e-12, shape (candidates,)."""
        return won_by_arrival(gaps(self, scores))

    def utility_bound(self, confidence: float, candidates: int) -> float:
        """That of the exponential mechanism, which never loses less; never below the truth.

        Source: McKenna and Sheldon 2020.
        """
        return utility_bound_of(self, confidence, candidates)

    def expected_shortfall(self, scores: npt.ArrayLike) -> float:
        """The best score less the mean score of what is reported."""
        return shortfall(scores, self.probabilities(scores))

    def simulate(self, scores: npt.ArrayLike, rng: np.random.Generator) -> int:
        """Permute, flip, report the first yes; for pictures only."""
        distances = gaps(self, scores)
        order = rng.permutation(distances.size)
        return int(order[np.argmax(rng.random(distances.size) < np.exp(-distances[order]))])
