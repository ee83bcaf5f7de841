"""Which of many independent noisy scores is the largest: winning probabilities by quadrature.

`gaps` are distances below the best score in units of the noise's scale, w = e^-gap. Every panel is short enough for
16 Gauss-Legendre nodes to be right to about 1e-14, because the integrands are entire functions of known growth.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from dpengine.losses.arrays import Array

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_REACH = 46.0


def won_by_arrival(gaps: Array, share: float = 1.0) -> Array:
    """share w_i times the integral over u in [0, 1] of the product over all j but i of (1 - share w_j u).

    With share 1: candidates arrive at uniform times u and are accepted with probability w, and the first one accepted
    wins, which is permute-and-flip. With u = e^-x the same integral is a race of exponential noises (share 1), or that
    part of a race of Laplace noises (share 1/2) whose winner ends above the best score.
    """
    weight = share * np.exp(-gaps)
    wins, total = np.zeros_like(gaps), float(weight.sum())
    end = min(1.0, _REACH / total)
    edges = np.linspace(0.0, end, 2 + int(end * total / 3.0))
    for left, right in itertools.pairwise(edges):
        u = left + (right - left) * (_NODES + 1.0) / 2.0
        missed = np.log1p(-np.outer(weight, u))
        wins += np.exp(missed.sum(axis=0) - missed) @ _WEIGHTS * (right - left) / 2.0
    return np.asarray(weight * wins)


def won_by_laplace(gaps: Array) -> Array:
    """The largest of scores with Laplace noise of scale 1.

    Winners above the best score by `won_by_arrival`; below it panel by panel, until what is left is under 1e-19.
    """
    wins = won_by_arrival(gaps, share=0.5)
    for left, right in _panels_below(np.sort(gaps)):
        depth = left + (right - left) * (_NODES + 1.0) / 2.0
        height = gaps[:, None] - depth
        log_cdf = np.where(height < 0.0, height, 0.0) - np.log(2.0)
        above = height >= 0.0
        log_cdf[above] = np.log1p(-0.5 * np.exp(-height[above]))
        log_density = -np.abs(height) - np.log(2.0)
        wins += np.exp(log_density + log_cdf.sum(axis=0) - log_cdf) @ _WEIGHTS * (right - left) / 2.0
    return wins


def _panels_below(ordered: Array) -> Iterator[tuple[float, float]]:
    """Depths below the best score, cut where a candidate's density has its kink, short where the product is steep."""
    depth, log_product = 0.0, 0.0
    while log_product > -_REACH and depth < _REACH:
        passed = ordered <= depth
        ahead = ordered[~passed]
        steepness = int(passed.sum()) + float(np.exp(depth - ahead).sum())
        far = min(depth + min(1.0, 3.0 / steepness), _REACH)
        kink = float(ahead[0]) if ahead.size else np.inf
        right = min(far, kink)
        yield depth, right
        depth = right
        log_product = _log_product(ordered, depth)


def _log_product(ordered: Array, depth: float) -> float:
    """ln of the probability that every noisy score ends below this depth."""
    height = ordered - depth
    return float(np.where(height < 0.0, height - np.log(2.0), np.log1p(-0.5 * np.exp(-np.maximum(height, 0.0)))).sum())
