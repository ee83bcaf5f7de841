"""Brute force: laws of errors summed atom by atom, slow and plain, for tests to lean on."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr


def atoms(scale, scales=45):
    """Values and probabilities of discrete Laplace noise."""
    values = np.arange(-int(scales * scale) - 2, int(scales * scale) + 3.0)
    weights = np.exp(-np.abs(values) / scale)
    return values, weights / weights.sum()


def noise_and_normal_tail(scale, step, deviation, t):
    """P(|step * noise + normal| > t)."""
    values, weights = atoms(scale)
    shifted, far = values * step, np.asarray(t)[:, None]
    return (ndtr((shifted - far) / deviation) + ndtr((-far - shifted) / deviation)) @ weights


def ratio_errors(law, scales=32):
    """Every error of a ratio with coarse noise, and its probability."""
    sums, sum_weights = atoms(law.numerator.scale, scales)
    counts, count_weights = atoms(law.denominator.scale, scales)
    divisor = np.maximum(law.records + law.denominator_step * counts, 1.0)[:, None]
    noisy = (law.ratio * law.records + law.numerator_step * sums) / divisor
    errors = np.clip(noisy - law.ratio, law.lowest, law.highest)
    return errors.ravel(), np.multiply.outer(count_weights, sum_weights).ravel()


def ratio_tail(law, t, slack=0.0):
    """P(|error| > t), count by count; errors within `slack` of t count as t."""
    sums, sum_weights = atoms(law.numerator.scale)
    at_least = np.append(np.cumsum(sum_weights[::-1])[::-1], 0.0)
    counts, count_weights = atoms(law.denominator.scale)
    divisor = np.maximum(law.records + law.denominator_step * counts, 1.0)
    reach = np.asarray(t)[:, None] + slack
    found = np.zeros(len(reach))
    for sign, bound in ((1.0, law.highest), (-1.0, -law.lowest)):
        line = ((reach + sign * law.ratio) * divisor - sign * law.ratio * law.records) / law.numerator_step
        first = np.clip(np.floor(line) + 1.0 - sums[0], 0, len(sums)).astype(int)
        found += np.where(reach[:, 0] < bound, at_least[first] @ count_weights, 0.0)
    return found
