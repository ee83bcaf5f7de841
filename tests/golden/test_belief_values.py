"""Beliefs, advantage, group privacy and the attack by subtraction against mpmath."""

import pytest

from dpengine.attacks import DifferencingRules
from dpengine.beliefs import advantage, posterior_bounds
from dpengine.privacy import Guarantee
from tests.golden.rows import number, rows
from tests.running.cases import each


@each("row", rows("posterior"))
def test_posterior_bounds(row: dict[str, str]) -> None:
    found = posterior_bounds(number(row, "prior"), epsilon=number(row, "epsilon"))
    assert found == pytest.approx((number(row, "lower"), number(row, "upper")), rel=1e-12, abs=0.0)


@each("row", rows("advantage"))
def test_advantage(row: dict[str, str]) -> None:
    found = advantage(Guarantee(epsilon=number(row, "epsilon"), delta=number(row, "delta")))
    assert found == pytest.approx(number(row, "advantage"), rel=1e-13)


@each("row", rows("group_privacy"))
def test_group_privacy(row: dict[str, str]) -> None:
    group = Guarantee(epsilon=number(row, "epsilon"), delta=number(row, "delta")).for_group(int(row["group_size"]))
    expected = number(row, "group_epsilon"), min(1.0, number(row, "group_delta"))
    assert (group.epsilon, group.delta) == pytest.approx(expected, rel=1e-12)


@each("row", rows("differencing"))
def test_subtracting_two_noisy_counts(row: dict[str, str]) -> None:
    rules = DifferencingRules(epsilon=number(row, "epsilon"), prior=number(row, "prior"))
    expected = number(row, "best_by_subtracting"), number(row, "upper_limit")
    assert (rules.optimum, rules.knowing_the_others) == pytest.approx(expected, rel=1e-12)
