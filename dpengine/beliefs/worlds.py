"""Many possible worlds instead of two: what an attacker who holds a prior over tables may come to believe of each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logsumexp

from dpengine.errors import InvalidParameterError, require_non_negative, require_whole
from dpengine.losses.arrays import Array, numbers

_ROUNDING = 1e-9


def world_posterior_bounds(
    priors: npt.ArrayLike, *, epsilon: float, distances: npt.ArrayLike = 1.0
) -> tuple[Array, Array]:
    """Least and largest belief in each world after one epsilon-private answer, whatever the answer.

    `priors` are chances of the worlds that add up to 1; `distances` are neighbor steps between any two of them, a
    symmetric matrix or one number for all: two under add/remove for "which of these people is missing".
    prior_i / sum_j prior_j e^(+-epsilon d_ij); met by some mechanism if the distances obey the triangle inequality.
    Source: Lee and Clifton 2012, for any prior.
    """
    require_non_negative("epsilon", epsilon)
    chances = _priors(priors)
    steps = epsilon * _distances(distances, len(chances))
    with np.errstate(divide="ignore"):
        log_chances = np.log(chances)
    away, near = (logsumexp(log_chances + sign * steps, axis=1) for sign in (1.0, -1.0))
    return np.exp(log_chances - away), np.minimum(np.exp(log_chances - near), 1.0)


def highest_world_posterior(*, epsilon: float, worlds: int, distance: int = 1) -> float:
    """Largest belief in one of equally likely worlds, any two of which are `distance` neighbor steps apart.

    e^(d epsilon) / (worlds - 1 + e^(d epsilon)). "Which of m people is missing" has distance 2 under add/remove.
    Source: Lee and Clifton 2011.
    """
    require_non_negative("epsilon", epsilon)
    require_whole("worlds", worlds, least=2)
    require_whole("distance", distance)
    return float(expit(distance * epsilon - np.log(worlds - 1.0)))


def _priors(priors: npt.ArrayLike) -> Array:
    chances = numbers("priors", priors, 0.0, 1.0)
    if chances.ndim != 1 or abs(float(np.sum(chances)) - 1.0) > _ROUNDING:
        raise InvalidParameterError("priors", priors, "a list of chances that add up to 1")
    return chances


def _distances(distances: npt.ArrayLike, worlds: int) -> Array:
    steps = numbers("distances", distances, 0.0)
    if steps.ndim == 0:
        return np.where(np.eye(worlds) == 1.0, 0.0, steps)
    if steps.shape != (worlds, worlds) or np.any(steps != steps.T) or np.any(np.diag(steps) != 0.0):
        raise InvalidParameterError("distances", distances, "a symmetric matrix of steps, 0 from each world to itself")
    return steps
