"""Released answers seen from outside: how often their intervals are right, and whether they follow their law.

Exact noise takes no seed, so every threshold leaves a chance of less than one in a million for a false alarm.
"""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy import stats

from dpengine.data import Comparison, Table
from dpengine.ledger import Charge, Entry, Release
from dpengine.ledger.storage.amounts import cost_of
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SeveralProportionsQuery,
    SumQuery,
    VarianceQuery,
)
from dpengine.release import release
from tests.examples.ledgers import asking, ledger_at, opened, people
from tests.examples.tables import shared_sample
from tests.running.cases import each

FALSE_ALARM = 1e-7
AR = Neighbors.ADD_REMOVE
ILL = Comparison("disease", "!=", "none")
QUESTIONS = (
    CountQuery(ILL),
    SumQuery("age"),
    MeanQuery("age", ILL),
    ProportionQuery(ILL),
    HistogramQuery("disease"),
    GroupedCountQuery("disease", ILL),
    VarianceQuery("age", ILL),
    SeveralProportionsQuery((Comparison("sex", "=", "female"), Comparison("age", ">=", 65)), ILL),
)


def bell(query: Query, epsilon: float) -> PlannedQuery:
    """The same with Gaussian noise."""
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon, delta=1e-6), mechanism="gaussian")


PLANNED = (
    *(asking(0.5, query) for query in QUESTIONS),
    *(bell(query, 0.5) for query in (CountQuery(), SumQuery("age"), MeanQuery("age"), HistogramQuery("disease"))),
)


def released(planned: PlannedQuery, table: Table, number: int) -> list[Release]:
    """As many releases as wanted, drawn like real ones, without a ledger to keep them."""
    parts, mechanisms = planned.parts(table.schema, AR), planned.mechanisms(table.schema, AR)
    exact = [np.tile(part.exact(table.run(part.aggregate)), (number, 1)) for part in parts]
    noisy = [exact_noise.draw(mechanism, values) for mechanism, values in zip(mechanisms, exact, strict=True)]
    charge = Charge(rule="basic", amounts=cost_of(planned, table.schema, AR))
    return [
        Release.of(
            Entry(
                planned_query=planned,
                schema=table.schema,
                neighbors=AR,
                noisy=tuple(tuple(part[draw].tolist()) for part in noisy),
                charge=charge,
                account="1",
                request_id="r",
                time=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )
        for draw in range(number)
    ]


def plain(planned: PlannedQuery, table: Table) -> np.ndarray:
    parts = planned.parts(table.schema, AR)
    return planned.query.combine([part.exact_reading(table.run(part.aggregate)) for part in parts])


@each("planned", PLANNED)
def test_intervals_hold_as_often_as_they_say(planned):
    """At least 80 of 100, and for noise on a fine grid not much more often either: 94 of 100 would be found out."""
    table, _ = shared_sample("patients")
    fine = isinstance(planned.query, SumQuery | MeanQuery)
    number = 200 if fine else 120
    exact = plain(planned, table)
    covered = 0
    for one in released(planned, table, number):
        lower, upper = one.interval(0.8, simultaneous=True)
        covered += bool(np.all(lower <= exact) and np.all(exact <= upper))
    assert stats.binom.cdf(covered, number, 0.8) > FALSE_ALARM
    if fine:
        assert stats.binom.sf(covered - 1, number, 0.8) > FALSE_ALARM


@pytest.mark.parametrize("together", [True, False])
def test_intervals_of_means_by_group_hold_as_often_as_they_say(together):
    """All at once, or each by itself: then the shares of all groups together are counted."""
    table, _ = shared_sample("patients")
    planned, number = asking(2.0, GroupedMeanQuery("age", "disease")), 40
    exact = plain(planned, table)
    inside = []
    for one in released(planned, table, number):
        lower, upper = one.interval(0.8, simultaneous=together)
        inside.append((lower <= exact) & (exact <= upper))
    held = np.all(inside, axis=1) if together else np.ravel(inside)
    assert stats.binom.cdf(held.sum(), len(held), 0.8) > FALSE_ALARM
    if together:
        assert widths(planned.at(8.0), table).mean() < widths(planned, table).mean()


def widths(planned: PlannedQuery, table: Table) -> np.ndarray:
    """Of the intervals of one release."""
    lower, upper = released(planned, table, 1)[0].interval(0.8)
    return np.asarray(upper) - np.asarray(lower)


def test_intervals_of_too_little_noise_would_be_found_out():
    table, _ = shared_sample("patients")
    planned, number = asking(0.5, SumQuery("age")), 1000
    exact, covered = plain(planned, table), 0
    for one in released(planned, table, number):
        lower, upper = replace(one, planned_query=planned.at(0.8)).interval(0.8)
        covered += bool(lower <= exact[0] <= upper)
    assert stats.binom.cdf(covered, number, 0.8) < FALSE_ALARM


def test_real_releases_follow_their_law(tmp_path):
    """Through the ledger, one by one: the count of a table of 5 at epsilon 1, and noise twice as wide as a control."""
    table, number = people(), 250
    account = opened(ledger_at(tmp_path / "budget.db"), table, epsilon=number)
    answers = np.array([release(asking(1.0), table, account, request_id=f"r{draw}").answer for draw in range(number)])
    mechanism = DiscreteLaplaceMechanism.from_epsilon(1.0, l1_sensitivity=1)
    wider = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1)
    assert _fits(answers - 5, mechanism) > FALSE_ALARM
    assert _fits(exact_noise.draw(wider, np.zeros(number, dtype=np.int64)), mechanism) < FALSE_ALARM
    assert not account.fits(asking(1e-8))


def test_real_gaussian_releases_follow_their_law(tmp_path):
    """The same with Gaussian noise."""
    table, number = people(), 120
    account = opened(ledger_at(tmp_path / "budget.db"), table, epsilon=number, delta=1.2e-4)
    planned = bell(CountQuery(), 1.0)
    answers = np.array([release(planned, table, account, request_id=f"r{draw}").answer for draw in range(number)])
    mechanism = DiscreteGaussianMechanism.from_guarantee(planned.guarantee, l2_sensitivity=1)
    assert _fits_bell(answers - 5, mechanism) > FALSE_ALARM
    assert _fits_bell(2 * (answers - 5), mechanism) < FALSE_ALARM
    assert not account.fits(PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1e-8)))


def _fits(errors: np.ndarray, mechanism: DiscreteLaplaceMechanism) -> float:
    """Chi-square p of the sizes 0, 1, 2, 3 and more."""
    sizes = np.bincount(np.minimum(np.abs(errors), 3).astype(int), minlength=4)
    chances = [mechanism.probability(0), *(2 * mechanism.probability(k) for k in (1, 2)), mechanism.tail(2)]
    return float(stats.chisquare(sizes, np.array(chances) * len(errors)).pvalue)


def _fits_bell(errors: np.ndarray, mechanism: DiscreteGaussianMechanism) -> float:
    """Chi-square p of bands three wide."""
    bounds, steps = [-np.inf, *np.arange(-8.5, 9.0, 3.0), np.inf], np.arange(-60.0, 61.0)
    chances = np.histogram(steps, bins=bounds, weights=mechanism.probability(steps))[0]
    return float(stats.chisquare(np.histogram(errors, bins=bounds)[0], chances / chances.sum() * len(errors)).pvalue)
