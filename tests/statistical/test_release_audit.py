"""Released answers seen from outside: an audit of what they reveal, and of how often their intervals are right.

Exact noise takes no seed, so every threshold leaves a chance of less than one in a million for a false alarm.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy import stats

from dpengine.data import (
    BooleanColumn,
    Comparison,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
    load_sample,
    read_table,
)
from dpengine.ledger import Charge, Entry, Release
from dpengine.ledger.amounts import cost_of
from dpengine.mechanisms import DiscreteLaplaceMechanism, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from dpengine.release import release
from tests.ledgers import SCHEMA, asking, ledger_at, opened, people

FALSE_ALARM = 1e-7
DRAWS = 20_000
AR, RO = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE


def draws_of(planned: PlannedQuery, table: Table, neighbors: Neighbors) -> np.ndarray:
    """All numbers of an answer, drawn many times through the same calls as a release; shape (DRAWS, numbers)."""
    parts, mechanisms = planned.parts(table.schema, neighbors), planned.mechanisms(table.schema, neighbors)
    exact = [np.tile(part.exact(table.run(part.aggregate)), (DRAWS, 1)) for part in parts]
    return np.hstack([exact_noise.draw(noise, values) for noise, values in zip(mechanisms, exact, strict=True)])


def epsilon_audited(planned: PlannedQuery, one: Table, other: Table, neighbors: Neighbors = AR) -> float:
    """The most that any look reveals: at each number alone and at all of them together, in both directions."""
    here, there = draws_of(planned, one, neighbors), draws_of(planned, other, neighbors)
    looks = [*zip(here.T, there.T, strict=True)]
    if len(looks) > 1:
        odds = odds_between(planned, one, other, neighbors)
        looks.append((odds(here), odds(there)))
    return max(max(epsilon_shown(a, b), epsilon_shown(b, a)) for a, b in looks)


def odds_between(
    planned: PlannedQuery, one: Table, other: Table, neighbors: Neighbors
) -> Callable[[np.ndarray], np.ndarray]:
    """By how much a whole answer speaks for one table: the strongest look there is at independent noise.

    Source: Neyman and Pearson 1933.
    """
    parts, mechanisms = planned.parts(one.schema, neighbors), planned.mechanisms(one.schema, neighbors)
    tables = (one, other)
    here, there = (np.concatenate([part.exact(table.run(part.aggregate)) for part in parts]) for table in tables)
    scales = np.concatenate(
        [np.full(part.coordinates, noise.scale) for part, noise in zip(parts, laplaces(mechanisms), strict=True)]
    )
    return lambda draws: np.sum((np.abs(draws - there) - np.abs(draws - here)) / scales, axis=1)


def laplaces(mechanisms: Iterable[object]) -> tuple[DiscreteLaplaceMechanism, ...]:
    """The mechanisms, all of them discrete Laplace: only these are released."""
    return tuple(one for one in mechanisms if isinstance(one, DiscreteLaplaceMechanism))


def epsilon_shown(here: np.ndarray, there: np.ndarray) -> float:
    """A lower bound of epsilon at FALSE_ALARM: an event chosen on one half of the draws, weighed on the other.

    Source: Clopper and Pearson 1934; Jagielski, Ullman, Oprea 2020.
    """
    (seen_here, weighed_here), (seen_there, weighed_there) = np.array_split(here, 2), np.array_split(there, 2)
    edges = np.unique(np.quantile(np.concatenate([seen_here, seen_there]), np.linspace(0, 1, 99), method="nearest"))
    candidates = [(sign, edge) for sign in (1, -1) for edge in edges]
    sign, edge = max(candidates, key=lambda one: _bound(_count(seen_here, *one), _count(seen_there, *one)))
    return _bound(_count(weighed_here, sign, edge), _count(weighed_there, sign, edge))


def _count(draws: np.ndarray, sign: int, edge: float) -> int:
    return int(np.sum(sign * draws >= sign * edge))


def _bound(often: int, seldom: int, number: int = DRAWS // 2) -> float:
    if often == 0:
        return 0.0
    least = stats.beta.ppf(FALSE_ALARM / 2, often, number - often + 1)
    most = stats.beta.ppf(1 - FALSE_ALARM / 2, seldom + 1, number - seldom) if seldom < number else 1.0
    return max(0.0, math.log(least / most))


def visits(*rows: str, **bounds: int) -> Table:
    """A table where a patient counts with at most two rows, and in so many groups as told."""
    columns = (TextColumn(name="patient"), NumberColumn(name="age", lower=0, upper=100), BooleanColumn(name="ill"))
    unit = PrivacyUnit(identifier="patient", rows=2, **bounds)
    schema = Schema(name="visits", columns=columns, unit=unit, people=2)
    return read_table("\n".join(["patient,age,ill", *rows, ""]).encode(), schema=schema, format="csv")


def public(*rows: tuple[object, str]) -> Table:
    """A table whose number of people is public, as replacing one needs it."""
    return people(rows, Schema(name="people", columns=SCHEMA.columns, people=len(rows)))


SICK = Comparison("ill", "=", True)
WELL = Comparison("age", "<", 50)
BINS = (0.0, 25.0, 50.0, 100.0)
GROUPS = GroupedCountQuery("ill")
PAIRS: dict[str, tuple[Query, Neighbors, Table, Table]] = {
    "count, one that counts": (CountQuery(SICK), AR, people(((1, "yes"),)), people(((1, "no"),))),
    "count, one of five": (CountQuery(SICK), AR, people(((1, "yes"),) * 5), people(((1, "yes"),) * 4)),
    "count, a missing value": (CountQuery(SICK), AR, people(((1, "yes"), (2, ""))), people(((1, "yes"), (2, "yes")))),
    "count, two visits": (CountQuery(), AR, visits("a,1,yes", "b,1,no", "b,2,no"), visits("a,1,yes")),
    "count, a visit too many": (CountQuery(), AR, visits("a,1,no", "b,1,no", "b,2,no", "b,3,no"), visits("a,1,no")),
    "sum, beyond the bound": (SumQuery("age"), AR, people(((0, "no"), (250, "no"))), people(((0, "no"),))),
    "sum, replaced": (SumQuery("age", SICK), RO, public((100, "yes"), (5, "no")), public((100, "no"), (5, "no"))),
    "mean, at the bound": (MeanQuery("age"), AR, people(((0, "no"), (100, "no"))), people(((0, "no"),))),
    "mean, of one": (MeanQuery("age", SICK), AR, people(((0, "yes"), (9, "no"))), people(((9, "no"),))),
    "mean, replaced": (MeanQuery("age", SICK), RO, public((0, "yes"), (5, "no")), public((100, "yes"), (5, "no"))),
    "mean, two visits": (MeanQuery("age"), AR, visits("a,0,no", "b,100,no", "b,100,no"), visits("a,0,no")),
    "share, one more": (ProportionQuery(SICK), AR, people(((1, "yes"), (1, "no"))), people(((1, "no"),))),
    "share, replaced": (ProportionQuery(SICK), RO, public((1, "yes"), (2, "no")), public((1, "no"), (2, "no"))),
    "share, two visits": (ProportionQuery(SICK), RO, visits("a,1,no", "a,1,no"), visits("a,1,yes", "a,1,yes")),
    "cells, one more": (HistogramQuery("age", BINS), AR, people(((1, "no"), (99, "no"))), people(((1, "no"),))),
    "cells, replaced": (HistogramQuery("age", BINS), RO, public((1, "no"), (2, "no")), public((99, "no"), (2, "no"))),
    "cells, two visits": (HistogramQuery("ill"), AR, visits("a,1,no", "b,1,yes", "b,2,no"), visits("a,1,no")),
    "groups, one more": (GROUPS, AR, people(((1, "no"), (2, "yes"))), people(((1, "no"),))),
    "groups, a key too few": (GROUPS, RO, public((1, "no"), (2, "")), public((1, "no"), (2, "yes"))),
    "groups, replaced": (GROUPS, RO, public((1, "no"), (2, "no")), public((1, "no"), (2, "yes"))),
    "groups, two visits": (GROUPS, AR, visits("a,1,no", "b,1,yes", "b,2,yes"), visits("a,1,no")),
    "groups, a visit each": (GROUPS, AR, visits("a,1,no", "b,1,yes", "b,2,no"), visits("a,1,no")),
    "groups, one of two": (GROUPS, AR, visits("a,1,no", "b,1,yes", "b,2,yes", groups=1), visits("a,1,no", groups=1)),
    "groups, other visits": (GROUPS, RO, visits("a,1,no", "a,1,no"), visits("a,1,yes", "a,1,yes")),
    "sums of groups": (GroupedSumQuery("age", "ill"), AR, people(((0, "no"), (250, "yes"))), people(((0, "no"),))),
    "means of groups": (GroupedMeanQuery("age", "ill"), AR, people(((9, "no"), (100, "yes"))), people(((9, "no"),))),
    "two counts": (StatisticalQueries((SICK, WELL)), AR, people(((1, "yes"),) * 2), people(((1, "yes"),))),
    "variance, at the bound": (VarianceQuery("age"), AR, people(((50, "no"), (100, "no"))), people(((50, "no"),))),
    "variance, two visits": (VarianceQuery("age"), AR, visits("a,9,no", "b,0,no", "b,0,no"), visits("a,9,no")),
}
TIGHT = (
    *("count, one of five", "mean, at the bound", "share, one more", "cells, replaced", "cells, two visits"),
    *("groups, two visits", "groups, replaced", "two counts", "variance, at the bound"),
)


@pytest.mark.parametrize("pair", PAIRS)
def test_an_answer_shows_no_more_than_it_claims(pair):
    """Nor so little that the audit would be blind."""
    query, neighbors, one, other = PAIRS[pair]
    shown = epsilon_audited(asking(1.0, query), one, other, neighbors)
    assert 0.25 < shown <= 1.0


def weakened(monkeypatch: pytest.MonkeyPatch, weaken: Callable[[int, float], float]) -> None:
    """Every part's noise gets another scale than the one that it was made for."""
    honest = PlannedQuery.mechanisms

    def weak(self, schema, neighbors):
        whole = laplaces(honest(self, schema, neighbors))
        return tuple(replace(one, scale=weaken(number, one.scale)) for number, one in enumerate(whole))

    monkeypatch.setattr(PlannedQuery, "mechanisms", weak)


@pytest.mark.parametrize("pair", TIGHT)
def test_noise_for_half_the_sensitivity_is_found_out(monkeypatch, pair):
    query, neighbors, one, other = PAIRS[pair]
    weakened(monkeypatch, lambda _, scale: scale / 2)
    assert epsilon_audited(asking(1.0, query), one, other, neighbors) > 1.0


@pytest.mark.parametrize("pair", ["mean, at the bound", "mean, of one", "mean, two visits", "share, one more"])
def test_an_exact_count_under_a_noisy_sum_is_found_out(monkeypatch, pair):
    query, neighbors, one, other = PAIRS[pair]
    weakened(monkeypatch, lambda number, scale: scale if number == 0 else 1e-3)
    assert epsilon_audited(asking(1.0, query), one, other, neighbors) > 1.0


def test_a_split_that_gives_each_part_the_whole_is_seen_in_the_joint_answer_alone(monkeypatch):
    """Each number keeps its promise; the two together break it."""
    query, neighbors, one, other = PAIRS["mean, at the bound"]
    weakened(monkeypatch, lambda number, scale: scale * (0.6, 0.4)[number])
    planned = asking(1.0, query)
    here, there = draws_of(planned, one, neighbors), draws_of(planned, other, neighbors)
    assert max(epsilon_shown(a, b) for a, b in zip(here.T, there.T, strict=True)) <= 1.0
    assert epsilon_audited(planned, one, other, neighbors) > 1.0


ILL = Comparison("disease", "!=", "none")
QUESTIONS = (
    CountQuery(ILL),
    SumQuery("age"),
    MeanQuery("age"),
    MeanQuery("age", ILL),
    ProportionQuery(ILL),
    HistogramQuery("disease"),
    GroupedCountQuery("disease", ILL),
    VarianceQuery("age", ILL),
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
                request_id="r",
                time=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )
        for draw in range(number)
    ]


def plain(planned: PlannedQuery, table: Table) -> np.ndarray:
    parts = planned.parts(table.schema, AR)
    return planned.query.combine([part.exact_reading(table.run(part.aggregate)) for part in parts])


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


@pytest.mark.parametrize("together", [True, False])
def test_intervals_of_means_by_group_hold_as_often_as_they_say(together):
    """All at once, or each by itself: then the shares of all groups together are counted."""
    table, _ = load_sample("patients")
    planned, number = asking(2.0, GroupedMeanQuery("age", "disease")), 40
    exact = plain(planned, table)
    inside = []
    for one in released(planned, table, number):
        lower, upper = one.interval(0.8, simultaneous=together)
        inside.append((lower <= exact) & (exact <= upper))
    held = np.all(inside, axis=1) if together else np.ravel(inside)
    assert stats.binom.cdf(held.sum(), len(held), 0.8) > FALSE_ALARM
    assert widths(planned.at(8.0), table).mean() < widths(planned, table).mean()


def widths(planned: PlannedQuery, table: Table) -> np.ndarray:
    """Of the intervals of one release."""
    lower, upper = released(planned, table, 1)[0].interval(0.8)
    return np.asarray(upper) - np.asarray(lower)


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
