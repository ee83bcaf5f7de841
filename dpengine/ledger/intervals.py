"""Where the exact answer lies, seen from the released numbers: each part's noise law, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from dpengine.accuracy import ratio_interval
from dpengine.data import Aggregate, FixedPointSum, SignedCount
from dpengine.errors import UnsupportedEventError
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.queries import Part, Reading

Bound = float | NDArray[np.float64]
Mechanism = DiscreteLaplaceMechanism | DiscreteGaussianMechanism


def half_width_of(part: Part, mechanism: Mechanism, *, confidence: float, simultaneous: bool) -> float:
    """The noise's quantile in the unit of the answer; discrete noise stays within it at least as often as said."""
    coordinates = part.coordinates if simultaneous else 1
    return float(mechanism.error_quantile(confidence, coordinates=coordinates)) * part.step


def of_one_part(reading: Reading, half_width: float) -> tuple[Bound, Bound]:
    """The reading plus and minus as much as the noise may be."""
    lower, upper = reading.values - half_width, reading.values + half_width
    return (float(lower[0]), float(upper[0])) if len(lower) == 1 else (lower, upper)


def of_ratio(readings: Sequence[Reading], mechanisms: Sequence[Mechanism], *, confidence: float) -> tuple[float, float]:
    """Middle plus sum over count, within the public bounds: a mean or a proportion with two noisy parts."""
    (total, count), (of_total, of_count) = readings, mechanisms
    middle, lowest, highest = _range(total.part.aggregate)
    lower, upper = ratio_interval(
        float(total.values[0]),
        float(count.values[0]),
        of_total,
        of_count,
        numerator_step=total.part.step,
        denominator_step=count.part.step,
        confidence=confidence,
    )
    return float(np.clip(middle + lower, lowest, highest)), float(np.clip(middle + upper, lowest, highest))


@singledispatch
def _range(aggregate: Aggregate) -> tuple[float, float, float]:
    """Middle, lowest and highest value of a ratio whose numerator is counted from the middle."""
    raise UnsupportedEventError(aggregate, "The interval of a ratio")


@_range.register
def _(aggregate: FixedPointSum) -> tuple[float, float, float]:
    grid = 2.0**-aggregate.fraction_bits
    return aggregate.center * grid, aggregate.lower * grid, aggregate.upper * grid


@_range.register
def _(aggregate: SignedCount) -> tuple[float, float, float]:
    return 0.5, 0.0, 1.0
