"""Laws of subtracting and of asking again: between chance and bound, never less with more epsilon or more answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.attacks import AveragingRules, DifferencingRules

EPSILONS = st.floats(min_value=1e-3, max_value=10.0)
PRIORS = st.floats(min_value=0.01, max_value=0.99)
ROUND_OFF = 1e-9


@given(epsilon=EPSILONS, prior=PRIORS)
def test_subtracting_stays_between_chance_and_its_bounds(epsilon: float, prior: float) -> None:
    rules = DifferencingRules(epsilon=epsilon, prior=prior)
    assert rules.baseline - ROUND_OFF <= rules.optimum <= rules.knowing_the_others + ROUND_OFF
    assert rules.knowing_the_others <= rules.bound + ROUND_OFF
    other = DifferencingRules(epsilon=epsilon, prior=1.0 - prior)
    assert other.optimum == pytest.approx(rules.optimum, abs=1e-7)


@given(epsilon=EPSILONS, factor=st.floats(min_value=1.0, max_value=5.0), prior=PRIORS)
def test_more_epsilon_never_tells_less(epsilon: float, factor: float, prior: float) -> None:
    less, more = (DifferencingRules(epsilon=one, prior=prior).optimum for one in (epsilon, epsilon * factor))
    assert less <= more + ROUND_OFF


@given(epsilon=EPSILONS, answers=st.integers(min_value=1, max_value=999))
def test_one_more_answer_never_tells_less_and_errs_less(epsilon: float, answers: int) -> None:
    less, more = (AveragingRules(answers=k, epsilon=epsilon) for k in (answers, answers + 1))
    assert 0.5 <= less.optimum <= more.optimum + ROUND_OFF
    assert more.optimum <= more.bound + ROUND_OFF
    assert more.error < less.error
