"""Where the exact answer lies, seen from the released numbers: each part's noise law, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpengine.accuracy import RemeasuredNoise, ratio_interval
from dpengine.accuracy.numerical.tails import level_of_one
from dpengine.accuracy.numerical.two_noises import OnGrid
from dpengine.errors import UnsupportedEventError
from dpengine.mechanisms import ReleasedMechanism
from dpengine.queries import AnyPart, Choice, Reading, largest_variance

Bound = float | NDArray[np.float64]
Additive = OnGrid | RemeasuredNoise
Noise = ReleasedMechanism | RemeasuredNoise
"""What lies between an exact part and the reading of it: one mechanism, or several combined."""


def half_width_of(part: AnyPart, mechanism: Noise, *, confidence: float, simultaneous: bool) -> float:
    """The noise's quantile in the unit of the answer; discrete noise stays within it at least as often as said.

    Of a choice: how many rows its score may be below the best one's, never below the truth.
    """
    coordinates = part.coordinates if simultaneous else 1
    if isinstance(mechanism, Additive):
        return float(mechanism.error_quantile(confidence, coordinates=coordinates)) * part.step
    candidates = len(part.values) if isinstance(part, Choice) else 1
    return mechanism.utility_bound(confidence, candidates) * part.step


def of_one_part(reading: Reading, half_width: float) -> tuple[Bound, Bound]:
    """The reading plus and minus as much as the noise may be."""
    lower, upper = reading.values - half_width, reading.values + half_width
    return (float(lower[0]), float(upper[0])) if len(lower) == 1 else (lower, upper)


def of_ratios(
    readings: Sequence[Reading],
    noises: Sequence[Noise],
    *,
    ends: tuple[float, float, float],
    confidence: float,
    simultaneous: bool,
    only: int | None = None,
) -> tuple[Bound, Bound]:
    """Middle plus sum over count, within the public bounds: a mean or a proportion with two noisy parts, or several.

    Several have a count each, or one for all: its noise is in every one, so that they are not independent, and each may
    fail only its part of what all may (union bound). `ends` are the least answer, the middle and the largest. With
    `only` that of one of several, as wide as it is among all of them.
    """
    total, count = readings
    counts = np.broadcast_to(count.values, total.values.shape)
    at_once = len(total.values) if simultaneous else 1
    level = level_of_one(confidence, at_once) if len(count.values) > 1 else (1.0 - confidence) / at_once
    wanted = range(len(total.values)) if only is None else (only,)
    lower, upper = np.array(
        [
            _of_ratio(
                float(total.values[cell]),
                float(counts[cell]),
                _Steps(ends=ends, sum=total.part.step, count=count.part.step),
                tuple(map(additive, noises)),
                confidence=1.0 - level,
            )
            for cell in wanted
        ]
    ).T
    return (float(lower[0]), float(upper[0])) if len(wanted) == 1 else (lower, upper)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """The units in which a ratio's parts count, and where it starts and ends."""

    ends: tuple[float, float, float]
    sum: float
    count: float


@lru_cache(maxsize=4096)
def _of_ratio(
    total: float, count: float, steps: _Steps, noises: tuple[Additive, ...], *, confidence: float
) -> tuple[float, float]:
    lowest, middle, highest = steps.ends
    lower, upper = ratio_interval(
        total,
        count,
        *noises,
        numerator_step=steps.sum,
        denominator_step=steps.count,
        confidence=confidence,
    )
    return float(np.clip(middle + lower, lowest, highest)), float(np.clip(middle + upper, lowest, highest))


def of_variance(readings: Sequence[Reading], mechanisms: Sequence[Noise], *, confidence: float) -> tuple[float, float]:
    """All variances that three intervals, which hold together at the confidence, allow: from the least to the largest.

    Wider than need be, because three noises are seldom at their worst at once.
    """
    level = 1.0 - level_of_one(confidence, len(readings))
    reach = [
        additive(mechanism).error_quantile(level) * reading.part.step
        for reading, mechanism in zip(readings, mechanisms, strict=True)
    ]
    squares, distances, count = (float(reading.values[0]) for reading in readings)
    fewest, most = max(count - reach[2], 1.0), max(count + reach[2], 1.0)
    nearest, farthest = max(abs(distances) - reach[1], 0.0), abs(distances) + reach[1]
    least, largest = max(squares - reach[0], 0.0), max(squares + reach[0], 0.0)
    highest = largest_variance(readings[1].part.aggregate)
    best = min(max(2.0 * nearest**2 / largest, fewest), most) if largest else fewest
    lower = min(least / number - (farthest / number) ** 2 for number in (fewest, most))
    upper = largest / best - (nearest / best) ** 2
    return min(max(lower, 0.0), highest), min(max(upper, 0.0), highest)


def additive(mechanism: Noise) -> Additive:
    """Noise that is added, of one answer or of several."""
    return mechanism if isinstance(mechanism, RemeasuredNoise) else adding(mechanism)


def adding(mechanism: Noise) -> OnGrid:
    """The noise of one answer; raises UnsupportedEventError for what chooses."""
    if not isinstance(mechanism, OnGrid):
        raise UnsupportedEventError(mechanism, "An interval of what was chosen")
    return mechanism
