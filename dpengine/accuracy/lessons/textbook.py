"""The course notes' bounds for Laplace noise, beside what they bound and beside the noise that is released."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from dpengine.accuracy.laws.law import Numbers, any_off
from dpengine.accuracy.laws.noise import NoiseError, in_steps
from dpengine.errors import InvalidParameterError, require_positive, require_whole
from dpengine.losses.arrays import like
from dpengine.mechanisms import DiscreteLaplaceMechanism, LaplaceMechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class TextbookBounds:
    """What the notes say about continuous Laplace noise of this scale on so many coordinates; t counts scales.

    Between two grid points the released noise may exceed the continuous law, by a factor 2 / (1 + e^(-step / scale)) at
    most: `released_beyond` tells the truth there. Source: Dwork and Roth 2014, Fact 3.7 and Theorem 3.8.
    """

    scale: float
    coordinates: int
    released: NoiseError

    def __post_init__(self) -> None:
        require_positive("scale", self.scale)
        require_whole("coordinates", self.coordinates)

    @property
    def continuous(self) -> LaplaceMechanism:
        """The noise that the notes speak of."""
        return LaplaceMechanism(scale=self.scale, l1_sensitivity=1.0)

    def error_at(self, t: Numbers) -> Numbers:
        """scale (ln coordinates + t): how far t reaches for the largest of all errors."""
        return like(t, self.scale * (math.log(self.coordinates) + np.asarray(t, dtype=np.float64)))

    def limit(self, t: Numbers) -> Numbers:
        """The first grid point from error_at(t) on: there the bounds hold for the released noise too.

        At k grid steps its tail 2 q^(k + 1) / (1 + q) is at most q^k = e^(-k step / scale).
        """
        return like(t, self.released.step * np.ceil(in_steps(np.asarray(self.error_at(t)), self.released.step)))

    def curve_beyond(self, error: Numbers) -> Numbers:
        """P(any |error| > error) for continuous noise, exactly."""
        return any_off(NoiseError(mechanism=self.continuous), error, self.coordinates)

    def released_beyond(self, error: Numbers) -> Numbers:
        """The same for the released noise, exactly."""
        return any_off(self.released, error, self.coordinates)

    def union_bound(self, error: Numbers) -> Numbers:
        """coordinates e^(-error / scale), at most 1: never below curve_beyond."""
        chances = np.asarray(self.continuous.tail(error))
        return like(error, np.minimum(self.coordinates * chances, 1.0))

    def tail_bound(self, t: Numbers) -> Numbers:
        """P(|noise| > t scale) <= e^-t; for continuous noise an equality."""
        return self.continuous.tail(like(t, np.asarray(t, dtype=np.float64) * self.scale))

    def released_tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t scale) of the released noise."""
        return self.released.tail(like(t, np.asarray(t, dtype=np.float64) * self.scale))

    @property
    def total_error(self) -> float:
        """Mean of all |errors| added up, for continuous noise: coordinates times scale."""
        return self.coordinates * self.continuous.expected_absolute_error

    @property
    def released_total_error(self) -> float:
        """The same for the released noise."""
        return self.coordinates * self.released.expected_absolute_error

    @property
    def largest_error_bound(self) -> float:
        """Mean of the largest error <= scale (ln coordinates + 1)."""
        return self.continuous.expected_largest_error_bound(self.coordinates)

    @property
    def largest_error(self) -> float:
        """The same for continuous noise, exactly: scale times the harmonic number of the coordinates."""
        return self.continuous.expected_largest_error(self.coordinates)

    @property
    def released_largest_error(self) -> float:
        """The same for the released noise, exactly."""
        return self.released.expected_largest_error(self.coordinates)

    def largest_tail_bound(self, t: Numbers) -> Numbers:
        """P(largest error > scale ln coordinates + t scale) <= e^-t."""
        return self.continuous.largest_error_tail_bound(like(t, np.maximum(t, 0.0)))


def has_textbook_bounds(law: object) -> TypeGuard[NoiseError]:
    """Whether the notes bound this error: that of one answer with Laplace noise."""
    return isinstance(law, NoiseError) and isinstance(law.mechanism, DiscreteLaplaceMechanism)


def textbook_bounds(noise: NoiseError, *, coordinates: int = 1) -> TextbookBounds:
    """The notes' bounds for an answer with discrete Laplace noise; InvalidParameterError for any other noise."""
    if not isinstance(noise.mechanism, DiscreteLaplaceMechanism):
        raise InvalidParameterError("mechanism", noise.mechanism, "Laplace: the notes bound no other noise")
    return TextbookBounds(scale=noise.mechanism.scale * noise.step, coordinates=coordinates, released=noise)
