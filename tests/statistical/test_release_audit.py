"""Released answers seen from outside: an audit of what they reveal, and of how often their intervals are right.

Exact noise takes no seed, so every threshold leaves a chance of less than one in a million for a false alarm.
"""

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy import stats

from dpengine.data import Comparison, Table, load_sample
from dpengine.ledger import Charge, Entry, Release
from dpengine.ledger.amounts import cost_of
from dpengine.mechanisms import DiscreteLaplaceMechanism, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ProportionQuery, SumQuery
from dpengine.release import release
from tests.ledgers import asking, ledger_at, opened, people

FALSE_ALARM = 1e-7
DRAWS = 20_000
AR = Neighbors.ADD_REMOVE


def draws_of(planned: PlannedQuery, table: Table, number: int) -> np.ndarray:
    """The first part of a question drawn many times, through the same calls as a release."""
    part = planned.parts(table.schema, AR)[0]
    mechanism = planned.mechanisms(table.schema, AR)[0]
    return exact_noise.draw(mechanism, np.repeat(table.run(part.aggregate), number))


def epsilon_shown(here: np.ndarray, there: np.ndarray) -> float:
    """A lower bound of epsilon at FALSE_ALARM: an event chosen on one half of the draws, weighed on the other.

    Source: Clopper and Pearson 1934; Jagielski, Ullman, Oprea 2020.
    """
    (seen_here, weighed_here), (seen_there, weighed_there) = np.array_split(here, 2), np.array_split(there, 2)
    edges = np.unique(np.quantile(np.concatenate([seen_here, seen_there]), np.linspace(0, 1, 99), method="nearest"))
    candidates = [(sign, edge) for sign in (1, -1) for edge in edges]
    sign, edge = max(candidates, key=lambda one: _bound(_count(seen_here, *one), _count(seen_there, *one)))
    return _bound(_count(weighed_here, sign, edge), _count(weighed_there, sign, edge))


def _count(draws: np.ndarray, sign: int, edge: int) -> int:
    return int(np.sum(sign * draws >= sign * edge))


def _bound(often: int, seldom: int, number: int = DRAWS // 2) -> float:
    if often == 0:
        return 0.0
    least = stats.beta.ppf(FALSE_ALARM / 2, often, number - often + 1)
    most = stats.beta.ppf(1 - FALSE_ALARM / 2, seldom + 1, number - seldom) if seldom < number else 1.0
    return max(0.0, math.log(least / most))


NEIGHBORS = {
    "one row or none that counts": (((1, "yes"),), ((1, "no"),)),
    "one of five": (((1, "yes"),) * 5, ((1, "yes"),) * 4),
    "all but one are ill": (((1, "yes"),) * 9 + ((1, "no"),), ((1, "yes"),) * 9),
    "a missing value": (((1, "yes"), (2, "")), ((1, "yes"), (2, "yes"))),
}


@pytest.mark.parametrize("pair", NEIGHBORS)
def test_a_count_shows_no_more_than_it_claims(pair):
    one, other = (people(rows) for rows in NEIGHBORS[pair])
    planned = asking(1.0, CountQuery(Comparison("ill", "=", True)))
    here, there = draws_of(planned, one, DRAWS), draws_of(planned, other, DRAWS)
    assert max(epsilon_shown(here, there), epsilon_shown(there, here)) <= 1.0


def test_a_sum_at_its_bounds_shows_no_more_than_it_claims():
    one, other = people(((0, "no"), (250, "no"))), people(((0, "no"),))
    planned = asking(1.0, SumQuery("age"))
    here, there = draws_of(planned, one, DRAWS), draws_of(planned, other, DRAWS)
    assert max(epsilon_shown(here, there), epsilon_shown(there, here)) <= 1.0


def test_noise_for_half_the_sensitivity_is_found_out(monkeypatch):
    honest = PlannedQuery.mechanisms

    def half(self, schema, neighbors):
        whole = honest(self, schema, neighbors)
        return tuple(replace(one, scale=one.scale / 2) for one in whole if isinstance(one, DiscreteLaplaceMechanism))

    one, other = people(((1, "yes"),) * 5), people(((1, "yes"),) * 4)
    planned = asking(1.0, CountQuery())
    assert epsilon_shown(draws_of(planned, one, DRAWS), draws_of(planned, other, DRAWS)) > 0.8
    monkeypatch.setattr(PlannedQuery, "mechanisms", half)
    assert epsilon_shown(draws_of(planned, one, DRAWS), draws_of(planned, other, DRAWS)) > 1.0


ILL = Comparison("disease", "!=", "none")
QUESTIONS = (
    CountQuery(ILL),
    SumQuery("age"),
    MeanQuery("age"),
    MeanQuery("age", ILL),
    ProportionQuery(ILL),
    HistogramQuery("disease"),
)


def released(planned: PlannedQuery, table: Table, number: int) -> list[Release]:
    """As many releases as wanted, drawn like real ones, without a ledger to keep them."""
    parts, mechanisms = planned.parts(table.schema, AR), planned.mechanisms(table.schema, AR)
    exact = [np.tile(table.run(part.aggregate), (number, 1)) for part in parts]
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
                request_id="r",
                time=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )
        for draw in range(number)
    ]


def plain(planned: PlannedQuery, table: Table) -> np.ndarray:
    parts = planned.parts(table.schema, AR)
    return planned.query.combine([part.reading(table.run(part.aggregate)) for part in parts])


@pytest.mark.parametrize("query", QUESTIONS, ids=repr)
def test_intervals_hold_as_often_as_they_say(query):
    """At least 80 of 100, and for noise on a fine grid not much more often either: 92 of 100 would be found out."""
    table, _ = load_sample("patients")
    planned, number = asking(0.5, query), 500
    exact = plain(planned, table)
    covered = 0
    for one in released(planned, table, number):
        lower, upper = one.interval(0.8, simultaneous=True)
        covered += bool(np.all(lower <= exact) and np.all(exact <= upper))
    assert stats.binom.cdf(covered, number, 0.8) > FALSE_ALARM
    if isinstance(query, SumQuery | MeanQuery):
        assert stats.binom.sf(covered - 1, number, 0.8) > FALSE_ALARM


def test_intervals_of_too_little_noise_would_be_found_out():
    table, _ = load_sample("patients")
    planned, number = asking(0.5, SumQuery("age")), 500
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


def _fits(errors: np.ndarray, mechanism: DiscreteLaplaceMechanism) -> float:
    """Chi-square p of the sizes 0, 1, 2, 3 and more."""
    sizes = np.bincount(np.minimum(np.abs(errors), 3).astype(int), minlength=4)
    chances = [mechanism.probability(0), *(2 * mechanism.probability(k) for k in (1, 2)), mechanism.tail(2)]
    return float(stats.chisquare(sizes, np.array(chances) * len(errors)).pvalue)
