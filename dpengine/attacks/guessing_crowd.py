"""A realistic attacker of the guessing game: one who does not know everybody else, only how common the trait is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.special import gammaln, xlog1py, xlogy

from dpengine.attacks.guessing import MOST_ROUNDS, Flags, GuessingRules, SimulatedGame
from dpengine.attacks.outcome import Outcome
from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.losses.arrays import Array

MOST_PEOPLE = 1_000_000
_CROWD_REACH, _CROWD_REST, _NOISE_REACH = 9.0, 40.0, 45.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """People whose rows the attacker does not know; each has the trait with chance `rate`, apart from the others."""

    people: int
    rate: float

    def __post_init__(self) -> None:
        require_whole("people", self.people, least=0)
        require_between("people", self.people, 0, MOST_PEOPLE)
        require_between("rate", self.rate, 0.0, 1.0)

    @property
    def standard_deviation(self) -> float:
        """Of the number of unknown people who have the trait."""
        return float(np.sqrt(self.people * self.rate * (1.0 - self.rate)))

    def law(self) -> tuple[int, Array]:
        """The least number of them with the trait that is not negligible, and the chances from there on."""
        mean, reach = self.people * self.rate, _CROWD_REACH * self.standard_deviation + _CROWD_REST
        least, most = max(math.floor(mean - reach), 0), min(math.ceil(mean + reach), self.people)
        found = np.arange(least, most + 1.0)
        ways = gammaln(self.people + 1.0) - gammaln(found + 1.0) - gammaln(self.people - found + 1.0)
        chances = np.exp(ways + xlogy(found, self.rate) + xlog1py(self.people - found, -self.rate))
        return least, chances / np.sum(chances)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrowdLaws:
    """The chances of one noisy answer for somebody who does not know the crowd, over the answers from `least` on."""

    least: int
    with_person: Array
    without_person: Array

    def best_success(self, prior: float) -> float:
        """How often the best guess is right, for one who knows no more."""
        joint = np.maximum(prior * self.with_person, (1.0 - prior) * self.without_person)
        return float(min(max(np.sum(joint), prior, 1.0 - prior), 1.0))


def crowd_laws(rules: GuessingRules, crowd: Crowd) -> CrowdLaws:
    """Noise added to an unknown crowd, in either world; `rules.without` is the mean count of all others.

    Exact up to 1e-14 of probability. Raises InvalidParameterError for more than one answer, whose crowd is the same.
    """
    if rules.answers != 1:
        raise InvalidParameterError("answers", rules.answers, "1 against an unknown crowd, which all answers share")
    least, chances = crowd.law()
    mechanism = rules.mechanism
    if mechanism is not None:
        reach = int(np.ceil(_NOISE_REACH * mechanism.scale / (1.0 if rules.noise == "laplace" else 4.0))) + 1
        noise = np.asarray(mechanism.probability(np.arange(-reach, reach + 1.0)))
        least, chances = least - reach, np.maximum(scipy.signal.fftconvolve(chances, noise), 0.0)
        chances = chances / np.sum(chances)
    shift = np.zeros(rules.step)
    known = rules.without - round(crowd.people * crowd.rate)
    return CrowdLaws(
        least=known + least,
        with_person=np.concatenate([shift, chances]),
        without_person=np.concatenate([chances, shift]),
    )


def crowd_success(rules: GuessingRules, crowd: Crowd) -> float:
    """How often the best attacker guesses right who knows everybody but the crowd; never above `rules.optimum`.

    No promise: the next attacker may know the crowd.
    """
    return min(crowd_laws(rules, crowd).best_success(rules.prior), rules.optimum)


def realistic_attacker_plays(rules: GuessingRules, crowd: Crowd, *, rounds: int, seed: int) -> SimulatedGame:
    """The best attacker of this knowledge plays so many rounds; each time the crowd is another."""
    require_whole("rounds", rounds)
    require_between("rounds", rounds, 1, MOST_ROUNDS)
    require_whole("seed", seed, least=0)
    rng, laws = np.random.default_rng(seed), crowd_laws(rules, crowd)
    present: Flags = rng.random(rounds) < rules.prior
    others = rng.binomial(crowd.people, crowd.rate, size=rounds) - round(crowd.people * crowd.rate)
    answers = rules.draw(present, rng) + others[:, None]
    places = np.clip(answers[:, 0] - laws.least, 0, len(laws.with_person) - 1).astype(np.intp)
    guesses = rules.prior * laws.with_person[places] > (1.0 - rules.prior) * laws.without_person[places]
    wins = int(np.count_nonzero(guesses == present))
    outcome = Outcome(successes=wins, trials=rounds, baseline=rules.baseline, bound=rules.bound)
    return SimulatedGame(outcome=outcome, present=present, answers=answers, guesses=np.asarray(guesses))
