"""What bounding each person's rows and groups does to an answer: an error that no larger epsilon removes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Schema, Table
from dpengine.privacy import Neighbors
from dpengine.queries import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionBias:
    """The exact answer with the bounds and without them, one number a coordinate: for the curator's eyes only."""

    bounded: NDArray[np.float64] = field(repr=False)
    unbounded: NDArray[np.float64] = field(repr=False)

    @property
    def largest(self) -> float:
        """The largest distance between the two, in the unit of the answer."""
        return float(np.max(np.abs(self.bounded - self.unbounded), initial=0.0))

    @property
    def relative(self) -> float:
        """Sum of the distances as a share of the unbounded answers' sizes; 0 where these are 0."""
        size = float(np.abs(self.unbounded).sum())
        return float(np.abs(self.bounded - self.unbounded).sum()) / size if size else 0.0


def contribution_bias(query: Query, schema: Schema, neighbors: Neighbors, table: Table) -> ContributionBias:
    """Both answers, read from the rows; covered by no promise."""
    parts = query.parts(schema, neighbors)
    bounded = query.combine([part.exact_reading(table.recall(part.aggregate)) for part in parts])
    unbounded = query.combine([part.exact_reading(table.run_unbounded(part.aggregate)) for part in parts])
    return ContributionBias(bounded=bounded, unbounded=unbounded)
