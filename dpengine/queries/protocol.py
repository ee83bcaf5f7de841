"""What every question owes: its parts, how to put them together, and how to say it in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, Schema
from dpengine.privacy import Neighbors
from dpengine.queries.part import AnyPart, Reading


@runtime_checkable
class Query(Protocol):
    """A question, asked before any row is read; frozen, and equal to any other that asks the same."""

    @property
    def where(self) -> Condition | None:
        """Which rows the question is about; None for all."""

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[AnyPart, ...]:
        """The noisy pieces whose shares of epsilon sum to 1; raises RefusedQueryError where it cannot be asked."""

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The answer from one reading per part, in the order of `parts`; no row is needed. Shape (coordinates,)."""

    def unit(self, schema: Schema) -> str:
        """The unit of the answer, such as "people" or "dollars"."""
