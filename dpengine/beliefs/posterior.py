"""What an attacker who knows all other records may come to believe about one person.

A prior of 0 or 1 is a certainty that no answer changes.
"""

from __future__ import annotations

from typing import overload

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from dpengine.errors import require_between
from dpengine.losses.arrays import Array, Numbers, like, numbers, plain
from dpengine.privacy import Guarantee, require_guarantee

_LARGEST = 1e300


@overload
def posterior(prior: float, *, log_likelihood_ratio: float) -> float: ...
@overload
def posterior(prior: npt.ArrayLike, *, log_likelihood_ratio: npt.ArrayLike) -> Array: ...
def posterior(prior: npt.ArrayLike, *, log_likelihood_ratio: npt.ArrayLike) -> float | Array:
    """Bayes' rule on log-odds: prior log-odds plus the log-likelihood ratio, which may be infinite."""
    gain = np.clip(numbers("log_likelihood_ratio", log_likelihood_ratio, infinite=True), -_LARGEST, _LARGEST)
    return plain(np.asarray(expit(logit(_prior(prior)) + gain)))


@overload
def posterior_bounds(prior: float, *, epsilon: float) -> tuple[float, float]: ...
@overload
def posterior_bounds(prior: npt.ArrayLike, *, epsilon: npt.ArrayLike) -> tuple[Array, Array]: ...
def posterior_bounds(prior: npt.ArrayLike, *, epsilon: npt.ArrayLike) -> tuple[float, float] | tuple[Array, Array]:
    """Least and largest belief after one epsilon-private answer, whatever the answer.

    For two possible worlds that are neighbors. Pure epsilon only: under (epsilon, delta) it is false, and
    likely_posterior_bounds holds. Source: Lee and Clifton 2012, as log-odds plus or minus epsilon.
    """
    step = numbers("epsilon", epsilon, 0.0)
    return posterior(prior, log_likelihood_ratio=-step), posterior(prior, log_likelihood_ratio=step)


def posterior_exceedance(guarantee: Guarantee, *, loss: Numbers, two_sided: bool = False) -> Numbers:
    """At most this probability has an answer that moves the log-odds up by more than `loss` (or either way).

    delta / (1 - e^(epsilon - loss)), at most 1; nothing is known at or below epsilon unless delta is 0.
    Source: delta >= E(1 - e^(epsilon - loss)); compare Kasiviswanathan and Smith 2014, section 3.
    """
    require_guarantee("guarantee", guarantee)
    steps = numbers("loss", loss, 0.0)
    sides = 2.0 if two_sided else 1.0
    beyond = -np.expm1(np.minimum(guarantee.epsilon - steps, 0.0))
    with np.errstate(over="ignore"):
        bound = np.minimum(sides * guarantee.delta / np.where(beyond > 0.0, beyond, 1.0), 1.0)
    unknown = 0.0 if guarantee.delta == 0.0 else 1.0
    at_or_below = np.where(steps < guarantee.epsilon, 1.0, unknown)
    return like(loss, np.where(beyond > 0.0, bound, at_or_below))


def likely_posterior_bounds(
    prior: Numbers, *, guarantee: Guarantee, failure_probability: float
) -> tuple[Numbers, Numbers]:
    """Bounds on the belief that hold for all answers but a share `failure_probability` of them, under (epsilon, delta).

    The two-sided form of posterior_exceedance, solved for the loss; 0 and 1 where delta is too large to say more.
    """
    require_guarantee("guarantee", guarantee)
    require_between("failure_probability", failure_probability, 0.0, 1.0, open_at="both")
    beliefs = logit(_prior(prior))
    share_lost = 2.0 * guarantee.delta / failure_probability
    loss = guarantee.epsilon - np.log1p(-share_lost) if share_lost < 1.0 else 1e300
    return like(prior, expit(beliefs - loss)), like(prior, expit(beliefs + loss))


def _prior(prior: npt.ArrayLike) -> Array:
    return numbers("prior", prior, 0.0, 1.0)
