"""Asking again: the error falls like one over the root, the bill rises, and a ledger ends both."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

from dpengine.accounting import epsilon as composed
from dpengine.attacks import (
    AveragingBill,
    AveragingRules,
    answers_needed,
    averaged,
    error_until_refused,
    measured_errors,
)
from dpengine.attacks.averaging import MOST_ANSWERS
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism
from tests.running.cases import each

NOISE = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1)


def test_the_error_falls_like_one_over_the_root() -> None:
    errors = measured_errors(NOISE, most=100, trials=4000, seed=2)
    law = NOISE.standard_deviation / np.sqrt(np.arange(1.0, 101.0))
    assert errors == pytest.approx(law, rel=0.08)
    assert errors[99] / errors[0] == pytest.approx(0.1, rel=0.08)
    slower = NOISE.standard_deviation / np.arange(1.0, 101.0) ** 0.4
    assert np.max(np.abs(errors / slower - 1.0)) > 0.3
    assert AveragingRules(answers=100, epsilon=0.5).error == pytest.approx(law[99])


@each("answers", [1, 2, 3])
def test_no_attacker_beats_the_votes(answers: int) -> None:
    """Every list of answers, listed: what the better guess at each is right in."""
    steps = np.arange(-25.0, 27.0)
    with_person, without = (DiscreteLaplaceMechanism.from_epsilon(1.0, l1_sensitivity=1).probability(steps - shift)
                            for shift in (1.0, 0.0))  # fmt: skip
    kept = with_person + without > 1e-6
    pairs = list(zip(with_person[kept], without[kept], strict=True))
    best = sum(max(*np.prod(chosen, axis=0)) for chosen in product(pairs, repeat=answers)) / 2.0
    assert AveragingRules(answers=answers, epsilon=1.0).optimum == pytest.approx(best, abs=1e-4)


@each(("answers", "epsilon"), [(1, 1.0), (20, 0.3), (300, 0.1)])
def test_averaging_wins_at_most_what_the_best_attacker_does(answers: int, epsilon: float) -> None:
    rules = AveragingRules(answers=answers, epsilon=epsilon)
    outcome = averaged(rules, trials=4000, seed=5).outcome
    assert outcome.interval(1 - 1e-6)[0] <= rules.optimum <= rules.bound
    assert outcome.beats_chance()


@each(("epsilon", "right"), [(0.1, 0.75), (0.03, 0.6), (1.0, 0.99), (5.0, 0.75), (0.01, 0.75)])
def test_the_number_of_answers_that_make_an_attacker_sure_is_the_least(epsilon: float, right: float) -> None:
    """By the law of large numbers for the rough size, by one answer less for the last one."""
    needed = answers_needed(epsilon, right=right)
    assert needed is not None
    votes = 1.0 / (1.0 + math.exp(-epsilon))
    rough = (norm.ppf(right) / (2.0 * votes - 1.0)) ** 2 * 4.0 * votes * (1.0 - votes)
    assert rough - 3 <= needed <= 1.2 * rough + 3
    if needed <= MOST_ANSWERS:
        assert AveragingRules(answers=needed, epsilon=epsilon).optimum >= right
        assert needed == 1 or AveragingRules(answers=needed - 1, epsilon=epsilon).optimum < right
    assert answers_needed(1e-6, right=right) is None


def test_more_answers_win_more() -> None:
    rates = [averaged(AveragingRules(answers=k, epsilon=0.2), trials=2000, seed=5).outcome.rate for k in (1, 30, 900)]
    assert rates == sorted(rates)
    assert rates[-1] > 0.9


def test_the_bill_is_that_of_the_accountants() -> None:
    bill = AveragingBill(epsilon=0.1, delta=1e-6, most=400, budget=1.0)
    event = DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).event
    said = bill.at(400)
    assert said["basic"] == pytest.approx(40.0)
    assert said["exact"] <= said["advanced"] <= said["basic"]
    for rule, value in said.items():
        assert value == pytest.approx(composed({event: 400}, delta=1e-6, accountant=rule), rel=1e-6)
        assert np.all(np.diff(bill.curve(rule)) >= -1e-9)


@each(("budget", "granted"), [(1.0, 10), (0.95, 9), (0.05, 0)])
def test_a_ledger_ends_it(budget: float, granted: int) -> None:
    bill = AveragingBill(epsilon=0.1, delta=1e-6, most=50, budget=budget)
    assert bill.granted == granted
    errors = error_until_refused(1.0 / np.sqrt(np.arange(1.0, 51.0)), granted=granted)
    if granted == 0:
        assert np.all(np.isnan(errors))
    else:
        assert np.all(errors[granted - 1 :] == errors[granted - 1])
        assert errors[0] == 1.0


@each(("answers", "epsilon"), [(0, 1.0), (1001, 1.0), (10, 0.0), (10, -1.0), (10, 99.0)])
def test_nonsense_is_refused(answers: int, epsilon: float) -> None:
    with pytest.raises(InvalidParameterError):
        AveragingRules(answers=answers, epsilon=epsilon)


def test_too_many_draws_are_refused() -> None:
    with pytest.raises(InvalidParameterError):
        averaged(AveragingRules(answers=1000), trials=1_000_000, seed=1)
