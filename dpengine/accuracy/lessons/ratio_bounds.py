"""What the union bound says of a noisy sum over a noisy count, beside the law of the answer that is released."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from dpengine.accuracy.laws.law import Array, Numbers, any_off
from dpengine.accuracy.laws.ratio import Noise, RatioError
from dpengine.errors import InvalidParameterError, require_whole
from dpengine.losses.arrays import like, numbers
from dpengine.mechanisms import DiscreteLaplaceMechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioBounds:
    """So many means or shares, each with Laplace noise in its sum and in its count; t counts scales of either noise.

    With u = ln coordinates + t, let both noises stay within u of their scales: then no error is above u (scale of the
    sum + |ratio| scale of the count) / (records - u scale of the count). Source: the union bound over all noises.
    """

    law: RatioError
    coordinates: int

    def __post_init__(self) -> None:
        require_whole("coordinates", self.coordinates)
        for noise in (self.law.numerator, self.law.denominator):
            _scale(noise)

    @property
    def sum_scale(self) -> float:
        """Of the noise in the sum, in the answer's unit."""
        return self.law.numerator_step * _scale(self.law.numerator)

    @property
    def count_scale(self) -> float:
        """Of the noise in the count."""
        return self.law.denominator_step * _scale(self.law.denominator)

    def error_at(self, t: Numbers) -> Numbers:
        """The error that none is above while every noise stays within its limit; at most what public bounds allow."""
        scales = self._scales(t)
        left = self.law.records - scales * self.count_scale
        moved = scales * (self.sum_scale + abs(self.law.ratio) * self.count_scale)
        found = np.where(left >= 1.0, moved / np.maximum(left, 1.0), self.law.farthest)
        return like(t, np.minimum(found, self.law.farthest))

    def tail_bound(self, t: Numbers) -> Numbers:
        """P(any error > error_at(t)) is at most this: the chances of all noises beyond their limits, added up."""
        scales = self._scales(t)
        either = sum(noise.tail(scales * _scale(noise)) for noise in (self.law.numerator, self.law.denominator))
        return like(t, np.minimum(self.coordinates * np.asarray(either), 1.0))

    def released_beyond(self, error: Numbers) -> Numbers:
        """P(any |error| > error) by the law of the released answers."""
        return any_off(self.law, error, self.coordinates)

    def _scales(self, t: Numbers) -> Array:
        return np.asarray(numbers("t", t, 0.0) + math.log(self.coordinates))


def has_ratio_bounds(law: object) -> TypeGuard[RatioError]:
    """Whether it is the law of a noisy sum over a noisy count, both with Laplace noise."""
    return isinstance(law, RatioError) and all(
        isinstance(noise, DiscreteLaplaceMechanism) for noise in (law.numerator, law.denominator)
    )


def _scale(noise: Noise) -> float:
    """That of Laplace noise, in its grid steps; raises InvalidParameterError for any other noise."""
    if not isinstance(noise, DiscreteLaplaceMechanism):
        raise InvalidParameterError("law", noise, "that of a sum over a count, both with Laplace noise")
    return noise.scale
