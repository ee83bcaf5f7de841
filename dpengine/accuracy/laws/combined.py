"""Privacy noise and sampling error together: what a reader of the answer has to reckon with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpengine.accuracy.laws import convolution
from dpengine.accuracy.laws.law import Array, ErrorLaw, Numbers
from dpengine.accuracy.laws.noise import NoiseError
from dpengine.accuracy.laws.ratio import RatioError
from dpengine.accuracy.laws.sampling import SamplingError
from dpengine.accuracy.numerical import tails
from dpengine.errors import InvalidParameterError
from dpengine.losses.arrays import like, numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedError:
    """Noise and sampling error, which are independent: their laws are convolved, their intervals never added.

    1.96 combined standard errors cover 93.7 %, not 95 %, where Laplace noise outweighs the sample.
    """

    noise: NoiseError | RatioError
    sampling: SamplingError

    @property
    def grid_step(self) -> None:
        """Continuous, because the sampling error is."""
        return

    @property
    def standard_deviation(self) -> float:
        return math.hypot(self.noise.standard_deviation, self.sampling.standard_deviation)

    @property
    def expected_absolute_error(self) -> float:
        return self.expected_largest_error(1)

    def above(self, t: Numbers) -> Numbers:
        """P(error > t) for t >= 0."""
        return like(t, convolution.above(self.noise, self.sampling, _row(t)).reshape(np.shape(t)))

    def below(self, t: Numbers) -> Numbers:
        """P(error < -t) for t >= 0."""
        return like(t, convolution.below(self.noise, self.sampling, _row(t)).reshape(np.shape(t)))

    def tail(self, t: Numbers) -> Numbers:
        """P(|error| > t)."""
        inside = np.minimum(np.asarray(self.above(t)) + np.asarray(self.below(t)), 1.0)
        return like(t, np.where(np.asarray(t) < 0.0, 1.0, inside))

    def density(self, x: Numbers) -> Numbers:
        """Probability per unit, from differences of the tail a thousandth of the typical error apart."""
        points, width = numbers("x", x), self._width
        distance = np.abs(points)
        inner, outer = np.maximum(distance - width / 2, 0.0), distance + width / 2
        up = np.asarray(self.above(inner)) - np.asarray(self.above(outer))
        down = np.asarray(self.below(inner)) - np.asarray(self.below(outer))
        return like(x, np.maximum(np.where(points >= 0.0, up, down), 0.0) / (outer - inner))

    def quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Half-width at the confidence for all coordinates together, sampling errors correlated or not (Šidák 1967)."""
        return tails.half_width(self.tail, tails.level_of_one(confidence, coordinates), unit=self._unit)

    def quantile_function(self, probability: Numbers) -> Numbers:
        """Signed error at a probability; for pictures."""
        wanted = tails.probabilities(probability)
        return like(probability, tails.signed_quantiles(self.above, self.below, wanted, reach=40.0 * self._unit))

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest |error| of independent coordinates."""
        return tails.expected_largest(self.tail, coordinates, unit=self._unit)

    def likely_errors(self, count: int = 100) -> Array:
        """Equally likely errors."""
        return np.asarray(self.quantile_function(tails.midpoints(count)))

    @property
    def _unit(self) -> float:
        rough = self.noise.rough_size if isinstance(self.noise, RatioError) else self.noise.standard_deviation
        return math.hypot(rough, self.sampling.standard_deviation)

    @property
    def _width(self) -> float:
        """Over which differences are taken: whole cells where the law is a table."""
        if isinstance(self.noise, RatioError):
            return 8.0 * convolution.ratio_table(self.noise, self.sampling)[0]
        return self._unit / 1000.0


def combined_error(noise: ErrorLaw, sampling: ErrorLaw | None) -> ErrorLaw:
    """Both errors together; the noise alone where there is no sampling error to speak of.

    Raises InvalidParameterError for laws that are no privacy noise or no sampling error.
    """
    if sampling is None:
        return noise
    if not isinstance(noise, NoiseError | RatioError):
        raise InvalidParameterError("noise", noise, "the law of a privacy noise")
    if not isinstance(sampling, SamplingError):
        raise InvalidParameterError("sampling", sampling, "the law of a sampling error")
    return CombinedError(noise=noise, sampling=sampling)


def _row(t: Numbers) -> Array:
    return np.maximum(numbers("t", t).ravel(), 0.0)
