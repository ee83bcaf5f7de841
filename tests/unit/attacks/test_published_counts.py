"""Telling one person's value from published counts: certain without noise, never beyond the bound with it."""

from __future__ import annotations

import itertools
import math

import pytest
from scipy.special import expit

from dpengine.attacks import TwoValues, told_apart
from dpengine.errors import InvalidParameterError
from tests.running.cases import each


def test_exact_counts_tell_everything():
    outcome = told_apart(TwoValues(epsilon=None), trials=500, seed=1)
    assert outcome.rate == outcome.bound == TwoValues(epsilon=None).best == 1.0


@each("epsilon", [0.05, 0.5, 1.0, 3.0, 8.0])
def test_the_attacker_is_the_best_one_and_stays_below_the_bound(epsilon):
    game = TwoValues(epsilon=epsilon)
    outcome = told_apart(game, trials=20_000, seed=7)
    low, high = outcome.interval(0.999)
    assert low <= game.best <= high
    assert game.bound == pytest.approx(expit(epsilon))
    assert game.best < game.bound
    assert outcome.keeps_bound()
    assert told_apart(game, trials=20_000, seed=7) == outcome


def test_little_epsilon_leaves_a_coin():
    assert not told_apart(TwoValues(epsilon=0.001), trials=2_000, seed=5).beats_chance(0.999)


@each("epsilon", [0.3, 1.0, 2.5])
def test_the_best_chance_is_the_sum_over_every_pair_of_noisy_cells(epsilon):
    scale = 2 / epsilon
    reach = math.ceil(40 * scale)
    law = {k: math.tanh(0.5 / scale) * math.exp(-abs(k) / scale) for k in range(-reach, reach + 2)}
    won = sum(
        0.5 * max(law.get(a - 1, 0) * law[b], law[a] * law.get(b - 1, 0)) for a, b in itertools.product(law, repeat=2)
    )
    assert won == pytest.approx(TwoValues(epsilon=epsilon).best, abs=1e-6)


def test_nonsense_is_refused():
    with pytest.raises(InvalidParameterError):
        told_apart(TwoValues(epsilon=1.0), trials=0, seed=1)
    with pytest.raises(InvalidParameterError):
        told_apart(TwoValues(epsilon=-1.0), trials=5, seed=1)
    with pytest.raises(InvalidParameterError):
        told_apart(TwoValues(epsilon=1.0), trials=5, seed=-1)
