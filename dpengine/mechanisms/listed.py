"""Small mechanisms whose outputs can be listed: each as the chances of its outputs under two neighboring tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpengine.errors import InvalidParameterError, require_positive, require_whole
from dpengine.losses.arrays import Array
from dpengine.losses.definitions import TwoLaws
from dpengine.mechanisms.discrete_laplace import DiscreteLaplaceMechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMechanism:
    """A name for each output, and the chances of the outputs with one person's data and without."""

    outputs: tuple[str, ...]
    laws: TwoLaws

    def __post_init__(self) -> None:
        if len(self.outputs) != len(self.laws.with_person):
            raise InvalidParameterError("outputs", self.outputs, "one name for each chance")


def clamped_noisy_count(*, epsilon: float, answer: int, reach: int) -> ListedMechanism:
    """A count with two-sided geometric noise, cut to within `reach` of the answer: the cut is free post-processing.

    Without the person the answer is one less. Its epsilon is exactly the one asked for, up to rounding.
    """
    require_positive("epsilon", epsilon)
    require_whole("reach", reach, least=2)
    noise = DiscreteLaplaceMechanism(scale=1.0 / epsilon, l1_sensitivity=1)
    values = np.arange(answer - reach, answer + reach + 1.0)
    laws = TwoLaws(with_person=_cut(noise, values - answer), without_person=_cut(noise, values - answer + 1))
    return ListedMechanism(outputs=_with_ends(values), laws=laws)


def _cut(noise: DiscreteLaplaceMechanism, errors: Array) -> Array:
    """Chances of noise values that follow one another, each end with all that lies beyond it."""
    chances = noise.probability(errors)
    ends = noise.tail(np.abs(errors[[0, -1]]) - 1.0) / 2.0
    return np.concatenate([ends[:1], chances[1:-1], ends[1:]])


def _with_ends(values: Array) -> tuple[str, ...]:
    """The first and the last output stand for everything beyond them."""
    inner = [f"{value:.0f}" for value in values[1:-1]]
    return (f"{values[0]:.0f} or less", *inner, f"{values[-1]:.0f} or more")
