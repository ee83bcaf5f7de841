"""Optimal composition at its ends: delta 1, the last digit, and more runs than anybody counts."""

import math

import mpmath
import numpy as np
import pytest

from dpengine.accounting import epsilon, epsilon_curve
from dpengine.errors import InvalidParameterError
from dpengine.privacy import ApproximateEvent, Event, PureEvent

LEAKY = ApproximateEvent(epsilon=0.1, delta=1e-8)


@pytest.mark.parametrize("event", [PureEvent(epsilon=1.0), ApproximateEvent(epsilon=1.0, delta=1.0), LEAKY])
def test_a_delta_of_1_promises_nothing_and_costs_nothing(event: Event) -> None:
    assert epsilon_curve(event, repetitions=[1, 1000, 10**6], delta=1.0, accountant="optimal").tolist() == [0.0] * 3
    assert epsilon({PureEvent(epsilon=1.0): 1000}, delta=1.0 - 1e-9, accountant="optimal") > 0.0


def test_optimal_is_not_a_last_digit_below_the_truth() -> None:
    """By Kairouz, Oh, Viswanath 2015, Theorem 3.3, with 50 digits, wherever adding up is not smaller."""
    rng = np.random.default_rng(1)
    cases = [(float(np.exp(rng.uniform(-3.0, 2.5))), int(rng.integers(1, 40))) for _ in range(200)]
    deltas = np.exp(rng.uniform(-60.0, -1e-3, 200)).tolist()
    for (each, runs), delta in zip([(8.974534560712906, 5), *cases], [3.5e-16, *deltas], strict=True):
        found = epsilon({PureEvent(epsilon=each): runs}, delta=delta, accountant="optimal")
        with mpmath.workdps(50):
            lie, best, left, right = 1 / (1 + mpmath.exp(each)), mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(0)
            for lies in range(runs + 1):
                choices = mpmath.binomial(runs, lies)
                left += choices * lie**lies * (1 - lie) ** (runs - lies)
                right += choices * lie ** (runs - lies) * (1 - lie) ** lies
                best = max(best, mpmath.log((left - delta) / right)) if left > delta else best
            assert min(best, mpmath.mpf(runs * each)) <= found <= best * (1 + mpmath.mpf("1e-11")) + 1e-13


def test_optimal_says_how_many_runs_are_too_many() -> None:
    with pytest.raises(InvalidParameterError, match="the number of runs must be at most 1e"):
        epsilon({PureEvent(epsilon=0.1): 2 * 10**12}, delta=1e-6, accountant="optimal")
    many = epsilon_curve(PureEvent(epsilon=0.1), repetitions=[10**9, 10**10], delta=1e-6, accountant="optimal")
    assert many == pytest.approx(np.array([1e9, 1e10]) * 0.1 * math.tanh(0.05), rel=1e-2)
