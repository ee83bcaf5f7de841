"""How many rows fall into each cell: categories of a column, or bins with public edges."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.data import (
    Aggregate,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Condition,
    NumberColumn,
    Schema,
    require_condition,
)
from dpengine.errors import RefusedQueryError, require_finite
from dpengine.privacy import Neighbors
from dpengine.queries import sensitivities
from dpengine.queries.part import Part, Reading

LARGEST_NUMBER_OF_CELLS = 1000


@dataclass(frozen=True, slots=True)
class HistogramQuery:
    """Rows for each category or bin of a column, answered all at once.

    A number column needs public `edges`: bin i holds edge i <= value < edge i+1, the last bin its upper edge too.
    Values beyond the declared bounds count at the bound where the edges end there; otherwise values outside the edges
    do not count.
    """

    column: str
    edges: tuple[float, ...] | None = None
    where: Condition | None = None

    def __post_init__(self) -> None:
        if self.edges is not None:
            object.__setattr__(self, "edges", tuple(float(edge) for edge in self.edges))
            for edge in self.edges:
                require_finite("edge", edge)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One part with one coordinate a cell: every row lies in one cell, so the cells share one epsilon."""
        require_condition(self.where, schema)
        aggregate, labels = self._cells(schema)
        if len(labels) > LARGEST_NUMBER_OF_CELLS:
            raise RefusedQueryError(
                f"{len(labels)} cells are too many; at most {LARGEST_NUMBER_OF_CELLS} can be asked for at once."
            )
        sensitivity = sensitivities.of_counts(schema, neighbors)
        return (Part(name="cells", aggregate=aggregate, grid_sensitivity=sensitivity, labels=labels),)

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The counts, in the order of the cells; some may be below zero."""
        return noisy[0].values

    def unit(self, schema: Schema) -> str:
        """People where every row is one person, rows otherwise."""
        return "people" if schema.one_row_each else "rows"

    def _cells(self, schema: Schema) -> tuple[Aggregate, tuple[str, ...]]:
        column = schema.column(self.column)
        if isinstance(column, NumberColumn):
            return self._bins(column)
        if isinstance(column, CategoryColumn):
            return CategoryCounts(column=column.name, values=column.categories, where=self.where), column.categories
        if isinstance(column, BooleanColumn):
            return CategoryCounts(column=column.name, values=(False, True), where=self.where), ("no", "yes")
        raise RefusedQueryError(
            f"{self.column!r} has no public list of values or edges, so its cells would themselves reveal who is there."
        )

    def _bins(self, column: NumberColumn) -> tuple[Aggregate, tuple[str, ...]]:
        if self.edges is None or len(self.edges) < 2:
            raise RefusedQueryError(
                f"A histogram of {self.column!r} needs at least two edges, chosen without looking at the rows."
            )
        grid = tuple(column.on_grid(edge) for edge in self.edges)
        if any(left >= right for left, right in itertools.pairwise(grid)):
            raise RefusedQueryError(f"The edges of {self.column!r} must increase, by at least {column.step:g} each.")
        clamp = self.edges[0] == column.lower and self.edges[-1] == column.upper
        labels = tuple(f"{left:g} to {right:g}" for left, right in itertools.pairwise(self.edges))
        aggregate = BinCounts(
            column=column.name, fraction_bits=column.fraction_bits, edges=grid, clamp=clamp, where=self.where
        )
        return aggregate, labels
