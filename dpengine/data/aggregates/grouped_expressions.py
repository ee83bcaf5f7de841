"""Totals by public groups, each person in so many groups with so many rows as the bounds allow."""

from __future__ import annotations

import itertools

import ibis

from dpengine.data.aggregates.aggregate_kinds import Grouping, Key

NO_CELL = -1
_WIDE = "decimal(38, 0)"


def by_group(keyed: ibis.Table, values: tuple[tuple[Key, ...], ...], grouping: Grouping | None = None) -> ibis.Table:
    """Columns `cell` and `total` from rows of key_0, key_1, amount, and person and place where bounds need them.

    Without an amount each row counts 1. Keys that are not listed never leave the engine, and their rows are left out
    before any bound is applied.
    """
    keys = [f"key_{i}" for i in range(len(values))]
    bounded = grouping is not None and "person" in keyed.columns and (grouping.groups or grouping.rows_per_group)
    rows = _bounded(_listed(keyed, keys, values), keys, grouping) if bounded and grouping else keyed
    sums = rows.group_by(keys).aggregate(total=_total)
    cells = itertools.product(*values)
    number = ibis.cases(*((_equals(sums, cell), i) for i, cell in enumerate(cells)), else_=NO_CELL)
    return sums.select(cell=number, total=sums.total)


def _total(rows: ibis.Table) -> ibis.Value:
    return rows.amount.cast(_WIDE).sum() if "amount" in rows.columns else rows.count()


def _listed(keyed: ibis.Table, keys: list[str], values: tuple[tuple[Key, ...], ...]) -> ibis.Table:
    return keyed.filter(*(keyed[key].isin(listed) for key, listed in zip(keys, values, strict=True)))


def _bounded(rows: ibis.Table, keys: list[str], grouping: Grouping) -> ibis.Table:
    """At most so many rows of a person in a group, and a person in at most so many groups.

    The first ones in the order of the person's own rows: removing somebody else changes neither.
    """
    if grouping.rows_per_group is not None:
        nth = ibis.row_number().over(group_by=[rows[name] for name in ("person", *keys)], order_by=rows.place)
        rows = rows.mutate(nth=nth).filter(lambda t: t.nth < grouping.rows_per_group).drop("nth")
    if grouping.groups is None:
        return rows
    sums = rows.group_by(["person", *keys]).aggregate(amount=_total, first=lambda t: t.place.min())
    nth = ibis.row_number().over(group_by=sums.person, order_by=sums["first"])
    return sums.mutate(nth=nth).filter(lambda t: t.nth < grouping.groups)


def _equals(sums: ibis.Table, cell: tuple[Key, ...]) -> ibis.expr.types.BooleanValue:
    tests = [sums[f"key_{i}"] == value for i, value in enumerate(cell)]
    return tests[0] if len(tests) == 1 else tests[0] & tests[1]
