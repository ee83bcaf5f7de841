"""Averaging: the same question many times, each time with fresh noise, until the noise is gone and the bill is huge."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy

from dpengine.accounting import Repetition, affordable
from dpengine.attacks.outcome import Outcome
from dpengine.beliefs import best_success
from dpengine.errors import require_between, require_positive, require_whole
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee

MOST_ANSWERS, MOST_DRAWN, MOST_EPSILON, MOST_NEEDED = 1000, 2_000_000, 20.0, 1_000_000
BILLS = ("basic", "advanced", "exact")


@dataclass(frozen=True, kw_only=True)
class AveragingRules:
    """A count to which one person adds at most 1, told `answers` times with discrete Laplace noise each.

    Each answer has this epsilon; without one it is exact.
    """

    answers: int
    epsilon: float | None = 0.1

    def __post_init__(self) -> None:
        require_whole("answers", self.answers)
        require_between("answers", self.answers, 1, MOST_ANSWERS)
        if self.epsilon is not None:
            require_between("epsilon", self.epsilon, 0.0, MOST_EPSILON, open_at="lower")

    @cached_property
    def mechanism(self) -> DiscreteLaplaceMechanism | None:
        """The noise of each answer, in people."""
        return None if self.epsilon is None else DiscreteLaplaceMechanism.from_epsilon(self.epsilon, l1_sensitivity=1)

    @property
    def error(self) -> float:
        """Root of the mean square error of the average, in people: one answer's over the root of their number."""
        return 0.0 if self.mechanism is None else self.mechanism.standard_deviation / math.sqrt(self.answers)

    @property
    def bound(self) -> float:
        """Nobody tells more often whether one person is in, whatever keeps this epsilon so many times."""
        if self.epsilon is None:
            return 1.0
        return float(best_success(Guarantee(epsilon=self.answers * self.epsilon), prior=0.5))

    @property
    def optimum(self) -> float:
        """How often the best attacker does, for a fair coin: each answer votes for the nearer of the two counts.

        Each vote is right with chance 1 / (1 + e^-epsilon), the whole loss of this noise; a tie is a coin. Exact.
        """
        return 1.0 if self.epsilon is None else _votes_win(self.answers, self.epsilon)


def answers_needed(epsilon: float, *, right: float) -> int | None:
    """The least number of answers of this epsilon after which the best attacker is `right` so often, for a fair coin.

    `right` is a share from 0.5 to 0.99; None where a million answers are too few. It never falls with another answer: a
    second of two votes only makes ties.
    """
    require_between("epsilon", epsilon, 1e-6, MOST_EPSILON)
    require_between("right", right, 0.5, 0.99)
    if _votes_win(MOST_NEEDED, epsilon) < right:
        return None
    return bisect.bisect_left(range(MOST_NEEDED), right, lo=1, key=lambda answers: _votes_win(answers, epsilon))


def _votes_win(answers: int, epsilon: float) -> float:
    right, half = 1.0 / (1.0 + math.exp(-epsilon)), answers // 2
    tie = float(scipy.stats.binom.pmf(half, answers, right)) if answers % 2 == 0 else 0.0
    return min(max(float(scipy.stats.binom.sf(half, answers, right)) + tie / 2.0, 0.5), 1.0)


def measured_errors(mechanism: DiscreteLaplaceMechanism, *, most: int, trials: int, seed: int) -> Array:
    """Root of the mean square error of the average of the first 1, 2, ..., `most` answers, shape (most,), in people."""
    require_between("answers", most, 1, MOST_ANSWERS)
    require_whole("trials", trials)
    require_between("trials * answers", trials * most, 1, MOST_DRAWN)
    require_whole("seed", seed, least=0)
    noise = mechanism.simulate(np.zeros((trials, most)), np.random.default_rng(seed))
    averages = np.cumsum(noise, axis=1) / np.arange(1, most + 1)
    return np.asarray(np.sqrt(np.mean(averages**2, axis=0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragingRun:
    """Many tables attacked: how far each average was from the count without the person, (n,), and the wins."""

    averages: Array
    outcome: Outcome


def averaged(rules: AveragingRules, *, trials: int, seed: int) -> AveragingRun:
    """In each trial a fair coin decides whether the person is in; the attacker averages, and says the nearer count."""
    require_whole("trials", trials)
    require_between("trials * answers", trials * rules.answers, 1, MOST_DRAWN)
    require_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    present = rng.random(trials) < 0.5
    averages = present.astype(np.float64)
    if rules.mechanism is not None:
        averages = np.mean(rules.mechanism.simulate(np.repeat(averages[:, None], rules.answers, axis=1), rng), axis=1)
    says = np.where(averages == 0.5, rng.random(trials) < 0.5, averages > 0.5)
    outcome = Outcome(successes=int(np.sum(says == present)), trials=trials, baseline=0.5, bound=rules.bound)
    return AveragingRun(averages=averages, outcome=outcome)


@dataclass(frozen=True, kw_only=True)
class AveragingBill:
    """What 1, 2, ..., `most` answers cost together at the total `delta`, and where a budget ends them."""

    epsilon: float
    delta: float
    most: int
    budget: float

    def __post_init__(self) -> None:
        require_between("delta", self.delta, 0.0, 1.0, open_at="both")
        require_between("answers", self.most, 1, MOST_ANSWERS)
        require_positive("budget", self.budget)

    def curve(self, rule: str) -> Array:
        """Epsilon by one of BILLS, shape (most,); never below the truth."""
        return self._repetition.curve(rule)

    def at(self, answers: int) -> dict[str, float]:
        """The same of one number of answers, by rule."""
        require_between("answers", answers, 1, self.most)
        return {rule: float(self.curve(rule)[answers - 1]) for rule in BILLS}

    @cached_property
    def granted(self) -> int:
        """How many answers a ledger gives that adds up: the next one is refused, for ever."""
        budget = Guarantee(epsilon=self.budget)
        return affordable({self._repetition.event: 1}, budget=budget, accountant="basic")

    @cached_property
    def _repetition(self) -> Repetition:
        mechanism = DiscreteLaplaceMechanism.from_epsilon(self.epsilon, l1_sensitivity=1)
        return Repetition(event=mechanism.event, delta=self.delta, chosen=self.most, most=self.most)


def error_until_refused(errors: npt.ArrayLike, *, granted: int) -> Array:
    """Errors of the average where answers end after `granted` ones: they stop falling; none granted, none known."""
    falling = np.asarray(errors, dtype=np.float64)
    require_whole("granted", granted, least=0)
    if granted == 0:
        return np.full_like(falling, np.nan)
    return falling[np.minimum(np.arange(falling.size), granted - 1)]
