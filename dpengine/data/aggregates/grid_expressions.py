"""Numbers on a grid, as expressions: clamped, rounded to whole steps, and put into bins."""

from __future__ import annotations

import itertools
import math

import ibis

from dpengine.data.aggregates.predicates import literal

_COARSEST = -960


def clamped(value: ibis.Value, lower: int, upper: int, fraction_bits: int) -> ibis.Value:
    """A value within bounds given in grid steps, by CASE: missing is NULL, and nothing can overflow afterwards."""
    low, high = _bound(lower, fraction_bits), _bound(upper, fraction_bits)
    return ibis.cases((value < low, low), (value > high, high), else_=value)


def grid_steps(value: ibis.Value, fraction_bits: int) -> ibis.Value:
    """floor(value * 2**fraction_bits + 1/2) as an integer; the product is exact, because it is by a power of two.

    Where the power is below 1, half a step is added first, which rounds alike: a product that underflows is an error in
    PostgreSQL. On the coarsest grids half a step might overflow, but numbers below 1 are nothing there.
    """
    scale = literal(math.ldexp(1.0, fraction_bits))
    if fraction_bits >= 0:
        steps = value * scale + literal(0.5)
    elif fraction_bits > _COARSEST:
        steps = (value + literal(math.ldexp(0.5, -fraction_bits))) * scale
    else:
        steps = ibis.ifelse(value.between(literal(-1), literal(1)), literal(0), value) * scale + literal(0.5)
    return steps.floor().cast("int64")


def bin_of(value: ibis.Value, edges: tuple[int, ...], fraction_bits: int, *, clamp: bool) -> ibis.Value:
    """Which bin [edge i, edge i+1) holds the value, the last one closed; NULL or another number where none does."""
    kind = "int8" if len(edges) < 2**7 else "int64"
    widths = {right - left for left, right in itertools.pairwise(edges)}
    if clamp and len(widths) == 1 and edges[-1] - edges[0] < 2**53:
        return _divided(value, edges, fraction_bits).cast(kind)
    if clamp:
        return _searched(value, [_least(edge, fraction_bits) for edge in edges[1:-1]], 0, kind)
    ends = [*edges[:-1], edges[-1] + 1]
    return _searched(value, [_least(edge, fraction_bits) for edge in ends], -1, kind)


def _divided(value: ibis.Value, edges: tuple[int, ...], fraction_bits: int) -> ibis.Value:
    """Equal bins take one division of the steps, the last edge counted to the bin below it.

    The quotient is rounded correctly, and no quotient of whole numbers below 2**53 rounds up to the next whole number.
    """
    steps = grid_steps(clamped(value, edges[0], edges[-1] - 1, fraction_bits), fraction_bits).cast("float64")
    ahead = steps - literal(edges[0]) if edges[0] else steps
    return (ahead / literal(edges[1] - edges[0])).floor()


def _searched(value: ibis.Value, least: list[float], below: int, kind: str) -> ibis.Value:
    """How many of the increasing numbers are at most the value, plus `below`: by halving, without any arithmetic."""
    return ibis.ifelse(value.notnull(), _halved(value, least, below, kind), None)


def _halved(value: ibis.Value, least: list[float], below: int, kind: str) -> ibis.Value:
    if not least:
        return ibis.literal(below, type=kind)
    middle = len(least) // 2
    left = _halved(value, least[:middle], below, kind)
    right = _halved(value, least[middle + 1 :], below + middle + 1, kind)
    return ibis.ifelse(value < literal(least[middle]), left, right)


def _least(step: int, fraction_bits: int) -> float:
    """The least number that lies on a grid step or above it, as `grid_steps` rounds.

    >>> _least(1, 0), _least(3, 1), _least(-2, 0)
    (0.49999999999999994, 1.25, -2.5)
    """
    value = math.ldexp(step - 0.5, -fraction_bits)
    while _step(value, fraction_bits) < step:
        value = math.nextafter(value, math.inf)
    while _step(below := math.nextafter(value, -math.inf), fraction_bits) >= step:
        value = below
    return value


def _step(value: float, fraction_bits: int) -> int:
    return math.floor(math.ldexp(value, fraction_bits) + 0.5)


def _bound(steps: int, fraction_bits: int) -> ibis.Value:
    return literal(math.ldexp(float(steps), -fraction_bits))
