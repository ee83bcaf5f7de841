"""Differencing: how many have the trait, minus how many of those not named so-and-so have it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpengine.attacks.outcome import Outcome
from dpengine.beliefs import best_success
from dpengine.data import And, Condition, Not, RowCount, Table
from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee

LARGEST_EPSILON = 700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoCounts:
    """The exact answers to both questions, in people: everybody with the trait, and everybody but one."""

    everybody: int
    others: int

    def __post_init__(self) -> None:
        require_whole("others", self.others, least=0)
        require_whole("everybody", self.everybody, least=self.others)
        if self.everybody - self.others > 1:
            raise InvalidParameterError("everybody", self.everybody, "at most one more than others")

    @property
    def secret(self) -> bool:
        """What the difference says: whether the person has the trait."""
        return self.everybody > self.others


def noisy_counts(counts: TwoCounts, *, epsilon: float, seed: int) -> tuple[int, int]:
    """Both answers as they are published once, each with discrete Laplace noise of this epsilon."""
    mechanism = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)
    exact = np.array([counts.everybody, counts.others], dtype=np.float64)
    everybody, others = mechanism.simulate(exact, np.random.default_rng(seed))
    return int(everybody), int(others)


def two_counts(table: Table, *, singled_out: Condition, trait: Condition) -> TwoCounts:
    """Both questions asked of a table, exactly: with one person, whom a condition singles out, and without.

    Raises InvalidParameterError where the condition fits nobody or several people, or where one person may have several
    rows; RefusedQueryError for conditions that the table cannot be asked about, EngineError after it.
    """
    if not table.schema.one_row_each:
        raise InvalidParameterError("table", table.schema.name, "one in which every row is another person")
    found = int(table.recall(RowCount(where=singled_out))[0])
    if found != 1:
        raise InvalidParameterError("number of rows that fit these facts", found, "1")
    everybody = int(table.recall(RowCount(where=trait))[0])
    return TwoCounts(everybody=everybody, others=int(table.recall(RowCount(where=And((trait, Not(singled_out)))))[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferencingRules:
    """Each of the two counts with discrete Laplace noise of this epsilon, or exact where it is None.

    `prior` is the chance that the person has the trait, which the attacker knows; of all others it knows nothing.
    """

    epsilon: float | None = 1.0
    prior: float = 0.5

    def __post_init__(self) -> None:
        require_between("prior", self.prior, 0.0, 1.0, open_at="both")
        if self.epsilon is not None:
            require_between("epsilon", self.epsilon, 0.0, LARGEST_EPSILON, open_at="lower")

    @property
    def baseline(self) -> float:
        """Who does not look is right so often."""
        return max(self.prior, 1.0 - self.prior)

    @property
    def bound(self) -> float:
        """Nobody is right more often about two answers that cost twice epsilon: basic composition."""
        return 1.0 if self.epsilon is None else self._most(2.0 * self.epsilon)

    @property
    def knowing_the_others(self) -> float:
        """Nobody is right more often, knowing all others: the second count never holds the person, so one epsilon."""
        return 1.0 if self.epsilon is None else self._most(self.epsilon)

    @property
    def optimum(self) -> float:
        """How often the best attacker is right who looks at the difference of the two answers; exact."""
        if self.epsilon is None:
            return 1.0
        rare, step = min(self.prior, 1.0 - self.prior), threshold(self.epsilon, min(self.prior, 1.0 - self.prior))
        if step is None:
            return self.baseline
        hits, quiet = difference_tail(step - 1, epsilon=self.epsilon), 1.0 - difference_tail(step, epsilon=self.epsilon)
        return rare * hits + (1.0 - rare) * quiet

    def says_yes(self, differences: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """The best attacker's guesses from differences of published answers: True for "has the trait"."""
        if self.epsilon is None:
            return np.asarray(differences >= 1.0)
        step = threshold(self.epsilon, min(self.prior, 1.0 - self.prior))
        if step is None:
            return np.full(differences.shape, self.prior > 0.5)
        return np.asarray(differences >= step) if self.prior <= 0.5 else np.asarray(1.0 - differences < step)

    def _most(self, epsilon: float) -> float:
        return max(float(best_success(Guarantee(epsilon=epsilon), prior=self.prior)), self.baseline)


@dataclass(frozen=True, slots=True, kw_only=True)
class Differenced:
    """Many people attacked: the secrets (n,), the differences of the published answers (n,), the wins."""

    secrets: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    differences: Array
    outcome: Outcome


def differenced(rules: DifferencingRules, *, trials: int, seed: int, others: int = 100) -> Differenced:
    """Each trial draws a secret and both published counts anew; the attacker subtracts and guesses as best it can."""
    require_whole("trials", trials)
    require_whole("others", others, least=0)
    require_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    secrets = rng.random(trials) < rules.prior
    everybody, rest = others + secrets.astype(np.float64), np.full(trials, float(others))
    if rules.epsilon is not None:
        mechanism = DiscreteLaplaceMechanism.from_epsilon(rules.epsilon, l1_sensitivity=1)
        everybody, rest = mechanism.simulate(everybody, rng), mechanism.simulate(rest, rng)
    differences = everybody - rest
    right = int(np.sum(rules.says_yes(differences) == secrets))
    outcome = Outcome(successes=right, trials=trials, baseline=rules.baseline, bound=rules.bound)
    return Differenced(secrets=secrets, differences=differences, outcome=outcome)


def difference_probability(steps: Array, *, epsilon: float) -> Array:
    """Of two independent discrete Laplace noises differing by each whole number of steps.

    ((1 - q) / (1 + q))^2 q^|k| (|k| + (1 + q^2) / (1 - q^2)) with q = e^-epsilon. Source: the sum of q^(|j| + |k - j|).
    """
    reach, kept = np.abs(steps), math.exp(-epsilon)
    peak = (1.0 + kept * kept) / -math.expm1(-2.0 * epsilon)
    return np.asarray(math.tanh(epsilon / 2.0) ** 2 * np.exp(-epsilon * reach) * (reach + peak))


def difference_tail(step: int, *, epsilon: float) -> float:
    """P(difference of the two noises >= step) for a whole step >= 0, summed in closed form."""
    require_whole("step", step, least=0)
    kept, lost = math.exp(-epsilon), -math.expm1(-epsilon)
    peak = (1.0 + kept * kept) / -math.expm1(-2.0 * epsilon)
    if step == 0:
        return 0.5 + 0.5 * math.tanh(epsilon / 2.0) ** 2 * peak
    inside = (step + peak) / lost + kept / lost**2
    return math.tanh(epsilon / 2.0) ** 2 * math.exp(-epsilon * step) * inside


def threshold(epsilon: float, prior: float) -> int | None:
    """The least difference at which "has the trait" is the better guess, for a prior of at most 1/2; None if never.

    Where P(k - 1) / P(k) reaches (1 - prior) / prior; the ratio rises with k and stays below e^epsilon.
    """
    require_between("prior", prior, 0.0, 0.5, open_at="lower")
    kept, odds = math.exp(-epsilon), (1.0 - prior) / prior
    peak = (1.0 + kept * kept) / -math.expm1(-2.0 * epsilon)
    if odds * kept >= 1.0:
        return None
    return max(1, math.ceil((1.0 - peak + odds * kept * peak) / (1.0 - odds * kept) - 1e-12))
