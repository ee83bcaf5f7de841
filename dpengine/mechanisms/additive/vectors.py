"""Errors of a whole vector of answers: independent noise of one law on every coordinate.

The sensitivity of a mechanism is then that of the whole vector: d statistics of the same rows, each of sensitivity D,
have l1 sensitivity d D and l2 sensitivity sqrt(d) D, so every coordinate gets more noise; a histogram does not.
"""

from __future__ import annotations

import math

from dpengine.errors import require_whole
from dpengine.losses.arrays import Numbers, like, numbers
from dpengine.mechanisms.additive.protocol import AdditiveMechanism


def interval(
    mechanism: AdditiveMechanism, noisy: Numbers, *, confidence: float, coordinates: int = 1
) -> tuple[Numbers, Numbers]:
    """Lower and upper end of where the exact answer lies, given the noisy one; the same unit, scalar or array.

    Covers at least with this confidence each number, or with `coordinates` all of so many at once.
    """
    seen, half_width = numbers("noisy", noisy), mechanism.error_quantile(confidence, coordinates)
    return like(noisy, seen - half_width), like(noisy, seen + half_width)


def expected_l1_error(mechanism: AdditiveMechanism, coordinates: int) -> float:
    """Mean of the sum of all absolute errors: coordinates times the mean error of one; an equality."""
    require_whole("coordinates", coordinates)
    return coordinates * mechanism.expected_absolute_error


def expected_squared_l2_error(mechanism: AdditiveMechanism, coordinates: int) -> float:
    """Mean of the sum of all squared errors: coordinates times the variance of one; an equality."""
    require_whole("coordinates", coordinates)
    return coordinates * mechanism.standard_deviation * mechanism.standard_deviation


def expected_l2_error_bound(mechanism: AdditiveMechanism, coordinates: int) -> float:
    """sqrt(coordinates) standard deviations: never below the mean Euclidean length of the noise.

    Source: Jensen's inequality; GaussianMechanism.expected_l2_error is exact.
    """
    require_whole("coordinates", coordinates)
    return math.sqrt(coordinates) * mechanism.standard_deviation
