"""Many answers about the same rows for one promise: how wrong each becomes, by Laplace and by Gaussian noise."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from dpengine.errors import require_between
from dpengine.losses.arrays import Array, whole_numbers
from dpengine.mechanisms import GaussianMechanism, LaplaceMechanism
from dpengine.privacy import Guarantee, require_guarantee

MOST_ANSWERS = 10**12


def laplace_error_of_many(answers: npt.ArrayLike, *, guarantee: Guarantee, confidence: float) -> Array:
    """Half-width of each of d answers, every one of which one person moves by at most 1: d times that of one.

    All d answers together keep the guarantee, whose delta stays unused. Shape of `answers`.
    Source: Dwork, McSherry, Nissim, Smith 2006 (the l1 sensitivity of d answers is d).
    """
    require_guarantee("guarantee", guarantee)
    counts = whole_numbers("answers", answers, least=1)
    return np.asarray(counts * LaplaceMechanism.from_epsilon(guarantee.epsilon).error_quantile(confidence))


def gaussian_error_of_many(answers: npt.ArrayLike, *, guarantee: Guarantee, confidence: float) -> Array:
    """Half-width of each of d answers by Gaussian noise: sqrt(d) times that of one. Shape of `answers`.

    Source: Balle and Wang 2018, Theorem 8 (the l2 sensitivity of d answers is sqrt(d)).
    """
    counts = whole_numbers("answers", answers, least=1)
    return np.asarray(np.sqrt(counts) * GaussianMechanism.from_guarantee(guarantee).error_quantile(confidence))


def answers_where_gaussian_wins(*, guarantee: Guarantee, confidence: float) -> int:
    """The least number of answers from which on Gaussian noise errs less than Laplace noise.

    Raises InvalidParameterError where that is beyond a million millions.
    """
    of_one = (
        gaussian_error_of_many(1, guarantee=guarantee, confidence=confidence)
        / laplace_error_of_many(1, guarantee=guarantee, confidence=confidence)
    ) ** 2
    require_between("answers where they cross", float(of_one), 0.0, MOST_ANSWERS)
    return max(1, math.floor(of_one) + 1)
