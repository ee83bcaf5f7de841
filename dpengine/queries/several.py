"""Many counts about the same rows at once: d statistical queries for one promise."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.data import Condition, ConditionCounts, Or, Schema, both, require_aggregate, settle_conditions
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import Quote, in_words, plain, rows_holding
from dpengine.queries.forms import CountedCell, CountForm, among, kind
from dpengine.queries.part import Part
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import require_terms, require_where
from dpengine.queries.sensitivity import sensitivities


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
        labels = tuple(map(in_words, self.conditions)) if len(self.conditions) > 1 else ("",)
        return (Part(name="counts", aggregate=aggregate, grid_sensitivity=moved, labels=labels),)

    def cells(self, schema: Schema, neighbors: Neighbors) -> tuple[CountedCell, ...]:
        """Each condition."""
        return tuple(CountedCell(demands=(condition,)) for condition in self.conditions)

    def touched(self) -> Condition | None:
        """The rows that satisfy one of the conditions."""
        return both(self.where, Or(self.conditions))

    def in_words(self, quote: Quote = plain) -> str:
        """As in "how many rows have age > 30 and 2 more conditions, each counted separately"."""
        count, first = len(self.conditions), rows_holding(self.conditions[0], quote)
        rest = f" and {count - 1} more condition{'s' if count > 2 else ''}" if count > 1 else ""
        return f"how many rows {first}{rest}, each counted separately{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """A filtered count for each condition."""
        counts = (f"count(*) FILTER (WHERE {spelled.condition(condition)})" for condition in self.conditions)
        return SqlFigure(figure=", ".join(counts))
