"""How many rows, and how many people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, PeopleCount, RowCount, Schema
from dpengine.errors import named
from dpengine.privacy import Neighbors
from dpengine.queries import sensitivities
from dpengine.queries.part import Part, Reading
from dpengine.queries.refusals import require_terms, require_where


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
        aggregate = RowCount(where=self.where)
        return (
            Part(name="count", aggregate=aggregate, grid_sensitivity=sensitivities.of_row_count(schema, neighbors)),
        )

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
        aggregate = PeopleCount(where=self.where)
        return (
            Part(
                name="count of people", aggregate=aggregate, grid_sensitivity=sensitivities.of_people_count(neighbors)
            ),
        )

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The count itself; below zero is possible and means "very few"."""
        return noisy[0].values

    def unit(self, schema: Schema) -> str:
        """Always people."""
        return "people"
