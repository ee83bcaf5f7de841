"""What every additive mechanism can say about itself, and what many coordinates have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpengine.errors import require_between, require_whole
from dpengine.losses.arrays import Array, Numbers, log_complement
from dpengine.privacy import Event

_PANELS, _NODES_PER_PANEL = 60, 12


class AdditiveMechanism(Protocol):
    """Adds independent noise to every coordinate of an answer; all lengths are in the unit of the answer."""

    @property
    def event(self) -> Event:
        """What one run tells the accountants."""

    @property
    def standard_deviation(self) -> float:
        """Of the noise on one coordinate."""

    @property
    def expected_absolute_error(self) -> float:
        """Mean distance of one noisy coordinate from the exact one."""

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t) for one coordinate: an equality, not a bound."""

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """The least half-width that all coordinates obey at once with this confidence."""

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest distance among so many coordinates."""

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer for pictures only: floating-point noise protects nobody."""


class ContinuousMechanism(AdditiveMechanism, Protocol):
    """An additive mechanism whose noise has a density."""

    def density(self, x: Numbers) -> Numbers:
        """Of the noise at x."""


class CappedErrors(AdditiveMechanism, Protocol):
    """An additive mechanism, symmetric around the answer, that knows how far its noise reaches up to a limit."""

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: the integral of the tail up to the cap."""


class DiscreteMechanism(AdditiveMechanism, Protocol):
    """An additive mechanism whose noise is a whole number of grid steps; the only kind that is released."""

    def probability(self, k: Numbers) -> Numbers:
        """Of the noise being k; 0 where k is not whole."""


def mean_of_largest(tail: Callable[[Array], Array], reach: float, coordinates: int) -> float:
    """The integral of P(largest error > t) from 0 to reach, by Gauss-Legendre panels; right to 12 digits.

    For a tail that is smooth at the scale of reach / 60 and nothing beyond.
    """
    require_whole("coordinates", coordinates)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES_PER_PANEL)
    width = reach / _PANELS
    points = (np.arange(_PANELS)[:, None] + (nodes + 1.0) / 2.0) * width
    return float(np.sum(any_of(tail(points), coordinates) * weights) * width / 2.0)


def log_share_of_hits(confidence: float, coordinates: int) -> float:
    """ln of the probability with which each coordinate must be right for all to be right with this confidence."""
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    require_whole("coordinates", coordinates)
    return float(np.log(confidence)) / coordinates


def log_share_of_misses(confidence: float, coordinates: int) -> float:
    """ln of the probability with which each coordinate may be wrong; keeps its digits for 1e7 coordinates."""
    return float(log_complement(log_share_of_hits(confidence, coordinates)))


def any_of(probability: Array, coordinates: int) -> Array:
    """P(at least one of so many independent events); keeps its digits below 1e-16."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(coordinates * np.log1p(-probability)))
