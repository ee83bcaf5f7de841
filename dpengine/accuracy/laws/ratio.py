"""The error of a noisy sum over a noisy count: of a mean or of a share whose number of records is private."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpengine.accuracy.laws.law import Array, Numbers
from dpengine.accuracy.numerical import tails
from dpengine.accuracy.numerical.two_noises import exceedance
from dpengine.errors import InvalidParameterError, require_finite, require_non_negative, require_positive
from dpengine.losses.arrays import like, numbers
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism, GaussianMechanism

Noise = DiscreteLaplaceMechanism | DiscreteGaussianMechanism | GaussianMechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioError:
    """Error of (sum + noise) / max(count + noise, 1), kept within public bounds, where the exact ratio is `ratio`.

    Exact in both noises, by conditioning on the count's: no linearization. Tails are at most those of a sum whose noise
    is one grid step larger. `lowest` and `highest` are the errors at the public bounds; steps are in the answer's unit.
    """

    numerator: Noise
    denominator: Noise
    numerator_step: float
    denominator_step: float = 1.0
    ratio: float
    records: float
    lowest: float
    highest: float

    def __post_init__(self) -> None:
        require_positive("numerator_step", self.numerator_step)
        require_positive("denominator_step", self.denominator_step)
        require_finite("ratio", self.ratio)
        require_non_negative("records", self.records)
        for name in ("lowest", "highest"):
            require_finite(name, getattr(self, name))
        if not self.lowest <= 0.0 <= self.highest:
            raise InvalidParameterError("answer", self.ratio, "within the public bounds of the answer")

    @property
    def grid_step(self) -> None:
        """Too dense to be drawn."""
        return

    @property
    def farthest(self) -> float:
        """The largest |error| that the public bounds allow."""
        return max(-self.lowest, self.highest)

    @property
    def mirrored(self) -> RatioError:
        """The law of the error with its sign turned: that of the sum, since both noises are symmetric."""
        return replace(self, ratio=-self.ratio, lowest=-self.highest, highest=-self.lowest)

    @property
    def rough_size(self) -> float:
        """Size of the error to first order in the noise, at most the width of the bounds; steers searches only."""
        first = self.numerator.standard_deviation * self.numerator_step
        second = self.ratio * self.denominator.standard_deviation * self.denominator_step
        unanswered = abs(self.ratio) if self.records < 1.0 else 0.0
        size = math.hypot(first, second) / max(self.records, 1.0) + unanswered
        return min(max(size, 1e-12 * self.numerator_step), max(self.highest - self.lowest, self.numerator_step))

    @property
    def standard_deviation(self) -> float:
        return tails.expected_largest(self.tail, 1, unit=self.rough_size, power=2)

    @property
    def expected_absolute_error(self) -> float:
        return self.expected_largest_error(1)

    def above(self, t: Numbers) -> Numbers:
        """P(error > t) for any t, negative ones too; 0 from the upper bound on."""
        return like(t, self._beyond(numbers("t", t)[None], np.ones(1))[0])

    def below(self, t: Numbers) -> Numbers:
        """P(error < -t) for any t: the law of the error with its sign turned is that of the sum's."""
        return like(t, self._beyond(numbers("t", t)[None], -np.ones(1))[0])

    def tail(self, t: Numbers) -> Numbers:
        """P(|error| > t)."""
        points = numbers("t", t)
        both = self._beyond(np.stack(2 * [np.maximum(points, 0.0)]), np.array([1.0, -1.0]))
        return like(t, np.where(points < 0.0, 1.0, np.minimum(both[0] + both[1], 1.0)))

    def _beyond(self, t: Array, side: Array) -> Array:
        """P(side * error > t) with a row of t for each side: both noises are symmetric."""
        shape, width = (len(side), *(t.ndim - 1) * [1]), self.highest - self.lowest
        upwards = np.broadcast_to(side.reshape(shape), t.shape).ravel()
        points = np.clip(t.ravel(), -width, width)
        found = exceedance(
            self.numerator,
            self.denominator,
            intercept=points / self.numerator_step * self.records,
            slope=(points + upwards * self.ratio) / self.numerator_step * self.denominator_step,
            floor=(1.0 - self.records) / self.denominator_step,
        )
        lowest = np.where(upwards > 0.0, self.lowest, -self.highest)
        highest = np.where(upwards > 0.0, self.highest, -self.lowest)
        bounded = np.where(points >= highest, 0.0, np.where(points < lowest, 1.0, found))
        return bounded.reshape(t.shape)

    def density(self, x: Numbers) -> Numbers:
        """Probability per unit, averaged over a fiftieth of the typical error; the piles at the bounds left out."""
        width = self.rough_size / 50.0
        points = numbers("x", x)
        inside = (points > self.lowest) & (points < self.highest)
        left, right = (
            np.maximum(points - width / 2, self.lowest),
            np.minimum(points + width / 2, self.highest * (1 - 1e-12)),
        )
        fallen = np.asarray(self.above(left)) - np.asarray(self.above(right))
        return like(x, np.where(inside, np.maximum(fallen, 0.0) / np.where(inside, right - left, 1.0), 0.0))

    def quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Half-width at the confidence; never beyond the public bounds."""
        found = tails.half_width(self.tail, tails.level_of_one(confidence, coordinates), unit=self.rough_size)
        return min(found, self.farthest)

    def quantile_function(self, probability: Numbers) -> Numbers:
        """Signed error at a probability; for pictures."""
        wanted = tails.probabilities(probability)
        reach = min(40.0 * self.rough_size, self.farthest)
        found = tails.signed_quantiles(self.above, self.below, wanted, reach=reach, piles=(self.lowest, self.highest))
        return like(probability, np.clip(found, self.lowest, self.highest))

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest |error| of independent answers."""
        return tails.expected_largest(self.tail, coordinates, unit=self.rough_size)

    def likely_errors(self, count: int = 100) -> Array:
        """Equally likely errors."""
        return np.asarray(self.quantile_function(tails.midpoints(count)))
