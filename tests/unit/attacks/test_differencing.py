"""Subtracting two counts: the law of the difference, the best threshold, the bounds, and a real table."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.attacks import DifferencingRules, TwoCounts, differenced, two_counts
from dpengine.attacks.differencing import difference_probability, difference_tail
from dpengine.data import And, Comparison
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism
from tests.examples.tables import shared_sample
from tests.running.cases import each

STEPS = np.arange(-3000.0, 3001.0)


@each("epsilon", [0.1, 1.0, 5.0])
def test_the_difference_has_the_law_of_two_noises(epsilon: float) -> None:
    noise = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).probability(np.arange(-300.0, 301.0))
    law = difference_probability(np.arange(-100.0, 101.0), epsilon=epsilon)
    assert law == pytest.approx(np.convolve(noise, noise)[500:701], rel=1e-9, abs=1e-13)
    for step in (0, 1, 7):
        tail = difference_probability(STEPS, epsilon=epsilon)[step <= STEPS].sum()
        assert difference_tail(step, epsilon=epsilon) == pytest.approx(tail, rel=1e-9)


@each("epsilon", [0.01, 0.5, 1.0, 5.0])
@each("prior", [0.5, 0.3, 0.06, 0.8, 0.99])
def test_no_rule_on_the_difference_is_better(epsilon: float, prior: float) -> None:
    """The best guess at each difference, listed one by one."""
    rules = DifferencingRules(epsilon=epsilon, prior=prior)
    law, moved = (difference_probability(STEPS - shift, epsilon=epsilon) for shift in (0.0, 1.0))
    assert rules.optimum == pytest.approx(np.maximum(prior * moved, (1.0 - prior) * law).sum(), abs=1e-9)
    assert rules.baseline - 1e-12 <= rules.optimum <= rules.knowing_the_others + 1e-12
    assert rules.knowing_the_others <= rules.bound
    guesses = rules.says_yes(STEPS)
    assert np.where(guesses, prior * moved, (1.0 - prior) * law).sum() == pytest.approx(rules.optimum, abs=1e-9)


def test_reference_values_at_epsilon_1() -> None:
    rules = DifferencingRules(epsilon=1.0)
    assert rules.knowing_the_others == pytest.approx(1.0 / (1.0 + np.exp(-1.0)))
    assert rules.bound == pytest.approx(1.0 / (1.0 + np.exp(-2.0)))
    assert rules.optimum == pytest.approx(0.6402008309570565)


@each(("epsilon", "prior"), [(0.1, 0.5), (1.0, 0.5), (2.0, 0.2), (2.0, 0.8)])
def test_what_is_measured_fits_the_law(epsilon: float, prior: float) -> None:
    rules = DifferencingRules(epsilon=epsilon, prior=prior)
    low, high = differenced(rules, trials=20_000, seed=3).outcome.interval(1 - 1e-6)
    assert low <= rules.optimum <= high


def test_exact_answers_are_certain_and_a_small_epsilon_is_chance() -> None:
    assert differenced(DifferencingRules(epsilon=None), trials=500, seed=1).outcome.rate == 1.0
    assert not differenced(DifferencingRules(epsilon=0.01), trials=5000, seed=1).outcome.beats_chance(0.999)


def test_a_real_table_tells_its_person() -> None:
    table, _ = shared_sample("patients")
    facts = And((Comparison("zip", "=", "02138"), Comparison("age", "=", 97)))
    found = {age: _found(table, age) for age in range(80, 99)}
    singled = [counts for counts in found.values() if counts is not None]
    assert singled, "somebody is alone with an age in this zip"
    assert all(counts.everybody - counts.others in (0, 1) for counts in singled)
    with pytest.raises(InvalidParameterError, match="rows that fit"):
        two_counts(table, singled_out=Comparison("zip", "=", "02138"), trait=facts)


def _found(table: object, age: int) -> TwoCounts | None:
    facts = And((Comparison("zip", "=", "02138"), Comparison("age", "=", age)))
    try:
        return two_counts(table, singled_out=facts, trait=Comparison("sex", "=", "male"))  # type: ignore[arg-type]
    except InvalidParameterError:
        return None


def test_a_table_with_several_rows_a_person_is_refused() -> None:
    table, _ = shared_sample("rand_hie")
    with pytest.raises(InvalidParameterError, match="every row is another person"):
        two_counts(table, singled_out=Comparison("age", "=", 3), trait=Comparison("age", "=", 3))


@each(("epsilon", "prior"), [(0.0, 0.5), (-1.0, 0.5), (float("nan"), 0.5), (1.0, 0.0), (1.0, 1.0), (1e9, 0.5)])
def test_nonsense_is_refused(epsilon: float, prior: float) -> None:
    with pytest.raises(InvalidParameterError):
        DifferencingRules(epsilon=epsilon, prior=prior)


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(InvalidParameterError):
        TwoCounts(everybody=5, others=3)
