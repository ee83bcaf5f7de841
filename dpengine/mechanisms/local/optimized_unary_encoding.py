"""Optimized unary encoding: each person reports one noisy bit for every category."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dpengine.errors import InvalidParameterError, named, require_non_negative, require_whole
from dpengine.losses.arrays import Array, Numbers
from dpengine.mechanisms.local.local_answers import whole_answers
from dpengine.mechanisms.local.report_rates import ReportRates
from dpengine.privacy import PureEvent


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizedUnaryEncoding:
    """A row of bits, one a category: the own bit is reported 1 by a fair coin, any other with 1 / (e^epsilon + 1).

    Source: Wang, Blocki, Li, Jha 2017, section 4.3.
    """

    epsilon: float
    categories: int

    def __post_init__(self) -> None:
        require_non_negative("epsilon", self.epsilon)
        require_whole("categories", self.categories, least=2)

    @property
    def event(self) -> PureEvent:
        """Never below the truth, and twice it: two bits tell two answers apart, and half the time they agree."""
        return PureEvent(epsilon=float(self.epsilon))

    @property
    def losses(self) -> Mapping[float, float]:
        """Privacy loss to its probability: half the time nothing, else that of randomized response."""
        if self.epsilon == 0.0:
            return {0.0: 1.0}
        own, other = (float(expit(sign * self.epsilon)) / 2.0 for sign in (1.0, -1.0))
        return {float(self.epsilon): own, 0.0: 0.5, -float(self.epsilon): other}

    @property
    def false_probability(self) -> float:
        """That a bit which is 0 is reported as 1."""
        return float(expit(-self.epsilon))

    @property
    def beats_randomized_response(self) -> bool:
        """Whether rare categories have less noise than by randomized response: categories > 3 e^epsilon + 2.

        Source: Wang, Blocki, Li, Jha 2017, section 4.
        """
        return self.categories > 2 and math.log(self.categories - 2) > math.log(3.0) + self.epsilon

    def tally(self, reports: npt.ArrayLike) -> Array:
        """The share of ones in each column of reports of shape (people, categories); shape (categories,)."""
        bits = whole_answers(reports, 2, name="reports")
        if bits.ndim != 2 or bits.shape[0] == 0 or bits.shape[1] != self.categories:
            raise InvalidParameterError("reports", bits.shape, f"one row a person of {self.categories} bits")
        return np.asarray(bits.mean(axis=0))

    def estimate(self, reported_shares: Numbers) -> Numbers:
        """True shares from the shares of ones, each by itself; without bias, and outside [0, 1] at times.

        Raises InvalidParameterError at epsilon 0, where reports say nothing.
        """
        return self._rates.estimate(reported_shares)

    def variance(self, share: Numbers, people: int) -> Numbers:
        """Over the coins alone: [4 e^epsilon / (e^epsilon - 1)^2 + share] / people."""
        return self._rates.variance(share, people)

    def variance_with_sampling(self, share: Numbers, people: int) -> Numbers:
        """Over people drawn at random and coins."""
        return self._rates.variance_with_sampling(share, people)

    def interval(self, reports: int, people: int, confidence: float) -> tuple[float, float]:
        """Exact (Clopper and Pearson 1934) from the number of ones: one category by itself."""
        return self._rates.interval(reports, people, confidence)

    def people_needed(self, standard_error: float, share: float = 0.5) -> int:
        """The least number of people whose estimate has at most this standard error, people and coins together."""
        return self._rates.people_needed(standard_error, share)

    def simulate(self, answers: npt.ArrayLike, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """One row of bits a person, for pictures only; shape (people, categories) for answers of shape (people,)."""
        known = whole_answers(answers, self.categories).ravel()
        chances = np.full((known.size, self.categories), self.false_probability)
        chances[np.arange(known.size), known] = 0.5
        return (rng.random(chances.shape) < chances).astype(np.int64)

    @property
    def _rates(self) -> ReportRates:
        return ReportRates(
            kept=0.5,
            kept_missing=0.5,
            false=self.false_probability,
            false_missing=float(expit(self.epsilon)),
            contrast=math.tanh(self.epsilon / 2.0) / 2.0,
        )
