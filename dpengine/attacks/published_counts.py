"""Counts instead of rows: what tells one person's value from a histogram by somebody who knows everybody else's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpengine.attacks.outcome import Outcome
from dpengine.beliefs import best_success
from dpengine.errors import require_whole
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee

CELLS_CHANGED = 2
"""A changed value takes one away from a cell and adds one to another: the L1 sensitivity where one is replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoValues:
    """The game: a person has one of two values, each equally likely to an attacker who knows everybody else.

    The histogram of all values is published under epsilon, replacing one person being what it hides; None publishes
    it exactly. Noise is discrete Laplace in every cell; only the two cells of the two values say anything.
    """

    epsilon: float | None

    @property
    def noise(self) -> DiscreteLaplaceMechanism | None:
        """The noise of every cell, scale 2 / epsilon."""
        if self.epsilon is None:
            return None
        return DiscreteLaplaceMechanism.from_epsilon(self.epsilon, l1_sensitivity=CELLS_CHANGED)

    @property
    def bound(self) -> float:
        """The largest chance of any attacker against anything that keeps epsilon: e^eps / (1 + e^eps), 1 without."""
        return 1.0 if self.epsilon is None else best_success(Guarantee(epsilon=self.epsilon), prior=0.5)

    @property
    def best(self) -> float:
        """The chance of the best attacker against this very noise: e^(eps/2) / (1 + e^(eps/2)).

        Each of the two cells weighs in with e^(+-eps/2), rightly with chance p = expit(eps/2); both agree or it is a
        toss-up: p^2 + (2 p (1 - p)) / 2 = p.
        """
        return 1.0 if self.epsilon is None else float(expit(self.epsilon / CELLS_CHANGED))


def told_apart(game: TwoValues, *, trials: int, seed: int) -> Outcome:
    """Play the game so often: the attacker takes everybody else off and names the value whose cell looks fuller."""
    require_whole("trials", trials)
    require_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    own = rng.integers(0, 2, trials)
    cells = np.stack([own == 0, own == 1], axis=1).astype(np.float64)
    seen = cells if game.noise is None else game.noise.simulate(cells, rng)
    weight = _weight(seen[:, 0]) - _weight(seen[:, 1])
    guess = np.where(weight == 0, rng.integers(0, 2, trials), (weight < 0).astype(np.int64))
    return Outcome(successes=int(np.sum(guess == own)), trials=trials, baseline=0.5, bound=game.bound)


def _weight(left: NDArray[np.float64]) -> NDArray[np.float64]:
    """For (1) or against (-1) the person being in a cell in which so many are left over: |left| - |left - 1|."""
    return np.abs(left) - np.abs(left - 1.0)
