"""The error of a sum of several noisy numbers, each with noise of its own of the same kind: of a range of bins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, singledispatch

import numpy as np

from dpengine.accuracy.laws.law import Array
from dpengine.errors import require_positive, require_whole
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism

_FAR = 45.0
"""In standard deviations of the sum and in scales of one noise: together beyond both lies less than 1e-15."""
_NOTHING = 1e-13
"""Waves of which no more than this is left change no chance by as much."""
_HAIR = 1e-12
_TURNS = np.arange(-3.0, 4.0)
_COARSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedNoise:
    """The sum of `terms` independent noises of one mechanism, whose unit is `step` units of the answer.

    Tails are at most 1e-12 above the truth and never below it, by Fourier inversion on the grid.
    """

    mechanism: DiscreteLaplaceMechanism | DiscreteGaussianMechanism
    terms: int
    step: float = 1.0

    def __post_init__(self) -> None:
        require_whole("terms", self.terms)
        require_positive("step", self.step)

    @property
    def standard_deviation(self) -> float:
        """In the answer's unit."""
        return math.sqrt(self.terms) * self.mechanism.standard_deviation * self.step

    def tail(self, steps: int) -> float:
        """P(|error| > steps * step), for a whole number of steps."""
        if self.terms == 1 or steps < 0:
            return float(self.mechanism.tail(steps))
        size, waves, heights = _spectrum(self.mechanism, int(self.terms))
        if steps >= size // 2 - 1:
            return _HAIR
        half = np.sin(waves / 2.0)
        inside = (2 * steps + 1 + 2.0 * np.sum(heights * np.sin((steps + 0.5) * waves) / half)) / size
        return min(max(1.0 - float(inside), 0.0) + _HAIR, 1.0)

    def quantile(self, confidence: float) -> float:
        """Least error of the grid that is kept with this confidence, in the answer's unit."""
        if self.terms == 1:
            return float(self.mechanism.error_quantile(confidence)) * self.step
        low, high = -1, _spectrum(self.mechanism, int(self.terms))[0]
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.tail(middle) <= 1.0 - confidence else (middle, high)
        return high * self.step


@lru_cache(maxsize=64)
def _spectrum(mechanism: DiscreteLaplaceMechanism | DiscreteGaussianMechanism, terms: int) -> tuple[int, Array, Array]:
    """After how many grid steps the law repeats, and the waves with the heights that are left of the sum's law."""
    deviation = mechanism.standard_deviation
    reach = _FAR * (math.sqrt(terms) * deviation / 4.0 + mechanism.scale) + 2.0
    size = 2 ** math.ceil(math.log2(2.0 * reach))
    last, first = size // 2, 0
    while last - first > 1:
        middle = (first + last) // 2
        small = float(_wave(mechanism, np.array([2.0 * math.pi * middle / size]))[0]) ** terms < _NOTHING
        first, last = (first, middle) if small else (middle, last)
    waves = 2.0 * math.pi * np.arange(1, last + 1) / size
    heights = _wave(mechanism, waves) ** terms
    if last == size // 2:
        heights[-1] /= 2.0
    return size, waves, heights


@singledispatch
def _wave(mechanism: object, u: Array) -> Array:
    """E cos(u Z), the characteristic function of one noise Z, in grid steps."""
    raise TypeError(mechanism)


@_wave.register
def _(mechanism: DiscreteLaplaceMechanism, u: Array) -> Array:
    """(1 - q)^2 / ((1 - q)^2 + 4 q sin(u / 2)^2) with q = e^(-1 / scale)."""
    rest = -math.expm1(-1.0 / mechanism.scale)
    return np.asarray(rest**2 / (rest**2 + 4.0 * (1.0 - rest) * np.sin(u / 2.0) ** 2))


@_wave.register
def _(mechanism: DiscreteGaussianMechanism, u: Array) -> Array:
    """By its atoms where they are few; else by Poisson's summation: a row of normal curves, 2 pi apart."""
    if mechanism.scale < _COARSE:
        atoms = np.arange(-40.0, 41.0)
        weights = np.exp(-(atoms**2) / (2.0 * mechanism.scale**2))
        return np.asarray(np.cos(np.outer(u, atoms)) @ weights / weights.sum())
    turns = 2.0 * math.pi * _TURNS
    curves = np.exp(-(mechanism.scale**2) / 2.0 * (u[:, None] + turns) ** 2).sum(axis=1)
    return np.asarray(curves / np.exp(-(mechanism.scale**2) / 2.0 * turns**2).sum())
