"""How far the values of a number column are spread: their variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpengine.data import (
    Condition,
    FixedPointMoments,
    FixedPointSum,
    NumberColumn,
    RowCount,
    Schema,
)
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.conditions_in_words import Quote, plain
from dpengine.queries.forms import VarianceForm, among, kind
from dpengine.queries.part import Part, Reading
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.statistics import SpreadOverPeople, SumOfSquares
from dpengine.queries.total import counts_everybody

COARSER_BITS = 5
"""Squares are taken on a grid of about 2**15 steps between the bounds, so that a hundred million of them add up."""
_SHARES = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


@kind
@dataclass(frozen=True, slots=True)
class VarianceQuery(VarianceForm):
    """The mean squared distance of a column's values from their mean, each clamped to its bounds; missing ones out.

    Three noisy parts, the sums of squares and of distances from the middle of the range and a count, unless the
    number of values is public. The unit is the square of the column's.
    """

    column: str
    where: Condition | None = None

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Either the sum of squared distances over the public number of people, or the three parts."""
        require_terms(schema, neighbors, self.where)
        column = schema.number(self.column)
        sums = moments(column, self.where)
        if counts_everybody(column, self.where, schema, neighbors) and (schema.people or 0) > 1:
            return answerable(schema, _over_people(sums, column, int(schema.people or 0)))
        return answerable(schema, *self._three(sums, column, schema.unit.rows, neighbors))

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """Mean square less squared mean; with three parts a count below 1 counts as 1, and the range is kept."""
        if len(noisy) == 1:
            return noisy[0].values
        squares, distances, count = (reading.values for reading in noisy)
        people = np.maximum(count, 1.0)
        return np.clip(squares / people - (distances / people) ** 2, 0.0, largest_variance(noisy[1].part.aggregate))

    def unit(self, schema: Schema) -> str:
        """The square of the column's unit."""
        unit = schema.number(self.column).unit
        return f"{unit} squared" if unit else ""

    def answer_range(self, schema: Schema) -> tuple[float, float]:
        """Source: Popoviciu 1935."""
        column = schema.number(self.column)
        return 0.0, ((column.upper - column.lower) / 2.0) ** 2

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what is the variance of age"."""
        return f"what is the variance of {quote(self.column)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """var_pop(column)."""
        return SqlFigure(figure=f"var_pop({spelled.name(self.column)})")

    def _three(
        self, sums: FixedPointMoments, column: NumberColumn, rows: int, neighbors: Neighbors
    ) -> tuple[Part, ...]:
        moved = _moved(sums, column, rows, neighbors)
        step = math.ldexp(1.0, -sums.fraction_bits)
        return (
            Part(
                name="sum of squares",
                aggregate=sums,
                statistic=SumOfSquares(),
                grid_sensitivity=moved[0],
                step=step * step,
                share=_SHARES[0],
            ),
            Part(
                name="centered sum",
                aggregate=_distances(sums),
                grid_sensitivity=moved[1],
                step=step,
                share=_SHARES[1],
            ),
            Part(
                name="count",
                aggregate=RowCount(where=self.present),
                grid_sensitivity=moved[2],
                share=_SHARES[2],
            ),
        )


def moments(column: NumberColumn, where: Condition | None) -> FixedPointMoments:
    """Sums of distances from the middle of a column's bounds, and of their squares, on the coarser grid."""
    bits = column.fraction_bits - COARSER_BITS
    lower, upper = (math.floor(math.ldexp(bound, bits) + 0.5) for bound in (column.lower, column.upper))
    return FixedPointMoments(
        column=column.name, fraction_bits=bits, lower=lower, upper=upper, center=(lower + upper) // 2, where=where
    )


def largest_variance(aggregate: object) -> float:
    """That of values half at one bound and half at the other; infinite for anything but a sum within bounds."""
    if not isinstance(aggregate, FixedPointSum | FixedPointMoments):
        return math.inf
    return (math.ldexp(float(aggregate.upper - aggregate.lower), -aggregate.fraction_bits) / 2.0) ** 2


def _distances(sums: FixedPointMoments) -> FixedPointSum:
    return FixedPointSum(
        column=sums.column,
        fraction_bits=sums.fraction_bits,
        lower=sums.lower,
        upper=sums.upper,
        center=sums.center,
        where=sums.where,
    )


def _moved(sums: FixedPointMoments, column: NumberColumn, rows: int, neighbors: Neighbors) -> tuple[Sensitivity, ...]:
    """How far one person moves the three parts: in grid steps, with reasons in the unit of the column."""
    on_grid = sensitivities.of_variance_parts(
        lower=sums.lower, upper=sums.upper, center=sums.center, rows=rows, neighbors=neighbors
    )
    said = sensitivities.of_variance_parts(
        lower=column.lower, upper=column.upper, rows=rows, neighbors=neighbors, unit=column.unit
    )
    return tuple(replace(grid, because=real.because) for grid, real in zip(on_grid, said, strict=True))


def _over_people(sums: FixedPointMoments, column: NumberColumn, people: int) -> Part:
    """One part: whoever is replaced moves the sum of squared distances by at most the squared range."""
    spread = sums.upper - sums.lower
    said = sensitivities.of_variance(
        lower=column.lower,
        upper=column.upper,
        people=people,
        everybody_counts=True,
        neighbors=Neighbors.REPLACE_ONE,
        unit=column.unit,
    )
    step = math.ldexp(1.0, -sums.fraction_bits)
    statistic = SpreadOverPeople(people=people, lower=sums.lower - sums.center, upper=sums.upper - sums.center)
    return Part(
        name="variance",
        aggregate=sums,
        statistic=statistic,
        grid_sensitivity=Sensitivity.of_number(spread * spread, said.because),
        step=step * step / people,
    )
