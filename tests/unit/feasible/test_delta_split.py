"""One delta between questions whose epsilon is known in closed form: the same fall in each, and who goes without."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.feasible import delta_split
from dpengine.feasible.delta_split import DeltaPrices, cheapest_split, least_sum
from dpengine.losses import gaussian_epsilon
from tests.running.cases import each

DELTA = 1e-5
DELTAS = np.geomspace(1e-15, DELTA, 100)


def logarithms(weights, without):
    """Epsilon = weight ln(1 / delta): it falls by weight / delta, so the best split is in proportion to weights."""
    rows = np.outer(weights, -np.log(DELTAS))
    return DeltaPrices(deltas=DELTAS, epsilons=rows, without=np.array(without))


def total(prices, split):
    rows = zip(split, prices.epsilons, prices.without, strict=True)
    return sum(np.interp(math.log(own), np.log(DELTAS), row) if own else alone for own, row, alone in rows)


def test_where_epsilon_is_a_logarithm_the_parts_are_in_proportion_to_its_weights():
    weights = np.array([3.0, 1.0, 0.2, 5.0])
    split = cheapest_split(logarithms(weights, [math.inf] * 4))
    assert split == pytest.approx(DELTA * weights / weights.sum(), rel=0.01)
    assert split.sum() == pytest.approx(DELTA, rel=1e-12)


@each(("without", "takes"), [(30.0, (True, True)), (12.0, (True, False)), (math.inf, (True, True))])
def test_who_saves_less_than_others_lose_goes_without(without, takes):
    """With half of delta each epsilon is ln(2e5) = 12.21, alone 11.51: 12 without costs less than two halves."""
    split = cheapest_split(logarithms([1.0, 1.0], [40.0, without]))
    assert tuple(split > 0.0) == takes


@each("seed", range(4))
def test_the_choices_of_a_multiplier_are_at_most_one_saving_above_the_least(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        noises = np.exp(rng.uniform(0.0, 4.0, 6))
        rows = gaussian_epsilon(noise_multiplier=noises[:, None], delta=DELTAS[None])
        prices = DeltaPrices(deltas=DELTAS, epsilons=rows, without=rows[:, -1] * rng.uniform(1.01, 1.35, 6))
        monkeypatch.setattr(delta_split, "MOST_ENUMERATED", 8)
        least = total(prices, cheapest_split(prices))
        monkeypatch.setattr(delta_split, "MOST_ENUMERATED", 0)
        found = total(prices, cheapest_split(prices))
        assert least - 1e-9 <= found <= least + np.max(prices.without - rows[:, -1])
        assert found <= 1.01 * least


def test_errors_in_proportion_to_one_over_a_cost_share_it_by_the_roots_of_their_weights():
    weights, costs = np.array([9.0, 1.0, 0.04, 4.0]), np.geomspace(1e-5, 1.0, 600)
    roots = np.sqrt(weights)
    assert least_sum(costs, weights[:, None] / costs) == pytest.approx(roots / roots.sum(), rel=0.01)
    assert least_sum(costs, weights[:1, None] / costs) == pytest.approx([1.0])


def test_a_curve_that_falls_late_counts_by_the_straight_line_below_it():
    """One that hardly falls before a half and is 0 from there on needs that half; the other one gets the rest."""
    costs = np.geomspace(1e-5, 1.0, 600)
    late = np.where(costs < 0.5, 100.0 - costs, 0.0)
    first, second = least_sum(costs, np.array([late, 1.0 / costs]))
    assert first == pytest.approx(0.5, rel=0.02)
    assert first + second == pytest.approx(1.0)


def test_two_hundred_questions_take_no_more_than_there_is():
    rng = np.random.default_rng(3)
    weights = rng.uniform(0.01, 1.0, 200)
    prices = logarithms(weights, weights * rng.uniform(12.0, 30.0, 200))
    split = cheapest_split(prices)
    assert 0 < np.count_nonzero(split) < 200
    assert DELTA * (1.0 - 1e-9) <= split.sum() <= DELTA * (1.0 + 1e-12)
    assert total(prices, split) < prices.without.sum()
