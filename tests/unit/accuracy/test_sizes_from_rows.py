"""Guesses and what bounds on contributions cost, against pandas on people with several rows."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from dpengine.accuracy import Guess
from dpengine.accuracy.bias import contribution_bias
from dpengine.accuracy.guessing import guess_from_rows, guess_without_rows
from dpengine.data import Comparison, Not, PrivacyUnit, Schema, Table
from dpengine.data.samples.practice_tables import sample_frame, sample_schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
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
    ProportionQuery,
    QuantileQuery,
    Query,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from tests.examples.tables import read_here, shared, shared_sample
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
WOMEN = Comparison("female", "=", True)
QUERIES: tuple[Query, ...] = (
    CountQuery(),
    CountQuery(WOMEN),
    CountPeopleQuery(WOMEN),
    SumQuery("age", WOMEN),
    MeanQuery("age"),
    ProportionQuery(WOMEN),
    HistogramQuery("self_rated_health"),
    VarianceQuery("age"),
    GroupedCountQuery(("self_rated_health", "female")),
    GroupedSumQuery("age", "female"),
    GroupedMeanQuery("age", "self_rated_health"),
    GroupedProportionQuery(WOMEN, "self_rated_health"),
    QuantileQuery("age", 0.25),
    QuantileQuery("age", 0.5, (10, 20, 30, 40)),
    ModeQuery("self_rated_health"),
    StatisticalQueries((WOMEN, Not(WOMEN))),
)


@cache
def frame() -> pd.DataFrame:
    """The sample as its file has it, in text: 20,190 rows of 5,912 people."""
    return sample_frame("rand_hie")


@shared
def bounded(rows: int = 5, groups: int | None = None, rows_per_group: int | None = None) -> tuple[Table, Schema]:
    """The same rows under other bounds."""
    unit = PrivacyUnit(identifier="person", rows=rows, groups=groups, rows_per_group=rows_per_group)
    schema = replace(sample_schema("rand_hie"), unit=unit)
    return read_here(frame().to_csv(index=False).encode(), schema=schema), schema


@each("neighbors", Neighbors)
@each("query", QUERIES)
def test_either_guess_is_of_use_to_every_question(query, neighbors):
    """Its law is finite, what one person moves too, and a guess can be made for another size."""
    table, schema = shared_sample("rand_hie")
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=1.0))
    for guess in (guess_without_rows(query, schema), guess_from_rows(query, schema, neighbors, table)):
        parts = planned.parts(schema, neighbors)
        assert len(guess.answers) in (1, parts[0].coordinates)
        law = planned.error(schema, neighbors, guess)
        assert 0.0 < law.quantile(0.95) < np.inf
        assert 0.0 < planned.shift(schema, neighbors, guess) < np.inf
        assert isinstance(guess, Guess)


def test_a_guess_without_rows_is_the_same_whatever_the_rows_and_knows_public_numbers():
    schema = sample_schema("rand_hie")
    age = schema.number("age")
    assert guess_without_rows(ModeQuery("female"), schema) == Guess(records=5912.0, answer=0.0)
    many = guess_without_rows(StatisticalQueries((WOMEN,) * 3), schema)
    assert many == Guess(records=5912.0, answer=(591.0,) * 3)
    quarter = guess_without_rows(QuantileQuery("age", 0.25), schema)
    assert quarter.answer == age.lower + (age.upper - age.lower) / 4
    groups = guess_without_rows(GroupedCountQuery("female"), schema)
    assert groups == Guess(records=5912.0, answer=(2956.0, 2956.0))


def test_a_guess_from_rows_is_what_pandas_says():
    table, schema = shared_sample("rand_hie")
    rows = frame().assign(age=frame().age.astype(float))
    women = rows[rows.female == "1"]
    counts = guess_from_rows(GroupedCountQuery("female"), schema, AR, table)
    assert counts == Guess(records=20190.0, answer=(float(20190 - len(women)), float(len(women))))
    spread = guess_from_rows(VarianceQuery("age", WOMEN), schema, AR, table)
    assert spread.records == len(women)
    assert spread.answers[0] == pytest.approx(women.age.var(ddof=0), rel=1e-3)
    assert spread.mean == pytest.approx(women.age.mean(), rel=1e-5)
    means = guess_from_rows(GroupedMeanQuery("age", "female"), schema, AR, table)
    men = rows.drop(women.index)
    assert means.answers == pytest.approx((men.age.mean(), women.age.mean()), rel=1e-5)
    half = guess_from_rows(QuantileQuery("age"), schema, AR, table).answers[0]
    assert half == pytest.approx(rows.age.median(), abs=0.6)


def test_how_many_rows_people_have():
    """5,912 people in 20,190 rows, and what each bound leaves out."""
    table, _ = shared_sample("rand_hie")
    found, each = table.contributions(), frame().groupby("person").size()
    assert (found.people, found.rows, found.most) == (5912, 20190, 5) == (len(each), each.sum(), each.max())
    assert dict(found.people_with) == each.value_counts().to_dict()
    for bound in range(1, 7):
        assert found.dropped(bound) == (each - bound).clip(lower=0).sum()
        assert found.dropped_share(bound) == pytest.approx(found.dropped(bound) / 20190, rel=1e-15)
        assert found.people_cut(bound) == (each > bound).sum()
    assert "5912" not in repr(found)


@each("rows", [1, 3, 5])
def test_what_a_bound_on_rows_drops_from_a_count(rows):
    table, schema = bounded(rows)
    each = frame().groupby("person").size()
    bias = contribution_bias(CountQuery(), schema, AR, table)
    assert (bias.bounded.tolist(), bias.unbounded.tolist()) == ([each.clip(upper=rows).sum()], [20190])
    assert bias.largest == 20190 - each.clip(upper=rows).sum()
    assert bias.relative == pytest.approx(bias.largest / 20190, rel=1e-15)


def test_what_bounds_on_groups_drop_from_counts_by_group():
    """Which groups are kept is drawn by lot, but how many rows are kept in each group is not, with one row in each."""
    table, schema = bounded(5, rows_per_group=1)
    bias = contribution_bias(GroupedCountQuery("self_rated_health"), schema, AR, table)
    known = frame()[frame().self_rated_health != ""]
    people = known.groupby("self_rated_health").person.nunique()
    (part,) = GroupedCountQuery("self_rated_health").parts(schema, AR)
    assert bias.bounded.tolist() == [people.get(label, 0) for label in part.labels]
    rows = known.self_rated_health.value_counts()
    assert bias.unbounded.tolist() == [rows.get(label, 0) for label in part.labels]
    one, one_schema = bounded(5, groups=1, rows_per_group=1)
    kept = contribution_bias(GroupedCountQuery("self_rated_health"), one_schema, AR, one)
    assert kept.bounded.sum() == known.person.nunique()
    assert kept.unbounded.tolist() == bias.unbounded.tolist()


def test_where_no_bound_bites_there_is_no_bias():
    table, schema = bounded(5)
    for query in (GroupedMeanQuery("age", "female"), VarianceQuery("age"), ModeQuery("female"), QuantileQuery("age")):
        bias = contribution_bias(query, schema, AR, table)
        assert bias.largest == bias.relative == 0.0
    patients, declared = shared_sample("patients")
    assert contribution_bias(CountQuery(), declared, AR, patients).largest == 0.0
    assert patients.contributions().people == patients.contributions().rows
