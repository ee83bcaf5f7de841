"""What several noisy counts say together: the law of the one number that an attacker needs, in either world."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.special import logit

from dpengine.errors import require_between
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism

_TAIL_SCALES, _MOST_POINTS = 9.0, 401


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SumLaws:
    """Chances of each sum of what the answers say, from the one that points most at "out" to the one most at "in".

    `weights` are the log-likelihood ratios of the sums, rising; all three have one shape.
    """

    with_person: Array
    without_person: Array
    weights: Array

    def best_success(self, prior: float) -> float:
        """How often the best attacker guesses right: the sum of the larger of the two joint chances.

        Source: the Bayes risk of two simple hypotheses.
        """
        require_between("prior", prior, 0.0, 1.0)
        joint = np.maximum(prior * self.with_person, (1.0 - prior) * self.without_person)
        return float(min(max(np.sum(joint), prior, 1.0 - prior), 1.0))

    def rates(self, prior: float) -> tuple[float, float]:
        """False alarms and hits of the one who says "in" where that is the likelier."""
        says_in = self.weights + float(logit(prior)) > 0.0
        alarms, hits = (float(np.sum(law[says_in])) for law in (self.without_person, self.with_person))
        return min(alarms, 1.0), min(hits, 1.0)

    def curve(self) -> tuple[Array, Array]:
        """False alarms and hits at every threshold, from (0, 0) to (1, 1); at most 401 points, on the curve all."""
        alarms, hits = (_from_above(law) for law in (self.without_person, self.with_person))
        if len(alarms) > _MOST_POINTS:
            wanted = np.concatenate([np.linspace(0.0, 1.0, 99), np.geomspace(1e-6, 0.5, 100)])
            places = np.concatenate([np.searchsorted(hits, wanted), np.searchsorted(alarms, 1.0 - wanted)])
            last = len(hits) - 1
            places = np.unique(np.concatenate([[0, last], np.minimum(places, last)]))
            alarms, hits = alarms[places], hits[places]
        return alarms, hits


def laplace_laws(mechanism: DiscreteLaplaceMechanism, *, step: int, answers: int) -> SumLaws:
    """An answer beyond either exact count says no more than one at it, so its law has only step + 1 places."""
    inside = np.arange(1.0 - step, 0.0)
    beyond = float(mechanism.tail(step - 1.0)) / 2.0
    at_or_above = (1.0 + float(mechanism.probability(0.0))) / 2.0
    single = np.concatenate([[beyond], np.asarray(mechanism.probability(inside)), [at_or_above]])
    with_person = _repeated(single, answers)
    weights = np.asarray((2.0 * np.arange(len(with_person)) - answers * step) / mechanism.scale, dtype=np.float64)
    return SumLaws(with_person=with_person, without_person=with_person[::-1], weights=weights)


def gaussian_laws(mechanism: DiscreteGaussianMechanism, *, step: int, answers: int) -> SumLaws:
    """The sum of the answers says all; what lies beyond 9 scales, less than 1e-18, is left out."""
    reach = math.ceil(_TAIL_SCALES * mechanism.scale) + 1
    noise = _repeated(np.asarray(mechanism.probability(np.arange(-reach, reach + 1.0))), answers)
    shift = np.zeros(answers * step)
    sums = np.arange(len(noise) + len(shift), dtype=np.float64) - answers * reach
    weights = np.asarray(step * (sums - answers * step / 2.0) / mechanism.scale / mechanism.scale, dtype=np.float64)
    return SumLaws(
        with_person=np.concatenate([shift, noise]), without_person=np.concatenate([noise, shift]), weights=weights
    )


def _repeated(single: Array, answers: int) -> Array:
    """The law of a sum of so many independent numbers, and exactly 1 in all."""
    law = single
    for _ in range(answers - 1):
        law = np.maximum(scipy.signal.fftconvolve(law, single), 0.0)
    return np.asarray(law / np.sum(law), dtype=np.float64)


def _from_above(law: Array) -> Array:
    return np.asarray(np.minimum(np.concatenate([[0.0], np.cumsum(law[::-1])]), 1.0), dtype=np.float64)
