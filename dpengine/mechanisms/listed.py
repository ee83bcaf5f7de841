"""Small mechanisms whose outputs can be listed: each as the chances of its outputs under two neighboring tables."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.losses.arrays import Array
from dpengine.losses.definitions import TwoLaws
from dpengine.mechanisms.additive.discrete_laplace import DiscreteLaplaceMechanism

LARGEST_EPSILON = 20.0
"""Beyond it, chances of listed outputs are too small for a machine number."""
MOST_REACH = 30
_WIDTH_IN_SCALES = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMechanism:
    """A name for each output, and the chances of the outputs with one person's data and without.

    `values_each` is how many neighboring numbers were gathered in one output.
    """

    outputs: tuple[str, ...]
    laws: TwoLaws
    values_each: int = 1

    def __post_init__(self) -> None:
        if len(self.outputs) != len(self.laws.with_person):
            raise InvalidParameterError("outputs", self.outputs, "one name for each chance")


def clamped_noisy_count(*, epsilon: float, answer: int, bars: int = 29) -> ListedMechanism:
    """A count with two-sided geometric noise, gathered in an odd number of bars; the outer two hold all beyond them.

    Without the person the answer is one less. Gathering is free post-processing, so the epsilon is the one asked for.
    """
    require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON, open_at="lower")
    require_whole("bars", bars, least=5)
    noise = DiscreteLaplaceMechanism(scale=1.0 / epsilon, l1_sensitivity=1)
    width = max(1, math.floor(_WIDTH_IN_SCALES / epsilon))
    middles = answer + width * np.arange(-(bars // 2), bars // 2 + 1.0)
    starts = middles - width // 2
    laws = TwoLaws(
        with_person=_gathered(noise, starts - answer, width),
        without_person=_gathered(noise, starts - answer + 1, width),
    )
    numbers = [f"{middle:,.0f}".replace("-", "−") for middle in middles]
    names = (f"≤ {numbers[0]}", *numbers[1:-1], f"≥ {numbers[-1]}")
    return ListedMechanism(outputs=names, laws=laws, values_each=width)


def exact_count(*, answer: int, reach: int) -> ListedMechanism:
    """No noise at all: the answer itself, for certain. Values within `reach` of it are listed."""
    require_whole("reach", reach)
    return _certain(np.arange(answer - reach, answer + reach + 1.0), answer, answer - 1)


def rounded_count(*, answer: int, step: int = 10) -> ListedMechanism:
    """The answer rounded to the nearest multiple of `step`, halves up; its neighbors on the scale are listed."""
    require_whole("step", step, least=2)
    rounded, other = (step * math.floor(value / step + 0.5) for value in (answer, answer - 1))
    return _certain(np.arange(other - step, rounded + step + 1.0, step), rounded, other)


def truncated_noisy_count(*, epsilon: float, answer: int, reach: int) -> ListedMechanism:
    """A count with noise that is never larger than `reach`: what lies beyond is left out and the rest made to fill up.

    Not private for any finite epsilon alone: each end of the reach is possible under one table only.
    Source: Geng, Ding, Guo, Kumar 2020, on a grid.
    """
    require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON, open_at="lower")
    require_between("reach", reach, 1, MOST_REACH)
    require_whole("reach", reach)
    values = np.arange(answer - 1.0 - reach, answer + reach + 1.0)
    chances = [_truncated(epsilon, values - middle, reach) for middle in (answer, answer - 1)]
    laws = TwoLaws(with_person=chances[0], without_person=chances[1])
    return ListedMechanism(outputs=tuple(f"{value:.0f}" for value in values), laws=laws)


def coin_flipped_answer(*, epsilon: float) -> ListedMechanism:
    """One person's yes or no, told truthfully with chance e^epsilon / (1 + e^epsilon): always, at an infinite epsilon.

    Source: Warner 1965.
    """
    if epsilon != math.inf:
        require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON)
    truth = np.array([expit(epsilon), expit(-epsilon)])
    laws = TwoLaws(with_person=truth, without_person=truth[::-1])
    return ListedMechanism(outputs=("yes", "no"), laws=laws)


def random_row(*, people: int) -> ListedMechanism:
    """The row of one person, drawn at random, in the clear; the other table has another row in one person's place."""
    require_whole("people", people, least=2)
    others = (people - 1) / people
    laws = TwoLaws(with_person=np.array([others, 1 / people, 0.0]), without_person=np.array([others, 0.0, 1 / people]))
    return ListedMechanism(outputs=("somebody else's row", "your row", "your replacement's row"), laws=laws)


def random_page(*, pages: int, chance: float) -> ListedMechanism:
    """One page of a person's file, each with this chance, or else nothing; the other table has another one's file.

    Every single output keeps a delta of `chance`, at every epsilon; the set of all pages needs `pages` times as much.
    """
    require_whole("pages", pages)
    require_between("chance", chance, 0.0, 1.0 / pages)
    each, zeros, nothing = np.full(pages, chance), np.zeros(pages), np.array([1.0 - pages * chance])
    laws = TwoLaws(
        with_person=np.concatenate([each, zeros, nothing]), without_person=np.concatenate([zeros, each, nothing])
    )
    yours, others = ([f"{whose} page {page}" for page in range(1, pages + 1)] for whose in ("your", "another's"))
    return ListedMechanism(outputs=(*yours, *others, "nothing"), laws=laws)


def random_id(*, ids: int) -> ListedMechanism:
    """A number drawn at random from 1 to `ids` with the person, from the next `ids` numbers without."""
    require_whole("ids", ids)
    share, zeros = np.full(ids, 1.0 / ids), np.zeros(ids)
    laws = TwoLaws(with_person=np.concatenate([share, zeros]), without_person=np.concatenate([zeros, share]))
    return ListedMechanism(outputs=tuple(str(number) for number in range(1, 2 * ids + 1)), laws=laws)


def _certain(values: Array, answer: float, other: float) -> ListedMechanism:
    laws = TwoLaws(with_person=np.where(values == answer, 1.0, 0.0), without_person=np.where(values == other, 1.0, 0.0))
    return ListedMechanism(outputs=tuple(f"{value:.0f}" for value in values), laws=laws)


def _truncated(epsilon: float, errors: Array, reach: int) -> Array:
    weights = np.where(np.abs(errors) <= reach, np.exp(-epsilon * np.abs(errors)), 0.0)
    return np.asarray(weights / np.sum(weights))


def _gathered(noise: DiscreteLaplaceMechanism, starts: Array, width: int) -> Array:
    """Chances of `width` noise values from each start on, the first and the last with all that lies beyond them."""
    ends = np.append(starts[1:], starts[-1] + width)
    below, above = noise.tail(-np.minimum(ends, 0.0)) / 2.0, noise.tail(np.maximum(starts, 1.0) - 1.0) / 2.0
    below_start, above_end = noise.tail(-np.minimum(starts, 0.0)) / 2.0, noise.tail(np.maximum(ends, 1.0) - 1.0) / 2.0
    chances = np.where(ends <= 0.0, below - below_start, above - above_end)
    chances[0], chances[-1] = below[0], above[-1]
    zero = np.flatnonzero((starts <= 0.0) & (ends > 0.0))
    chances[zero] = 1.0 - (below_start + above_end)[zero]
    return np.asarray(chances)
