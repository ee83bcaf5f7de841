"""What each way to answer many counts errs by, at one price; and that no way is below what none can be below."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpengine.data import And, Comparison, Not, Or
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.feasible import (
    Asked,
    WayToCount,
    are_many_counts,
    fewest_bins,
    has_ranges,
    least_of_any_way,
    ways_to_count,
)
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, cost_of
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    HistogramQuery,
    MeanQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
)
from tests.examples.wishes import SCHEMA, flag, flags, wish

DELTA, SURE, DRAWS = 1e-6, 0.95, 20_000
BINS = HistogramQuery("age", edges=tuple(float(edge) for edge in range(101)))
WARDS = HistogramQuery("ward")


def asked(query: Query, epsilon: float = 0.5, neighbors: Neighbors = Neighbors.ADD_REMOVE) -> Asked:
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))
    return wish(query, None, planned=planned, neighbors=neighbors).asked


def by_name(ways: tuple[WayToCount, ...]) -> dict[tuple[str, bool], WayToCount]:
    return {(way.planned.mechanism, way.levels > 1): way for way in ways}


def test_laplace_is_better_for_a_histogram_and_gaussian_for_many_counts_of_the_same_people() -> None:
    bins, same = (by_name(ways_to_count(asked(query), delta=DELTA, confidence=SURE)) for query in (WARDS, flags(30)))
    assert bins["laplace", False].together < bins["gaussian", False].together
    assert same["gaussian", False].together < same["laplace", False].together
    assert {way.in_range for way in (*bins.values(), *same.values())} == {None}
    assert [way.planned.mechanism for way in ways_to_count(asked(WARDS), delta=0.0, confidence=SURE)] == ["laplace"]


def test_for_a_wide_range_several_histograms_err_less_and_for_a_narrow_one_more() -> None:
    wide, narrow = (
        by_name(ways_to_count(asked(BINS), delta=DELTA, confidence=SURE, span=span)) for span in ((10, 89), (40, 40))
    )
    for noise in ("laplace", "gaussian"):
        assert in_range(wide[noise, True]) < in_range(wide[noise, False])
        assert in_range(narrow[noise, True]) > in_range(narrow[noise, False]) == narrow[noise, False].each


def in_range(way: WayToCount) -> float:
    assert way.in_range is not None
    return way.in_range


@pytest.mark.parametrize("rule", ["basic", "concentrated"])
def test_no_way_costs_more_than_the_question_and_what_is_said_is_what_is_drawn(rule: str) -> None:
    """The errors of each way as its noises are drawn, and its price as the account reckons it."""
    one, span = asked(BINS), (10, 89)
    ways = ways_to_count(one, delta=DELTA, confidence=SURE, rule=rule, span=span)
    counted, rng = COUNTED[rule][0], np.random.default_rng(7)
    most = getattr(cost_of(one.planned, SCHEMA, one.neighbors), counted)
    assert len(ways) == 4
    for way in ways:
        cost = way.levels * getattr(cost_of(way.planned, SCHEMA, one.neighbors), counted)
        assert 0.97 * most <= cost <= most + way.levels
        assert rule == "concentrated" or way.levels * way.planned.used_delta <= DELTA * (1.0 + 1e-9)
        (mechanism,) = way.planned.mechanisms(SCHEMA, one.neighbors)
        many = fewest_bins(span, bins=100, width=way.width)
        drawn = np.abs(np.sum(mechanism.simulate(np.zeros((DRAWS, many)), rng), axis=1))
        doubt = 4.0 * math.sqrt(0.05 * 0.95 / DRAWS)
        assert np.mean(drawn > in_range(way)) <= 0.05 + doubt
        assert np.mean(drawn >= in_range(way)) >= 0.05 - doubt


@pytest.mark.parametrize("width", [2, 3, 5])
@pytest.mark.parametrize("bins", [1, 2, 7, 16, 23])
def test_a_range_is_the_fewest_bins_of_all_levels(bins: int, width: int) -> None:
    """By trying all: bins of every level that lie in the range, none twice."""
    levels, size = [[(place, place) for place in range(bins)]], width
    while len(levels[-1]) > width:
        levels.append([(first, min(first + size, bins) - 1) for first in range(0, bins, size)])
        size *= width
    found = np.full((bins + 1, bins + 1), bins + 1)
    for span in itertools.combinations_with_replacement(range(bins), 2):
        best = [0]
        for place in range(span[0], span[1] + 1):
            ends = [one[0] for level in levels for one in level if one[1] == place and one[0] >= span[0]]
            best.append(1 + min(best[first - span[0]] for first in ends))
        found[span] = best[-1]
        assert fewest_bins(span, bins=bins, width=width) == best[-1], (span, bins, width)


@pytest.mark.parametrize("query", [WARDS, BINS, flags(2), flags(30)])
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0])
def test_no_way_errs_less_than_any_can(query: Query, neighbors: Neighbors, epsilon: float) -> None:
    one = asked(query, epsilon, neighbors)
    for delta in (0.0, DELTA):
        least = least_of_any_way(one, delta=delta, confidence=SURE)
        assert 0.0 <= least <= min(way.together for way in ways_to_count(one, delta=delta, confidence=SURE))
        assert least > 0.0 or epsilon == 3.0


@pytest.mark.parametrize(
    "query",
    [
        StatisticalQueries((flag(0), flag(0))),
        StatisticalQueries((flag(0), flag(1)), where=flag(1)),
        StatisticalQueries((flag(0), And((flag(1), Not(flag(1)))))),
        StatisticalQueries((flag(0), Or((flag(1), Not(flag(1)))))),
        HistogramQuery("ward", where=Comparison("ward", "=", "a")),
        HistogramQuery("age", edges=(0.0, 50.0, 100.0, 150.0)),
        GroupedCountQuery("ward", where=Comparison("ward", "=", "a")),
    ],
)
def test_where_some_counts_are_the_same_on_every_table_nothing_is_known(query: Query) -> None:
    """Whoever answers these by 0, or by another count, stays below what is impossible for counts in general."""
    assert least_of_any_way(asked(query, 0.01), delta=0.0, confidence=SURE) == 0.0


def test_shares_of_a_public_number_are_counts_over_it() -> None:
    counts = flags(4)
    shares = SeveralProportionsQuery(counts.conditions)
    over, under = (asked(query, 0.1, Neighbors.REPLACE_ONE) for query in (counts, shares))
    people = over.schema.people
    assert people
    ends = [least_of_any_way(one, delta=0.0, confidence=SURE) for one in (over, under)]
    assert ends[0] > 0.0
    assert ends[1] == pytest.approx(ends[0] / people)
    assert not are_many_counts(asked(shares, 0.1, Neighbors.ADD_REMOVE))
    with pytest.raises(RefusedQueryError, match="many counts"):
        ways_to_count(asked(shares, 0.1, Neighbors.ADD_REMOVE), delta=DELTA, confidence=SURE)


@pytest.mark.parametrize("query", [GroupedCountQuery("ward", where=flag(0)), HistogramQuery("ward", where=flag(0))])
def test_a_condition_on_another_column_settles_no_count(query: Query) -> None:
    assert least_of_any_way(asked(query, 0.01), delta=0.0, confidence=SURE) > 0.0


def test_only_bins_in_an_order_have_ranges() -> None:
    assert has_ranges(asked(BINS))
    assert not any(has_ranges(asked(query)) for query in (WARDS, flags(3), CountQuery()))


@pytest.mark.parametrize("query", [CountQuery(), MeanQuery("age"), SumQuery("age")])
def test_one_number_is_refused(query: Query) -> None:
    with pytest.raises(RefusedQueryError, match="many counts"):
        ways_to_count(asked(query), delta=DELTA, confidence=SURE)


@pytest.mark.parametrize("span", [(-1, 3), (5, 4), (0, 100)])
def test_a_range_of_other_bins_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(InvalidParameterError, match="span"):
        ways_to_count(asked(BINS), delta=DELTA, confidence=SURE, span=span)
