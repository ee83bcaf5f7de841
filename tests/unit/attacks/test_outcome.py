"""Wins of an attacker: the interval covers the truth as often as it says, and contradictions are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import binom, binomtest

from dpengine.attacks import UNWATCHED, Outcome, Watch
from dpengine.errors import InvalidParameterError, StoppedError
from tests.running.cases import each

COINS = Outcome(successes=5, trials=10, baseline=0.5)


@each(("successes", "trials"), [(0, 1), (1, 1), (0, 40), (3, 40), (39, 40), (40, 40), (700, 1000)])
@each("confidence", [0.5, 0.95, 0.999])
def test_the_interval_is_that_of_an_exact_test(successes, trials, confidence):
    ours = Outcome(successes=successes, trials=trials, baseline=0.0).interval(confidence)
    theirs = binomtest(successes, trials).proportion_ci(confidence, method="exact")
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@each("chance", [0.0, 0.02, 0.5, 0.73, 1.0])
def test_it_covers_every_chance_at_least_as_often_as_it_says(chance):
    covered = 0.0
    for successes in range(31):
        low, high = Outcome(successes=successes, trials=30, baseline=0.0).interval(0.9)
        covered += binom.pmf(successes, 30, chance) * (low <= chance <= high)
    assert covered >= 0.9


def test_half_the_tosses_of_a_coin_prove_nothing_and_all_of_many_prove_it():
    assert not COINS.beats_chance()
    assert Outcome(successes=30, trials=30, baseline=0.5).beats_chance()


def test_who_never_wins_beats_no_chance_and_who_wins_once_beats_a_chance_of_zero():
    assert not Outcome(successes=0, trials=3, baseline=0.0).beats_chance()
    assert Outcome(successes=1, trials=3, baseline=0.0).beats_chance()


def test_a_broken_protection_shows():
    assert not Outcome(successes=90, trials=100, baseline=0.5, bound=0.6).keeps_bound()
    assert Outcome(successes=61, trials=100, baseline=0.5, bound=0.6).keeps_bound()


@each(
    "wrong",
    [
        {"successes": 11},
        {"successes": -1},
        {"successes": 0.5},
        {"trials": 0},
        {"baseline": float("nan")},
        {"baseline": 1.5},
        {"bound": 0.4},
        {"bound": 1.1},
    ],
)
def test_numbers_that_contradict_each_other_are_refused(wrong):
    with pytest.raises(InvalidParameterError):
        replace(COINS, **wrong)
    assert COINS.rate == 0.5


def test_confidence_must_be_a_share():
    with pytest.raises(InvalidParameterError, match="confidence"):
        COINS.interval(1.0)


def test_somebody_who_waits_hears_and_stops():
    heard: list[float] = []
    watch = Watch(progress=heard.append, cancelled=lambda: len(heard) == 2)
    watch.tell(0.5)
    watch.tell(7.0)
    with pytest.raises(StoppedError):
        watch.tell(0.9)
    assert heard == [0.5, 1.0]
    UNWATCHED.tell(0.3)
