"""Answers for each group of one or two public category columns, all at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    Condition,
    FixedPointSum,
    GroupedCounts,
    GroupedSums,
    Grouping,
    NumberColumn,
    Schema,
    SignedCount,
    require_condition_itself,
)
from dpengine.errors import InvalidParameterError, RefusedQueryError, items_of
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.conditions_in_words import Quote, holding, plain
from dpengine.queries.forms import ByGroup, CountedCell, CountForm, SumForm, among, kind
from dpengine.queries.part import Part, Reading
from dpengine.queries.proportion import Proportions, zero_or_one
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.sensitivity.sensitivities import Contribution
from dpengine.queries.total import SUM_SHARE, Means, centered_sum

BETWEEN = " · "
"""Stands between the two keys of a group's label."""


@kind
@dataclass(frozen=True, slots=True)
class GroupedCountQuery(ByGroup, CountForm):
    """How many rows each group has; `by` names one or two columns with public lists of values.

    Every listed group is answered, empty ones too, and no other: a group that shows up only where somebody is in it
    would betray that person.
    """

    by: tuple[str, ...] | str
    where: Condition | None = None
    overlapping = False

    def __post_init__(self) -> None:
        _settle_by(self)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One part with a coordinate for each group."""
        require_terms(schema, neighbors, self.where)
        return answerable(schema, _counts("counts", grouping_of(self.by, schema), self.where, schema, neighbors))

    def cells(self, schema: Schema, neighbors: Neighbors) -> tuple[CountedCell, ...]:
        """The listed values; where a person may have rows in several groups, a bound keeps some out: no plain count."""
        if schema.one_row_each:
            return cells_of_values(tuple(self.by), schema)
        (part,) = self.parts(schema, neighbors)
        return tuple(CountedCell(unspelled=f"{', '.join(self.by)}: {label}") for label in part.labels)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "how many rows has each ward"."""
        return f"how many rows has each {self.for_each(quote)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """Rows by group."""
        return SqlFigure(figure="count(*)", keys=tuple(map(spelled.name, self.by)))


@kind
@dataclass(frozen=True, slots=True)
class GroupedSumQuery(ByGroup, SumForm):
    """The sum of a number column in each group, each value clamped to its public bounds."""

    column: str
    by: tuple[str, ...] | str
    where: Condition | None = None

    def __post_init__(self) -> None:
        _settle_by(self)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One part with a coordinate for each group."""
        require_terms(schema, neighbors, self.where)
        column = schema.number(self.column)
        total = replace(centered_sum(column, self.where), center=0)
        return answerable(schema, _sums("sums", total, column, grouping_of(self.by, schema), schema, neighbors))

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what is the sum of income for each ward"."""
        return f"what is the sum of {quote(self.column)} for each {self.for_each(quote)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """sum(column) by group."""
        return SqlFigure(figure=f"sum({spelled.name(self.column)})", keys=tuple(map(spelled.name, self.by)))


@kind
@dataclass(frozen=True, slots=True)
class GroupedMeanQuery(ByGroup, Means):
    """The mean of a number column in each group: noisy sums counted from the middle of the range, and noisy counts."""

    column: str
    by: tuple[str, ...] | str
    where: Condition | None = None

    def __post_init__(self) -> None:
        _settle_by(self)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Sums and counts with their shares; how many are in a group is never public."""
        require_terms(schema, neighbors, self.where)
        column, grouping = schema.number(self.column), grouping_of(self.by, schema)
        sums = _sums("centered sums", centered_sum(column, self.where), column, grouping, schema, neighbors)
        counts = _counts("counts", grouping, self.present, schema, neighbors)
        return answerable(schema, replace(sums, share=SUM_SHARE), replace(counts, share=1 - SUM_SHARE))

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """Middle of the range plus sum over count in each group; a count below 1 counts as 1, the range is kept."""
        aggregate = noisy[0].part.aggregate
        if not isinstance(aggregate, GroupedSums) or not isinstance(aggregate.sum, FixedPointSum):
            raise InvalidParameterError("noisy", noisy, "readings of the parts of this question")
        grid, total = math.ldexp(1.0, -aggregate.sum.fraction_bits), aggregate.sum
        mean = total.center * grid + noisy[0].values / np.maximum(noisy[1].values, 1.0)
        return np.clip(mean, total.lower * grid, total.upper * grid)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what is the average income for each ward"."""
        return f"what is the average {quote(self.column)} for each {self.for_each(quote)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """avg(column) by group."""
        return SqlFigure(figure=f"avg({spelled.name(self.column)})", keys=tuple(map(spelled.name, self.by)))


@kind
@dataclass(frozen=True, slots=True)
class GroupedProportionQuery(ByGroup, Proportions):
    """The share of rows that satisfy `having` in each group, among the rows that satisfy `where`.

    Noisy sums of signs, +1/2 where a row satisfies it and -1/2 where not, and noisy counts.
    """

    having: Condition
    by: tuple[str, ...] | str
    where: Condition | None = None

    def __post_init__(self) -> None:
        require_condition_itself("having", self.having)
        _settle_by(self)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Sums of signs and counts with their shares; how many are in a group is never public."""
        require_terms(schema, neighbors, self.having, self.where)
        grouping = grouping_of(self.by, schema)
        labels = labels_of(grouping)
        bounds = contribution(schema, len(labels))
        on_grid = sensitivities.of_grouped_sums(bounds, lower=-1, upper=1, neighbors=neighbors)
        said = sensitivities.of_grouped_sums(bounds, lower=-0.5, upper=0.5, neighbors=neighbors)
        signs = Part(
            name="centered counts",
            aggregate=GroupedSums(grouping=grouping, sum=SignedCount(condition=self.having, where=self.where)),
            grid_sensitivity=replace(on_grid, because=said.because),
            step=0.5,
            share=SUM_SHARE,
            labels=labels,
        )
        counts = _counts("counts", grouping, self.where, schema, neighbors)
        return answerable(schema, signs, replace(counts, share=1 - SUM_SHARE))

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what share has age > 30 in each ward"."""
        share = f"what share {holding(self.having, quote, have='has')}"
        return f"{share} in each {self.for_each(quote)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """The mean of zeros and ones by group."""
        return SqlFigure(figure=zero_or_one(self.having, spelled), keys=tuple(map(spelled.name, self.by)))


_CALLED = {True: "yes", False: "no"}


def grouping_of(by: Sequence[str], schema: Schema) -> Grouping:
    """The public groups, with the bounds that the schema sets for one person."""
    values = tuple(_keys(name, schema) for name in by)
    unit = schema.unit
    return Grouping(by=tuple(by), values=values, groups=unit.groups, rows_per_group=unit.rows_per_group)


def contribution(schema: Schema, groups: int) -> Contribution:
    """What one person may count with in so many groups."""
    unit = schema.unit
    return Contribution(
        groups=min(unit.groups or groups, groups), rows_per_group=unit.rows_per_group or unit.rows, rows=unit.rows
    )


def cells_of_values(by: tuple[str, ...], schema: Schema) -> tuple[CountedCell, ...]:
    """A cell for each listed value of these columns, or pair of values, in the order of the coordinates."""
    keys = grouping_of(by, schema).values
    named = [[Comparison(name, "=", key) for key in values] for name, values in zip(by, keys, strict=True)]
    return tuple(CountedCell(demands=demands) for demands in itertools.product(*named))


def labels_of(grouping: Grouping) -> tuple[str, ...]:
    """What each group is called, in the order of the coordinates."""
    called = [[_CALLED[key] if isinstance(key, bool) else key for key in keys] for keys in grouping.values]
    return tuple(map(BETWEEN.join, itertools.product(*called)))


def _counts(name: str, grouping: Grouping, where: Condition | None, schema: Schema, neighbors: Neighbors) -> Part:
    labels = labels_of(grouping)
    moved = (
        sensitivities.of_counts(schema, neighbors)
        if schema.one_row_each
        else sensitivities.of_grouped_counts(contribution(schema, len(labels)), neighbors)
    )
    aggregate = GroupedCounts(grouping=grouping, where=where)
    return Part(name=name, aggregate=aggregate, grid_sensitivity=moved, labels=labels)


def _sums(
    name: str, total: FixedPointSum, column: NumberColumn, grouping: Grouping, schema: Schema, neighbors: Neighbors
) -> Part:
    labels = labels_of(grouping)
    bounds = contribution(schema, len(labels))
    on_grid = sensitivities.of_grouped_sums(
        bounds, lower=total.lower - total.center, upper=total.upper - total.center, neighbors=neighbors
    )
    middle = total.center * column.step
    said = sensitivities.of_grouped_sums(
        bounds, lower=column.lower - middle, upper=column.upper - middle, neighbors=neighbors, unit=column.unit
    )
    return Part(
        name=name,
        aggregate=GroupedSums(grouping=grouping, sum=total),
        grid_sensitivity=Sensitivity(l1=on_grid.l1, l2=on_grid.l2, linf=on_grid.linf, because=said.because),
        step=column.step,
        labels=labels,
    )


def _keys(name: str, schema: Schema) -> tuple[str, ...] | tuple[bool, ...]:
    """The public values of a column; raises RefusedQueryError where it has no list of them."""
    column = schema.column(name)
    if isinstance(column, CategoryColumn):
        return column.categories
    if isinstance(column, BooleanColumn):
        return (False, True)
    raise RefusedQueryError(
        f"{name!r} has no public list of values to group by, so the list of groups would itself reveal who is there. "
        "Declare it as a category, or ask for a histogram with public bins."
    )


def _settle_by(query: ByGroup) -> None:
    """A single name stands for a list of one; and what every question refuses at once."""
    require_where(query.where)
    by = (query.by,) if isinstance(query.by, str) else items_of("by", query.by)
    if not 1 <= len(by) <= 2 or len(set(by)) != len(by) or not all(isinstance(name, str) for name in by):
        raise InvalidParameterError("by", query.by, "one or two different column names")
    object.__setattr__(query, "by", by)
