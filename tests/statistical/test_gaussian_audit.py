"""An audit of releases with Gaussian noise, through the same calls: no more loss than claimed, a planted fault is seen.

Exact noise takes no seed, so every threshold leaves a chance of less than one in a million for a false alarm.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from dpengine.data import Table, load_sample
from dpengine.mechanisms import DiscreteGaussianMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, Query, SumQuery
from dpengine.release import release
from tests.ledgers import ledger_at, opened, people
from tests.statistical.test_release_audit import DRAWS, FALSE_ALARM, PAIRS, draws_of, plain, released

PROMISE = Guarantee(epsilon=1.0, delta=0.02)
AUDITED = (
    "count, one of five",
    "count, two visits",
    "sum, beyond the bound",
    "mean, at the bound",
    "share, replaced",
    "cells, one more",
    "cells, replaced",
    "cells, two visits",
)


def bell(query: Query, promise: Guarantee = PROMISE) -> PlannedQuery:
    return PlannedQuery(query=query, guarantee=promise, mechanism="gaussian")


def delta_shown(planned: PlannedQuery, one: Table, other: Table, neighbors: Neighbors) -> float:
    """A lower bound of delta at the promise's epsilon and at FALSE_ALARM, by the strongest look in both directions.

    That is at the odds of the whole answer, cut at an edge chosen on one half of the draws and weighed on the other.
    Sources: Neyman and Pearson 1933; Clopper and Pearson 1934.
    """
    odds = odds_between(planned, one, other, neighbors)
    here, there = odds(draws_of(planned, one, neighbors)), -odds(draws_of(planned, other, neighbors))
    return max(_gap(here, -there, planned.guarantee.epsilon), _gap(there, -here, planned.guarantee.epsilon))


def odds_between(
    planned: PlannedQuery, one: Table, other: Table, neighbors: Neighbors
) -> Callable[[np.ndarray], np.ndarray]:
    parts = planned.parts(one.schema, neighbors)
    here, there = (np.concatenate([table.run(part.aggregate) for part in parts]) for table in (one, other))
    noises = [bell for bell in planned.mechanisms(one.schema, neighbors) if isinstance(bell, DiscreteGaussianMechanism)]
    scales = np.concatenate([np.full(part.coordinates, noise.scale) for part, noise in zip(parts, noises, strict=True)])
    return lambda draws: np.sum((here - there) * (draws - (here + there) / 2.0) / scales**2, axis=1)


def _gap(likelier: np.ndarray, rarer: np.ndarray, epsilon: float) -> float:
    (seen_here, here), (seen_there, there) = np.array_split(likelier, 2), np.array_split(rarer, 2)
    edges = np.unique(np.quantile(np.concatenate([seen_here, seen_there]), np.linspace(0, 1, 99)))
    gains = [np.mean(seen_here >= edge) - math.exp(epsilon) * np.mean(seen_there >= edge) for edge in edges]
    edge = edges[int(np.argmax(gains))]
    often, seldom, number = int(np.sum(here >= edge)), int(np.sum(there >= edge)), DRAWS // 2
    least = stats.beta.ppf(FALSE_ALARM / 4, often, number - often + 1) if often else 0.0
    most = stats.beta.ppf(1 - FALSE_ALARM / 4, seldom + 1, number - seldom) if seldom < number else 1.0
    return float(least - math.exp(epsilon) * most)


@pytest.mark.parametrize("pair", AUDITED)
def test_a_gaussian_answer_shows_no_more_than_it_claims(pair):
    query, neighbors, one, other = PAIRS[pair]
    assert delta_shown(bell(query), one, other, neighbors) <= PROMISE.delta


@pytest.mark.parametrize("pair", ["count, one of five", "mean, at the bound", "cells, replaced"])
def test_a_third_of_the_noise_is_found_out(monkeypatch, pair):
    query, neighbors, one, other = PAIRS[pair]
    honest = PlannedQuery.mechanisms

    def weak(self, schema, relation):
        return tuple(
            DiscreteGaussianMechanism(standard_deviation=noise.scale / 3.0, l2_sensitivity=1)
            for noise in honest(self, schema, relation)
            if isinstance(noise, DiscreteGaussianMechanism)
        )

    monkeypatch.setattr(PlannedQuery, "mechanisms", weak)
    assert delta_shown(bell(query), one, other, neighbors) > PROMISE.delta


@pytest.mark.parametrize(
    "query", [CountQuery(), SumQuery("age"), MeanQuery("age"), HistogramQuery("disease")], ids=repr
)
def test_intervals_of_gaussian_answers_hold_as_often_as_they_say(query):
    patients, _ = load_sample("patients")
    planned, number = bell(query, Guarantee(epsilon=0.5, delta=1e-6)), 250
    exact, covered = plain(planned, patients), 0
    for one in released(planned, patients, number):
        lower, upper = one.interval(0.8, simultaneous=True)
        covered += bool(np.all(lower <= exact) and np.all(exact <= upper))
    assert stats.binom.cdf(covered, number, 0.8) > FALSE_ALARM
    if isinstance(query, SumQuery | MeanQuery):
        assert stats.binom.sf(covered - 1, number, 0.8) > FALSE_ALARM


def test_real_gaussian_releases_follow_their_law(tmp_path):
    """Through the ledger, one by one: the count of a table of 5, and noise twice as wide as a control."""
    table, number = people(), 120
    account = opened(ledger_at(tmp_path / "budget.db"), table, epsilon=number, delta=1.2e-4)
    planned = bell(CountQuery(), Guarantee(epsilon=1.0, delta=1e-6))
    answers = np.array([release(planned, table, account, request_id=f"r{draw}").answer for draw in range(number)])
    mechanism = DiscreteGaussianMechanism.from_guarantee(planned.guarantee, l2_sensitivity=1)
    bounds = [-np.inf, *np.arange(-8.5, 9.0, 3.0), np.inf]
    assert _fits(answers - 5, bounds, mechanism) > FALSE_ALARM
    assert _fits(2 * (answers - 5), bounds, mechanism) < FALSE_ALARM
    assert not account.fits(bell(CountQuery(), Guarantee(epsilon=1e-8, delta=1e-17)))


def _fits(errors: np.ndarray, bounds: list[float], mechanism: DiscreteGaussianMechanism) -> float:
    steps = np.arange(-60.0, 61.0)
    chances = np.histogram(steps, bins=bounds, weights=mechanism.probability(steps))[0]
    return float(stats.chisquare(np.histogram(errors, bins=bounds)[0], chances / chances.sum() * len(errors)).pvalue)
