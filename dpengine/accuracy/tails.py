"""From the tail of an error to half-widths, expectations and signed quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpengine.errors import require_between, require_whole
from dpengine.losses.arrays import Array

Tail = Callable[[Array], Array]

SMALLEST_TAIL = 1e-12
_SECTIONS = 16
_LADDER = 2.0 ** np.arange(-30.0, 34.0)
_PANELS = np.concatenate([[0.0], 2.0 ** np.arange(-7.0, 1.0)])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)


def level_of_one(confidence: float, coordinates: int = 1) -> float:
    """How often one of so many independent coordinates may fail, so that all hold with the confidence.

    1 - confidence^(1 / coordinates), without loss near 0. Source: Šidák 1967, which covers correlated normal
    errors and their scale mixtures too.
    """
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    require_whole("coordinates", coordinates)
    return 1.0 - confidence if coordinates == 1 else -math.expm1(math.log(confidence) / coordinates)


def half_width(tail: Tail, level: float, *, unit: float) -> float:
    """Least t with tail(t) <= level: never below it, at most 1e-9 of itself above; `unit` is a rough size of t."""
    ladder = np.concatenate([[0.0], unit * _LADDER])
    fits = tail(ladder) <= level
    if fits[0] or not fits.any():
        return 0.0 if fits[0] else math.inf
    first = int(np.argmax(fits))
    low, high = ladder[first - 1], ladder[first]
    while high - low > 1e-9 * high and high > unit * 1e-9:
        points = np.linspace(low, high, _SECTIONS + 1)
        first = max(int(np.argmax(np.append(tail(points[1:-1]) <= level, True))) + 1, 1)
        low, high = points[first - 1], points[first]
    return float(high)


def expected_largest(tail: Tail, coordinates: int, *, unit: float, power: int = 1) -> float:
    """Mean of (the largest of independent |errors|)^power, the integral of power t^(power - 1) P(largest > t).

    Gauss-Legendre on panels that double: right to 1e-8 for smooth tails, to a few thousandths for stepped ones. What
    lies beyond a tail of 1e-12 is left out.
    """
    require_whole("coordinates", coordinates)
    end = half_width(tail, SMALLEST_TAIL, unit=unit)
    left, width = end * _PANELS[:-1, None], end * np.diff(_PANELS)[:, None]
    points = (left + width * (1.0 + _NODES) / 2.0).ravel()
    weights = (width * _WEIGHTS / 2.0).ravel()
    probabilities = np.minimum(tail(points), 1.0)
    with np.errstate(divide="ignore"):
        exceeded = -np.expm1(coordinates * np.log1p(-probabilities))
    return float(np.sum(weights * power * points ** (power - 1) * exceeded))


def signed_quantiles(above: Tail, below: Tail, probability: Array, *, unit: float) -> Array:
    """Errors at these probabilities, between 512 points on either side; right to 1 % of `unit`; for pictures."""
    grid = np.sinh(np.linspace(0.0, 6.0, 512)) / np.sinh(6.0) * 40.0 * unit
    up, down = above(grid), below(grid)
    errors = np.concatenate([-grid[::-1], grid[1:]])
    distribution = np.maximum.accumulate(np.concatenate([down[::-1], 1.0 - up[1:]]))
    distribution[len(grid) - 1] = (down[0] + 1.0 - up[0]) / 2.0
    return np.asarray(np.interp(probability, np.maximum.accumulate(distribution), errors))


def midpoints(count: int) -> Array:
    """The probabilities (i + 1/2) / count."""
    require_whole("count", count)
    return (np.arange(count) + 0.5) / count
