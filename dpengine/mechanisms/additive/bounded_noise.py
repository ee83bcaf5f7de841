"""Noise that has an end, whatever its shape: some answers then give a person away for certain."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpengine.errors import require_between, require_one_of, require_positive
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.laplace import LaplaceMechanism

LARGEST_REACH = 1e12


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingNoise:
    """Noise on [-reach, reach], reach in units of the sensitivity: "flat", or "pointed" like a tent.

    For teaching: no noise of this kind keeps an epsilon alone.
    """

    shape: str
    reach: float

    def __post_init__(self) -> None:
        require_one_of("shape", self.shape, SHAPES)
        require_between("reach", self.reach, 0.5, LARGEST_REACH)

    def density(self, x: Numbers) -> Numbers:
        """Of the noise at x; 0 beyond the reach."""
        places = np.abs(numbers("x", x)) / self.reach
        return like(x, np.where(places <= 1.0, SHAPES[self.shape][0](np.minimum(places, 1.0)) / self.reach, 0.0))

    @property
    def given_away(self) -> float:
        """P(noise < 1 - reach): an answer that is impossible without the person; delta is at least this, always."""
        return float(SHAPES[self.shape][1](min(1.0 / self.reach, 2.0)))


def _tent(depth: float) -> float:
    return depth * depth / 2.0 if depth <= 1.0 else 1.0 - (2.0 - depth) ** 2 / 2.0


SHAPES: Mapping[str, tuple[Callable[[Array], Array], Callable[[float], float]]] = {
    "flat": (lambda places: np.full(np.shape(places), 0.5), lambda depth: depth / 2.0),
    "pointed": (lambda places: 1.0 - places, _tent),
}
"""The density at |x| / reach, and the probability within so many reaches of one end."""


def least_delta_of_ending_noise(*, epsilon: float, reach: float) -> float:
    """The least delta at this epsilon of any noise on [-reach, reach] around answers that one person moves by 1.

    Reach in units of the sensitivity. With m = floor(2 reach) + 1 places one apart, t of them on either side of the
    middle, and S = (e^(t epsilon) - 1) / (e^epsilon - 1): 1 / (2 S + e^(t epsilon)) for odd m = 2t + 1 (so wherever
    reach is whole), 1 / (2 S) for even m = 2t.

    Not below it: P(noise < j - reach) <= e^epsilon P(noise < j - 1 - reach) + delta, and nothing lies below -reach, so
    the lowest t units of length hold at most S delta; the highest t as well. For even m these are all. For odd m the
    middle is left: P(noise <= reach - t) <= e^epsilon P(noise < t - reach) + delta, so less what lies below, it holds
    at most (e^epsilon - 1) S delta + delta = e^(t epsilon) delta; and all is 1.
    Reached: by discrete Laplace noise (1 / epsilon) on those m places and none beyond, where only an end gives away.
    Source: the steps above; Geng, Ding, Guo, Kumar 2020, section 4, for their idea.
    """
    return math.exp(log_least_delta_of_ending_noise(epsilon=epsilon, reach=reach))


def log_least_delta_of_ending_noise(*, epsilon: float, reach: float) -> float:
    """The natural logarithm of least_delta_of_ending_noise, for deltas that no machine number holds."""
    require_positive("epsilon", epsilon)
    require_between("reach", reach, 0.0, LARGEST_REACH)
    side, has_middle = divmod(math.floor(2.0 * reach) + 1, 2)
    sides = math.log(2.0) + log_expm1(side * epsilon) - log_expm1(epsilon) if side else -math.inf
    return -float(np.logaddexp(sides, side * epsilon)) if has_middle else -sides


def log_expm1(x: float) -> float:
    """ln(e^x - 1) for x > 0, without overflow or loss."""
    return x + math.log(-math.expm1(-x))


def log_delta_of_truncated(*, epsilon: float, reach: float) -> float:
    """ln delta of Laplace noise of scale 1 / epsilon, drawn again until within `reach` >= 1 sensitivities.

    (e^epsilon - 1) / (2 (e^(reach epsilon) - 1)), exact at this epsilon and at every larger one.
    Source: Geng, Ding, Guo, Kumar 2020, Theorem 1.
    """
    _require_cut(epsilon, reach)
    return log_expm1(epsilon) - math.log(2.0) - log_expm1(reach * epsilon)


def log_delta_of_clamped(*, epsilon: float, reach: float) -> float:
    """ln delta of Laplace noise of scale 1 / epsilon whose values beyond `reach` >= 1 sensitivities are put there.

    (e^epsilon + 1) e^(-reach epsilon) / 2, exact at this epsilon and at every larger one: both ends give away.
    """
    _require_cut(epsilon, reach)
    return float(np.logaddexp(0.0, epsilon)) - math.log(2.0) - reach * epsilon


def limit_probabilities(noise: LaplaceMechanism, *, answer: float, lower: float, upper: float) -> tuple[float, float]:
    """How often a noisy answer is moved to the lower limit, and to the upper one; the exact one lies between them."""
    require_between("answer", answer, lower, upper)
    return noise.tail(answer - lower) / 2.0, noise.tail(upper - answer) / 2.0


def _require_cut(epsilon: float, reach: float) -> None:
    require_positive("epsilon", epsilon)
    require_between("reach", reach, 1.0, LARGEST_REACH)
