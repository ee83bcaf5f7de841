"""Randomized response: everybody answers truthfully with a known probability, and nobody can be blamed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpengine.errors import (
    InvalidParameterError,
    named,
    require_between,
    require_finite,
    require_non_negative,
    require_whole,
)
from dpengine.losses.arrays import Array, Numbers
from dpengine.mechanisms.local.local_answers import reported_categories, shares_of, whole_answers
from dpengine.mechanisms.local.report_rates import ReportRates
from dpengine.privacy import RandomizedResponseEvent, exact_decimal

_LAST_DIGIT = float(np.finfo(np.float64).eps)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class RandomizedResponse:
    """Reports one of several categories; the true one e^log_odds times as often as any one other.

    Negative log_odds report the truth less often than anything else, which reveals as much. Answers are numbered from
    0; with two categories they are no and yes. Build it with `from_truth_probability`, `from_coin` or `from_epsilon`.
    Source: Warner 1965; Kairouz, Bonawitz, Ramage 2016 (several categories).
    """

    log_odds: float
    categories: int = 2

    def __post_init__(self) -> None:
        require_finite("log_odds", self.log_odds)
        require_whole("categories", self.categories, least=2)

    @classmethod
    def from_truth_probability(cls, truth_probability: float, *, categories: int = 2) -> RandomizedResponse:
        """truth_probability is the total probability that the report is the truth, by intention or by luck.

        Not the probability of being *told* to answer truthfully: that is `from_coin`. epsilon = |logit| for yes and
        no; 1/2 costs nothing and says nothing, 1/4 costs what 3/4 costs. Rounded towards more privacy loss.
        """
        require_whole("categories", categories, least=2)
        _require_some_doubt("truth_probability", truth_probability, least=1e-300)
        truth = exact_decimal(truth_probability)
        return cls(log_odds=_log_outward(truth * (int(categories) - 1) / (1 - truth)), categories=int(categories))

    @classmethod
    def from_coin(cls, coin: float, *, categories: int = 2) -> RandomizedResponse:
        """Told to answer truthfully with probability `coin`, and else to report any category with equal chances.

        The truth is then reported with probability coin + (1 - coin) / categories: 3/4 for a fair coin, yes and no.
        """
        require_whole("categories", categories, least=2)
        _require_some_doubt("coin", coin, least=0.0)
        told = exact_decimal(coin)
        return cls(log_odds=_log_outward(1 + int(categories) * told / (1 - told)), categories=int(categories))

    @classmethod
    def from_epsilon(cls, epsilon: float, *, categories: int = 2) -> RandomizedResponse:
        """The most truthful reports at this epsilon."""
        require_non_negative("epsilon", epsilon)
        return cls(log_odds=float(epsilon), categories=categories)

    @property
    def event(self) -> RandomizedResponseEvent:
        """Exact for two categories; for more never below the truth, because some reports then reveal nothing."""
        return RandomizedResponseEvent(epsilon=abs(self.log_odds))

    @property
    def truth_probability(self) -> float:
        """That the report is the truth: e^log_odds / (e^log_odds + categories - 1)."""
        return math.exp(-float(np.logaddexp(0.0, math.log(self.categories - 1) - self.log_odds)))

    @property
    def other_probability(self) -> float:
        """That the report is a given category that is not the truth."""
        return math.exp(-float(np.logaddexp(self.log_odds, math.log(self.categories - 1))))

    @property
    def losses(self) -> Mapping[float, float]:
        """Privacy loss to its probability, for the own answer against any one other."""
        own, other = self.truth_probability, self.other_probability
        if self.log_odds == 0.0:
            return {0.0: 1.0}
        between = {0.0: (self.categories - 2) * other} if self.categories > 2 else {}
        return {self.log_odds: own, **between, -self.log_odds: other}

    def probabilities(self, answer: int) -> Array:
        """Of each report, for a person with this answer; shape (categories,)."""
        (known,) = whole_answers([answer], self.categories)
        chances = np.full(self.categories, self.other_probability)
        chances[known] = self.truth_probability
        return chances

    def tally(self, reports: npt.ArrayLike) -> Array:
        """The share of each category among the reports; shape (categories,)."""
        return shares_of(reports, self.categories)

    def estimate(self, reported_shares: Numbers) -> Numbers:
        """True shares from reported ones, each by itself; without bias, and outside [0, 1] at times.

        Raises InvalidParameterError at epsilon 0, where reports say nothing.
        """
        return self._rates.estimate(reported_shares)

    def variance(self, share: Numbers, people: int) -> Numbers:
        """Over the coins alone; for yes and no the same for every share: g (1 - g) / (people (2 g - 1)^2).

        Here g is the truth probability. Source: Wang, Blocki, Li, Jha 2017, section 4.1.
        """
        return self._rates.variance(share, people)

    def variance_with_sampling(self, share: Numbers, people: int) -> Numbers:
        """Over people drawn at random and coins. Source: Warner 1965."""
        return self._rates.variance_with_sampling(share, people)

    def interval(self, reports: int, people: int, confidence: float) -> tuple[float, float]:
        """Exact (Clopper and Pearson 1934): covers the share of the sampled population at least so often."""
        return self._rates.interval(reports, people, confidence)

    def people_needed(self, standard_error: float, share: float = 0.5) -> int:
        """The least number of people whose estimate has at most this standard error, people and coins together."""
        return self._rates.people_needed(standard_error, share)

    def simulate(self, answers: npt.ArrayLike, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """One report a person, for pictures only; the shape of the answers."""
        return reported_categories(
            whole_answers(answers, self.categories), self.categories, self.truth_probability, rng
        )

    @property
    def _rates(self) -> ReportRates:
        own, other = self.truth_probability, self.other_probability
        lies = math.exp(-float(np.logaddexp(0.0, self.log_odds - math.log(self.categories - 1))))
        apart = -math.expm1(-self.log_odds) * own if self.log_odds > 0.0 else math.expm1(self.log_odds) * other
        return ReportRates(
            kept=own, kept_missing=lies, false=other, false_missing=own + (self.categories - 2) * other, contrast=apart
        )


def _require_some_doubt(name: str, probability: float, *, least: float) -> None:
    """Refuse what would reveal everything."""
    require_between(name, probability, 0.0, 1.0)
    if not least <= probability < 1.0:
        rule = "above 0 and below 1: reports that are always true, or never, reveal everything"
        raise InvalidParameterError(name, probability, rule)


def _log_outward(ratio: Fraction) -> float:
    """ln of a ratio, four last digits further from 0, which is more than its roundings; near 1 without loss."""
    near_one = Fraction(1, 2) < ratio < 2
    logarithm = math.log1p(float(ratio - 1)) if near_one else math.log(float(ratio))
    return logarithm * (1.0 + 4.0 * _LAST_DIGIT)
