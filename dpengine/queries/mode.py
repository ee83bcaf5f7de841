"""The most frequent value of a category column: which one it is, and not how frequent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.data import BooleanColumn, CategoryColumn, CategoryCounts, Condition, Schema
from dpengine.errors import RefusedQueryError, named
from dpengine.privacy import Neighbors
from dpengine.queries.part import Choice, Reading
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities


@named
@dataclass(frozen=True, slots=True)
class ModeQuery:
    """Which value of a column most rows have, by report noisy max over the public list of values."""

    column: str
    where: Condition | None = None

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Choice, ...]:
        """One choice, whose scores are the counts."""
        require_terms(schema, neighbors, self.where)
        values, names = self._listed(schema)
        choice = Choice(
            name="most frequent value",
            aggregate=CategoryCounts(column=self.column, values=values, where=self.where),
            score_sensitivity=sensitivities.of_mode(rows=schema.unit.rows, neighbors=neighbors),
            values=tuple(map(float, range(len(names)))),
            names=names,
            chosen_by="noisy max",
        )
        return answerable(schema, choice)

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The number of the chosen value in the public list, from 0."""
        return noisy[0].values

    def unit(self, schema: Schema) -> str:
        """A value has no unit."""
        return ""

    def _listed(self, schema: Schema) -> tuple[tuple[str | bool, ...], tuple[str, ...]]:
        column = schema.column(self.column)
        if isinstance(column, CategoryColumn):
            return column.categories, column.categories
        if isinstance(column, BooleanColumn):
            return (False, True), ("no", "yes")
        raise RefusedQueryError(
            f"{self.column!r} has no public list of values to choose from; declare it as a category, or ask for the "
            "median of a number."
        )
