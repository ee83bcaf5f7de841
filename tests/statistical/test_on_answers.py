"""Intervals of averages and differences of released answers cover as often as they say; too much noise is found out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from dpengine.attacks.on_answers import averaged, believed, differenced
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, Query
from tests.examples.drawn import planned_as
from tests.examples.told import ILL, SCHEMA, answers, told
from tests.running.cases import each
from tests.statistical.thresholds import SIGNIFICANCE

RUNS, BUDGET = 40_000, Guarantee(epsilon=5.0)
EPSILONS = ((0.1, 0.1), (0.1, 0.3, 0.2), (1.0, 1.0))


def noise(query: Query, epsilon: float, rng: np.random.Generator, louder: float) -> np.ndarray:
    """Of many runs of one answer; `louder` than its law says."""
    everything = answers(told(query, [0], epsilon=epsilon))
    (mechanism,) = planned_as(query, epsilon / louder).mechanisms(SCHEMA, everything.neighbors)
    return np.asarray(mechanism.simulate(np.zeros(RUNS), rng))


def missed(hits: int) -> bool:
    return bool(binomtest(hits, RUNS, 0.95, alternative="less").pvalue < SIGNIFICANCE)


@each("epsilons", EPSILONS)
@each("louder", [1.0, 1.3])
def test_averages_cover_and_a_wrong_scale_is_flagged(epsilons: tuple[float, ...], louder: float) -> None:
    rng, query = np.random.default_rng(11), CountQuery()
    known = averaged(answers(*(told(query, [0], epsilon=e) for e in epsilons)), budget=BUDGET).counts[0]
    precisions = [1.0 / noise_variance(query, e) for e in epsilons]
    drawn = sum(p * noise(query, e, rng, louder) for p, e in zip(precisions, epsilons, strict=True)) / sum(precisions)
    hits = int(np.sum(np.abs(drawn) <= known.half_width * (1 + 1e-9)))
    assert missed(hits) is (louder > 1.0)


@each("epsilons", [(0.1, 0.1), (0.1, 0.5)])
@each("louder", [1.0, 1.3])
def test_differences_cover_and_a_wrong_scale_is_flagged(epsilons: tuple[float, float], louder: float) -> None:
    rng = np.random.default_rng(12)
    pair = [(CountQuery(), epsilons[0]), (CountQuery(ILL), epsilons[1])]
    known = differenced(answers(*(told(query, [0], epsilon=e) for query, e in pair))).listed[0]
    first, second = (noise(query, e, rng, louder) for query, e in pair)
    hits = int(np.sum(np.abs(first - second) <= known.half_width * (1 + 1e-9)))
    assert missed(hits) is (louder > 1.0)


def noise_variance(query: Query, epsilon: float) -> float:
    (mechanism,) = planned_as(query, epsilon).mechanisms(SCHEMA, answers(told(query, [0])).neighbors)
    return float(mechanism.standard_deviation) ** 2  # type: ignore[union-attr]


@pytest.mark.parametrize("epsilons", [(0.5, 0.5), (0.3, 1.0)])
def test_nobody_guesses_a_person_more_often_than_said(epsilons: tuple[float, float]) -> None:
    """A fair coin puts a person into both counts or into none; the attacker knows the rest and weighs both answers."""
    rng = np.random.default_rng(13)
    pair = [(CountQuery(), epsilons[0]), (CountQuery(ILL), epsilons[1])]
    known = differenced(answers(*(told(query, [0], epsilon=e) for query, e in pair))).listed[0].beliefs[0]
    present = rng.random(RUNS) < 0.5
    weight = np.zeros(RUNS)
    for query, epsilon in pair:
        seen = present + noise(query, epsilon, rng, 1.0)
        mechanism = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)
        weight += np.log(mechanism.probability(seen - 1.0) / mechanism.probability(seen))
    says = np.where(weight == 0.0, rng.random(RUNS) < 0.5, weight > 0.0)
    wins = int(np.sum(says == present))
    assert binomtest(wins, RUNS, known.right, alternative="greater").pvalue > SIGNIFICANCE
    too_low = believed(0.5, Guarantee(epsilon=max(epsilons) * 0.8)).right
    assert binomtest(wins, RUNS, too_low, alternative="greater").pvalue < SIGNIFICANCE
