"""The error that remains without any privacy."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dpengine.accuracy import Guess, SamplingError, sampling_error, sampling_is_known
from dpengine.data import Comparison
from dpengine.errors import InvalidParameterError
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    SumQuery,
)
from tests.running.cases import each

SMOKES = Comparison("smokes", "=", value=True)


def test_it_is_normal():
    law, reference = SamplingError(standard_deviation=3.0), norm(scale=3.0)
    t = np.array([0.0, 1.0, 40.0])
    assert law.tail(t) == pytest.approx(2 * reference.sf(t))
    assert law.quantile(0.99) == pytest.approx(reference.ppf(0.995))
    assert law.expected_absolute_error == pytest.approx(3.0 * math.sqrt(2 / math.pi))
    assert law.likely_errors(4) == pytest.approx(reference.ppf([0.125, 0.375, 0.625, 0.875]))
    assert law.expected_largest_error(10) == pytest.approx(3.0 * 1.8806956938211604, rel=1e-4)


def test_many_coordinates_need_a_wider_interval():
    law = SamplingError(standard_deviation=1.0)
    half_width = law.quantile(0.95, coordinates=20)
    assert (1 - law.tail(half_width)) ** 20 == pytest.approx(0.95)


@each(
    "query, guess, deviation",
    [
        (CountQuery(SMOKES), Guess(records=1000, answer=300), math.sqrt(1000 * 0.3 * 0.7)),
        (CountPeopleQuery(SMOKES), Guess(records=1000, answer=300), math.sqrt(210)),
        (SumQuery("age"), Guess(records=400, answer=16000, spread=15), 300.0),
        (SumQuery("age", SMOKES), Guess(records=400, answer=16000, spread=15), 20 * math.hypot(15, 40)),
        (MeanQuery("age"), Guess(records=400, answer=40, spread=15), 0.75),
        (ProportionQuery(SMOKES), Guess(records=1000, answer=0.3), math.sqrt(0.21 / 1000)),
        (HistogramQuery("sex"), Guess(records=1000, answer=(100, 500, 400)), math.sqrt(250)),
    ],
)
def test_textbook_standard_deviations(query, guess, deviation):
    law = sampling_error(query, guess)
    assert law is not None
    assert law.standard_deviation == pytest.approx(deviation)


@each(
    "query, guess",
    [
        (CountQuery(), Guess(records=1000)),
        (CountQuery(), Guess(records=1000, answer=1000)),
        (CountQuery(), Guess(records=0, answer=0)),
        (MeanQuery("age"), Guess(records=0, answer=40, spread=15)),
        (MeanQuery("age"), Guess(records=10, answer=40)),
        (SumQuery("age"), Guess(records=10, answer=40)),
        (SumQuery("age", SMOKES), Guess(records=0, answer=0, spread=3)),
        (ProportionQuery(SMOKES), Guess(records=0, answer=0.5)),
        (ProportionQuery(SMOKES), Guess(records=10, answer=1.0)),
    ],
)
def test_nothing_is_said_where_nothing_varies_or_too_little_is_guessed(query, guess):
    assert sampling_error(query, guess) is None


@each("answer", [-1, 1001])
def test_a_count_lies_between_nobody_and_everybody(answer):
    with pytest.raises(InvalidParameterError, match=r"^answer must be between 0 and the number of records, 1000"):
        sampling_error(CountQuery(), Guess(records=1000, answer=answer))


def test_of_sums_and_ratios_by_group_it_is_not_known_and_of_counts_it_is():
    guess = Guess(records=100, answer=(0.5, 0.4), spread=3.0)
    for query in (GroupedSumQuery("age", "ill"), GroupedMeanQuery("age", "ill"), GroupedProportionQuery(SMOKES, "ill")):
        assert not sampling_is_known(query)
        assert sampling_error(query, guess) is None
    assert sampling_error(GroupedCountQuery("ill"), replace(guess, answer=(50, 40))) is not None


def test_an_unknown_question_is_refused():
    with pytest.raises(TypeError, match="object"):
        sampling_error(object(), Guess(records=1))  # type: ignore[arg-type]
