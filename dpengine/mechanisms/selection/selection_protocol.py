"""What every selection mechanism can say about itself: it reports which candidate is best, and nothing else."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, is_of, require_between, require_positive, require_whole
from dpengine.losses.arrays import Array, numbers
from dpengine.mechanisms.kinds import ScoresMoved
from dpengine.privacy import Event, exact_decimal

MOST_CANDIDATES = 10**12


class SelectionMechanism(Protocol):
    """Reports the index of a candidate with a high score; the noisy score itself would cost extra.

    `score_sensitivity` is how far one person moves any one score; `monotone` says that one person moves all scores
    in the same direction, which halves the noise.
    """

    @property
    def epsilon(self) -> float:
        """What one report costs at most."""

    @property
    def score_sensitivity(self) -> float:
        """In the unit of the scores."""

    @property
    def monotone(self) -> bool:
        """Counts are monotone when one person is added or removed, and not when one is replaced."""

    @property
    def event(self) -> Event:
        """What one run tells the accountants."""

    def probabilities(self, scores: npt.ArrayLike) -> Array:
        """Of each candidate being reported; right to 1e-10, shape (candidates,)."""

    def utility_bound(self, confidence: float, candidates: int) -> float:
        """The score that is lost is at most this with this confidence, whatever the scores; never below the truth."""

    def expected_shortfall(self, scores: npt.ArrayLike) -> float:
        """The best score less the mean score of what is reported."""

    def simulate(self, scores: npt.ArrayLike, rng: np.random.Generator) -> int:
        """An index for pictures only; exact_noise chooses for a release."""


def require_selection(mechanism: SelectionMechanism) -> None:
    """Refuse fields that make no sense, or so extreme that no noise of this machine fits them."""
    require_positive("epsilon", mechanism.epsilon)
    require_positive("score_sensitivity", mechanism.score_sensitivity)
    if not is_of(mechanism.monotone, bool):
        raise InvalidParameterError("monotone", mechanism.monotone, "True or False")
    require_between("score_sensitivity / epsilon", mechanism.score_sensitivity / mechanism.epsilon, 1e-300, 1e300)


def scale_of(mechanism: SelectionMechanism) -> float:
    """The score that e times less probability stands for: 2 score_sensitivity / epsilon, half of it if monotone."""
    return (1.0 if mechanism.monotone else 2.0) * mechanism.score_sensitivity / mechanism.epsilon


def covers(mechanism: SelectionMechanism, moved: ScoresMoved, share: Fraction) -> bool:
    """Whether a choice is made at its share of epsilon at most, among scores that move as far as `moved` says."""
    same = (mechanism.score_sensitivity, mechanism.monotone) == (moved.score_sensitivity, moved.monotone)
    return same and exact_decimal(mechanism.epsilon) <= share


def gaps(mechanism: SelectionMechanism, scores: npt.ArrayLike) -> Array:
    """How far each score lies below the best one, in units of `scale_of`; infinite where no number is so large."""
    known = known_scores(scores)
    with np.errstate(over="ignore"):
        return np.asarray((known.max() - known) / scale_of(mechanism))


def known_scores(scores: npt.ArrayLike) -> Array:
    """The scores as floats of shape (candidates,); refuses infinite ones, none, and a range beyond all numbers."""
    known = numbers("scores", scores)
    if known.ndim != 1 or known.size == 0:
        raise InvalidParameterError("scores", scores, "a list of at least one number")
    if not math.isfinite(float(known.max() / 2.0 - known.min() / 2.0) * 2.0):
        raise InvalidParameterError("scores", scores, "of a finite range")
    return known


def shortfall(scores: npt.ArrayLike, probabilities: Array) -> float:
    """The best score less the mean one."""
    known = known_scores(scores)
    return float(np.sum(probabilities * (known.max() - known)))


def utility_bound_of(mechanism: SelectionMechanism, confidence: float, candidates: int) -> float:
    """scale (ln candidates + ln 1 / (1 - confidence)). Source: Dwork and Roth 2014, Theorem 3.11.

    Holds for the exponential mechanism, and for permute-and-flip, which never loses more (McKenna, Sheldon 2020).
    """
    require_bound(confidence, candidates)
    return scale_of(mechanism) * (math.log(candidates) - math.log1p(-confidence))


def require_bound(confidence: float, candidates: int) -> None:
    """Refuse a confidence that nothing has, and a number of candidates that nobody can list."""
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    require_whole("candidates", candidates)
    require_between("candidates", candidates, 1, MOST_CANDIDATES)
