"""Rounding and clamping a released answer: free, from public facts, and no interval that covers stops covering."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.ledger import combined
from dpengine.ledger.answers.intervals import adding
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    Part,
    ProportionQuery,
    SumQuery,
    VarianceQuery,
)
from tests.examples.drawn import planned_as, released
from tests.running.cases import each

ILL = Comparison("ill", "=", True)
COLUMNS = (
    NumberColumn(name="age", lower=0, upper=100, complete=True),
    NumberColumn(name="debt", lower=-50, upper=-10),
    NumberColumn(name="change", lower=-5, upper=20),
    BooleanColumn(name="ill"),
    CategoryColumn(name="town", categories=("a", "b", "c")),
)
SCHEMA = Schema(name="t", columns=COLUMNS, people=8)
MANY = Schema(
    name="t", columns=(TextColumn(name="who"), *COLUMNS), people=8, unit=PrivacyUnit(identifier="who", rows=3)
)
AR, RP, INF = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE, math.inf

LIMITS = (
    (CountQuery(), SCHEMA, AR, (0, INF)),
    (CountQuery(), SCHEMA, RP, (0, 8)),
    (CountQuery(), MANY, RP, (0, 24)),
    (CountPeopleQuery(), MANY, RP, (0, 8)),
    (HistogramQuery("town"), MANY, AR, (0, INF)),
    (GroupedCountQuery("town"), MANY, RP, (0, 24)),
    (SumQuery("age"), MANY, AR, (0, INF)),
    (SumQuery("age"), MANY, RP, (0, 2400)),
    (SumQuery("debt"), MANY, AR, (-INF, 0)),
    (SumQuery("debt"), MANY, RP, (-1200, 0)),
    (SumQuery("change"), MANY, AR, (-INF, INF)),
    (SumQuery("change"), MANY, RP, (-120, 480)),
    (SumQuery("age"), SCHEMA, RP, (0, 800)),
    (GroupedSumQuery("age", "town"), MANY, AR, (0, INF)),
    (MeanQuery("age"), SCHEMA, AR, (0, 100)),
    (MeanQuery("age"), SCHEMA, RP, (0, 100)),
    (MeanQuery("debt"), SCHEMA, AR, (-50, -10)),
    (GroupedMeanQuery("change", "town"), MANY, AR, (-5, 20)),
    (GroupedProportionQuery(ILL, "town"), MANY, AR, (0, 1)),
    (ProportionQuery(ILL), SCHEMA, AR, (0, 1)),
    (ProportionQuery(ILL), SCHEMA, RP, (0, 1)),
    (VarianceQuery("age"), SCHEMA, AR, (0, 2500)),
    (VarianceQuery("age"), SCHEMA, RP, (0, 2500)),
    (ModeQuery("town"), SCHEMA, AR, (-INF, INF)),
)


def test_public_limits():
    for query, schema, neighbors, limits in LIMITS:
        plan = planned_as(query, 1.0)
        zeros = [[0] * part.coordinates for part in plan.parts(schema, neighbors)]
        found = released(plan, zeros, schema=schema, neighbors=neighbors).estimate.limits
        assert found == pytest.approx(limits, rel=1e-9), (query, schema, neighbors, limits)


def covers(estimate, exact, *, simultaneous=True):
    lower, upper = estimate.interval(0.8, simultaneous=simultaneous)
    slack = 1e-9 * (1 + np.abs(exact))
    return bool(np.all(np.asarray(lower) <= exact + slack) and np.all(exact - slack <= np.asarray(upper)))


def tidied_all_ways(estimate):
    for rounded, clamped in itertools.product((False, True), repeat=2):
        yield estimate.tidied(rounded=rounded, clamped=clamped)


@each("exact", range(4))
def test_a_count_is_covered_after_tidying_wherever_it_was_before(exact):
    """Every noise that matters, one by one; and averages with seven others, whose fractions are rounded inward."""
    plans = planned_as(CountQuery(), 0.7), planned_as(CountQuery(), 1.1)
    others = [released(plans[1], [[second]]) for second in range(exact - 9, exact + 10, 3)]
    tight = 0
    for first in range(exact - 9, exact + 10):
        one = released(plans[0], [[first]])
        for estimate in (one.estimate, *(combined([one, other]).estimate for other in others)):
            before = covers(estimate, float(exact))
            for tidy in tidied_all_ways(estimate):
                assert covers(tidy, float(exact)) >= before
                ends, raw = tidy.interval(0.8), estimate.interval(0.8)
                tight += ends[1] - ends[0] < raw[1] - raw[0]
                if tidy.rounded:
                    assert float(tidy.answer).is_integer()
                    assert ends[0] == round(ends[0])
                if tidy.clamped:
                    assert tidy.answer >= 0.0
                    assert ends[0] >= 0.0
    assert tight > 0


SINGLE = (
    (ProportionQuery(ILL), 2 / 8),
    (ProportionQuery(ILL), 0.0),
    (MeanQuery("age"), 0.0),
    (MeanQuery("age"), 100.0),
    (VarianceQuery("age"), 0.0),
    (SumQuery("age"), 8 * 95.0),
)


@each("query, truth", SINGLE)
def test_answers_with_a_public_number_of_people_stay_covered(query, truth):
    plan = planned_as(query, 1.5)
    part = plan.parts(SCHEMA, RP)[0]
    assert isinstance(part, Part)
    exact, noise = round((truth - part.offset) / part.step), adding(plan.mechanisms(SCHEMA, RP)[0])
    changed = 0
    for quantile in np.linspace(-0.99, 0.99, 67):
        drawn = math.copysign(noise.error_quantile(abs(quantile) + 1e-6), quantile)
        estimate = released(plan, [[exact + int(drawn)]], schema=SCHEMA, neighbors=RP).estimate
        for tidy in tidied_all_ways(estimate):
            assert covers(tidy, truth) >= covers(estimate, truth)
            changed += tidy.interval(0.8) != estimate.interval(0.8)
            lower, upper = tidy.interval(0.8)
            assert lower <= upper
            if tidy.clamped:
                assert estimate.limits[0] <= tidy.answer <= estimate.limits[1]
    assert changed > 20


def test_what_is_no_count_is_rounded_outward_to_two_digits_of_its_interval():
    plan = planned_as(SumQuery("age"), 1.0)
    step = plan.parts(SCHEMA, AR)[0].step
    raw = released(plan, [[round(1234.5678 / step)]], schema=SCHEMA).estimate
    half = raw.half_width(0.95)
    assert half == pytest.approx(100 * math.log(20), rel=1e-3)
    tidy = raw.tidied(rounded=True)
    assert tidy.answer == 1230.0
    assert tidy.interval(0.95) == (10 * math.floor((1234.5678 - half) / 10), 10 * math.ceil((1234.5678 + half) / 10))


def test_many_numbers_are_tidied_each():
    plan = planned_as(HistogramQuery("town"), 1.0)
    known = combined([released(plan, [noisy], schema=SCHEMA) for noisy in ([5, -3, 0], [6, -4, 0])])
    assert known.values.tolist() == [5.5, -3.5, 0.0]
    assert known.estimate.has_broken_counts
    assert known.estimate.oversteps(0.95)
    tidy = known.tidied(rounded=True, clamped=True)
    assert tidy.values.tolist() == [6.0, 0.0, 0.0]
    lower, upper = tidy.interval(0.95, simultaneous=True)
    assert np.all(np.asarray(lower) >= 0.0)
    assert not tidy.has_broken_counts
    assert not tidy.oversteps(0.95)
    assert np.array_equal(np.rint(upper), upper)


def test_an_interval_between_two_whole_numbers_is_never_emptied():
    plan = planned_as(CountQuery(), 30.0)
    known = combined([released(plan, [[7]]), released(plan, [[8]])])
    assert known.interval(0.95) == (7.5, 7.5)
    assert known.tidied(rounded=True).interval(0.95) == (7.0, 8.0)


def test_choices_are_left_alone():
    one = released(planned_as(ModeQuery("town"), 1.0), [[2]], schema=SCHEMA)
    assert one.tidied(rounded=True, clamped=True).answer == "c"
    assert not one.estimate.oversteps(0.95)
