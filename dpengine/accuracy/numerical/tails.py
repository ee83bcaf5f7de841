"""From the tail of an error to half-widths, expectations and signed quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.losses.arrays import Array, numbers

Tail = Callable[[Array], Array]

SMALLEST_TAIL = 1e-12
_SECTIONS = 64
_FARTHEST = 1e307
_LADDER = 2.0 ** np.arange(-30.0, 34.0)
_PANELS = np.concatenate([[0.0], 2.0 ** np.arange(-7.0, 1.0)])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


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
    low, high = _bracket(tail, level, unit)
    if math.isinf(high):
        return high
    while high - low > 1e-9 * high and high > unit * 1e-9:
        points = np.linspace(low, high, _SECTIONS + 1)
        first = max(int(np.argmax(np.append(tail(points[1:-1]) <= level, True))) + 1, 1)
        low, high = points[first - 1], points[first]
    return float(high)


def _bracket(tail: Tail, level: float, unit: float) -> tuple[float, float]:
    """Two lengths, the larger at most twice the smaller, between which the tail falls to the level; (0, 0) if at 0."""
    with np.errstate(over="ignore"):
        ladder = np.minimum(np.concatenate([[0.0], unit * _LADDER]), _FARTHEST)
    fits = tail(ladder) <= level
    if not fits.any():
        return float(ladder[-1]), math.inf
    first = int(np.argmax(fits))
    return float(ladder[max(first - 1, 0)]), float(ladder[first])


def expected_largest(tail: Tail, coordinates: int, *, unit: float, power: int = 1) -> float:
    """Mean of the largest of independent |errors|; with power 2 the root of the mean of its square.

    The integral of power t^(power - 1) P(largest > t) by Gauss-Legendre on panels that double: right to 1e-8 for smooth
    tails, to a few thousandths for stepped ones. What lies beyond a tail of 1e-12 is left out.
    """
    require_whole("coordinates", coordinates)
    end = _bracket(tail, SMALLEST_TAIL, unit)[1]
    left, width = _PANELS[:-1, None], np.diff(_PANELS)[:, None]
    points = (left + width * (1.0 + _NODES) / 2.0).ravel()
    weights = (width * _WEIGHTS / 2.0).ravel()
    chances = np.minimum(tail(end * points), 1.0)
    with np.errstate(divide="ignore"):
        exceeded = -np.expm1(coordinates * np.log1p(-chances))
    return end * math.pow(np.sum(weights * power * points ** (power - 1) * exceeded), 1.0 / power)


def probabilities(values: npt.ArrayLike) -> Array:
    """Probabilities strictly between 0 and 1; certainty has no quantile and is refused."""
    found = numbers("probability", values, 0.0, 1.0)
    if not np.all((found > 0.0) & (found < 1.0)):
        raise InvalidParameterError("probability", values, "between 0 and 1, ends left out")
    return found


def signed_quantiles(
    above: Tail, below: Tail, probability: Array, *, reach: float, piles: tuple[float, ...] = ()
) -> Array:
    """Errors at these probabilities, between 200 points on either side; for pictures. `piles`: where errors pile up."""
    spaced = np.sinh(np.linspace(0.0, 6.0, 200)) / np.sinh(6.0) * reach
    grid = np.unique(np.concatenate([spaced, np.abs(piles) * (1.0 - 1e-9)]))
    up, down = above(grid), below(grid)
    errors = np.concatenate([-grid[::-1], grid[1:]])
    distribution = np.maximum.accumulate(np.concatenate([down[::-1], 1.0 - up[1:]]))
    distribution[len(grid) - 1] = (down[0] + 1.0 - up[0]) / 2.0
    return np.asarray(np.interp(probability, np.maximum.accumulate(distribution), errors))


def midpoints(count: int) -> Array:
    """The probabilities (i + 1/2) / count."""
    require_whole("count", count)
    return (np.arange(count) + 0.5) / count
