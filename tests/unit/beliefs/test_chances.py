"""How far one person's data may move the chance of a consequence, against every set of outputs."""

import itertools
import math

import numpy as np
import pytest

from dpengine.beliefs import best_success, chance_bounds, chance_bounds_of, receiver_operating_curve, true_positive_rate
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses import delta_of
from dpengine.privacy import ApproximateEvent, Event, GaussianEvent, Guarantee, LaplaceEvent, PureEvent
from tests.running.cases import each

LEAKY = Guarantee(epsilon=1.0, delta=0.05)


@each("epsilon", [0.0, 0.3, 2.0])
def test_every_set_of_outputs_of_random_mechanisms_is_within_the_bounds(epsilon: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        there = rng.dirichlet(np.ones(6))
        here = rng.dirichlet(np.ones(6)) * 0.3 + there * 0.7
        delta = max(
            float(np.maximum(one - math.exp(epsilon) * two, 0.0).sum()) for one, two in ((here, there), (there, here))
        )
        chosen = np.array(list(itertools.product([False, True], repeat=6)))
        without, within = chosen @ there, chosen @ here
        lower, upper = chance_bounds(np.clip(without, 0.0, 1.0), guarantee=Guarantee(epsilon=epsilon, delta=delta))
        assert np.all(lower <= within + 1e-12)
        assert np.all(within <= upper + 1e-12)


@each("guarantee", [Guarantee(epsilon=1.3), LEAKY])
def test_the_bounds_are_met(guarantee: Guarantee) -> None:
    """By randomized response beside a delta of outputs that give the world away."""
    keep, truth = 1.0 - guarantee.delta, math.exp(guarantee.epsilon) / (1.0 + math.exp(guarantee.epsilon))
    here = np.array([guarantee.delta, keep * truth, keep * (1.0 - truth), 0.0])
    chosen = np.array(list(itertools.product([False, True], repeat=4)))
    without, within = chosen @ here[::-1], chosen @ here
    lower, upper = chance_bounds(np.clip(without, 0.0, 1.0), guarantee=guarantee)
    assert np.min(np.abs(within - upper)) < 1e-15
    assert sum(np.isclose(within, upper, atol=1e-15)) >= 4
    assert sum(np.isclose(within, lower, atol=1e-15)) >= 4


def test_small_chances_keep_their_digits() -> None:
    lower, upper = chance_bounds(1e-20, guarantee=Guarantee(epsilon=math.log(2.0)))
    assert lower == pytest.approx(5e-21, rel=1e-14)
    assert upper == pytest.approx(2e-20, rel=1e-14)
    assert chance_bounds(0.5, guarantee=Guarantee(epsilon=50.0))[0] == pytest.approx(0.5 * math.exp(-50.0), rel=1e-14)
    assert chance_bounds(0.0, guarantee=LEAKY) == (0.0, 0.05)
    assert chance_bounds(1.0, guarantee=LEAKY) == (0.95, 1.0)
    assert chance_bounds(0.5, guarantee=Guarantee(epsilon=1000.0)) == (0.0, 1.0)
    assert chance_bounds(0.5, guarantee=Guarantee(epsilon=1.0, delta=1.0)) == (0.0, 1.0)


def test_without_privacy_loss_nothing_moves() -> None:
    chances = np.array([0.0, 0.1, 0.9, 1.0])
    for bound in chance_bounds(chances, guarantee=Guarantee(epsilon=0.0)):
        assert bound == pytest.approx(chances, abs=1e-16)


@each("chance", [1e-6, 0.2, 0.5, 0.97])
def test_a_named_mechanism_moves_a_chance_no_more_than_its_guarantee(chance: float) -> None:
    lower, upper = chance_bounds(chance, guarantee=Guarantee(epsilon=1.0))
    named = chance_bounds_of(LaplaceEvent(noise_multiplier=1.0), chance=chance)
    assert lower - 1e-15 <= named[0] <= chance <= named[1] <= upper + 1e-15
    worst = chance_bounds_of(PureEvent(epsilon=1.0), chance=chance)
    assert worst[0] == pytest.approx(lower, abs=1e-15)
    assert worst[1] == pytest.approx(upper, abs=1e-15)
    bell = GaussianEvent(noise_multiplier=2.0)
    for epsilon in (0.1, 1.0, 2.0):
        guarantee = Guarantee(epsilon=epsilon, delta=delta_of(bell, epsilon=epsilon))
        assert chance_bounds_of(bell, chance=chance)[1] <= chance_bounds(chance, guarantee=guarantee)[1] + 1e-12


@each("promise", [LEAKY, GaussianEvent(noise_multiplier=1.0), PureEvent(epsilon=0.5)])
def test_the_curve_of_the_best_attacker(promise: Event | Guarantee) -> None:
    alarms, hits = receiver_operating_curve(promise, points=2001)
    assert (alarms[0], alarms[-1], hits[-1]) == (0.0, 1.0, 1.0)
    assert np.all(np.diff(hits) >= -1e-15)
    assert np.all(hits >= alarms - 1e-15)
    event = ApproximateEvent(epsilon=1.0, delta=0.05) if isinstance(promise, Guarantee) else promise
    assert float(np.max(hits - alarms)) == pytest.approx(delta_of(event, epsilon=0.0), abs=2e-3)
    assert true_positive_rate(promise, false_positive_rate=float(alarms[700])) == hits[700]
    prior = 0.3
    success = np.max(prior * hits + (1.0 - prior) * (1.0 - alarms))
    assert best_success(promise, prior=prior) == pytest.approx(float(success), abs=2e-3)


def test_a_guarantee_is_as_good_as_its_worst_mechanism() -> None:
    worst = ApproximateEvent(epsilon=1.0, delta=0.05)
    assert best_success(LEAKY, prior=0.2) == best_success(worst, prior=0.2)
    with pytest.raises(UnsupportedEventError):
        best_success(Event(), prior=0.2)


@each("bad", [-0.1, 1.1, math.nan, "often", None])
def test_bad_chances_are_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="chance"):
        chance_bounds(bad, guarantee=LEAKY)
    with pytest.raises(InvalidParameterError, match="chance"):
        chance_bounds_of(PureEvent(epsilon=1.0), chance=bad)
    with pytest.raises(InvalidParameterError, match="points"):
        receiver_operating_curve(LEAKY, points=1)
