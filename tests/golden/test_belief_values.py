"""Beliefs, advantage, group privacy and the attack by subtraction against mpmath."""

import math

import pytest

from dpengine.attacks import DifferencingRules
from dpengine.beliefs import advantage, chance_bounds, posterior_bounds
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


@each("row", rows("allowed_ratios"))
def test_allowed_ratios(row: dict[str, str]) -> None:
    """Delta subtracted before the logarithm; added to epsilon, it allows less."""
    epsilon, delta, chance = (number(row, column) for column in ("epsilon", "delta", "chance"))
    least, most = chance_bounds(chance, guarantee=Guarantee(epsilon=epsilon, delta=delta))
    found = math.log(least / chance) if least else -math.inf, math.log(most / chance)
    assert found == pytest.approx((number(row, "log_least"), number(row, "log_most")), rel=1e-12)
    _, added = chance_bounds(chance, guarantee=Guarantee(epsilon=epsilon + delta))
    assert math.log(added / chance) == pytest.approx(number(row, "log_most_added"), rel=1e-12)
    assert (number(row, "log_most_added") < number(row, "log_most")) == (delta > 0.0)
