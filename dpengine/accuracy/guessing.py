"""Where a guess comes from: public facts alone, or the rows themselves, for the curator's eyes only."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from dpengine.accuracy.guess import Guess
from dpengine.data import (
    BinCounts,
    Condition,
    IsMissing,
    Not,
    NumberColumn,
    PeopleCount,
    RowCount,
    Schema,
    Table,
    both,
)
from dpengine.errors import RefusedQueryError
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)

UNKNOWN_RECORDS = 1000.0
SPREAD_BINS = 64


def guess_from_rows(query: Query, schema: Schema, neighbors: Neighbors, table: Table) -> Guess:
    """The exact size of an answer, read from the rows: for the curator's eyes only, covered by no promise.

    The spread of a number column comes from its exact counts in 64 equal bins.
    """
    parts = query.parts(schema, neighbors)
    answer = query.combine([part.exact_reading(table.recall(part.aggregate)) for part in parts])
    records = float(table.recall(_records_of(query))[0])
    spread, mean = _spread(query, schema, table), _mean(query, schema, neighbors, table)
    return Guess(records=records, answer=tuple(answer.tolist()), spread=spread, mean=mean)


@singledispatch
def guess_without_rows(query: Query, schema: Schema) -> Guess:
    """A first guess from the schema alone: a thousand records where their number is private, the middle of a range."""
    raise RefusedQueryError(f"No guess is known for {type(query).__name__}.")


@guess_without_rows.register
def _(query: CountQuery | CountPeopleQuery, schema: Schema) -> Guess:
    records = _public_records(schema)
    return Guess(records=records, answer=records if query.where is None else round(records / 10))


@guess_without_rows.register
def _(query: SumQuery, schema: Schema) -> Guess:
    records, column = _public_records(schema), schema.number(query.column)
    return Guess(records=records, answer=records * _middle(column), spread=_quarter(column))


@guess_without_rows.register
def _(query: MeanQuery, schema: Schema) -> Guess:
    column = schema.number(query.column)
    return Guess(records=_public_records(schema), answer=_middle(column), spread=_quarter(column))


@guess_without_rows.register
def _(query: ProportionQuery, schema: Schema) -> Guess:
    return Guess(records=_public_records(schema), answer=0.5)


@guess_without_rows.register(HistogramQuery)
@guess_without_rows.register(GroupedCountQuery)
def _(query: HistogramQuery | GroupedCountQuery, schema: Schema) -> Guess:
    cells, records = _coordinates(query, schema), _public_records(schema)
    return Guess(records=records, answer=(round(records / cells),) * cells)


@guess_without_rows.register
def _(query: StatisticalQueries, schema: Schema) -> Guess:
    records = _public_records(schema)
    return Guess(records=records, answer=(round(records / 10),) * len(query.conditions))


@guess_without_rows.register
def _(query: GroupedSumQuery, schema: Schema) -> Guess:
    cells, records, column = _coordinates(query, schema), _public_records(schema), schema.number(query.column)
    return Guess(records=records, answer=(records / cells * _middle(column),) * cells, spread=_quarter(column))


@guess_without_rows.register
def _(query: GroupedMeanQuery, schema: Schema) -> Guess:
    column = schema.number(query.column)
    answers = (_middle(column),) * _coordinates(query, schema)
    return Guess(records=_public_records(schema), answer=answers, spread=_quarter(column))


@guess_without_rows.register
def _(query: VarianceQuery, schema: Schema) -> Guess:
    column = schema.number(query.column)
    return Guess(records=_public_records(schema), answer=_quarter(column) ** 2, mean=_middle(column))


@guess_without_rows.register
def _(query: QuantileQuery, schema: Schema) -> Guess:
    column = schema.number(query.column)
    return Guess(records=_public_records(schema), answer=column.lower + query.quantile * (column.upper - column.lower))


@guess_without_rows.register
def _(query: ModeQuery, schema: Schema) -> Guess:
    return Guess(records=_public_records(schema), answer=0.0)


def _coordinates(query: Query, schema: Schema) -> int:
    """How many numbers an answer has; the relation does not matter."""
    return query.parts(schema, Neighbors.ADD_REMOVE)[0].coordinates


def _quarter(column: NumberColumn) -> float:
    return (column.upper - column.lower) / 4


def _public_records(schema: Schema) -> float:
    return float(schema.people or UNKNOWN_RECORDS)


def _middle(column: NumberColumn) -> float:
    return column.lower / 2 + column.upper / 2


@singledispatch
def _records_of(query: Query) -> RowCount | PeopleCount:
    raise RefusedQueryError(f"No guess is known for {type(query).__name__}.")


@_records_of.register
def _(query: CountQuery) -> RowCount:
    return RowCount()


@_records_of.register
def _(query: CountPeopleQuery) -> PeopleCount:
    return PeopleCount()


@_records_of.register
def _(
    query: SumQuery | MeanQuery | VarianceQuery | QuantileQuery | GroupedSumQuery | GroupedMeanQuery,
) -> RowCount:
    return RowCount(where=_present(query.column, query.where))


@_records_of.register
def _(
    query: ProportionQuery | HistogramQuery | GroupedCountQuery | StatisticalQueries | ModeQuery,
) -> RowCount:
    return RowCount(where=query.where)


def _present(column: str, where: Condition | None) -> Condition | None:
    return both(where, Not(IsMissing(column)))


def _mean(query: Query, schema: Schema, neighbors: Neighbors, table: Table) -> float | None:
    """Of the values whose variance is asked for."""
    if not isinstance(query, VarianceQuery):
        return None
    means = MeanQuery(query.column, where=query.where)
    readings = [part.exact_reading(table.recall(part.aggregate)) for part in means.parts(schema, neighbors)]
    return float(means.combine(readings)[0])


def _spread(query: Query, schema: Schema, table: Table) -> float | None:
    if not isinstance(query, SumQuery | MeanQuery):
        return None
    column = schema.number(query.column)
    edges = np.linspace(column.on_grid(column.lower), column.on_grid(column.upper), SPREAD_BINS + 1).astype(np.int64)
    where = _present(query.column, query.where)
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
