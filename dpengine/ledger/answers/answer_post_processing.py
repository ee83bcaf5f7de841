"""What may be done to a released answer afterwards, free: rounding it, and keeping it within its public limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from dpengine.data import (
    Aggregate,
    BinCounts,
    CategoryCounts,
    ConditionCounts,
    FixedPointMoments,
    FixedPointSum,
    GroupedCounts,
    GroupedSums,
    PeopleCount,
    PeriodCounts,
    RowCount,
    Schema,
)
from dpengine.ledger.answers.intervals import Bound
from dpengine.privacy import Neighbors
from dpengine.queries import (
    AnyPart,
    Choice,
    Query,
    SumQuery,
    largest_variance,
)
from dpengine.queries.forms import CountForm, RatioForm, SumForm, VarianceForm
from dpengine.queries.total import counts_everybody

Array = NDArray[np.float64]
Limits = tuple[float, float]
_COUNTS = (RowCount, PeopleCount, CategoryCounts, BinCounts, PeriodCounts, ConditionCounts, GroupedCounts)
_NOWHERE: Limits = (-math.inf, math.inf)
_DIGITS = 1e-12
"""A number within this share of a round one is that one: what machine arithmetic left of it."""


def counts_only(parts: Sequence[AnyPart]) -> bool:
    """Whether the exact answer is made of whole counts."""
    first = parts[0]
    return (
        len(parts) == 1 and not isinstance(first, Choice) and isinstance(first.aggregate, _COUNTS) and first.step == 1
    )


def public_limits(query: Query, parts: Sequence[AnyPart], schema: Schema, neighbors: Neighbors) -> Limits:
    """Least and largest exact answer that the declaration allows, whatever the rows; infinite where it sets none.

    Where the number of people is public, so is the most that all their rows can add up to.
    """
    if isinstance(parts[0], Choice):
        return _NOWHERE
    rows = schema.people * schema.unit.rows if neighbors is Neighbors.REPLACE_ONE and schema.people else math.inf
    if counts_only(parts):
        people = isinstance(parts[0].aggregate, PeopleCount)
        return 0.0, rows / schema.unit.rows if people else rows
    if isinstance(query, SumQuery) and counts_everybody(schema.number(query.column), query.where, schema, neighbors):
        return tuple(rows * end for end in _ends(parts[0].aggregate))  # type: ignore[return-value]
    return of_answer(query, parts, rows)


@singledispatch
def of_answer(query: Query, parts: Sequence[AnyPart], rows: float) -> Limits:
    """Between which values the exact answer lies, over at most so many rows."""
    raise TypeError(query)


@of_answer.register
def _(query: CountForm | SumForm, parts: Sequence[AnyPart], rows: float) -> Limits:
    """Of a sum, by group or not: nothing is missed where nobody counts."""
    lower, upper = _ends(parts[0].aggregate)
    return (rows * lower if lower < 0.0 else 0.0), (rows * upper if upper > 0.0 else 0.0)


@of_answer.register
def _(query: RatioForm, parts: Sequence[AnyPart], rows: float) -> Limits:
    lower, _, upper = query.ends(parts)
    return lower, upper


@of_answer.register
def _(query: VarianceForm, parts: Sequence[AnyPart], rows: float) -> Limits:
    """Source: Popoviciu 1935; with one part on its grid, where the largest may have been rounded up."""
    largest, step = largest_variance(parts[0].aggregate), parts[0].step
    return 0.0, math.ceil(largest / step) * step if len(parts) == 1 else largest


@singledispatch
def _ends(aggregate: Aggregate) -> Limits:
    """Between which values a row counts in a sum, on its grid."""
    return _NOWHERE


@_ends.register(FixedPointSum)
@_ends.register(FixedPointMoments)
def _(aggregate: FixedPointSum | FixedPointMoments) -> Limits:
    grid = math.ldexp(1.0, -aggregate.fraction_bits)
    return aggregate.lower * grid, aggregate.upper * grid


@_ends.register
def _(aggregate: GroupedSums) -> Limits:
    return _ends(aggregate.sum)


def rounded(values: Array, step: float) -> Array:
    """At the nearest multiples of the step; as they are where it is 0."""
    return np.rint(values / step) * step + 0.0 if step else values


def rounded_ends(ends: tuple[Bound, Bound], step: float, *, whole: bool) -> tuple[Bound, Bound]:
    """Ends outward to multiples of the step; where the exact answer is whole, inward to the whole numbers between them.

    An interval with no whole number in it is rounded outward: never is one emptied, and none that covers stops to.
    """
    if not step:
        return ends
    lower, upper = (np.asarray(end) / step for end in ends)
    slack = _DIGITS * (1.0 + np.maximum(np.abs(lower), np.abs(upper)))
    out_low, out_high = np.floor(lower + slack), np.ceil(upper - slack)
    if whole:
        in_low, in_high = np.ceil(lower - slack), np.floor(upper + slack)
        some = in_low <= in_high
        out_low, out_high = np.where(some, in_low, out_low), np.where(some, in_high, out_high)
    return _like(ends[0], out_low * step), _like(ends[1], out_high * step)


def clamped_ends(ends: tuple[Bound, Bound], limits: Limits) -> tuple[Bound, Bound]:
    """The part of the interval within the limits; the nearest limit where there is none."""
    lower, upper = (_like(end, np.clip(end, *limits)) for end in ends)
    return lower, upper


def _like(original: Bound, found: Array) -> Bound:
    return float(found) if isinstance(original, float) else found
