"""The exact answer from the laws themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpengine.accounting.protocol import Counts
from dpengine.errors import UnsupportedEventError
from dpengine.losses import gaussian_epsilon
from dpengine.losses.arrays import Array
from dpengine.privacy import GaussianEvent

_LEAST_COST, _BEYOND = 1e-300, 1e302


@dataclass(frozen=True, slots=True)
class ExactAccountant:
    """Any mix of Gaussian runs is exactly one Gaussian run: squared shifts add up. Other laws are refused.

    Source: Dong, Roth, Su 2022, Corollary 3.3.
    """

    name: str = "exact"
    label: str = "Exact loss of this noise"
    sound: bool = True

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Never below the truth, above it by rounding only; infinite at delta 0 and where it is above 1e299."""
        columns = len(next(iter(counts.values())))
        cost = np.zeros(columns)
        for event, runs in counts.items():
            if not isinstance(event, GaussianEvent):
                raise UnsupportedEventError(event, "The exact accountant so far knows only Gaussian noise and")
            with np.errstate(over="ignore"):
                cost = cost + np.where(runs > 0.0, runs, 0.0) * min(
                    1.0 / event.noise_multiplier / event.noise_multiplier, _BEYOND
                )
        noise = 1.0 / np.sqrt(np.clip(cost, _LEAST_COST, _BEYOND))
        return np.where(cost > 0.0, gaussian_epsilon(noise_multiplier=noise, delta=delta), 0.0)
