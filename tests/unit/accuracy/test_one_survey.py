"""One survey, many counts: no bias, the stated error and no other, intervals that hold, and what several facts cost."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.accuracy.lessons.one_survey import (
    all_facts_standard_error,
    count_standard_error,
    counts_of_groups,
    estimated_count,
    invented_people,
    likely_counts,
    one_fact_standard_error,
)
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import RandomizedResponse
from tests.running.cases import each

RUNS = 20_000


def chance_inside(people: int, truth: int, epsilon: float) -> float:
    """How often the interval holds this truth: the exact law of the reports, from the two binomials of its coins."""

    def binomial(count: int, chance: float) -> np.ndarray:
        powers = [math.comb(count, k) * chance**k * (1.0 - chance) ** (count - k) for k in range(count + 1)]
        return np.array(powers)

    told = 1.0 / (1.0 + math.exp(-epsilon))
    law = np.convolve(binomial(truth, told), binomial(people - truth, 1.0 - told))
    ends = [likely_counts(reported, people, epsilon=epsilon) for reported in range(people + 1)]
    return float(sum(chance for chance, (low, high) in zip(law, ends, strict=True) if low <= truth <= high))


@each("people", [1, 2, 5, 20, 60, 150])
@each("epsilon", [0.1, 1.0, math.log(3.0), 3.5, 4.5, 9.0])
def test_the_interval_holds_the_truth_at_least_95_times_of_100(people: int, epsilon: float) -> None:
    found = [chance_inside(people, truth, epsilon) for truth in sorted({0, 1, people // 4, people // 2, people})]
    assert 0.95 <= min(found) <= max(found) <= 1.0 + 1e-12
    if people >= 60 and epsilon <= 1.1:
        assert max(found) < 0.985, "No wider than needed where the group is not small."


def test_1_96_standard_errors_alone_would_hold_it_less_often() -> None:
    """The control: without one report more, a group of two at epsilon 3.5 is missed too often."""
    epsilon, people, truth = 3.5, 2, 1
    told, lie = 1.0 / (1.0 + math.exp(-epsilon)), 1.0 / (1.0 + math.exp(epsilon))
    reach = 1.96 * count_standard_error(people, epsilon=epsilon)
    law = {0: lie * told, 1: told**2 + lie**2, 2: told * lie}
    near = [abs(estimated_count(reported, people, epsilon=epsilon) - truth) <= reach for reported in law]
    assert sum(chance for chance, inside in zip(law.values(), near, strict=True) if inside) < 0.95


@each("truth", [0, 40, 120])
def test_a_count_has_no_bias_and_the_stated_error_and_no_other(truth: int) -> None:
    people, epsilon = 120, 1.0
    truths = np.tile(np.arange(people) < truth, (RUNS, 1)).astype(np.int64)
    reports = RandomizedResponse.from_epsilon(epsilon).simulate(truths, np.random.default_rng(3)).sum(axis=1)
    found = np.array([estimated_count(one, people, epsilon=epsilon) for one in range(people + 1)])[reports]
    stated = count_standard_error(people, epsilon=epsilon)
    assert abs(found.mean() - truth) < 5.0 * stated / math.sqrt(RUNS)
    assert found.std() / stated == pytest.approx(1.0, abs=0.03)
    assert found.std() / (1.1 * stated) != pytest.approx(1.0, abs=0.03)


@each("facts", [1, 2, 3])
def test_all_facts_together_err_at_most_so_much(facts: int) -> None:
    """Reached where everybody has all facts, and far off where nobody has more than one fact less."""
    people, epsilon = 50, 1.5 * facts
    stated = all_facts_standard_error(people, facts, epsilon=epsilon)
    assert stated == pytest.approx(one_fact_standard_error(people, facts, epsilon=epsilon)) or facts > 1
    errors = [_simulated_error(people, facts, has_all, epsilon) for has_all in (True, False)]
    assert errors[0] / stated == pytest.approx(1.0, abs=0.04)
    assert errors[1] < 0.95 * stated or facts == 1


def _simulated_error(people: int, facts: int, has_all: bool, epsilon: float) -> float:
    """Of the sum of products of each person's estimates, over simulated coins."""
    response = RandomizedResponse.from_epsilon(epsilon / facts)
    truths = np.ones((RUNS // 2, people, facts), dtype=np.int64)
    truths[..., 0] = int(has_all)
    reports = response.simulate(truths, np.random.default_rng(5))
    found = np.prod(response.estimate(reports.astype(np.float64)), axis=2).sum(axis=1)
    assert abs(found.mean() - people * has_all) < 5.0 * found.std() / math.sqrt(len(found))
    return float(found.std())


def test_groups_are_counted_from_the_same_reports() -> None:
    rng = np.random.default_rng(2)
    survey = invented_people(1_000, rng)
    reports = RandomizedResponse.from_epsilon(1.0).simulate(survey.smokes, rng)
    counts = {(one.age, one.place): one for one in counts_of_groups(survey, reports, epsilon=1.0)}
    assert len(counts) == 12
    every = counts[None, None]
    assert (every.name, every.people, every.truth) == ("all", 1_000, survey.smokes.sum())
    assert (counts[0, 1].name, counts[2, None].name, counts[None, 0].name) == (
        "under 25, country",
        "65 and over",
        "town",
    )
    for parts in ([counts[age, None] for age in range(3)], [counts[None, place] for place in range(2)]):
        assert sum(one.people for one in parts) == every.people
        assert sum(one.truth for one in parts) == every.truth
        assert sum(one.estimate for one in parts) == pytest.approx(every.estimate)
    smallest = counts[0, 1]
    assert smallest.percent(smallest.upper - smallest.lower) > 3.0 * every.percent(every.upper - every.lower)


def test_the_young_smoke_more_often_than_the_old() -> None:
    survey = invented_people(20_000, np.random.default_rng(1))
    shares = [survey.smokes[survey.age == age].mean() for age in range(3)]
    assert shares == sorted(shares, reverse=True)


def test_nonsense_about_a_survey_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="reported"):
        estimated_count(11, 10, epsilon=1.0)
    with pytest.raises(InvalidParameterError, match="people"):
        estimated_count(0, 0, epsilon=1.0)
    with pytest.raises(InvalidParameterError, match="facts"):
        all_facts_standard_error(10, 0, epsilon=1.0)
    with pytest.raises(InvalidParameterError, match="epsilon"):
        all_facts_standard_error(10, 2, epsilon=0.0)
