"""The guessing game: a table with one person or without, a coin, a noisy count; was the person in it?

The attacker knows every other row. That is the worst case that a promise speaks about; see guessing_crowd for one who
does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from dpengine.attacks.guessing_laws import SumLaws, gaussian_laws, laplace_laws
from dpengine.attacks.outcome import Outcome
from dpengine.beliefs import best_success, posterior, receiver_operating_curve
from dpengine.errors import (
    InvalidParameterError,
    require_between,
    require_kind,
    require_one_of,
    require_positive,
    require_whole,
)
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee

CountNoise = DiscreteLaplaceMechanism | DiscreteGaussianMechanism
Flags = npt.NDArray[np.bool_]
NOISES = ("laplace", "gaussian")
MOST_ANSWERS, LEAST_EPSILON, LARGEST_COUNT, MOST_ROUNDS = 10, 0.001, 10**12, 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessingRules:
    """What is published about whom: `answers` noisy counts of one table, which has the person with chance `prior`.

    The exact count is `without`, and `without` + `step` with the person; counts are in people or rows. `guarantee` is
    what one answer keeps, None where the exact count is published; `noise` is the law that is released. Raises
    InvalidParameterError, for an epsilon below LEAST_EPSILON too, at which the game is a coin toss.
    """

    without: int
    step: int = 1
    guarantee: Guarantee | None = None
    noise: str = "laplace"
    prior: float = 0.5
    answers: int = 1

    def __post_init__(self) -> None:
        require_whole("without", self.without, least=0)
        require_between("without", self.without, 0, LARGEST_COUNT)
        require_whole("step", self.step)
        require_between("step", self.step, 1, 1000)
        require_one_of("noise", self.noise, NOISES)
        require_between("prior", self.prior, 0.0, 1.0, open_at="both")
        require_whole("answers", self.answers)
        require_between("answers", self.answers, 1, MOST_ANSWERS)
        if self.guarantee is not None:
            require_kind("guarantee", self.guarantee, Guarantee)
            _require_playable(self.guarantee, self.noise)

    @property
    def mechanism(self) -> CountNoise | None:
        """The noise on each answer; None where there is none."""
        return None if self.guarantee is None else _mechanism(self.guarantee, self.noise, self.step)

    @property
    def promise(self) -> Guarantee | None:
        """What all answers about the person keep together: their epsilons and deltas added up."""
        if self.guarantee is None:
            return None
        delta = min(self.answers * self.guarantee.delta, 1.0)
        return Guarantee(epsilon=self.answers * self.guarantee.epsilon, delta=delta)

    @property
    def baseline(self) -> float:
        """How often one wins who does not look: by always naming the likelier side."""
        return max(self.prior, 1.0 - self.prior)

    @property
    def bound(self) -> float:
        """The most that anybody wins against anything that keeps the promise: 1 / (1 + e^-epsilon) at a fair coin."""
        return 1.0 if self.promise is None else max(float(best_success(self.promise, prior=self.prior)), self.baseline)

    @property
    def optimum(self) -> float:
        """The most that anybody wins against this very noise: right to 12 digits, from the baseline to the bound."""
        mechanism = self.mechanism
        if mechanism is None:
            return 1.0
        one = self.answers == 1
        most = float(best_success(mechanism.event, prior=self.prior)) if one else self.laws().best_success(self.prior)
        return min(max(most, self.baseline), self.bound)

    def laws(self) -> SumLaws:
        """The two laws of all that the answers say; raises InvalidParameterError where the count is exact."""
        mechanism = self.mechanism
        if mechanism is None:
            raise InvalidParameterError("guarantee", None, "given where there is noise")
        if isinstance(mechanism, DiscreteLaplaceMechanism):
            return laplace_laws(mechanism, step=self.step, answers=self.answers)
        return gaussian_laws(mechanism, step=self.step, answers=self.answers)

    def log_likelihood_ratios(self, answers: npt.ArrayLike) -> Array:
        """What each answer says for "with" against "without"; the same shape, infinite where the count is exact."""
        above = np.asarray(answers, dtype=np.float64) - self.without
        mechanism = self.mechanism
        if mechanism is None:
            return np.where(above >= self.step, np.inf, -np.inf)
        return self._weight(above, mechanism)

    def _weight(self, above: Array, mechanism: CountNoise) -> Array:
        """The log-likelihood ratio of answers that lie so far above the count without the person."""
        if isinstance(mechanism, DiscreteLaplaceMechanism):
            return (2.0 * np.clip(above, 0.0, self.step) - self.step) / mechanism.scale
        return self.step * (above - self.step / 2.0) / mechanism.scale / mechanism.scale

    def beliefs(self, answers: npt.ArrayLike) -> Array:
        """Belief that the person is in, before any answer and after each of one round; shape (answers + 1,).

        Prior log-odds plus the log-likelihood ratios so far. Source: Bayes' rule.
        """
        weights = np.concatenate([[0.0], np.cumsum(self.log_likelihood_ratios(answers))])
        return np.asarray(posterior(np.full(len(weights), self.prior), log_likelihood_ratio=weights))

    def best_guess(self, answers: npt.ArrayLike) -> Flags:
        """Whether the best attacker says "in" after the answers of each round, the last axis; "out" at a tie."""
        weight = np.sum(self.log_likelihood_ratios(answers), axis=-1)
        return np.asarray(weight + float(logit(self.prior)) > 0.0)

    def draw(self, present: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """Answers for rounds in which the person is in or not; shape (rounds, answers), for pictures only."""
        exact = self.without + self.step * np.asarray(present, dtype=np.float64)
        exact = np.repeat(exact[:, None], self.answers, axis=1)
        mechanism = self.mechanism
        return exact if mechanism is None else mechanism.simulate(exact, rng)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SimulatedGame:
    """The best attacker over many rounds: the coins, the answers, the guesses, and how often it won."""

    outcome: Outcome
    present: Flags
    answers: Array
    guesses: Flags


def best_attacker_plays(rules: GuessingRules, *, rounds: int, seed: int) -> SimulatedGame:
    """The best attacker plays so many rounds. Its outcome's bound holds for every attacker and every such noise.

    Source: Neyman and Pearson 1933, by the likelihood ratio of what was published; Wasserman and Zhou 2010.
    """
    require_whole("rounds", rounds)
    require_between("rounds", rounds, 1, MOST_ROUNDS)
    require_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    present = rng.random(rounds) < rules.prior
    answers = rules.draw(present, rng)
    guesses = rules.best_guess(answers)
    wins = int(np.count_nonzero(guesses == present))
    outcome = Outcome(successes=wins, trials=rounds, baseline=rules.baseline, bound=rules.bound)
    return SimulatedGame(outcome=outcome, present=present, answers=answers, guesses=guesses)


def hits_and_false_alarms(rules: GuessingRules) -> tuple[Array, Array]:
    """False alarm rates and the hits that this noise allows at them, from 0 to 1; the answers of a round together."""
    mechanism = rules.mechanism
    if mechanism is not None and rules.answers == 1:
        return receiver_operating_curve(mechanism.event)
    return rules.laws().curve()


def threshold_rates(rules: GuessingRules) -> tuple[float, float]:
    """The false alarm rate and the hit rate of the best attacker, who says "in" where that is the likelier."""
    return rules.laws().rates(rules.prior)


def least_telling_answer(rules: GuessingRules) -> float:
    """The least single answer at which the best attacker says "in"; infinite where none does, or minus where all do."""
    mechanism, odds = rules.mechanism, float(logit(rules.prior))
    if mechanism is None:
        return float(rules.without + rules.step)
    if isinstance(mechanism, DiscreteGaussianMechanism):
        return rules.without + math.floor(rules.step / 2.0 - odds * mechanism.scale**2 / rules.step) + 1.0
    above = math.floor((rules.step - odds * mechanism.scale) / 2.0) + 1.0
    if above > rules.step:
        return math.inf
    return rules.without + above if above > 0.0 else -math.inf


@lru_cache(maxsize=64)
def _mechanism(guarantee: Guarantee, noise: str, step: int) -> CountNoise:
    if noise == "laplace":
        return DiscreteLaplaceMechanism.from_epsilon(guarantee.epsilon, l1_sensitivity=step)
    return DiscreteGaussianMechanism.from_guarantee(guarantee, l2_sensitivity=step, one_coordinate=True)


def _require_playable(guarantee: Guarantee, noise: str) -> None:
    if guarantee.epsilon < LEAST_EPSILON:
        rule = f"at least {LEAST_EPSILON:g} in the game; below it every guess is pure chance"
        raise InvalidParameterError("epsilon", guarantee.epsilon, rule)
    if noise == "gaussian":
        require_positive("delta", guarantee.delta)
