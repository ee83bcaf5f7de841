"""Where a guess comes from: public facts alone, or the rows themselves, for the curator's eyes only."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

import numpy as np

from dpengine.accuracy.guess import Guess
from dpengine.data import (
    BinCounts,
    NumberColumn,
    Schema,
    Table,
)
from dpengine.privacy import Neighbors
from dpengine.queries import (
    MeanQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    SumQuery,
)
from dpengine.queries.forms import CountForm, OfNumbers, RatioForm, SumForm, VarianceForm, is_of_people

UNKNOWN_RECORDS = 1000.0
SPREAD_BINS = 64


def guess_from_rows(query: Query, schema: Schema, neighbors: Neighbors, table: Table) -> Guess:
    """The exact size of an answer, read from the rows: for the curator's eyes only, covered by no promise.

    The spread of a number column comes from its exact counts in 64 equal bins.
    """
    parts = query.parts(schema, neighbors)
    answer = query.combine([part.exact_reading(table.recall(part.aggregate)) for part in parts])
    records = float(table.recall(query.counted())[0])
    spread, mean = _spread(query, schema, table), _mean(query, schema, neighbors, table)
    return Guess(records=records, answer=tuple(answer.tolist()), spread=spread, mean=mean)


def guess_without_rows(
    query: Query, schema: Schema, *, rows: float | None = None, people: float | None = None
) -> Guess:
    """A first guess from public facts: the middle of a range, and about as many rows or people as somebody said.

    Of those a tenth satisfies a condition. Rows of which nobody has said how many there are, are as many as people;
    where nothing is known, a thousand.
    """
    everybody = people or schema.people
    counted = everybody if is_of_people(query) or (schema.one_row_each and not rows) else rows
    records = counted or everybody or rows
    if not records:
        return _first(query, schema, UNKNOWN_RECORDS)
    return _first(query, schema, float(records) if all_records(query) else max(round(records / 10), 1.0))


def all_records(query: Query) -> bool:
    """Whether a guess about the question counts all rows, or people: not where it counts those of a condition alone.

    Of totals, ratios and variances `Guess.records` counts the values themselves.
    """
    return not isinstance(query, SumForm | RatioForm | VarianceForm) or query.where is None


@singledispatch
def _first(query: Query, schema: Schema, records: float) -> Guess:
    """The same for so many records."""
    raise TypeError(query)


@_first.register
def _(query: CountForm, schema: Schema, records: float) -> Guess:
    """A tenth of the records satisfies a condition; groups share them."""
    answer = _of_each(query, schema, lambda cells: round(records / (10 if _is_some(query, schema) else cells)))
    return Guess(records=records, answer=answer)


@_first.register
def _(query: SumForm, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    answer = _of_each(query, schema, lambda cells: records / cells * _middle(column))
    return Guess(records=records, answer=answer, spread=_quarter(column))


@_first.register
def _(query: RatioForm, schema: Schema, records: float) -> Guess:
    lower, upper = query.answer_range(schema)
    spread = _quarter(schema.number(query.column)) if isinstance(query, OfNumbers) else None
    return Guess(records=records, answer=_of_each(query, schema, lambda cells: lower / 2 + upper / 2), spread=spread)


@_first.register
def _(query: VarianceForm, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    return Guess(records=records, answer=_quarter(column) ** 2, mean=_middle(column))


@_first.register
def _(query: QuantileQuery, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    return Guess(records=records, answer=column.lower + query.quantile * (column.upper - column.lower))


@_first.register
def _(query: ModeQuery, schema: Schema, records: float) -> Guess:
    return Guess(records=records, answer=0.0)


def _is_some(query: CountForm, schema: Schema) -> bool:
    """Whether it counts those of a condition, of which there may be any number, and no parts of a whole."""
    alone = not query.cell and (query.counted().where != query.where or query.touched() != query.counted().where)
    return query.overlapping or alone


def _of_each(query: Query, schema: Schema, of: Callable[[int], float]) -> float | tuple[float, ...]:
    """One number, or one for each cell, of which `of` is told how many there are; the relation does not matter."""
    if not query.cell:
        return of(1)
    cells = query.parts(schema, Neighbors.ADD_REMOVE)[0].coordinates
    return (of(cells),) * cells


def _quarter(column: NumberColumn) -> float:
    return (column.upper - column.lower) / 4


def _middle(column: NumberColumn) -> float:
    return column.lower / 2 + column.upper / 2


def _mean(query: Query, schema: Schema, neighbors: Neighbors, table: Table) -> float | None:
    """Of the values whose variance is asked for."""
    if not isinstance(query, VarianceForm):
        return None
    means = MeanQuery(query.column, where=query.where)
    readings = [part.exact_reading(table.recall(part.aggregate)) for part in means.parts(schema, neighbors)]
    return float(means.combine(readings)[0])


def _spread(query: Query, schema: Schema, table: Table) -> float | None:
    if not isinstance(query, SumQuery | MeanQuery):
        return None
    column = schema.number(query.column)
    edges = np.linspace(column.on_grid(column.lower), column.on_grid(column.upper), SPREAD_BINS + 1).astype(np.int64)
    where = query.present
    aggregate = BinCounts(
        column=column.name,
        fraction_bits=column.fraction_bits,
        edges=tuple(edges.tolist()),
        clamp=True,
        where=where,
    )
    counts = table.recall(aggregate).astype(np.float64)
    if counts.sum() == 0:
        return 0.0
    middles = (edges[:-1] + edges[1:]) / 2 * column.step
    mean = float(counts @ middles / counts.sum())
    return float(np.sqrt(counts @ (middles - mean) ** 2 / counts.sum()))
