"""Answers that might have been: errors drawn from the law of the released noise, for pictures alone."""

from __future__ import annotations

import numpy as np

from dpengine.accuracy import ErrorLaw
from dpengine.errors import require_whole
from dpengine.losses.arrays import Array


def possible_answers(law: ErrorLaw, *, count: int, rng: np.random.Generator) -> Array:
    """So many independent errors in the unit of the answer, in the order in which they are drawn; never a release."""
    require_whole("count", count)
    levels = np.clip(rng.random(count), 1e-12, 1.0 - 1e-12)
    return np.asarray(law.quantile_function(levels))
