"""Many counts, or many shares, of the same rows at once: d statistical queries for one promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpengine.data import Condition, ConditionCounts, Or, Schema, both, require_aggregate, settle_conditions
from dpengine.errors import RefusedQueryError
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import Quote, holding, in_words, plain, rows_holding
from dpengine.queries.forms import CountedCell, CountForm, among, kind
from dpengine.queries.part import Part
from dpengine.queries.proportion import Proportions, public_people, rows_below, zero_or_one
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.total import SUM_SHARE


@kind
@dataclass(frozen=True, slots=True)
class StatisticalQueries(CountForm):
    """How many rows satisfy each of several conditions; a row may satisfy many, which the cells of a histogram exclude.

    One person may move all d counts, so with one row each the l1 sensitivity is d and the l2 sensitivity sqrt(d).
    """

    conditions: tuple[Condition, ...]
    where: Condition | None = None
    cell, overlapping = "condition", True

    def __post_init__(self) -> None:
        settle_conditions(self)
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One part with a coordinate for each condition."""
        require_terms(schema, neighbors, self.where)
        aggregate = ConditionCounts(conditions=self.conditions, where=self.where)
        require_aggregate(aggregate, schema)
        moved = sensitivities.of_statistics(each=schema.unit.rows, statistics=len(self.conditions), neighbors=neighbors)
        return (Part(name="counts", aggregate=aggregate, grid_sensitivity=moved, labels=_labels(self.conditions)),)

    def cells(self, schema: Schema, neighbors: Neighbors) -> tuple[CountedCell, ...]:
        """Each condition."""
        return tuple(CountedCell(demands=(condition,)) for condition in self.conditions)

    def touched(self) -> Condition | None:
        """The rows that satisfy one of the conditions."""
        return both(self.where, Or(self.conditions))

    def in_words(self, quote: Quote = plain) -> str:
        """As in "how many rows have age > 30 and 2 more conditions, each counted separately"."""
        first = rows_holding(self.conditions[0], quote)
        return f"how many rows {first}{_others(self.conditions)}, each counted separately{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """A filtered count for each condition."""
        counts = (f"count(*) FILTER (WHERE {spelled.condition(condition)})" for condition in self.conditions)
        return SqlFigure(figure=", ".join(counts))


@kind
@dataclass(frozen=True, slots=True)
class SeveralProportionsQuery(Proportions):
    """Which share of the rows satisfies each of several conditions; a row may satisfy many.

    One part where the number of people is public and nobody is left out: d shares of n people, l1 sensitivity d / n.
    Otherwise a noisy count for each condition, counted from the middle, and one noisy count of rows under them all.
    """

    conditions: tuple[Condition, ...]
    where: Condition | None = None
    cell = "condition"

    def __post_init__(self) -> None:
        settle_conditions(self)
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Either the counts over the public number of people, or counts from the middle and a count of rows."""
        require_terms(schema, neighbors, self.where)
        many, labels = len(self.conditions), _labels(self.conditions)
        if people := public_people(self.where, schema, neighbors):
            on_grid = sensitivities.of_statistics(each=1, statistics=many, neighbors=neighbors)
            said = sensitivities.of_proportions(
                proportions=many, people=people, everybody_counts=True, neighbors=neighbors
            )
            shares = Part(
                name="shares",
                aggregate=ConditionCounts(conditions=self.conditions),
                grid_sensitivity=replace(on_grid, because=said.because),
                step=1 / people,
                labels=labels,
            )
            return answerable(schema, shares)
        signed = Part(
            name="centered counts",
            aggregate=ConditionCounts(conditions=self.conditions, where=self.where, signed=True),
            grid_sensitivity=sensitivities.of_signed_counts(schema, neighbors, conditions=many),
            step=0.5,
            share=SUM_SHARE,
            labels=labels,
        )
        return answerable(schema, signed, rows_below(self.where, schema, neighbors))

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what share has age > 30 and 2 more conditions, each taken separately"."""
        first = holding(self.conditions[0], quote, have="has")
        return f"what share {first}{_others(self.conditions)}, each taken separately{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """The mean of zeros and ones for each condition; of one it would be read as a single share."""
        if len(self.conditions) == 1:
            raise RefusedQueryError("A list with one share has no form in SQL here: ask for the share by itself.")
        return SqlFigure(figure=", ".join(zero_or_one(condition, spelled) for condition in self.conditions))


def _labels(conditions: Sequence[Condition]) -> tuple[str, ...]:
    """What each number is called, in the order of the conditions; a single one needs no name."""
    return tuple(map(in_words, conditions)) if len(conditions) > 1 else ("",)


def _others(conditions: Sequence[Condition]) -> str:
    """How many conditions there are beside the first, as in " and 2 more conditions"."""
    count = len(conditions) - 1
    return f" and {count} more condition{'s' if count > 1 else ''}" if count else ""
