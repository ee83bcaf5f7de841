"""The law of the privacy loss of one run: ln of how much likelier its output is with one person's data than without.

Under the table that is in use. Atoms, at most one continuous part, and what is certain to give the person away
(an infinite loss). All pairs here are symmetric: under the other table the loss has the law of minus this one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Protocol

import numpy as np
from scipy.special import expit, ndtr

from dpengine.errors import UnsupportedEventError
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
    require_event,
)

MOST_ATOMS = 1_000_000
_FARTHEST = 39.0
"""Standard deviations beyond which a normal density is 0 on this machine."""
_LARGEST = 1e300


class ContinuousPart(Protocol):
    """The part of a loss that has a density."""

    @property
    def lower(self) -> float:
        """Where the density begins."""

    @property
    def upper(self) -> float:
        """Where the density ends."""

    @property
    def mean(self) -> float:
        """Integral of loss times density."""

    def density(self, loss: Array) -> Array:
        """Probability per unit of loss."""

    def above(self, loss: Array) -> Array:
        """Integral of the density above a loss, with all its digits."""

    def below(self, loss: Array) -> Array:
        """Integral of the density below a loss, with all its digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExponentialPart:
    """A density in proportion to e^(loss / 2) between -upper and upper, where its logarithm is `log_height`.

    That of every two shifted Laplace laws.
    """

    log_height: float
    upper: float

    @property
    def lower(self) -> float:
        return -self.upper

    @property
    def mean(self) -> float:
        """The integral of loss e^(loss / 2) is (2 loss - 4) e^(loss / 2); a series where that cancels."""
        if self.upper < 1e-2:
            return math.exp(self.log_height - self.upper / 2.0) * self.upper**3 / 3.0
        at_lower = math.exp(-self.upper)
        return math.exp(self.log_height) * (2.0 * self.upper - 4.0 + (2.0 * self.upper + 4.0) * at_lower)

    def density(self, loss: Array) -> Array:
        inside = np.abs(loss) <= self.upper
        return np.where(inside, np.exp(self.log_height + (np.where(inside, loss, 0.0) - self.upper) / 2.0), 0.0)

    def above(self, loss: Array) -> Array:
        reach = self.upper - np.clip(loss, self.lower, self.upper)
        return np.asarray(-2.0 * math.exp(self.log_height) * np.expm1(-reach / 2.0))

    def below(self, loss: Array) -> Array:
        point = np.clip(loss, self.lower, self.upper)
        here = np.exp(self.log_height + (point - self.upper) / 2.0)
        return np.asarray(-2.0 * here * np.expm1((self.lower - point) / 2.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalPart:
    """The loss of Gaussian noise: normal with mean shift^2 / 2 and standard deviation shift."""

    shift: float

    @property
    def lower(self) -> float:
        return -math.inf

    @property
    def upper(self) -> float:
        return math.inf

    @property
    def mean(self) -> float:
        return self.shift * self.shift / 2.0

    def density(self, loss: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(-(self._standard(loss) ** 2) / 2.0) / self.shift / math.sqrt(2.0 * math.pi))

    def above(self, loss: Array) -> Array:
        return np.asarray(ndtr(-self._standard(loss)))

    def below(self, loss: Array) -> Array:
        return np.asarray(ndtr(self._standard(loss)))

    def _standard(self, loss: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.asarray(np.clip((loss - self.mean) / self.shift, -_LARGEST, _LARGEST))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LossDistribution:
    """Atoms at `losses` (increasing) with `probabilities`, a continuous part, and P(loss is infinite).

    An `endless` law has more atoms beyond the listed ones, too rare for this machine.
    """

    losses: Array = field(default_factory=lambda: np.zeros(0))
    probabilities: Array = field(default_factory=lambda: np.zeros(0))
    continuous: ContinuousPart | None = None
    infinite: float = 0.0
    endless: bool = False

    @property
    def mean(self) -> float:
        """The Kullback-Leibler divergence; infinite where a loss can be."""
        if self.infinite > 0.0:
            return math.inf
        return float(self.losses @ self.probabilities) + (self.continuous.mean if self.continuous else 0.0)

    @property
    def largest(self) -> float:
        """The largest possible loss: the epsilon that holds at delta 0."""
        if self.infinite > 0.0 or self.endless:
            return math.inf
        ends = [float(self.losses[-1])] if self.losses.size else []
        return max([*ends, self.continuous.upper] if self.continuous else ends)

    def density(self, loss: Numbers) -> Numbers:
        """Of the continuous part alone; an integral over it misses the atoms."""
        points = numbers("loss", loss)
        return like(loss, self.continuous.density(points) if self.continuous else np.zeros(points.shape))

    def exceedance(self, loss: Numbers) -> Numbers:
        """P(L > loss), infinite losses included; keeps its digits where it is small."""
        points = numbers("loss", loss)
        sums = np.append(np.cumsum(self.probabilities[::-1])[::-1], 0.0)
        over = sums[np.searchsorted(self.losses, points, side="right")] + self.infinite
        return like(loss, np.minimum(over + (self.continuous.above(points) if self.continuous else 0.0), 1.0))

    def cumulative(self, loss: Numbers) -> Numbers:
        """P(L <= loss); keeps its digits where it is small."""
        points = numbers("loss", loss)
        sums = np.append(0.0, np.cumsum(self.probabilities))
        under = sums[np.searchsorted(self.losses, points, side="right")]
        return like(loss, np.minimum(under + (self.continuous.below(points) if self.continuous else 0.0), 1.0))


@singledispatch
def loss_distribution(event: Event) -> LossDistribution:
    """The law of one run's privacy loss. Raises UnsupportedEventError where none is known."""
    require_event("event", event)
    raise UnsupportedEventError(event, "The privacy-loss distribution")


@loss_distribution.register
def _laplace(event: LaplaceEvent) -> LossDistribution:
    """Half the outputs lie beyond both centers on one side: atoms at both ends. Source: the ratio of the densities."""
    loss = min(1.0 / event.noise_multiplier, _LARGEST)
    return LossDistribution(
        losses=np.array([-loss, loss]),
        probabilities=np.array([0.5 * math.exp(-loss), 0.5]),
        continuous=ExponentialPart(log_height=-math.log(4.0), upper=loss),
    )


@loss_distribution.register
def _gaussian(event: GaussianEvent) -> LossDistribution:
    """Source: Balle and Wang 2018, Lemma 3."""
    return LossDistribution(continuous=NormalPart(shift=min(1.0 / event.noise_multiplier, 1e150)))


@loss_distribution.register
def _pure(event: PureEvent | RandomizedResponseEvent) -> LossDistribution:
    """Plus or minus epsilon: the worst case of all that is epsilon-private. Source: Kairouz, Oh, Viswanath 2015."""
    return _two_points(event.epsilon, 0.0)


@loss_distribution.register
def _approximate(event: ApproximateEvent) -> LossDistribution:
    """The same, and delta at infinity. Source: Kairouz, Oh, Viswanath 2015, section 3 (the dominating pair)."""
    return _two_points(event.epsilon, event.delta)


@loss_distribution.register
def _bounded_range(event: BoundedRangeEvent) -> LossDistribution:
    """The worst case over all pairs of the range: density e^(loss / 2) / (4 sinh(epsilon / 2)), and no atoms.

    Source: Dong, Durfee, Rogers 2020, through the profile (e^(epsilon/2) - e^(x/2))^2 / (e^epsilon - 1).
    """
    if event.epsilon == 0.0:
        return _two_points(0.0, 0.0)
    part = ExponentialPart(log_height=-math.log(-2.0 * math.expm1(-event.epsilon)), upper=event.epsilon)
    return LossDistribution(continuous=part)


@loss_distribution.register
def _discrete_laplace(event: DiscreteLaplaceEvent) -> LossDistribution:
    """Losses lie 2 / scale apart, from one end to the other; refused beyond a million atoms.

    Source: the ratio of two shifted geometric laws.
    """
    _require_listable(event, event.sensitivity + 1.0)
    loss = min(1.0 / event.noise_multiplier, _LARGEST)
    step = loss / event.sensitivity
    place = np.arange(event.sensitivity, -1.0, -1.0)
    weights = math.tanh(step / 2.0) * np.exp(-place * step)
    weights[0], weights[-1] = math.exp(-loss) / (1.0 + math.exp(-step)), 1.0 / (1.0 + math.exp(-step))
    return LossDistribution(losses=loss * (1.0 - 2.0 * place / event.sensitivity), probabilities=weights)


@loss_distribution.register
def _discrete_gaussian(event: DiscreteGaussianEvent) -> LossDistribution:
    """At noise z the loss is (sensitivity^2 - 2 z sensitivity) / (2 variance); refused beyond a million atoms.

    Source: Canonne, Kamath, Steinke 2020, Theorem 7.
    """
    scale = event.noise_multiplier * event.sensitivity
    reach = math.ceil(min(_FARTHEST * scale, _LARGEST)) + 1
    _require_listable(event, 2.0 * reach + 1.0)
    noise = np.arange(reach, -reach - 1.0, -1.0)
    with np.errstate(over="ignore"):
        weights = np.exp(-((noise / scale) ** 2) / 2.0)
        shift = min(1.0 / event.noise_multiplier, 1e150)
        losses = shift * (0.5 * shift - noise / scale)
    kept = (weights > 0.0) & np.isfinite(losses)
    probabilities = (weights / np.sum(weights))[kept]
    return LossDistribution(losses=losses[kept], probabilities=probabilities, endless=True)


@loss_distribution.register
def _truncated_laplace(event: TruncatedLaplaceEvent) -> LossDistribution:
    """Outputs that only one of the two tables can give have an infinite loss.

    Source: Geng, Ding, Guo, Kumar 2020, and the ratio of the densities where both are positive.
    """
    loss, reach = 1.0 / event.noise_multiplier, event.truncation / event.noise_multiplier
    whole = -2.0 * math.expm1(-reach)
    if event.truncation >= 1.0:
        one_sided = -math.exp(loss - reach) * math.expm1(-loss) / whole
        upper_atom = -math.expm1(loss - reach) / whole
        lower_atom = -math.exp(-loss) * math.expm1(loss - reach) / whole
        part = ExponentialPart(log_height=-math.log(2.0 * whole), upper=loss)
        atoms = np.array([lower_atom, upper_atom])
        return LossDistribution(
            losses=np.array([-loss, loss]), probabilities=atoms, continuous=part, infinite=one_sided
        )
    overlap = 2.0 * reach - loss
    if overlap <= 0.0:
        return LossDistribution(infinite=1.0)
    part = ExponentialPart(log_height=(overlap - loss) / 2.0 - math.log(2.0 * whole), upper=overlap)
    return LossDistribution(continuous=part, infinite=1.0 - float(part.above(np.asarray(-overlap))))


def _two_points(epsilon: float, delta: float) -> LossDistribution:
    losses, ends = np.array([-epsilon, epsilon]), expit(np.array([-epsilon, epsilon]))
    if epsilon == 0.0:
        losses, ends = np.zeros(1), np.ones(1)
    return LossDistribution(losses=losses, probabilities=(1.0 - delta) * ends, infinite=delta)


def _require_listable(event: Event, atoms: float) -> None:
    if atoms > MOST_ATOMS:
        raise UnsupportedEventError(event, f"A list of at most {MOST_ATOMS:,} possible losses")
