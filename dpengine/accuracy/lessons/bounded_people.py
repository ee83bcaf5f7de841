"""What a bound on each person's rows leaves of a sum, before any noise: what is lost, and what the lot decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpengine.errors import InvalidParameterError, require_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedSum:
    """The sum over the rows that count; its mean and standard deviation are those over all lots, in the values' unit.

    `rows` is how many rows count, whatever the lot; whoever keeps all their rows adds nothing to the deviation.
    """

    rows: int
    mean: float
    standard_deviation: float


def bounded_sum(people: ArrayLike, values: ArrayLike, *, bound: int) -> BoundedSum:
    """At most `bound` rows of each person, drawn by lot without replacement; one entry of both arrays for each row.

    Source: Cochran 1977, theorems 2.1 and 2.2, person by person.
    """
    require_whole("bound", bound)
    person, numbers = np.asarray(people), np.asarray(values, dtype=np.float64)
    if person.ndim != 1 or person.shape != numbers.shape:
        raise InvalidParameterError("values", numbers.shape, f"as many as there are rows of people, {person.shape}")
    _, owner, rows = np.unique(person, return_inverse=True, return_counts=True)
    kept = np.minimum(rows, bound)
    total = np.bincount(owner, weights=numbers, minlength=len(rows))
    spread = np.bincount(owner, weights=(numbers - (total / rows)[owner]) ** 2, minlength=len(rows))
    lot = kept * (1.0 - kept / rows) * spread / np.maximum(rows - 1, 1)
    return BoundedSum(
        rows=int(kept.sum()),
        mean=float((kept * total / rows).sum()),
        standard_deviation=float(np.sqrt(lot.sum())),
    )
