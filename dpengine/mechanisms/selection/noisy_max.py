"""Report noisy max: noise on every score, and only the index of the largest is told."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import lambertw

from dpengine.errors import named, require_one_of
from dpengine.losses.arrays import Array
from dpengine.mechanisms.kinds import ScoresMoved, SelectionKind, pure_rho
from dpengine.mechanisms.selection.races import won_by_arrival, won_by_laplace
from dpengine.mechanisms.selection.selection_protocol import (
    covers,
    gaps,
    require_bound,
    require_selection,
    scale_of,
    shortfall,
    utility_bound_of,
)
from dpengine.privacy import PureEvent


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ReportNoisyMax:
    """Adds "laplace" or "exponential" noise of scale 2 score_sensitivity / epsilon to each score, half if `monotone`.

    Only the index is reported: telling the noisy score as well costs extra.
    Source: Dwork and Roth 2014, Claim 3.9 (Laplace noise, monotone scores); Ding, Kifer, Saghaian, Steinke, Wang, Xiao,
    Zhang 2021 (exponential noise).
    """

    epsilon: float
    score_sensitivity: float
    monotone: bool = False
    noise: str = "laplace"

    def __post_init__(self) -> None:
        require_selection(self)
        require_one_of("noise", self.noise, PROBABILITIES)

    @property
    def event(self) -> PureEvent:
        """Pure: given all other noises, one candidate's must pass a threshold that moves by 1 or 2 sensitivities."""
        return PureEvent(epsilon=float(self.epsilon))

    @property
    def scale(self) -> float:
        """Of the noise, in the unit of the scores."""
        return scale_of(self)

    def probabilities(self, scores: npt.ArrayLike) -> Array:
        """Of each candidate being reported; right to 1e-12, shape (candidates,)."""
        return PROBABILITIES[self.noise](gaps(self, scores))

    def utility_bound(self, confidence: float, candidates: int) -> float:
        """Never below the truth, whatever the scores; for Laplace noise the union bound over the candidates.

        The usual scale ln(candidates / (1 - confidence)) is not a bound for Laplace noise at high confidence.
        """
        if self.noise == "exponential":
            return utility_bound_of(self, confidence, candidates)
        return self.scale * _laplace_bound(confidence, candidates)

    def expected_shortfall(self, scores: npt.ArrayLike) -> float:
        """The best score less the mean score of what is reported."""
        return shortfall(scores, self.probabilities(scores))

    def simulate(self, scores: npt.ArrayLike, rng: np.random.Generator) -> int:
        """The index of the largest noisy score, for pictures only."""
        distances = gaps(self, scores)
        noise = rng.laplace(size=distances.size) if self.noise == "laplace" else rng.exponential(size=distances.size)
        return int(np.argmax(noise - distances))


PROBABILITIES: Mapping[str, Callable[[Array], Array]] = {"laplace": won_by_laplace, "exponential": won_by_arrival}


def _laplace_bound(confidence: float, candidates: int) -> float:
    """Least x with (candidates - 1) e^-x (1 + x / 2) / 2 <= 1 - confidence: one Laplace noise passes another by x."""
    require_bound(confidence, candidates)
    if candidates == 1 or 2.0 * (1.0 - confidence) >= candidates - 1:
        return 0.0
    log_allowed = math.log(2.0) + math.log1p(-confidence) - math.log(candidates - 1)
    root = -float(lambertw(-2.0 * math.exp(log_allowed - 2.0), -1).real) - 2.0
    return max(0.0, root * (1.0 + 1e-12))


def _calibrated(moved: ScoresMoved, epsilon: float) -> ReportNoisyMax:
    """Exponential noise: no other is drawn exactly."""
    return ReportNoisyMax(
        epsilon=epsilon, score_sensitivity=moved.score_sensitivity, monotone=moved.monotone, noise="exponential"
    )


NOISY_MAX = SelectionKind(
    name="noisy max",
    in_words=lambda mechanism: f"report noisy max, {mechanism.noise} noise",
    mechanism=ReportNoisyMax,
    measured_in="epsilon",
    scale=scale_of,
    moved=lambda mechanism: mechanism.score_sensitivity,
    calibrated=_calibrated,
    rho=pure_rho,
    covers=covers,
)
