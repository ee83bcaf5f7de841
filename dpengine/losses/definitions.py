"""Definitions of privacy on two finite laws: how far apart two lists of chances, of the same outputs, are.

Each definition is read both ways, because either of two neighboring tables may be the real one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from dpengine.errors import InvalidParameterError, require_finite, require_positive, require_whole
from dpengine.losses.arrays import Array, Numbers, like, numbers

_ROUNDING, _LARGEST_EPSILON, _LAST_DIGITS = 1e-9, 709.0, 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoLaws:
    """The chances of the same outputs under two neighboring tables, one entry for each output.

    Raises InvalidParameterError unless both are chances that add up to 1 (to a billionth) and are equally many.
    """

    with_person: Array
    without_person: Array

    def __post_init__(self) -> None:
        for name in ("with_person", "without_person"):
            object.__setattr__(self, name, _chances(name, getattr(self, name)))
        if len(self.with_person) != len(self.without_person):
            raise InvalidParameterError("without_person", self.without_person, "as long as with_person")

    @property
    def additive_gap_of_outputs(self) -> float:
        """The largest difference of chances of any single output: the smallest p of the first attempt, read so."""
        return float(np.max(np.abs(self.with_person - self.without_person)))

    @property
    def additive_gap(self) -> float:
        """The largest difference of chances of any set of outputs: total variation, the delta at epsilon 0."""
        return self.delta(0.0)

    @property
    def log_ratios(self) -> Array:
        """The privacy loss of each output, ln(with / without); infinite where one is 0, 0 where both are."""
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = np.log(self.with_person) - np.log(self.without_person)
        return np.where((self.with_person == 0.0) & (self.without_person == 0.0), 0.0, losses)

    @property
    def ratio_range(self) -> tuple[float, float]:
        """The least and the largest of with / without over the outputs; 0 and infinity where one of them is 0."""
        with np.errstate(over="ignore"):
            ratios = np.exp(self.log_ratios)
        return float(np.min(ratios)), float(np.max(ratios))

    @property
    def multiplicative_gap(self) -> float:
        """The smallest p with every ratio, either way round, within 1 - p and 1 + p; infinite where none is."""
        with np.errstate(over="ignore"):
            return float(np.expm1(self.epsilon))

    @property
    def epsilon(self) -> float:
        """The smallest epsilon with every ratio within e^-epsilon and e^epsilon; infinite where none is.

        Single outputs and sets of them need the same one. Source: Dwork, McSherry, Nissim, Smith 2006.
        """
        return float(np.max(np.abs(self.log_ratios)))

    def delta(self, epsilon: Numbers) -> Numbers:
        """The smallest delta that holds for all sets of outputs at this epsilon, in both directions.

        The sum of what each output has beyond e^epsilon times the other. What is less than 1e-12 of an output's chance
        is taken for rounding and left out, so the truth may lie above by at most 1e-12.
        Source: Dwork and Roth 2014, Lemma 3.17.
        """
        excess = self._excess(epsilon)
        return like(epsilon, np.minimum(np.max(np.sum(excess, axis=-1), axis=0), 1.0))

    def delta_of_outputs(self, epsilon: Numbers) -> Numbers:
        """The smallest delta that holds for every single output; many small excesses hide in it."""
        return like(epsilon, np.max(self._excess(epsilon), axis=(0, -1)))

    def gap_of_chosen(self, count: int) -> float:
        """How much more likely the first `count` outputs, taken as one set, are with the person: below 0 if less."""
        require_whole("count", count)
        return math.fsum((self.with_person - self.without_person)[:count])

    def _excess(self, epsilon: Numbers) -> Array:
        """max(0, p - e^epsilon q), first direction, then epsilon, then output; a difference of mere rounding is 0."""
        points = np.minimum(numbers("epsilon", epsilon, 0.0), _LARGEST_EPSILON)[..., np.newaxis]
        factor, both = np.exp(points), (self.with_person, self.without_person)
        differences = [(ones, ones - factor * others) for ones, others in (both, both[::-1])]
        return np.stack([np.where(excess > _LAST_DIGITS * ones, excess, 0.0) for ones, excess in differences])


def _chances(name: str, values: ArrayLike) -> Array:
    chances = numbers(name, values, 0.0, 1.0)
    if chances.ndim != 1 or abs(float(np.sum(chances)) - 1.0) > _ROUNDING:
        raise InvalidParameterError(name, values, "a list of chances that add up to 1")
    return chances


def one_after_another(first: TwoLaws, then: Sequence[TwoLaws]) -> TwoLaws:
    """Two answers; how the second is asked may depend on the first: `then` has one entry for each output of it.

    The outputs are all pairs, the first answer changing slowest; its epsilon is at most the first's and the largest of
    the seconds' together. Source: Dwork and Roth 2014, Theorem 3.14; McSherry 2009, Theorem 3, for the adaptive case.
    """
    if len(then) != len(first.with_person):
        raise InvalidParameterError("then", len(then), "one for each output of the first")
    with_person = [chance * second.with_person for chance, second in zip(first.with_person, then, strict=True)]
    without = [chance * second.without_person for chance, second in zip(first.without_person, then, strict=True)]
    return TwoLaws(with_person=np.concatenate(with_person), without_person=np.concatenate(without))


def gaussian_loss_exceedance(*, noise_multiplier: float, epsilon: float) -> float:
    """How often the privacy loss of Gaussian noise is above epsilon: not its delta, but more.

    The loss is normal with mean 1 / (2 m^2) and standard deviation 1 / m, m the noise multiplier.
    Source: Balle and Wang 2018, Lemma 3.
    """
    require_positive("noise_multiplier", noise_multiplier)
    require_finite("epsilon", epsilon)
    return float(ndtr(0.5 / noise_multiplier - epsilon * noise_multiplier))
