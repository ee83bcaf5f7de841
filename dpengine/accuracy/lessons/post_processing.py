"""What may be done to noisy counts once they are out: no row is looked at again, so nothing of it costs privacy.

Source: Dwork and Roth 2014, Proposition 2.1.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, require_positive
from dpengine.losses.arrays import Array, numbers


def without_negatives(counts: npt.ArrayLike) -> Array:
    """Negative counts, which only noise can bring about, set to 0; no count comes to lie farther from a true one."""
    return np.maximum(_counts(counts), 0.0)


def rounded_to(counts: npt.ArrayLike, *, step: float) -> Array:
    """Each count at the nearest multiple of `step`, halves to the even one."""
    require_positive("step", step)
    return np.rint(_counts(counts) / step) * step + 0.0


def sum_of(counts: npt.ArrayLike, places: Collection[int]) -> float:
    """The counts at some places added up."""
    return float(np.sum(_counts(counts)[list(places)]))


def share_of(counts: npt.ArrayLike, place: int) -> float:
    """One count as a share of all of them, each negative one taken as 0; 0 where nothing is left."""
    kept = without_negatives(counts)
    total = float(np.sum(kept))
    return float(kept[place]) / total if total > 0.0 else 0.0


def largest(counts: npt.ArrayLike) -> int:
    """The place of the largest count; the first of several."""
    return int(np.argmax(_counts(counts)))


def _counts(values: npt.ArrayLike) -> Array:
    counts = numbers("counts", values)
    if counts.ndim != 1 or counts.size == 0:
        raise InvalidParameterError("counts", values, "a list of at least one number")
    return counts
