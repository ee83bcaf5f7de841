"""How many rows, and how many people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, Not, PeopleCount, RowCount, Schema
from dpengine.errors import RefusedQueryError, named
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.disjoint import disjoint
from dpengine.queries.part import Part, Reading
from dpengine.queries.refusals import require_terms, require_where
from dpengine.queries.sensitivity import sensitivities


@named
@dataclass(frozen=True, slots=True)
class CountQuery:
    """How many rows satisfy a condition."""

    where: Condition | None = None

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One count; the same sensitivity under either relation."""
        require_terms(schema, neighbors, self.where)
        moved = _said_of(self, sensitivities.of_row_count(schema, neighbors), schema, neighbors)
        return (Part(name="count", aggregate=RowCount(where=self.where), grid_sensitivity=moved),)

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The count itself; below zero is possible and means "very few"."""
        return noisy[0].values

    def unit(self, schema: Schema) -> str:
        """People where every row is one person, rows otherwise."""
        return "people" if schema.one_row_each else "rows"


@named
@dataclass(frozen=True, slots=True)
class CountPeopleQuery:
    """How many different people have at least one row that satisfies a condition."""

    where: Condition | None = None

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """One count with sensitivity 1: the contribution bound is not needed."""
        require_terms(schema, neighbors, self.where)
        moved = _said_of(self, sensitivities.of_people_count(neighbors), schema, neighbors)
        return (Part(name="count of people", aggregate=PeopleCount(where=self.where), grid_sensitivity=moved),)

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The count itself; below zero is possible and means "very few"."""
        return noisy[0].values

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
    return f"This is the number of people that you declared: {schema.people:,}. It needs no noise and costs nothing."


def require_undeclared(query: object, schema: Schema, neighbors: Neighbors) -> None:
    """Refuse a question whose answer was declared: who asked it would pay for noise in a number that is public."""
    sentence = declared_number(query, schema, neighbors)
    if sentence:
        raise RefusedQueryError(sentence)


def _said_of(query: object, moved: Sensitivity, schema: Schema, neighbors: Neighbors) -> Sensitivity:
    return replace(moved, because=declared_number(query, schema, neighbors) or moved.because)
