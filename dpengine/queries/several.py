"""Many counts about the same rows at once: d statistical queries for one promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, ConditionCounts, Schema, require_aggregate, settle_conditions
from dpengine.errors import named
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import in_words
from dpengine.queries.part import Part, Reading
from dpengine.queries.refusals import require_terms, require_where
from dpengine.queries.sensitivity import sensitivities


@named
@dataclass(frozen=True, slots=True)
class StatisticalQueries:
    """How many rows satisfy each of several conditions; a row may satisfy many, which the cells of a histogram exclude.

    One person may move all d counts, so with one row each the l1 sensitivity is d and the l2 sensitivity sqrt(d).
    """

    conditions: tuple[Condition, ...]
    where: Condition | None = None

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

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The counts, in the order of the conditions; some may be below zero."""
        return noisy[0].values

    def unit(self, schema: Schema) -> str:
        """People where every row is one person, rows otherwise."""
        return "people" if schema.one_row_each else "rows"
