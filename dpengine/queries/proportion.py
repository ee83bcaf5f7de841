"""Which share of the rows satisfies a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, RowCount, Schema, SignedCount, require_condition_itself
from dpengine.errors import RefusedQueryError, named
from dpengine.privacy import Neighbors
from dpengine.queries.part import Part, Reading
from dpengine.queries.refusals import require_terms, require_where
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.total import SUM_SHARE


@named
@dataclass(frozen=True, slots=True)
class ProportionQuery:
    """The share of rows that satisfy `having`, among the rows that satisfy `where` (all rows if None).

    Two noisy parts, like a mean of zeros and ones, unless the number of people is public and nobody is left out.
    """

    having: Condition
    where: Condition | None = None

    def __post_init__(self) -> None:
        if self.having is not None:
            require_condition_itself("having", self.having)
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Either the count over the public number of people, or a count from the middle and a count of rows."""
        if self.having is None:
            raise RefusedQueryError("A share needs the condition whose share is asked for.")
        require_terms(schema, neighbors, self.having, self.where)
        if neighbors is Neighbors.REPLACE_ONE and schema.people and schema.one_row_each and self.where is None:
            sensitivity = sensitivities.of_row_count(schema, neighbors)
            counted = RowCount(where=self.having)
            return (Part(name="proportion", aggregate=counted, grid_sensitivity=sensitivity, step=1 / schema.people),)
        signed = SignedCount(condition=self.having, where=self.where)
        sensitivity = sensitivities.of_signed_count(schema, neighbors)
        return (
            Part(name="centered count", aggregate=signed, grid_sensitivity=sensitivity, step=0.5, share=SUM_SHARE),
            Part(
                name="count",
                aggregate=RowCount(where=self.where),
                grid_sensitivity=sensitivities.of_row_count(schema, neighbors),
                share=1 - SUM_SHARE,
            ),
        )

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """One half plus centered count over count, kept between 0 and 1 when there are two parts."""
        if len(noisy) == 1:
            return noisy[0].values
        return np.clip(0.5 + noisy[0].values / np.maximum(noisy[1].values, 1.0), 0.0, 1.0)

    def unit(self, schema: Schema) -> str:
        """A share of 1."""
        return "share of " + ("people" if schema.one_row_each else "rows")
