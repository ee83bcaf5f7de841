"""Odds out of a hundred and the attacker's advantage."""

import math

import pytest

from dpengine.beliefs import Odds, advantage, advantage_of, odds_of, odds_out_of_100
from dpengine.errors import UnsupportedEventError
from dpengine.privacy import DiscreteLaplaceEvent, Event, GaussianEvent, Guarantee, LaplaceEvent


def test_a_named_mechanism_has_its_own_odds() -> None:
    assert odds_of(LaplaceEvent(noise_multiplier=1.0)).nearest == (30, 70)
    assert odds_of(DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=1)).nearest == (27, 73)
    assert odds_of(DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=2)).nearest == (30, 70)


def test_the_worst_case_is_not_understated() -> None:
    worst = odds_out_of_100(Guarantee(epsilon=1.0))
    assert worst.with_data == pytest.approx(100.0 / (1.0 + math.exp(-1.0)))
    assert worst.at_most == (26, 74)
    assert odds_out_of_100(Guarantee(epsilon=0.0)).at_most == (50, 50)
    assert odds_out_of_100(Guarantee(epsilon=1000.0)) == Odds(without_data=0.0, with_data=100.0)
    assert odds_out_of_100(Guarantee(epsilon=1.0, delta=1.0)).at_most == (0, 100)


def test_odds_and_advantage_tell_the_same_story() -> None:
    for event in (LaplaceEvent(noise_multiplier=1.0), GaussianEvent(noise_multiplier=0.5)):
        odds = odds_of(event)
        assert advantage_of(event) >= (odds.with_data - odds.without_data) / 100.0 - 1e-12


def test_advantage_of_laplace_is_below_the_worst_case() -> None:
    assert advantage_of(LaplaceEvent(noise_multiplier=1.0)) == pytest.approx(1.0 - math.exp(-0.5))
    assert advantage_of(LaplaceEvent(noise_multiplier=1.0)) < advantage(Guarantee(epsilon=1.0))
    assert advantage(Guarantee(epsilon=1000.0, delta=1.0)) == 1.0
    assert advantage(Guarantee(epsilon=0.0)) == 0.0


def test_an_unknown_law_has_no_odds() -> None:
    with pytest.raises(UnsupportedEventError):
        odds_of(Event())
