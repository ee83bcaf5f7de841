"""From questions and guesses to laws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from dpengine.accuracy import (
    CombinedError,
    Guess,
    NoiseError,
    RatioError,
    SamplingError,
    answer_error,
    largest_shift,
    resized,
    sampling_error,
)
from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery, HistogramQuery, MeanQuery, ProportionQuery, SumQuery
from tests.running.cases import each

SMOKES = Comparison("smokes", "=", value=True)
SCHEMA = Schema(
    name="patients",
    columns=(
        NumberColumn(name="age", lower=0, upper=120, unit="years", complete=True),
        BooleanColumn(name="smokes"),
        CategoryColumn(name="sex", categories=("f", "m")),
        TextColumn(name="id"),
    ),
    unit=PrivacyUnit(identifier="id", rows=2),
)
PUBLIC = Schema(name="patients", columns=SCHEMA.columns, people=500)


def law_of(query, guess=None, *, schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, epsilon=1.0):
    parts = query.parts(schema, neighbors)
    mechanisms = tuple(
        DiscreteLaplaceMechanism(scale=part.grid_sensitivity.l1 / (epsilon * float(part.share)), l1_sensitivity=1)
        for part in parts
    )
    return answer_error(query, parts, mechanisms, guess)


@each(
    "query, typical",
    [
        (CountQuery(SMOKES), 2 / 2.0 / (1 / 2.0) * 0.9597),
        (CountPeopleQuery(SMOKES), 0.8509),
        (HistogramQuery("sex"), 2 / 2.0 / (1 / 2.0) * 0.9597),
        (SumQuery("age"), 240.0),
    ],
)
def test_one_part_needs_no_guess(query, typical):
    law = law_of(query)
    assert isinstance(law, NoiseError)
    assert law.expected_absolute_error == pytest.approx(typical, rel=1e-3)


def test_a_mean_over_a_public_number_of_people_is_one_part():
    law = law_of(MeanQuery("age"), schema=PUBLIC, neighbors=Neighbors.REPLACE_ONE)
    assert isinstance(law, NoiseError)
    assert law.expected_absolute_error == pytest.approx(120 / 500, rel=1e-6)


def test_a_mean_has_two_noises_and_ends_at_the_bounds():
    law = law_of(MeanQuery("age"), Guess(records=500, answer=45.0, spread=20.0))
    assert isinstance(law, RatioError)
    assert (law.ratio, law.lowest, law.highest, law.records) == (-15.0, -45.0, 75.0, 500.0)
    size = ((2 * 60 / 0.6) ** 2 + (15 * 2 / 0.4) ** 2) ** 0.5 * 2**0.5 / 500
    assert law.standard_deviation == pytest.approx(size, rel=0.02)


def test_a_share_is_counted_from_one_half():
    law = law_of(ProportionQuery(SMOKES), Guess(records=500, answer=0.3))
    assert (law.ratio, law.lowest, law.highest) == (pytest.approx(-0.2), -0.3, pytest.approx(0.7))
    assert law.numerator_step == 0.5


def test_an_answer_from_the_rows_comes_as_a_tuple():
    assert law_of(MeanQuery("age"), Guess(records=500, answer=(45.0,))) == law_of(
        MeanQuery("age"), Guess(records=500, answer=45.0)
    )


@each(
    "guess, name",
    [
        (None, "guess"),
        (Guess(records=500), "answer"),
        (Guess(records=500, answer=(1.0, 2.0)), "answer"),
        (Guess(records=500, answer=-0.1), "answer"),
        (Guess(records=500, answer=120.1), "answer"),
    ],
)
def test_a_guess_that_says_nothing_is_refused_by_name(guess, name):
    with pytest.raises(InvalidParameterError, match=rf"^{name} must be"):
        law_of(MeanQuery("age"), guess)


def test_what_is_no_guess_is_refused_by_name_where_none_is_needed_too() -> None:
    bare: Any = 5
    for query in (CountQuery(), MeanQuery("age")):
        parts = query.parts(SCHEMA, Neighbors.ADD_REMOVE)
        calls: list[Callable[[], object]] = [
            partial(answer_error, query, parts, (), bare),
            partial(largest_shift, query, parts, bare),
            partial(sampling_error, query, bare),
        ]
        for call in calls:
            with pytest.raises(InvalidParameterError, match=r"^guess must be a Guess, such as Guess\(records=1000"):
                call()


def test_a_mean_without_its_sum_is_refused():
    with pytest.raises(InvalidParameterError, match="the sum of a mean"):
        MeanQuery("age").ends(CountQuery().parts(SCHEMA, Neighbors.ADD_REMOVE))


def test_a_larger_table_has_larger_counts_and_the_same_means():
    guess = Guess(records=100, answer=30, spread=2.0)
    assert resized(CountQuery(), guess, 200) == Guess(records=200, answer=(60.0,), spread=2.0)
    assert resized(MeanQuery("age"), guess, 200) == Guess(records=200, answer=30, spread=2.0)
    assert resized(ProportionQuery(SMOKES), guess, 200).answer == 30
    assert resized(HistogramQuery("sex"), Guess(records=0), 200) == Guess(records=200)


@each("width", [1e-99, 1e99])
@each("records", [3.0, 1e6])
def test_the_widest_and_the_narrowest_columns(width, records):
    schema = Schema(name="tiny", columns=(NumberColumn(name="x", lower=0.0, upper=width),))
    law = law_of(MeanQuery("x"), Guess(records=records, answer=0.4 * width), schema=schema)
    usual = Schema(name="usual", columns=(NumberColumn(name="x", lower=0.0, upper=1.0),))
    same = law_of(MeanQuery("x"), Guess(records=records, answer=0.4), schema=usual)
    assert law.quantile(0.95) / width == pytest.approx(same.quantile(0.95), rel=1e-4)
    assert law.standard_deviation / width == pytest.approx(same.standard_deviation, rel=1e-4)
    assert law.expected_absolute_error / width == pytest.approx(same.expected_absolute_error, rel=1e-4)
    sampling = SamplingError(standard_deviation=0.01 * width)
    both = CombinedError(noise=law, sampling=sampling).quantile(0.95)
    usual_both = CombinedError(noise=same, sampling=SamplingError(standard_deviation=0.01)).quantile(0.95)
    assert both / width == pytest.approx(usual_both, rel=1e-3)
