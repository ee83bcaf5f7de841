"""How far the rank of a chosen answer may lie from the best candidate's: one law that holds whatever the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import digamma

from dpengine.accuracy.laws.law import Array, Numbers
from dpengine.accuracy.numerical import tails
from dpengine.errors import InvalidParameterError, require_positive, require_whole
from dpengine.losses.arrays import like, numbers
from dpengine.mechanisms import ExponentialMechanism, ReportNoisyMax


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionError:
    """Rows by which the chosen candidate's score is below the best one's; never negative.

    P(lost > t) <= candidates e^(-t / scale): a bound for all rows there may be, and met only where every other
    candidate is equally bad. Source: Dwork and Roth 2014, Theorem 3.11; McKenna and Sheldon 2020 for the noisy maximum.
    """

    mechanism: ExponentialMechanism | ReportNoisyMax
    candidates: int
    step: float = 1.0

    def __post_init__(self) -> None:
        require_whole("candidates", self.candidates)
        require_positive("step", self.step)
        if isinstance(self.mechanism, ReportNoisyMax) and self.mechanism.noise != "exponential":
            raise InvalidParameterError("noise", self.mechanism.noise, "'exponential': the bound holds for no other")

    @property
    def grid_step(self) -> None:
        """Too dense to be drawn."""
        return

    @property
    def scale(self) -> float:
        """In rows: twice the score sensitivity over epsilon, half of it where all scores move together."""
        moved = self.mechanism.score_sensitivity * (1.0 if self.mechanism.monotone else 2.0)
        return moved / self.mechanism.epsilon * self.step

    @property
    def surely(self) -> float:
        """Rows that the bound cannot exclude: scale ln candidates."""
        return self.scale * math.log(self.candidates)

    @property
    def standard_deviation(self) -> float:
        """Root of the mean square of the law that meets the bound: a shifted exponential one."""
        return math.hypot(self.surely + self.scale, self.scale)

    @property
    def expected_absolute_error(self) -> float:
        return self.surely + self.scale

    def tail(self, t: Numbers) -> Numbers:
        """P(lost > t); never below the truth."""
        beyond = np.maximum(numbers("t", t) - self.surely, 0.0)
        return like(t, np.exp(-beyond / self.scale))

    def above(self, t: Numbers) -> Numbers:
        """The tail: what is lost is never negative."""
        return self.tail(t)

    def below(self, t: Numbers) -> Numbers:
        """0."""
        return like(t, np.zeros_like(numbers("t", t)))

    def density(self, x: Numbers) -> Numbers:
        """Of the law that meets the bound."""
        beyond = numbers("x", x) - self.surely
        return like(x, np.where(beyond < 0.0, 0.0, np.exp(-np.maximum(beyond, 0.0) / self.scale) / self.scale))

    def quantile(self, confidence: float, coordinates: int = 1) -> float:
        """Rows lost at most with this confidence."""
        return self.surely - self.scale * math.log(tails.level_of_one(confidence, coordinates))

    def quantile_function(self, probability: Numbers) -> Numbers:
        """Rows lost at a probability, by the law that meets the bound."""
        wanted = tails.probabilities(probability)
        return like(probability, self.surely - self.scale * np.log1p(-wanted))

    def expected_largest_error(self, coordinates: int) -> float:
        """Mean of the largest loss among independent choices, by the law that meets the bound; exact for that law."""
        require_whole("coordinates", coordinates)
        return self.surely + self.scale * float(digamma(coordinates + 1) + np.euler_gamma)

    def likely_errors(self, count: int = 100) -> Array:
        """Equally likely losses."""
        return np.asarray(self.quantile_function(tails.midpoints(count)))
