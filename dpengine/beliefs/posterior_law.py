"""What an attacker comes to believe, as a random quantity: the law of the posterior over the answers of one run.

A belief is the prior's log-odds plus the privacy loss of the answer. If the person is in, the loss has its own law; if
not, it has the law of minus the loss, because all pairs here are symmetric.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from dpengine.errors import require_between
from dpengine.losses import LossDistribution, loss_distribution
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.losses.distributions import ContinuousPart
from dpengine.privacy import Event, require_event

_LARGEST, _LARGEST_LOG, _HALVINGS = 1e300, 691.0, 110
_NEGLIGIBLE, _LOGISTIC_REACH, _NODES = 1e-20, 45.0, 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeliefDistribution:
    """The law of the posterior when the person is in with probability `presence`: 1, 0, or the prior itself."""

    prior: float
    presence: float
    losses: LossDistribution

    def exceedance(self, belief: Numbers) -> Numbers:
        """P(posterior > belief), for beliefs in [0, 1]."""
        beliefs = numbers("belief", belief, 0.0, 1.0)
        return like(belief, np.where(beliefs < 1.0, self._beyond(self._gain(beliefs)), 0.0))

    def cumulative(self, belief: Numbers) -> Numbers:
        """P(posterior <= belief), for beliefs in [0, 1]; keeps its digits where it is small."""
        beliefs = numbers("belief", belief, 0.0, 1.0)
        return like(belief, np.where(beliefs < 1.0, self._up_to(self._gain(beliefs)), 1.0))

    def quantile(self, confidence: float) -> float:
        """The least belief that the posterior does not exceed with at least this probability."""
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        gain = _least_point(lambda point: float(self._up_to(np.asarray(point))), confidence)
        return float(expit(logit(self.prior) + gain))

    @property
    def mean(self) -> float:
        """The expected posterior; over both worlds it is the prior, whatever the mechanism. Right to 10 digits."""
        doubt = _expected_doubt(self.losses, float(logit(self.prior)))
        when_out = self.prior * doubt / (1.0 - self.prior)
        return self.presence * (1.0 - doubt) + (1.0 - self.presence) * when_out

    def _gain(self, beliefs: Array) -> Array:
        """How far the log-odds must have moved."""
        return np.clip(logit(beliefs) - logit(self.prior), -_LARGEST, _LARGEST)

    def _beyond(self, gain: Array) -> Array:
        when_out = self.losses.cumulative(np.nextafter(-gain, -np.inf))
        return np.asarray(self.presence * self.losses.exceedance(gain) + (1.0 - self.presence) * when_out)

    def _up_to(self, gain: Array) -> Array:
        when_out = self.losses.exceedance(np.nextafter(-gain, -np.inf))
        return np.asarray(self.presence * self.losses.cumulative(gain) + (1.0 - self.presence) * when_out)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PosteriorLaw:
    """The law of the posterior for one prior: when the person is in, when not, and over both, weighed by the prior."""

    prior: float
    losses: LossDistribution

    def __post_init__(self) -> None:
        require_between("prior", self.prior, 0.0, 1.0, open_at="both")

    @property
    def when_in(self) -> BeliefDistribution:
        return BeliefDistribution(prior=self.prior, presence=1.0, losses=self.losses)

    @property
    def when_out(self) -> BeliefDistribution:
        return BeliefDistribution(prior=self.prior, presence=0.0, losses=self.losses)

    @property
    def overall(self) -> BeliefDistribution:
        return BeliefDistribution(prior=self.prior, presence=self.prior, losses=self.losses)


def posterior_law(event: Event, *, prior: float) -> PosteriorLaw:
    """The law of the belief in "their data was used" over the answers of one run of a named mechanism.

    For two worlds as far apart as neighbors can be. For a mere guarantee, or a bounded range of losses, it is the law
    of its worst pair of worlds and no bound on every mechanism that keeps it: another one may often move beliefs a
    little, where the worst one moves them less often but as far as allowed. posterior_bounds and
    likely_posterior_bounds hold for all of them. Raises UnsupportedEventError where the law of the loss is not known.
    Source: Bayes' rule.
    """
    require_event("event", event)
    return PosteriorLaw(prior=prior, losses=loss_distribution(event))


def _expected_doubt(losses: LossDistribution, log_odds: float) -> float:
    """Mean of 1 - posterior when the person is in; an infinite loss leaves none."""
    doubt = float(losses.probabilities @ expit(-log_odds - losses.losses))
    return doubt + (_continuous_doubt(losses.continuous, log_odds) if losses.continuous else 0.0)


def _continuous_doubt(part: ContinuousPart, log_odds: float) -> float:
    """Integral of density times doubt, by Gauss-Legendre on panels short for both."""
    lower = max(part.lower, _least_point(lambda point: float(part.below(np.asarray(point))), _NEGLIGIBLE))
    upper = min(part.upper, -_least_point(lambda point: float(part.above(np.asarray(-point))), _NEGLIGIBLE))
    if lower >= upper:
        return float(part.above(np.asarray(part.lower))) * float(expit(-log_odds - upper))
    turn = -log_odds + np.linspace(-_LOGISTIC_REACH, _LOGISTIC_REACH, 91)
    ends = np.unique(np.concatenate([np.linspace(lower, upper, 61), np.clip(turn, lower, upper)]))
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    width = np.diff(ends)[:, None]
    points = ends[:-1, None] + width * (nodes + 1.0) / 2.0
    return float(np.sum(part.density(points) * expit(-log_odds - points) * width * weights / 2.0))


def _least_point(cumulative: Callable[[float], float], share: float) -> float:
    """Least point at which a cumulative probability reaches the share, to the last digits; infinite beyond 1e300."""
    low, high = -_LARGEST_LOG, _LARGEST_LOG
    if cumulative(math.sinh(high)) < share:
        return math.inf
    if cumulative(math.sinh(low)) >= share:
        return -math.inf
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        low, high = (middle, high) if cumulative(math.sinh(middle)) < share else (low, middle)
    return math.sinh(high)
