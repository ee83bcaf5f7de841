"""How many rows fall into each cell: categories of a column, or bins with public edges."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from dpengine.data import (
    LARGEST_STEP,
    PERIODS,
    Aggregate,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Condition,
    DateColumn,
    NumberColumn,
    PeriodCounts,
    Schema,
)
from dpengine.errors import RefusedQueryError, items_of, require_finite, require_one_of
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import Quote, plain, unrounded
from dpengine.queries.forms import CountedCell, CountForm, among, kind
from dpengine.queries.grouped import cells_of_values
from dpengine.queries.part import Part
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities

LARGEST_NUMBER_OF_CELLS = 1000


@kind
@dataclass(frozen=True, slots=True)
class HistogramQuery(CountForm):
    """Rows for each category or bin of a column, answered all at once.

    A number column needs public `edges`: bin i holds edge i <= value < edge i+1, the last bin its upper edge too.
    Values beyond the declared bounds count at the bound if the first and the last edge both are bounds; otherwise
    values outside the edges do not count, at either end. A date column is counted by `period`, "month" or "year", over
    its declared range.
    """

    column: str
    edges: tuple[float, ...] | None = None
    where: Condition | None = None
    period: str | None = None
    overlapping = False

    def __post_init__(self) -> None:
        require_where(self.where)
        if self.period is not None:
            require_one_of("period", self.period, PERIODS)
        if self.edges is not None:
            edges = items_of("edges", self.edges)
            for edge in edges:
                require_finite("edge", edge)
            object.__setattr__(self, "edges", tuple(float(edge) for edge in edges))

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One part with one coordinate a cell: every row lies in one cell, so the cells share one epsilon."""
        require_terms(schema, neighbors, self.where)
        if self.period is not None and not isinstance(schema.column(self.column), DateColumn):
            raise RefusedQueryError(f"{self.column!r} is not declared as a date, so it has no months or years.")
        if self.edges is not None and not isinstance(schema.column(self.column), NumberColumn):
            raise RefusedQueryError(f"{self.column!r} is not declared as a number, so it has no bins with edges.")
        aggregate, labels = self._cells(schema)
        if len(labels) > LARGEST_NUMBER_OF_CELLS:
            raise RefusedQueryError(
                f"{len(labels):,} cells are too many; at most {LARGEST_NUMBER_OF_CELLS:,} can be asked for at once."
            )
        sensitivity = sensitivities.of_counts(schema, neighbors)
        asked = Part(name="cells", aggregate=aggregate, grid_sensitivity=sensitivity, labels=labels)
        return answerable(schema, asked) if isinstance(aggregate, BinCounts) else (asked,)

    @property
    def cell(self) -> str:
        """A month, a year, a bin, or a group of those with one value."""
        return self.period or ("group" if self.edges is None else "bin")

    def cells(self, schema: Schema, neighbors: Neighbors) -> tuple[CountedCell, ...]:
        """Of listed values each; no condition spells a bin or a period."""
        if self.edges is None and self.period is None:
            return cells_of_values((self.column,), schema)
        (part,) = self.parts(schema, neighbors)
        return tuple(CountedCell(unspelled=f"{self.column}: {label}") for label in part.labels)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "how many rows have each value of ward"."""
        inside = self.period or ("" if self.edges is None else "bin")
        each = f"fall in each {inside}" if inside else "have each value"
        return f"how many rows {each} of {quote(self.column)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """histogram(column), or by date_trunc; none with edges."""
        if self.edges is not None:
            raise RefusedQueryError(
                "SQL has no place for edges, so a histogram with bins of its own has no form in it."
            )
        name = spelled.name(self.column)
        if self.period:
            return SqlFigure(figure="count(*)", keys=(f"date_trunc('{self.period}', {name})",))
        return SqlFigure(figure=f"histogram({name})")

    def _cells(self, schema: Schema) -> tuple[Aggregate, tuple[str, ...]]:
        column = schema.column(self.column)
        if isinstance(column, NumberColumn):
            return self._bins(column)
        if isinstance(column, CategoryColumn):
            return CategoryCounts(column=column.name, values=column.categories, where=self.where), column.categories
        if isinstance(column, BooleanColumn):
            return CategoryCounts(column=column.name, values=(False, True), where=self.where), ("no", "yes")
        if isinstance(column, DateColumn):
            return self._periods(column)
        raise RefusedQueryError(
            f"{self.column!r} has no public list of values or edges, so its cells would themselves reveal who is there."
        )

    def _periods(self, column: DateColumn) -> tuple[Aggregate, tuple[str, ...]]:
        if self.period is None:
            raise RefusedQueryError(f"A histogram of the date {self.column!r} needs a period: month or year.")
        aggregate = PeriodCounts(
            column=column.name, period=self.period, earliest=column.earliest, latest=column.latest, where=self.where
        )
        return aggregate, aggregate.labels

    def _bins(self, column: NumberColumn) -> tuple[Aggregate, tuple[str, ...]]:
        if self.edges is None or len(self.edges) < 2:
            raise RefusedQueryError(
                f"A histogram of {self.column!r} needs at least two edges, chosen without looking at the rows."
            )
        _require_reach(column, self.edges)
        grid = tuple(column.on_grid(edge) for edge in self.edges)
        if any(left >= right for left, right in itertools.pairwise(grid)):
            raise RefusedQueryError(f"The edges of {self.column!r} must increase, by at least {column.step:g} each.")
        clamp = self.edges[0] == column.lower and self.edges[-1] == column.upper
        labels = tuple(f"{unrounded(left)} to {unrounded(right)}" for left, right in itertools.pairwise(self.edges))
        aggregate = BinCounts(
            column=column.name, fraction_bits=column.fraction_bits, edges=grid, clamp=clamp, where=self.where
        )
        return aggregate, labels


def _require_reach(column: NumberColumn, edges: Sequence[float]) -> None:
    """Refuse edges so far from the bounds that their place on the column's grid is no exact number any more."""
    reach = column.step * LARGEST_STEP
    for edge in edges:
        if not abs(edge) < reach:
            raise RefusedQueryError(
                f"The edge {edge:g} is too far from the bounds of {column.name!r}, {column.lower:g} to "
                f"{column.upper:g}: edges are exact below {reach:g}."
            )
