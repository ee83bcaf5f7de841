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
_OF_ITS_OWN = SumQuery | MeanQuery | ProportionQuery | VarianceQuery | GroupedSumQuery | GroupedMeanQuery
"""Of these `Guess.records` counts the values themselves."""
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


def guess_without_rows(
    query: Query, schema: Schema, *, rows: float | None = None, people: float | None = None
) -> Guess:
    """A first guess from public facts: the middle of a range, and about as many rows or people as somebody said.

    Of those a tenth satisfies a condition. Rows of which nobody has said how many there are, are as many as people;
    where nothing is known, a thousand.
    """
    everybody = people or schema.people
    counted = everybody if isinstance(query, CountPeopleQuery) or (schema.one_row_each and not rows) else rows
    records = counted or everybody or rows
    if not records:
        return _first(query, schema, UNKNOWN_RECORDS)
    return _first(query, schema, float(records) if all_records(query) else max(round(records / 10), 1.0))


def all_records(query: Query) -> bool:
    """Whether a guess about the question counts all rows, or people: not where it counts those of a condition alone."""
    return not isinstance(query, _OF_ITS_OWN) or query.where is None


@singledispatch
def _first(query: Query, schema: Schema, records: float) -> Guess:
    """The same for so many records."""
    raise RefusedQueryError(f"No guess is known for {type(query).__name__}.")


@_first.register
def _(query: CountQuery | CountPeopleQuery, schema: Schema, records: float) -> Guess:
    return Guess(records=records, answer=records if query.where is None else round(records / 10))


@_first.register
def _(query: SumQuery, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    return Guess(records=records, answer=records * _middle(column), spread=_quarter(column))


@_first.register
def _(query: MeanQuery, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    return Guess(records=records, answer=_middle(column), spread=_quarter(column))


@_first.register
def _(query: ProportionQuery, schema: Schema, records: float) -> Guess:
    return Guess(records=records, answer=0.5)


@_first.register(HistogramQuery)
@_first.register(GroupedCountQuery)
def _(query: HistogramQuery | GroupedCountQuery, schema: Schema, records: float) -> Guess:
    cells = _coordinates(query, schema)
    return Guess(records=records, answer=(round(records / cells),) * cells)


@_first.register
def _(query: StatisticalQueries, schema: Schema, records: float) -> Guess:
    return Guess(records=records, answer=(round(records / 10),) * len(query.conditions))


@_first.register
def _(query: GroupedSumQuery, schema: Schema, records: float) -> Guess:
    cells, column = _coordinates(query, schema), schema.number(query.column)
    return Guess(records=records, answer=(records / cells * _middle(column),) * cells, spread=_quarter(column))


@_first.register
def _(query: GroupedMeanQuery, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    answers = (_middle(column),) * _coordinates(query, schema)
    return Guess(records=records, answer=answers, spread=_quarter(column))


@_first.register
def _(query: VarianceQuery, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    return Guess(records=records, answer=_quarter(column) ** 2, mean=_middle(column))


@_first.register
def _(query: QuantileQuery, schema: Schema, records: float) -> Guess:
    column = schema.number(query.column)
    return Guess(records=records, answer=column.lower + query.quantile * (column.upper - column.lower))


@_first.register
def _(query: ModeQuery, schema: Schema, records: float) -> Guess:
    return Guess(records=records, answer=0.0)


def _coordinates(query: Query, schema: Schema) -> int:
    """How many numbers an answer has; the relation does not matter."""
    return query.parts(schema, Neighbors.ADD_REMOVE)[0].coordinates


def _quarter(column: NumberColumn) -> float:
    return (column.upper - column.lower) / 4


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
