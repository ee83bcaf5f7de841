"""Aggregates as expressions: each gives rows of (cell, total), both whole numbers; a cell that is absent is 0.

Cells below 0 or from the number of coordinates on are rows that count nowhere. Filtering them out beforehand would be
slower: engines move such a filter below the grouping and compute every cell twice.
"""

from __future__ import annotations

import math
from functools import lru_cache, singledispatch

import ibis

from dpengine.data.aggregates.aggregate_kinds import (
    PERIODS,
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
    SignedCount,
    StepCounts,
)
from dpengine.data.aggregates.grid_expressions import bin_of, clamped, grid_steps
from dpengine.data.aggregates.grouped_expressions import NO_CELL, by_group
from dpengine.data.aggregates.predicates import satisfies, selects
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.declared.conditions import Condition

_WIDE = "decimal(38, 0)"


@singledispatch
def coordinates(aggregate: Aggregate) -> int:
    """How many integers an aggregate has; known without any row."""
    return 1


coordinates.register(CategoryCounts, lambda aggregate: len(aggregate.values))
coordinates.register(BinCounts, lambda aggregate: len(aggregate.edges) - 1)
coordinates.register(StepCounts, lambda aggregate: aggregate.upper - aggregate.lower + 1)
coordinates.register(PeriodCounts, lambda aggregate: aggregate.periods)
coordinates.register(FixedPointMoments, lambda _: 2)
coordinates.register(ConditionCounts, lambda aggregate: len(aggregate.conditions))
coordinates.register(GroupedCounts, lambda aggregate: math.prod(map(len, aggregate.grouping.values)))
coordinates.register(GroupedSums, lambda aggregate: math.prod(map(len, aggregate.grouping.values)))


@lru_cache(maxsize=256)
def remembered_totals(aggregate: Aggregate, rows: StoredRows) -> ibis.Table:
    """The same as `totals`, built once: that takes longer than a scan of some thousand rows; it holds no cell."""
    return totals(aggregate, rows)


@singledispatch
def totals(aggregate: Aggregate, rows: StoredRows) -> ibis.Table:
    """The expression that answers an aggregate: columns `cell` and `total`, or one row with a column for each cell."""
    raise TypeError(aggregate)


@totals.register
def _(aggregate: RowCount, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.where)
    return _single(selected, selected.table.count())


@totals.register
def _(aggregate: PeopleCount, rows: StoredRows) -> ibis.Table:
    if rows.schema.one_row_each:
        return totals(RowCount(where=aggregate.where), rows)
    selected = _where(rows, aggregate.where)
    return _single(selected, selected.table.person.nunique())


@totals.register
def _(aggregate: FixedPointSum | SignedCount, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.where)
    return _single(selected, amounts(aggregate, selected).cast(_WIDE).sum())


@totals.register
def _(aggregate: FixedPointMoments, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.where)
    distance = amounts(aggregate, selected)
    sums = distance.cast(_WIDE).sum(), (distance * distance).cast(_WIDE).sum()
    return _wide(selected, sums)


@totals.register
def _(aggregate: ConditionCounts, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.where)
    other = -1 if aggregate.signed else 0
    ones = [ibis.ifelse(satisfies(condition, selected), 1, other).sum() for condition in aggregate.conditions]
    return _wide(selected, ones)


@totals.register
def _(aggregate: CategoryCounts, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.where)
    return by_group(selected.table.select(key_0=selected[aggregate.column]), (aggregate.values,))


@totals.register
def _(aggregate: BinCounts, rows: StoredRows) -> ibis.Table:
    selected, edges = _where(rows.counted, aggregate.where), aggregate.edges
    cell = bin_of(selected[aggregate.column], edges, aggregate.fraction_bits, clamp=aggregate.clamp)
    return _counted(selected.table.select(cell=cell))


@totals.register
def _(aggregate: StepCounts, rows: StoredRows) -> ibis.Table:
    selected, bits = _where(rows.counted, aggregate.where), aggregate.fraction_bits
    near = clamped(selected[aggregate.column], aggregate.lower, aggregate.upper, bits)
    return _counted(selected.table.select(cell=grid_steps(near, bits) - aggregate.lower))


@totals.register
def _(aggregate: PeriodCounts, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.where)
    day, each = selected[aggregate.column], PERIODS[aggregate.period]
    months = (day.month() - 1).cast("int64") * each // PERIODS["month"]
    placed = selected.table.select(cell=day.year().cast("int64") * each + months - aggregate.first)
    return _counted(placed)


@totals.register
def _(aggregate: GroupedCounts, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.where)
    return by_group(_keyed(selected, aggregate), aggregate.grouping.values, aggregate.grouping)


@totals.register
def _(aggregate: GroupedSums, rows: StoredRows) -> ibis.Table:
    selected = _where(rows.counted, aggregate.sum.where)
    keyed = _keyed(selected, aggregate, amount=amounts(aggregate.sum, selected))
    return by_group(keyed.filter(keyed.amount.notnull()), aggregate.grouping.values, aggregate.grouping)


def _keyed(rows: StoredRows, aggregate: GroupedCounts | GroupedSums, **amount: ibis.Value) -> ibis.Table:
    """Keys and amount of each row, and whose it is where one person may have several."""
    keys = {f"key_{i}": rows[name] for i, name in enumerate(aggregate.grouping.by)}
    whose = {} if rows.schema.one_row_each else {"person": rows.table.person, "place": rows.table.place}
    return rows.table.select(**keys, **amount, **whose)


@singledispatch
def amounts(aggregate: Aggregate, rows: StoredRows) -> ibis.Value:
    """What each row adds to a sum; NULL where it does not count."""
    raise TypeError(aggregate)


@amounts.register
def _(aggregate: SignedCount, rows: StoredRows) -> ibis.Value:
    return ibis.ifelse(satisfies(aggregate.condition, rows), 1, -1)


@amounts.register
def _(aggregate: FixedPointSum | FixedPointMoments, rows: StoredRows) -> ibis.Value:
    """How far its clamped value lies from the center, in grid steps."""
    bits = aggregate.fraction_bits
    steps = grid_steps(clamped(rows[aggregate.column], aggregate.lower, aggregate.upper, bits), bits)
    return steps - aggregate.center if aggregate.center else steps


def _where(rows: StoredRows, where: Condition | None) -> StoredRows:
    return rows if where is None else rows.among(selects(where, rows))


def _counted(placed: ibis.Table) -> ibis.Table:
    """Rows in each cell; whatever is in none of the declared ones has a number that is no cell's."""
    counted = placed.group_by("cell").aggregate(total=lambda t: t.count())
    return counted.select(cell=ibis.coalesce(counted.cell, NO_CELL), total=counted.total)


def _single(rows: StoredRows, total: ibis.Value) -> ibis.Table:
    return _wide(rows, [total])


def _wide(rows: StoredRows, sums: list[ibis.Value] | tuple[ibis.Value, ...]) -> ibis.Table:
    """One row with the totals in order; a sum over no row is 0."""
    return rows.table.aggregate(**{f"total_{i}": ibis.coalesce(total, 0) for i, total in enumerate(sums)})
