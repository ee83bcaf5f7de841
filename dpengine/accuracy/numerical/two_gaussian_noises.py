"""Two independent discrete Gaussian noises at once.

Continuous noise with FARTHER grid steps added is never smaller than discrete noise of scale 12 or more, as far as 13
scales out: the middle of a cell weighs less than the cell (by convexity), and more than one shifted by 1/20 (checked).
For any scale one whole step does. Source: Canonne, Kamath, Steinke 2020, Proposition 25.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from dpengine.accuracy.numerical.two_noises import COARSE_SCALE, atoms, by_atoms, coarse_pair, exceedance
from dpengine.errors import UnsupportedEventError
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteGaussianMechanism

SMOOTH = 2.0
"""A sum over whole numbers against a normal of so many grid steps is its integral, within 1e-30: Poisson summation."""
FARTHER = 0.55


@exceedance.register
def _(
    numerator: DiscreteGaussianMechanism,
    denominator: DiscreteGaussianMechanism,
    *,
    intercept: Array,
    slope: Array,
    floor: float = -math.inf,
) -> Array:
    """Noise that is not coarse: at most what a numerator 1.1 grid steps larger would give, 1.5 where it is below 12.

    A denominator of at most 24 grid steps is summed atom by atom. A wider one is an integral where the line is flat
    enough, else it counts as half a step farther out; either is above by at most P(W < floor).
    """
    if not isinstance(denominator, DiscreteGaussianMechanism):
        raise UnsupportedEventError(denominator, where="The error of a ratio with Gaussian noise")
    if coarse_pair(numerator, denominator):
        return by_atoms(numerator, denominator, intercept, slope, floor)
    start = intercept - (FARTHER if numerator.scale >= COARSE_SCALE else 1.0)
    if denominator.scale <= 2 * COARSE_SCALE:
        values, weights, left_out = atoms(denominator)
        line = np.multiply.outer(slope, np.maximum(values, floor)) + start[:, None]
        return np.minimum(ndtr(-line / numerator.scale) @ weights + left_out, 1.0)
    steep = np.abs(slope) * SMOOTH > numerator.scale
    outer = start - np.where(steep, FARTHER * np.abs(slope), 0.0)
    found = ndtr(-outer / np.hypot(numerator.scale, slope * denominator.scale))
    if math.isfinite(floor):
        up_to_floor = denominator.tail(float(math.floor(-floor))) / 2.0 if floor <= 0.0 else 1.0
        found = found + up_to_floor * ndtr(-(start + slope * floor) / numerator.scale)
    return np.asarray(np.minimum(found, 1.0))
