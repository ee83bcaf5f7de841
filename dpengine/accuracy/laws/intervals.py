"""Confidence intervals for an exact ratio, from what was released."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpengine.accuracy.laws.law import Array
from dpengine.accuracy.laws.ratio import Noise
from dpengine.accuracy.laws.remeasuring import RemeasuredNoise
from dpengine.accuracy.numerical.two_noises import exceedance
from dpengine.errors import require_between, require_finite, require_positive

_REACH = np.concatenate([np.linspace(0.02, 4.0, 200), np.geomspace(4.05, 1e8, 200)])
_SECTIONS = 32


def ratio_interval(
    numerator: float,
    denominator: float,
    numerator_law: Noise | RemeasuredNoise,
    denominator_law: Noise | RemeasuredNoise,
    *,
    numerator_step: float,
    denominator_step: float = 1.0,
    confidence: float,
) -> tuple[float, float]:
    """All ratios that the released sum and count do not contradict, in the unit of numerator / denominator.

    A ratio r stays in where P(|noise of the sum - r noise of the count| >= |numerator - r denominator|) is above
    1 - confidence, so it covers the exact ratio at least as often as the confidence says, and more often only by what
    one grid step of the sum weighs. Where the count may be 0 nothing can be excluded: (-inf, inf), which the
    caller clips to the public bounds. Source: Fieller 1954, with the noise's own law in the normal's place.
    """
    for name, number in (("numerator", numerator), ("denominator", denominator)):
        require_finite(name, number)
    require_positive("numerator_step", numerator_step)
    require_positive("denominator_step", denominator_step)
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    if denominator < denominator_step / 2 or _may_be_nothing(
        denominator / denominator_step, denominator_law, confidence
    ):
        return -math.inf, math.inf

    def stays(ratios: Array) -> Array:
        distance = np.abs(numerator - ratios * denominator) * (1.0 - 1e-12)
        slope = ratios * (denominator_step / numerator_step)
        chance = 2.0 * exceedance(numerator_law, denominator_law, intercept=distance / numerator_step, slope=slope)
        return np.asarray(chance > 1.0 - confidence)

    middle, of_sum = numerator / denominator, numerator_law.standard_deviation * numerator_step
    spread = math.hypot(of_sum, middle * denominator_law.standard_deviation * denominator_step)
    unit = max(spread / denominator, 1e-12 * abs(middle), 1e-300)
    return _edge(stays, middle, -unit), _edge(stays, middle, unit)


def _edge(stays: Callable[[Array], Array], middle: float, unit: float) -> float:
    """The outermost ratio on this side that stays in, rounded outward by 1e-9 of its distance; else infinite."""
    distances = np.concatenate([[0.0], _REACH])
    last = int(np.flatnonzero(np.append(True, stays(middle + unit * _REACH)))[-1])
    if last == len(_REACH):
        return math.copysign(math.inf, unit)
    low, high = distances[last], distances[last + 1]
    while high - low > 1e-9 * high:
        points = np.linspace(low, high, _SECTIONS + 1)
        last = int(np.flatnonzero(np.append(True, stays(middle + unit * points[1:-1])))[-1])
        low, high = points[last], points[last + 1]
    return float(middle + unit * high)


def _may_be_nothing(steps: float, law: Noise | RemeasuredNoise, confidence: float) -> bool:
    """Whether noise alone would reach so many steps too often to exclude that nothing is counted at all."""
    return law.tail(steps * (1.0 - 1e-12)) > 1.0 - confidence
