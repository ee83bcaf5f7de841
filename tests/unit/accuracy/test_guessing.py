"""Where a guess comes from: the exact rows for the curator, public facts for everybody else."""

from __future__ import annotations

import statistics
from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest

from dpengine.accuracy import Guess, all_records, guess_from_rows, guess_without_rows, sampling_error
from dpengine.data import (
    Comparison,
    Condition,
    IsMissing,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
    sample_schema,
)
from dpengine.data.samples.practice_tables import sample_frame
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    SumQuery,
    VarianceQuery,
)
from tests.examples.tables import shared_sample, table_of_rows

STAYED = Comparison("hospital_stays", ">", 0)
QUERIES: tuple[Query, ...] = (
    CountQuery(STAYED),
    CountPeopleQuery(STAYED),
    SumQuery("medical_dollars"),
    MeanQuery("medical_dollars", STAYED),
    ProportionQuery(STAYED),
    HistogramQuery("self_rated_health"),
    HistogramQuery("age", edges=(0, 20, 40, 100)),
)


@pytest.fixture(scope="module")
def study() -> Table:
    return shared_sample("rand_hie")[0]


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return pd.read_csv(StringIO(sample_frame("rand_hie").to_csv(index=False)))


def guess(query: Query, study: Table) -> Guess:
    return guess_from_rows(query, study.schema, Neighbors.ADD_REMOVE, study)


def test_counts_are_those_of_another_library(study: Table, frame: pd.DataFrame) -> None:
    rows = guess(QUERIES[0], study)
    assert (rows.records, rows.answers) == (len(frame), ((frame.hospital_stays > 0).sum(),))
    people = guess(QUERIES[1], study)
    assert people.records == frame.person.nunique()
    assert people.answers == (frame[frame.hospital_stays > 0].person.nunique(),)


def test_mean_and_spread_are_those_of_another_library(study: Table, frame: pd.DataFrame) -> None:
    clamped = frame.medical_dollars[frame.hospital_stays > 0].clip(0, 5000)
    known = guess(QUERIES[3], study)
    assert known.records == len(clamped)
    assert known.answers[0] == pytest.approx(clamped.mean(), abs=0.01)
    assert known.spread == pytest.approx(statistics.pstdev(clamped), rel=0.02)


def test_rows_without_a_value_are_none_of_its_records() -> None:
    schema = Schema(name="ages", columns=(NumberColumn(name="age", lower=0.0, upper=100.0),))
    table = table_of_rows(["age"], [["20"], [""], ["40"], [""], ["30"]], schema=schema)
    for query in (MeanQuery("age"), SumQuery("age"), VarianceQuery("age"), QuantileQuery("age", 0.5)):
        assert guess(query, table).records == 3.0
    assert guess(CountQuery(), table).records == 5.0


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: type(query).__name__)
def test_both_kinds_of_guess_serve_the_sampling_error(query: Query, study: Table) -> None:
    for known in (guess(query, study), guess_without_rows(query, study.schema)):
        error = sampling_error(query, known)
        assert error is not None
        assert error.standard_deviation > 0


def test_without_rows_only_public_facts_are_used() -> None:
    assert guess_without_rows(CountQuery(), sample_schema("anes_1996")).records == 944
    private = Schema(name="t", columns=(NumberColumn(name="x", lower=10, upper=20),))
    assert guess_without_rows(MeanQuery("x"), private) == Guess(records=1000, answer=15, spread=2.5)


def test_what_somebody_said_of_the_size_is_the_guess_and_a_tenth_of_it_meets_a_condition():
    columns = (TextColumn(name="p"), NumberColumn(name="x", lower=10, upper=20))
    schema = Schema(name="t", columns=columns, unit=PrivacyUnit(identifier="p"))
    some = Comparison("x", ">", 12)
    said = {"rows": 300_000, "people": 20_000}
    assert guess_without_rows(MeanQuery("x"), schema, **said).records == 300_000
    assert guess_without_rows(CountPeopleQuery(), schema, **said).records == 20_000
    assert guess_without_rows(MeanQuery("x", where=some), schema, **said).records == 30_000
    assert guess_without_rows(CountQuery(where=some), schema, **said) == Guess(records=300_000, answer=30_000)
    assert guess_without_rows(MeanQuery("x", where=some), schema).records == 1000, "Nobody has said anything."
    assert guess_without_rows(MeanQuery("x"), replace(schema, people=50), rows=70).records == 70
    assert [all_records(query) for query in (MeanQuery("x"), MeanQuery("x", where=some), CountQuery(where=some))] == [
        *(True, False, True)
    ]


class Missing(CountQuery):
    """A count that is about some rows by its kind, and has no condition."""

    def touched(self) -> Condition | None:
        return IsMissing("age")


def test_a_kind_that_is_about_some_rows_alone_is_not_guessed_as_all_of_them() -> None:
    every, some = (
        guess_without_rows(query, sample_schema("patients"), rows=1000) for query in (CountQuery(), Missing())
    )
    assert (every.answers, some.answers) == ((1000.0,), (100.0,))
