"""Optimal composition at its ends: delta 1, the last digit, and more runs than anybody counts."""

import math

import mpmath
import numpy as np
import pytest

from dpengine.accounting import epsilon, epsilon_curve
from dpengine.errors import InvalidParameterError
from dpengine.privacy import ApproximateEvent, Event, PureEvent, RandomizedResponseEvent
from tests.running.cases import each

LEAKY = ApproximateEvent(epsilon=0.1, delta=1e-8)


@each("event", [PureEvent(epsilon=1.0), ApproximateEvent(epsilon=1.0, delta=1.0), LEAKY])
def test_a_delta_of_1_promises_nothing_and_costs_nothing(event: Event) -> None:
    assert epsilon_curve(event, repetitions=[1, 1000, 10**6], delta=1.0, accountant="optimal").tolist() == [0.0] * 3
    assert epsilon({PureEvent(epsilon=1.0): 1000}, delta=1.0 - 1e-9, accountant="optimal") > 0.0


def truth(each: float, runs: int, delta: float) -> mpmath.mpf:
    """By Kairouz, Oh, Viswanath 2015, Theorem 3.3, of the decimals that were written down; 0 where nothing is told."""
    lie, least = 1 / (1 + mpmath.exp(decimal(each))), decimal(delta)
    best, left, right = mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(0)
    for lies in range(runs // 2 + 1):
        choices = mpmath.binomial(runs, lies)
        left += choices * lie**lies * (1 - lie) ** (runs - lies)
        right += choices * lie ** (runs - lies) * (1 - lie) ** lies
        best = max(best, mpmath.log((left - least) / right)) if left > least else best
    return best


def decimal(number: float) -> mpmath.mpf:
    """The number that a person reads."""
    return mpmath.mpf(repr(number))


@each(("rule", "kind"), [("optimal", PureEvent), ("exact", RandomizedResponseEvent)])
def test_no_last_digit_is_below_the_truth(rule: str, kind: type[PureEvent | RandomizedResponseEvent]) -> None:
    """From epsilons so small that their digits are lost beside 1 to such that hide nothing."""
    rng = np.random.default_rng(1)
    sizes = [float(each) for each in 10.0 ** rng.uniform(-15.0, 1.3, 80)]
    times = rng.choice([1, 2, 3, 5, 13, 40, 100], 80).tolist()
    deltas = [
        float(delta) for delta in 10.0 ** -np.where(rng.random(80) < 0.5, rng.uniform(0, 3, 80), rng.uniform(0, 99, 80))
    ]
    known = [(8.974534560712906, 5, 3.5e-16), (0.00019355908330498825, 8, 6.690970234008845e-05)]
    for size, runs, delta in [*known, *zip(sizes, times, deltas, strict=True)]:
        found = epsilon({kind(epsilon=size): runs}, delta=delta, accountant=rule)
        with mpmath.workdps(150):
            best = truth(size, runs, delta)
            assert best * (1 - mpmath.mpf("1e-40")) <= decimal(found) <= best * (1 + mpmath.mpf("1e-10")) + 1e-12


def test_optimal_says_how_many_runs_are_too_many() -> None:
    with pytest.raises(InvalidParameterError, match="the number of runs must be at most 1e"):
        epsilon({PureEvent(epsilon=0.1): 2 * 10**12}, delta=1e-6, accountant="optimal")
    many = epsilon_curve(PureEvent(epsilon=0.1), repetitions=[10**9, 10**10], delta=1e-6, accountant="optimal")
    assert many == pytest.approx(np.array([1e9, 1e10]) * 0.1 * math.tanh(0.05), rel=1e-2)
