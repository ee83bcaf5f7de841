"""What the exponential mechanism reveals, against random mechanisms with such losses."""

import math

import numpy as np
import pytest
from scipy.special import logsumexp

from dpengine.losses import delta_of, equal_error_rate, false_negative_rate
from dpengine.privacy import BoundedRangeEvent, PureEvent
from tests.running.cases import each

EPSILONS = [0.01, 0.5, 1.0, 4.0]


def log_laws(weights: np.ndarray) -> np.ndarray:
    return weights - logsumexp(weights)


def hockey_sticks(here: np.ndarray, there: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.maximum(np.exp(here) - np.exp(points[:, None] + there), 0.0).sum(axis=1)


def hockey_stick(here: np.ndarray, there: np.ndarray, x: float) -> float:
    return float(hockey_sticks(here, there, np.array([x]))[0])


@each("epsilon", EPSILONS)
def test_no_score_vectors_exceed_the_profile_and_some_nearly_meet_it(epsilon: float) -> None:
    rng, points = np.random.default_rng(5), np.linspace(0.0, epsilon, 9)
    bound = delta_of(BoundedRangeEvent(epsilon=epsilon), epsilon=points)
    closest = np.zeros_like(points)
    for _ in range(600):
        scores = rng.normal(0.0, 3.0 / epsilon, rng.integers(2, 5))
        moved = scores + rng.choice([-1.0, 1.0, rng.uniform(-1.0, 1.0)], len(scores))
        here, there = (log_laws(epsilon * values / 2.0) for values in (scores, moved))
        found = hockey_sticks(here, there, points)
        assert np.all(found <= bound * (1.0 + 1e-9) + 1e-14)
        closest = np.maximum(closest, found)
    assert np.all(closest[:-1] >= 0.97 * bound[:-1])


@each("epsilon", EPSILONS)
def test_two_outputs_meet_the_profile_and_the_curve_exactly(epsilon: float) -> None:
    for x in np.linspace(0.0, 0.99 * epsilon, 7).tolist():
        highest = (epsilon + x) / 2.0
        chance = (math.exp(epsilon) - math.exp(highest)) / math.expm1(epsilon)
        here = np.log([chance, 1.0 - chance])
        there = here - np.array([highest, highest - epsilon])
        assert np.exp(there).sum() == pytest.approx(1.0)
        event = BoundedRangeEvent(epsilon=epsilon)
        assert delta_of(event, epsilon=x) == pytest.approx(hockey_stick(here, there, x), rel=1e-9)
        misses = false_negative_rate(event, false_positive_rate=float(np.exp(there[0])))
        assert misses == pytest.approx(1.0 - chance, rel=1e-9)


def test_the_advantage_is_half_as_steep_as_that_of_randomized_response() -> None:
    assert delta_of(BoundedRangeEvent(epsilon=1.0), epsilon=0.0) == pytest.approx(math.tanh(0.25), rel=1e-15)
    assert delta_of(PureEvent(epsilon=1.0), epsilon=0.0) == pytest.approx(math.tanh(0.5), rel=1e-15)
    assert equal_error_rate(BoundedRangeEvent(epsilon=1.0)) == pytest.approx((1.0 - math.tanh(0.25)) / 2.0)


def test_nothing_is_revealed_at_0_and_all_at_1000() -> None:
    points = np.array([0.0, 1e-9, 1.0, 1000.0])
    assert delta_of(BoundedRangeEvent(epsilon=0.0), epsilon=points).tolist() == [0.0] * 4
    assert delta_of(BoundedRangeEvent(epsilon=1000.0), epsilon=points).tolist() == [1.0, 1.0, 1.0, 0.0]
    assert delta_of(BoundedRangeEvent(epsilon=1e-9), epsilon=0.0) == pytest.approx(2.5e-10, rel=1e-9)
