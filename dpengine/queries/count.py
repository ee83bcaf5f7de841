"""How many rows, and how many people."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpengine.data import Condition, Not, PeopleCount, RowCount, Schema
from dpengine.errors import RefusedQueryError
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.conditions_in_words import Quote, holding, plain, rows_holding
from dpengine.queries.disjoint import disjoint
from dpengine.queries.forms import CountedCell, CountForm, kind
from dpengine.queries.part import Part
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import require_terms, require_where
from dpengine.queries.sensitivity import sensitivities


@kind
@dataclass(frozen=True, slots=True)
class CountQuery(CountForm):
    """How many rows satisfy a condition."""

    where: Condition | None = None
    cell, overlapping = "", False

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One count; the same sensitivity under either relation."""
        require_terms(schema, neighbors, self.where)
        moved = _said_of(self, sensitivities.of_row_count(schema, neighbors), schema, neighbors)
        return (Part(name="count", aggregate=RowCount(where=self.where), grid_sensitivity=moved),)

    def counted(self) -> RowCount:
        """All rows: of them those with the condition are a share."""
        return RowCount()

    def cells(self, schema: Schema, neighbors: Neighbors) -> tuple[CountedCell, ...]:
        """The condition alone."""
        return (CountedCell(),)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "how many rows have age > 30"."""
        return "how many rows" + (f" {rows_holding(self.where, quote)}" if self.where else " are there")

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """All rows."""
        return SqlFigure(figure="count(*)")


@kind
@dataclass(frozen=True, slots=True)
class CountPeopleQuery(CountForm):
    """How many different people have at least one row that satisfies a condition."""

    where: Condition | None = None
    noun, cell, overlapping = "number of people", "", False

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One count with sensitivity 1: the contribution bound is not needed."""
        require_terms(schema, neighbors, self.where)
        moved = _said_of(self, sensitivities.of_people_count(neighbors), schema, neighbors)
        return (Part(name="count of people", aggregate=PeopleCount(where=self.where), grid_sensitivity=moved),)

    def counted(self) -> PeopleCount:
        """All people."""
        return PeopleCount()

    def cells(self, schema: Schema, neighbors: Neighbors) -> tuple[CountedCell, ...]:
        """The condition alone."""
        return (CountedCell(),)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "how many people have age > 30"."""
        return "how many people" + (f" {holding(self.where, quote)}" if self.where else " are there")

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """Distinct identifiers; none where every row is one person."""
        if schema.unit.identifier is None:
            raise RefusedQueryError("Here every row is one person, so the number of people is written count(*) in SQL.")
        return SqlFigure(figure=f"count(DISTINCT {spelled.name(schema.unit.identifier)})")

    def unit(self, schema: Schema) -> str:
        """Always people."""
        return "people"


def declared_number(query: object, schema: Schema, neighbors: Neighbors) -> str:
    """That a question counts all people where their number is public, in a sentence; empty for every other question.

    All: without a condition, or with one that every row satisfies, whatever stands in it.
    """
    counts_people = isinstance(query, CountPeopleQuery) or (isinstance(query, CountQuery) and schema.one_row_each)
    if neighbors is not Neighbors.REPLACE_ONE or schema.people is None or not counts_people:
        return ""
    where = getattr(query, "where", None)
    if where is not None and not disjoint(Not(where), Not(where), schema):
        return ""
    return (
        f"You declared this number of people: {schema.people:,}. It is public, so it needs no noise and costs nothing."
    )


def require_undeclared(query: object, schema: Schema, neighbors: Neighbors) -> None:
    """Refuse a question whose answer was declared: who asked it would pay for noise in a number that is public."""
    sentence = declared_number(query, schema, neighbors)
    if sentence:
        raise RefusedQueryError(sentence)


def _said_of(query: object, moved: Sensitivity, schema: Schema, neighbors: Neighbors) -> Sensitivity:
    return replace(moved, because=declared_number(query, schema, neighbors) or moved.because)
