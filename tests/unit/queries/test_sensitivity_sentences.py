"""Sensitivities: sentences that name their relation, and what is refused."""

import math
from fractions import Fraction
from typing import Any

import pytest

from dpengine.data import NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Neighbors
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.sensitivity.sensitivities import Contribution
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE


def schema(rows: int) -> Schema:
    columns = (TextColumn(name="person"), NumberColumn(name="x", lower=-3, upper=5))
    unit = PrivacyUnit() if rows == 1 else PrivacyUnit(identifier="person", rows=rows)
    return Schema(name="t", columns=columns, unit=unit, people=100)


def every_claim(neighbors: Neighbors) -> list[Any]:
    limit = Contribution(groups=2, rows_per_group=3, rows=4)
    return [
        sensitivities.of_row_count(schema(2), neighbors),
        sensitivities.of_people_count(neighbors),
        sensitivities.of_signed_count(schema(1), neighbors),
        sensitivities.of_counts(schema(2), neighbors),
        sensitivities.of_statistics(each=0.5, statistics=3, neighbors=neighbors),
        *sensitivities.of_variance_parts(lower=0, upper=120, neighbors=neighbors),
        sensitivities.of_grouped_counts(limit, neighbors),
        sensitivities.of_grouped_sums(limit, lower=0, upper=10, neighbors=neighbors),
        sensitivities.of_quantile_value(lower=0, upper=120, neighbors=neighbors),
        sensitivities.of_rank_score(quantile=0.5, neighbors=neighbors),
        sensitivities.of_mode(neighbors=neighbors),
        sensitivities.of_largest_count_of_people(neighbors),
    ]


def test_every_sentence_names_its_relation() -> None:
    assert all(claim.because.endswith(" (One person added or removed.)") for claim in every_claim(AR))
    assert all(claim.because.endswith(" (One person replaced.)") for claim in every_claim(RP))


def test_sentences_carry_public_numbers() -> None:
    mean = sensitivities.of_mean(lower=0, upper=120, people=1000, everybody_counts=True, neighbors=RP)
    assert mean.l1 == pytest.approx(0.12, rel=1e-15)
    assert mean.because.startswith("Each of 1,000 people counts with one value, so one person can change the mean by")
    grouped = sensitivities.of_grouped_counts(Contribution(groups=2, rows_per_group=3, rows=4), AR)
    assert grouped.because.startswith(
        "Each person counts with at most 4 rows, in at most 2 groups with at most 3 rows in each: one person can "
        "change the counts by at most 4 in total."
    )


@each("statistic", ["of_mean", "of_proportion", "of_proportions", "of_variance"])
def test_a_public_number_of_people_has_its_conditions(statistic: str) -> None:
    bounds = {"lower": 0, "upper": 1} if statistic in ("of_mean", "of_variance") else {}
    bounds |= {"proportions": 2} if statistic == "of_proportions" else {}
    claim = getattr(sensitivities, statistic)
    with pytest.raises(InvalidParameterError, match="neighbors must be REPLACE_ONE"):
        claim(people=10, everybody_counts=True, neighbors=AR, **bounds)
    with pytest.raises(InvalidParameterError, match="everybody_counts"):
        claim(people=10, everybody_counts=False, neighbors=RP, **bounds)
    with pytest.raises(InvalidParameterError, match="people"):
        claim(people=0, everybody_counts=True, neighbors=RP, **bounds)
    assert claim(people=10, everybody_counts=True, neighbors=RP, **bounds).l1 > 0


@each("bad", [math.nan, math.inf, "1", None, 200.0])
def test_bad_bounds_are_named(bad: Any) -> None:
    for claim in (
        lambda: sensitivities.of_mean(lower=bad, upper=120, people=3, everybody_counts=True, neighbors=RP),
        lambda: sensitivities.of_quantile_value(lower=bad, upper=120, neighbors=AR),
        lambda: sensitivities.of_variance_parts(lower=bad, upper=120, neighbors=AR),
        lambda: sensitivities.of_grouped_sums(
            Contribution(groups=1, rows_per_group=1), lower=bad, upper=120, neighbors=AR
        ),
    ):
        with pytest.raises(InvalidParameterError, match="lower"):
            claim()


@each("bad", [0, -1, 1.5, math.nan, "1", None])
def test_bad_counts_and_relations_are_named(bad: Any) -> None:
    with pytest.raises(InvalidParameterError, match="groups"):
        Contribution(groups=bad, rows_per_group=1)
    with pytest.raises(InvalidParameterError, match="rows_per_group"):
        Contribution(groups=1, rows_per_group=bad)
    with pytest.raises(InvalidParameterError, match="statistics"):
        sensitivities.of_statistics(each=1, statistics=bad, neighbors=AR)
    with pytest.raises(InvalidParameterError, match="rows"):
        sensitivities.of_mode(rows=bad, neighbors=AR)
    with pytest.raises(InvalidParameterError, match="neighbors"):
        sensitivities.of_mode(neighbors=bad)


def test_extremes_are_right_numbers_or_clear_errors() -> None:
    wide = Contribution(groups=10**9, rows_per_group=10**9)
    claim = sensitivities.of_grouped_counts(wide, RP)
    assert claim.l1 == 2 * 10**18
    assert Fraction(claim.l2) ** 2 >= 2 * 10**27
    with pytest.raises(InvalidParameterError, match="upper - lower"):
        sensitivities.of_variance_parts(lower=-1e200, upper=1e200, neighbors=AR)
    tiny = sensitivities.of_mean(lower=0, upper=1e-300, people=10**12, everybody_counts=True, neighbors=RP)
    assert tiny.l1 > 0.0


@each("bad", [-1.0, 121.0, math.nan, "1"])
def test_a_center_beyond_the_bounds_is_refused(bad: Any) -> None:
    with pytest.raises(InvalidParameterError, match="center"):
        sensitivities.of_variance_parts(lower=0, upper=120, center=bad, neighbors=AR)
