"""Sums and means of a number column, clamped to its public bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpengine.data import (
    Condition,
    FixedPointSum,
    GroupedSums,
    NumberColumn,
    RowCount,
    Schema,
)
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import Quote, plain
from dpengine.queries.forms import OfNumbers, RatioForm, SumForm, among, kind
from dpengine.queries.part import AnyPart, Part, Reading
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities

SUM_SHARE = Fraction(3, 5)
"""Share of epsilon that the sum of a mean gets; near the best split when the mean is anywhere in its range (MSE-optimal
shares go with the cube root of each part's squared cost; a mean spread evenly over the range gives 0.59)."""


@kind
@dataclass(frozen=True, slots=True)
class SumQuery(SumForm):
    """The sum of a number column, each value clamped to its public bounds; missing values do not count."""

    column: str
    where: Condition | None = None
    cell = ""

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One sum; where everybody is publicly known to count, only the distance from the middle needs noise."""
        require_terms(schema, neighbors, self.where)
        column = schema.number(self.column)
        if counts_everybody(column, self.where, schema, neighbors):
            aggregate = centered_sum(column, self.where)
            offset = (schema.people or 0) * aggregate.center * column.step
        else:
            aggregate, offset = replace(centered_sum(column, self.where), center=0), 0.0
        sensitivity = sensitivities.of_sum(aggregate, column, schema, neighbors)
        asked = Part(name="sum", aggregate=aggregate, grid_sensitivity=sensitivity, step=column.step, offset=offset)
        return answerable(schema, asked)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what is the sum of income"."""
        return f"what is the sum of {quote(self.column)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """sum(column)."""
        return SqlFigure(figure=f"sum({spelled.name(self.column)})")


class Means(OfNumbers, RatioForm):
    """Sums over counts of the values of a column."""

    __slots__ = ()
    noun = "mean"

    def ends(self, parts: Sequence[AnyPart]) -> tuple[float, float, float]:
        """The bounds of the column on its grid."""
        return ends_of_sum(parts[0])

    def answer_range(self, schema: Schema) -> tuple[float, float]:
        """The bounds of the column."""
        column = schema.number(self.column)
        return column.lower, column.upper

    def unit(self, schema: Schema) -> str:
        """The unit of the column."""
        return schema.number(self.column).unit


@kind
@dataclass(frozen=True, slots=True)
class MeanQuery(Means):
    """The mean of a number column, each value clamped to its public bounds; missing values do not count.

    Two noisy parts, a sum counted from the middle of the range and a count, unless the number of values is public.
    """

    column: str
    where: Condition | None = None
    cell = ""

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Either the centered sum over the public number of people, or centered sum and count with their shares."""
        require_terms(schema, neighbors, self.where)
        column = schema.number(self.column)
        aggregate = centered_sum(column, self.where)
        sensitivity = sensitivities.of_sum(aggregate, column, schema, neighbors)
        if counts_everybody(column, self.where, schema, neighbors) and schema.people:
            center, step = aggregate.center * column.step, column.step / schema.people
            asked = Part(name="mean", aggregate=aggregate, grid_sensitivity=sensitivity, step=step, offset=center)
            return answerable(schema, asked)
        counted = RowCount(where=self.present)
        return answerable(
            schema,
            Part(
                name="centered sum",
                aggregate=aggregate,
                grid_sensitivity=sensitivity,
                step=column.step,
                share=SUM_SHARE,
            ),
            Part(
                name="count",
                aggregate=counted,
                grid_sensitivity=sensitivities.of_row_count(schema, neighbors),
                share=1 - SUM_SHARE,
            ),
        )

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """Middle of the range plus sum over count; a count below 1 counts as 1, the mean stays within its bounds."""
        aggregate = noisy[0].part.aggregate
        if len(noisy) == 1 or not isinstance(aggregate, FixedPointSum):
            return noisy[0].values
        grid = 2.0**-aggregate.fraction_bits
        mean = aggregate.center * grid + noisy[0].values / np.maximum(noisy[1].values, 1.0)
        return np.clip(mean, aggregate.lower * grid, aggregate.upper * grid)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what is the average age"."""
        return f"what is the average {quote(self.column)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """avg(column)."""
        return SqlFigure(figure=f"avg({spelled.name(self.column)})")


def centered_sum(column: NumberColumn, where: Condition | None) -> FixedPointSum:
    """The sum of a column's values counted from the grid point in the middle of its bounds."""
    lower, upper = column.on_grid(column.lower), column.on_grid(column.upper)
    return FixedPointSum(
        column=column.name,
        fraction_bits=column.fraction_bits,
        lower=lower,
        upper=upper,
        center=(lower + upper) // 2,
        where=where,
    )


def ends_of_sum(part: AnyPart) -> tuple[float, float, float]:
    """Least value, the middle from which it is counted, and largest value of the records in a sum, on its grid."""
    aggregate = part.aggregate.sum if isinstance(part.aggregate, GroupedSums) else part.aggregate
    if not isinstance(aggregate, FixedPointSum):
        raise InvalidParameterError("part", part, "the sum of a mean")
    grid = math.ldexp(1.0, -aggregate.fraction_bits)
    return aggregate.lower * grid, aggregate.center * grid, aggregate.upper * grid


def counts_everybody(column: NumberColumn, where: Condition | None, schema: Schema, neighbors: Neighbors) -> bool:
    """Whether the number of values is public: replace-one, one row each, no condition, nothing missing.

    A value that is missing all the same then counts as the middle of the range: the promise holds whatever the rows.
    """
    return (
        neighbors is Neighbors.REPLACE_ONE
        and schema.people is not None
        and schema.one_row_each
        and where is None
        and column.complete
    )
