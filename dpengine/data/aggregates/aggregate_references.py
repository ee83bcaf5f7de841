"""Whether an aggregate makes sense for a schema: right kinds of columns, public keys, exact grids; no row is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch

from dpengine.data.aggregates.aggregate_kinds import (
    Aggregate,
    BinCounts,
    CategoryCounts,
    ConditionCounts,
    FixedPointMoments,
    FixedPointSum,
    GroupedCounts,
    GroupedSums,
    Grouping,
    Key,
    PeopleCount,
    PeriodCounts,
    RowCount,
    SignedCount,
    StepCounts,
)
from dpengine.data.declared.columns import DateColumn, NumberColumn, TextColumn
from dpengine.data.declared.references import listing, require_condition, require_conditions, require_value_of
from dpengine.data.declared.schema import Schema
from dpengine.errors import RefusedQueryError

LARGEST_TERM = 2**36
"""In grid steps: more than a hundred million rows of it add up within 64 bits."""
LARGEST_STEP = 2**52
LARGEST_BITS = 1022
MOST_STEPS = 2**18
MOST_GROUPS = 1000
MOST_CONDITIONS = 200
MOST_COMPARISONS = 1000


@singledispatch
def require_aggregate(aggregate: Aggregate, schema: Schema) -> None:
    """Refuse an aggregate that the schema cannot answer, with the reason."""
    raise RefusedQueryError(
        f"{aggregate!r} is not something a table can be asked: that is an exact aggregate, such as RowCount(). "
        "Questions are answered with noise, by dpengine.release."
    )


@require_aggregate.register(RowCount)
@require_aggregate.register(PeopleCount)
def _(aggregate: RowCount | PeopleCount, schema: Schema) -> None:
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: FixedPointSum, schema: Schema) -> None:
    _require_term(aggregate, schema, power=1)


@require_aggregate.register
def _(aggregate: FixedPointMoments, schema: Schema) -> None:
    _require_term(aggregate, schema, power=2)


def _require_term(aggregate: FixedPointSum | FixedPointMoments, schema: Schema, *, power: int) -> None:
    """Refuse a sum to which one row may add so much that 2**27 of them leave the whole numbers of 64 bits."""
    schema.number(aggregate.column)
    _require_grid(aggregate.column, aggregate.fraction_bits, (aggregate.lower, aggregate.upper))
    largest = max(abs(aggregate.lower - aggregate.center), abs(aggregate.upper - aggregate.center)) ** power
    if largest > LARGEST_TERM:
        raise RefusedQueryError(
            f"The bounds of {aggregate.column!r} are too far from 0 for their range: one row can change the sum by "
            f"{largest:,} grid steps; sums are exact up to {LARGEST_TERM:,} a row. Ask for a mean instead, or declare "
            "the values as distances from a nearer number."
        )
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: StepCounts, schema: Schema) -> None:
    schema.number(aggregate.column)
    _require_grid(aggregate.column, aggregate.fraction_bits, (aggregate.lower, aggregate.upper))
    if aggregate.upper - aggregate.lower >= MOST_STEPS:
        raise RefusedQueryError(f"At most {MOST_STEPS:,} grid steps of {aggregate.column!r} can be counted at once.")
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: PeriodCounts, schema: Schema) -> None:
    column = schema.column(aggregate.column)
    if not isinstance(column, DateColumn):
        raise RefusedQueryError(f"{aggregate.column!r} is not declared as a date, so it has no months or years.")
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: ConditionCounts, schema: Schema) -> None:
    require_condition(aggregate.where, schema)
    require_conditions(aggregate.conditions, schema, comparisons=MOST_COMPARISONS)
    if len(aggregate.conditions) > MOST_CONDITIONS:
        raise RefusedQueryError(
            f"{len(aggregate.conditions):,} conditions at once are too many; at most {MOST_CONDITIONS:,} are counted."
        )


@require_aggregate.register
def _(aggregate: GroupedCounts, schema: Schema) -> None:
    _require_grouping(aggregate.grouping, schema)
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: GroupedSums, schema: Schema) -> None:
    _require_grouping(aggregate.grouping, schema)
    require_aggregate(aggregate.sum, schema)


def _require_grouping(grouping: Grouping, schema: Schema) -> None:
    """Refuse keys that are not public: a group that shows up only where somebody is in it betrays that person."""
    for name, values in zip(grouping.by, grouping.values, strict=True):
        _require_listed(name, values, schema)
    if len(set(grouping.by)) != len(grouping.by):
        raise RefusedQueryError(f"{grouping.by[0]!r} is grouped by twice; name two different columns.")
    groups = math.prod(map(len, grouping.values))
    if groups > MOST_GROUPS:
        raise RefusedQueryError(f"{groups:,} groups are too many; at most {MOST_GROUPS:,} can be asked for at once.")


@require_aggregate.register
def _(aggregate: SignedCount, schema: Schema) -> None:
    require_condition(aggregate.condition, schema)
    require_condition(aggregate.where, schema)


@require_aggregate.register
def _(aggregate: CategoryCounts, schema: Schema) -> None:
    _require_listed(aggregate.column, aggregate.values, schema)
    if len(aggregate.values) > MOST_GROUPS:
        raise RefusedQueryError(
            f"{aggregate.column!r} has {len(aggregate.values):,} values; at most {MOST_GROUPS:,} are counted at once."
        )
    require_condition(aggregate.where, schema)


def _require_listed(name: str, values: Sequence[Key], schema: Schema) -> None:
    """Refuse anything but different public values of a category or boolean column."""
    column = schema.column(name)
    if isinstance(column, TextColumn):
        raise RefusedQueryError(
            f"{name!r} is declared as text, of which no list of values is public: which ones occur would itself say "
            "who is there. Declare it as a category to count each one."
        )
    if isinstance(column, NumberColumn | DateColumn):
        raise RefusedQueryError(f"{name!r} has no list of values; declare it as a category to count each one.")
    for value in values:
        require_value_of(column, value)
    if len(set(values)) != len(values):
        raise RefusedQueryError(f"A value of {name!r} is listed twice: {listing(values)}.")


@require_aggregate.register
def _(aggregate: BinCounts, schema: Schema) -> None:
    schema.number(aggregate.column)
    _require_grid(aggregate.column, aggregate.fraction_bits, (aggregate.edges[0] - 1, aggregate.edges[-1] + 1))
    require_condition(aggregate.where, schema)


def _require_grid(column: str, fraction_bits: int, ends: tuple[int, int]) -> None:
    """Refuse a grid whose ends a binary floating point number cannot hold exactly."""
    largest = max(map(abs, ends))
    if abs(fraction_bits) > LARGEST_BITS or largest > LARGEST_STEP or largest.bit_length() - fraction_bits > 1024:
        raise RefusedQueryError(f"The grid of {column!r} is too fine or too wide to be exact.")
