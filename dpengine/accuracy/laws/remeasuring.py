"""The noise of several answers to one question, combined with weights: the law of the sum, never its variance alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import scipy.fft

from dpengine.accuracy.laws.law import Array, Numbers
from dpengine.accuracy.numerical.tails import level_of_one
from dpengine.accuracy.numerical.two_noises import OnGrid, exceedance
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses.arrays import like, numbers
from dpengine.mechanisms.released import noise_kind

FINENESS = 500.0
"""Rounding the noises to a lattice moves their sum by at most the FINENESS-th part of its standard deviation."""
MOST_CELLS = 2**23
"""Of all different noises together; from some dozens on, the lattice is coarser for it."""
_BEYOND = math.log(2e14)
"""The lattice reaches to where the sum is farther out less than once in 1e14 releases."""
_ROUND_OFF = 1e-15
_LEAST_VARIANCE = 1e-280
_CELLS, _RARE = 300, 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class RemeasuredNoise:
    """The sum of independent symmetric noises, each times its weight; lengths in grid steps of the answer.

    Weights add up to 1. Tails and quantiles are never below the truth: of fewer than thirty different noises a tail is
    at most that of a sum 0.004 of its standard deviation larger, and exact, but for 1e-10, where all noises are alike.
    """

    noises: tuple[OnGrid, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.noises or len(self.noises) != len(self.weights):
            raise InvalidParameterError("noises", self.noises, "at least one, with a weight each")
        if min(self.weights) < 0.0 or not math.isclose(math.fsum(self.weights), 1.0, rel_tol=1e-9):
            raise InvalidParameterError("weights", self.weights, "0 or more, 1 in total")

    @property
    def standard_deviation(self) -> float:
        """Exact: variances add."""
        squares = (
            (noise.standard_deviation * weight) ** 2 for noise, weight in zip(self.noises, self.weights, strict=True)
        )
        return math.sqrt(math.fsum(squares))

    def tail(self, t: Numbers) -> Numbers:
        """P(|sum| > t); a t within rounding of a place of the lattice is that place."""
        distance = numbers("t", t)
        lattice = _lattice(self)
        place = np.floor(np.maximum(distance - lattice.slack, -1.0) / lattice.step + 1e-9)
        inside = 2.0 * lattice.above(place)
        return like(t, np.where(distance < lattice.slack, 1.0, np.minimum(inside, _chernoff(self, distance))))

    def above(self, t: Array) -> Array:
        """P(sum > t), where a sum within rounding of t counts as beyond it; t may be negative."""
        lattice = _lattice(self)
        return lattice.above(np.floor((t - lattice.slack) / lattice.step - 1e-9))

    def gathered(self) -> tuple[Array, Array, Array, float]:
        """Some hundred places, how far the sum may lie from each, how likely it is there, and how likely elsewhere."""
        return _gathered(self)

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Least length t with P(every |sum| <= t) >= confidence."""
        level, lattice = level_of_one(confidence, coordinates), _lattice(self)
        fits = 2.0 * lattice.exceeded[lattice.middle :] <= level
        if fits.any():
            return float(int(np.argmax(fits)) * lattice.step + lattice.slack)
        return _reach(self, math.log(2.0 / level))


def remeasured(noises: Sequence[OnGrid]) -> OnGrid | RemeasuredNoise:
    """The noise of independent answers weighted by inverse variance, which is the least varied of all weightings.

    One answer keeps its own noise. Source: Aitken 1935 (weighted least squares).
    """
    return noises[0] if len(noises) == 1 else averaged(noises)


def averaged(noises: Sequence[OnGrid]) -> RemeasuredNoise:
    """The same as a law with weights, of a single answer too."""
    return RemeasuredNoise(noises=tuple(noises), weights=inverse_variance_weights(noises))


def narrowest(noises: Sequence[OnGrid], *, confidence: float, coordinates: int = 1) -> RemeasuredNoise:
    """The noise of several answers weighted by inverse variance, or of one alone where that stays within less.

    It can where noise comes in whole steps: at epsilon 2 a count is within 1, but averaged with one at epsilon 1 within
    1.17. The weights follow from the laws alone, never from what was drawn, so an interval covers as often as it says.
    """
    together, places = averaged(noises), range(len(noises))
    best = min(places, key=lambda i: (noises[i].error_quantile(confidence, coordinates), -together.weights[i]))
    alone = replace(together, weights=tuple(float(i == best) for i in places))
    return min(together, alone, key=lambda law: law.error_quantile(confidence, coordinates))


def inverse_variance_weights(noises: Sequence[OnGrid]) -> tuple[float, ...]:
    """The share of each answer in the combined one."""
    least = max(min(noise.standard_deviation for noise in noises) ** 2, _LEAST_VARIANCE)
    shares = [least / max(noise.standard_deviation**2, _LEAST_VARIANCE) for noise in noises]
    total = math.fsum(shares)
    return tuple(share / total for share in shares)


@exceedance.register
def _(
    numerator: RemeasuredNoise,
    denominator: RemeasuredNoise,
    *,
    intercept: Array,
    slope: Array,
    floor: float = -math.inf,
) -> Array:
    """Above the truth by no more than if the numerator were larger by 0.004 of its standard deviation.

    And, where the line is not level, by another 0.01 of what the denominator contributes.
    """
    if not isinstance(denominator, RemeasuredNoise):
        raise UnsupportedEventError(denominator, where="The error of a ratio of combined answers")
    places, radii, masses, elsewhere = denominator.gathered()
    steep = slope[:, None]
    nearest = np.maximum(places - np.sign(steep) * radii, floor)
    found = numerator.above(intercept[:, None] + steep * nearest) @ masses + elsewhere
    return np.asarray(np.minimum(found, 1.0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lattice:
    """The rounded sum at whole steps from -middle to middle: exceeded[middle + i] bounds P(rounded sum > i step).

    The sum itself lies within `slack` of the rounded one.
    """

    step: float
    slack: float
    masses: Array
    exceeded: Array

    @property
    def middle(self) -> int:
        return len(self.exceeded) // 2

    def above(self, place: Array) -> Array:
        """P(rounded sum > place)."""
        index = np.clip(place + self.middle, -1.0, len(self.exceeded) - 1.0).astype(np.int64)
        return np.where(index < 0, 1.0, self.exceeded[index])


@lru_cache(maxsize=32)
def _lattice(law: RemeasuredNoise) -> _Lattice:
    """Each noise rounded to the nearest place, their transforms multiplied; what is lost is added to every tail."""
    groups = _groups(law)
    reach = _reach(law, _BEYOND)
    step = _step(law, reach)
    slack = 0.5 * step * sum(count for (_, weight), count in groups.items() if not _on_places(weight, step))
    slack *= 1.0 + 1e-9
    last = scipy.fft.next_fast_len(math.ceil((reach + slack) / step) + 2, real=True)
    product, lost = np.ones(last + 1), float(_chernoff(law, np.asarray(last * step - slack)))
    for (noise, weight), count in groups.items():
        masses, beyond = _rounded(noise, step / weight, last)
        product *= scipy.fft.dct(masses, type=1) ** count
        lost += count * beyond
    masses = np.maximum(scipy.fft.idct(product, type=1), 0.0)
    lost += _ROUND_OFF * len(law.noises) * math.sqrt(last) * math.log2(last + 2.0)
    return _Lattice(step=step, slack=slack, masses=masses, exceeded=_exceeded(masses, lost))


def _groups(law: RemeasuredNoise) -> Counter[tuple[OnGrid, float]]:
    """How often each noise occurs with each weight; those without any weight left out."""
    return Counter(pair for pair in zip(law.noises, law.weights, strict=True) if pair[1] > 0.0)


def _step(law: RemeasuredNoise, reach: float) -> float:
    """A step that the largest weight is a multiple of where it can be; that weight itself where all are alike."""
    largest = max(law.weights)
    alike = all(weight in (0.0, largest) for weight in law.weights)
    if alike and reach / largest < MOST_CELLS / 64:
        return largest
    wanted = 2.0 * max(law.standard_deviation, largest / FINENESS) / FINENESS / len(law.noises)
    wanted = max(wanted, reach * len(_groups(law)) / MOST_CELLS)
    return largest / math.floor(largest / wanted) if largest >= wanted else wanted


def _on_places(weight: float, step: float) -> bool:
    return round(weight / step) >= 1 and abs(weight / step - round(weight / step)) <= 1e-12 * weight / step


def _rounded(noise: OnGrid, width: float, last: int) -> tuple[Array, float]:
    """How likely the noise is nearest to 0, 1, ... times `width`, on one side, and how likely it is beyond."""
    tails = np.asarray(noise.tail((np.arange(float(last)) + 0.5) * width))
    masses = np.concatenate([[1.0 - tails[0]], -np.diff(tails) / 2.0, [0.0]])
    return masses, float(tails[-1])


def _exceeded(masses: Array, lost: float) -> Array:
    """The weight above each place, from the masses at 0, 1, 2, ..., which lie as much below 0."""
    from_here = np.cumsum(masses[::-1])[::-1]
    found = np.concatenate([1.0 - from_here[:0:-1], np.append(from_here[1:], 0.0)]) + lost
    found.flags.writeable = False
    return found


def _chernoff(law: RemeasuredNoise, t: Array) -> Array:
    """A bound on P(|sum| > t) that needs no lattice."""
    rates, logs = _moments(law)
    return np.asarray(np.minimum(2.0 * np.exp(np.min(logs - rates * t[..., None], axis=-1)), 1.0))


def _reach(law: RemeasuredNoise, rarity: float) -> float:
    """A length that |sum| exceeds with a probability of at most 2 e^-rarity. Source: Chernoff 1952."""
    rates, logs = _moments(law)
    return float(np.min((logs + rarity) / rates))


@lru_cache(maxsize=32)
def _moments(law: RemeasuredNoise) -> tuple[Array, Array]:
    """Rates below the largest at which E e^(rate sum) is finite, and the logarithms of these means, or bounds."""
    groups = _groups(law)
    slowest = min(noise_kind(noise).highest_rate(noise) / weight for noise, weight in groups)
    rates = np.geomspace(1e-3, 30.0, 200) / max(law.standard_deviation, max(law.weights) / FINENESS)
    if math.isfinite(slowest):
        rates = np.append(rates[rates < 0.5 * slowest], slowest * (1.0 - np.geomspace(0.5, 1e-4, 100)))
    logs = np.zeros(len(rates))
    for (noise, weight), count in groups.items():
        logs += count * noise_kind(noise).log_moment(noise, rates * weight)
    return rates, logs


@lru_cache(maxsize=32)
def _gathered(law: RemeasuredNoise) -> tuple[Array, Array, Array, float]:
    """The lattice in at most some hundred cells a side, which widen with their distance from 0."""
    lattice = _lattice(law)
    upper = lattice.exceeded[lattice.middle :]
    kept = int(np.argmax(upper <= _RARE + upper[-1])) + 1
    size = max(law.standard_deviation / lattice.step, 1e-9)
    spread = np.arcsinh(np.arange(kept) / size)
    cell = np.floor(spread * (_CELLS / max(float(spread[-1]), 1e-300)))
    first = np.flatnonzero(np.diff(cell, prepend=-1.0))
    ends = np.append(first[1:], kept) - 1
    masses = np.add.reduceat(lattice.masses[:kept], first)
    masses[0] = masses[0] * 2.0 - lattice.masses[0]
    places, radii = (first + ends) / 2.0, (ends - first) / 2.0
    places[0], radii[0] = 0.0, float(ends[0])
    both = (places, radii * lattice.step + lattice.slack, masses)
    places, radii, masses = (np.concatenate([part[:0:-1], part]) for part in both)
    places[: len(first) - 1] *= -1.0
    return places * lattice.step, radii, masses, 2.0 * float(upper[kept - 1])
