"""Every row of the table of sensitivities against all small tables and all their neighbors.

A claim is never below the largest true change, and is reached where it says that it is exact.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dpengine.data import FixedPointSum, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.sensitivity.sensitivities import Contribution
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
BOTH = pytest.mark.parametrize("neighbors", [AR, RP])
ROWS = pytest.mark.parametrize("rows", [1, 2, 3])
Table = tuple[Any, ...]


def neighboring(people: Sequence[Any], neighbors: Neighbors, others: Iterable[int]) -> Iterator[tuple[Table, Table]]:
    """All pairs of tables with so many other people; `people` is everything that one person may contribute."""
    for count in others:
        for rest in itertools.combinations_with_replacement(people, count):
            for one in people:
                if neighbors is AR:
                    yield rest, (*rest, one)
                else:
                    yield from (((*rest, one), (*rest, other)) for other in people)


def largest_changes(
    answer: Callable[[Table], Any], people: Sequence[Any], neighbors: Neighbors, others: Iterable[int] = range(3)
) -> tuple[float, float, float]:
    """The largest l1, l2 and linf change of an answer, each by itself."""
    changes = np.concatenate(
        [
            changes_beside(rest, answer, people, neighbors)
            for count in others
            for rest in itertools.combinations_with_replacement(people, count)
        ]
    )
    return (
        float(np.abs(changes).sum(axis=1).max()),
        float(np.sqrt((changes**2).sum(axis=1)).max()),
        float(np.abs(changes).max()),
    )


def changes_beside(
    rest: Table, answer: Callable[[Table], Any], people: Sequence[Any], neighbors: Neighbors
) -> npt.NDArray[np.float64]:
    """How an answer changes, one row a pair of neighbors, as one person comes to these others or is another one."""
    with_one = np.array([np.atleast_1d(np.asarray(answer((*rest, one)), dtype=float)) for one in people])
    if neighbors is AR:
        return with_one - np.atleast_1d(np.asarray(answer(rest), dtype=float))
    return (with_one[None, :] - with_one[:, None]).reshape(len(people) ** 2, -1)


def norms(claim: Sensitivity) -> tuple[float, float, float]:
    return claim.l1, claim.l2, claim.linf


def rows_of(table: Table) -> list[Any]:
    return [row for person in table for row in person]


def at_most(rows: int, values: Sequence[Any]) -> list[Table]:
    """Everything that one person with at most so many rows may contribute, nothing included."""
    return [some for size in range(rows + 1) for some in itertools.combinations_with_replacement(values, size)]


def schema(rows: int) -> Schema:
    columns = (TextColumn(name="person"), NumberColumn(name="x", lower=-3, upper=5))
    unit = PrivacyUnit() if rows == 1 else PrivacyUnit(identifier="person", rows=rows)
    return Schema(name="t", columns=columns, unit=unit, people=100)


@BOTH
@ROWS
def test_counts_of_rows_and_of_people(neighbors: Neighbors, rows: int) -> None:
    people = at_most(rows, [0, 1])
    ill = lambda table: sum(rows_of(table))  # noqa: E731
    claim = sensitivities.of_row_count(schema(rows), neighbors)
    assert largest_changes(ill, people, neighbors, [0, 1]) == norms(claim)
    ill_people = lambda table: sum(any(person) for person in table)  # noqa: E731
    claim = sensitivities.of_people_count(neighbors)
    assert largest_changes(ill_people, people, neighbors, [0, 1]) == norms(claim)


@BOTH
@ROWS
def test_cells_and_half_points(neighbors: Neighbors, rows: int) -> None:
    people = at_most(rows, [0, 1, 2])
    cells = lambda table: np.bincount(np.array(rows_of(table), dtype=int), minlength=3)  # noqa: E731
    claim = sensitivities.of_counts(schema(rows), neighbors)
    assert largest_changes(cells, people, neighbors, [0]) == pytest.approx(norms(claim), rel=1e-15)
    signed = lambda table: sum(rows_of(table))  # noqa: E731
    claim = sensitivities.of_signed_count(schema(rows), neighbors)
    assert largest_changes(signed, at_most(rows, [-1, 1]), neighbors, [0]) == norms(claim)


@BOTH
@ROWS
@pytest.mark.parametrize(("lower", "upper", "center"), [(0, 7, 0), (0, 7, 3), (-3, 5, 0), (2, 5, 0), (-5, -2, 0)])
def test_sums_on_the_grid(neighbors: Neighbors, rows: int, lower: int, upper: int, center: int) -> None:
    """A row may leave the selection, so a person may contribute nothing."""
    aggregate = FixedPointSum(column="x", fraction_bits=0, lower=lower, upper=upper, center=center)
    column = NumberColumn(name="x", lower=lower, upper=upper)
    claim = sensitivities.of_sum(aggregate, column, schema(rows), neighbors)
    people = at_most(rows, range(lower - center, upper - center + 1))
    assert largest_changes(lambda table: sum(rows_of(table)), people, neighbors, [0]) == norms(claim)


@each("people", [1, 2, 4])
@each(("lower", "upper"), [(0, 120), (-3, 4.5), (0.1, 0.7)])
def test_a_mean_and_a_share_of_a_public_number_of_people(people: int, lower: float, upper: float) -> None:
    public: dict[str, Any] = {"people": people, "everybody_counts": True, "neighbors": RP}
    values = [lower, (lower + upper) / 3, upper]
    claim = sensitivities.of_mean(lower=lower, upper=upper, **public)
    assert largest_changes(np.mean, values, RP, [people - 1]) == pytest.approx(norms(claim), rel=1e-12)
    assert Fraction(claim.l1) * people >= Fraction(upper) - Fraction(lower), "rounded up"
    claim = sensitivities.of_proportion(**public)
    assert largest_changes(np.mean, [0, 1], RP, [people - 1]) == pytest.approx(norms(claim), rel=1e-12)


@each("proportions", [1, 2, 3])
def test_many_shares_of_the_same_people(proportions: int) -> None:
    answers = list(itertools.product((0, 1), repeat=proportions))
    claim = sensitivities.of_proportions(proportions=proportions, people=3, everybody_counts=True, neighbors=RP)
    shares = lambda table: np.mean(table, axis=0)  # noqa: E731
    assert largest_changes(shares, answers, RP, [2]) == pytest.approx(norms(claim), rel=1e-12)


@BOTH
@pytest.mark.parametrize("statistics", [1, 2, 3])
def test_many_statistics_of_the_same_rows(neighbors: Neighbors, statistics: int) -> None:
    """Counts, moved by 1 each under either relation; and the cells of a histogram are moved less."""
    answers = list(itertools.product((0, 1), repeat=statistics))
    claim = sensitivities.of_statistics(each=1, statistics=statistics, neighbors=neighbors)
    counts = lambda table: np.sum(table, axis=0) if table else np.zeros(statistics)  # noqa: E731
    assert largest_changes(counts, answers, neighbors, [0, 1]) == pytest.approx(norms(claim), rel=1e-15)


@each("people", [2, 3, 4, 5])
@each(("lower", "upper"), [(0, 1), (-2, 5)])
def test_a_variance_over_a_public_number_of_people(people: int, lower: float, upper: float) -> None:
    """Exact with the divisor people - 1; with the divisor people above the truth by people / (people - 1)."""
    claim = sensitivities.of_variance(lower=lower, upper=upper, people=people, everybody_counts=True, neighbors=RP)
    values = np.linspace(lower, upper, 5).tolist()
    sample = largest_changes(lambda table: np.var(table, ddof=1), values, RP, [people - 1])
    assert sample == pytest.approx(norms(claim), rel=1e-12)
    whole = largest_changes(np.var, values, RP, [people - 1])
    assert whole[0] * people / (people - 1) == pytest.approx(claim.l1, rel=1e-12)


@BOTH
@ROWS
@pytest.mark.parametrize(("lower", "upper", "center"), [(0, 8, None), (0, 7, 3), (-3, 4, 0)])
def test_a_variance_in_three_parts(neighbors: Neighbors, rows: int, lower: int, upper: int, center: int | None) -> None:
    parts = sensitivities.of_variance_parts(lower=lower, upper=upper, center=center, rows=rows, neighbors=neighbors)
    middle = (lower + upper) / 2 if center is None else center
    people = at_most(rows, range(lower, upper + 1))
    answers: list[Callable[[Table], float]] = [
        lambda table: sum((x - middle) ** 2 for x in rows_of(table)),
        lambda table: sum(x - middle for x in rows_of(table)),
        lambda table: len(rows_of(table)),
    ]
    for part, answer in zip(parts, answers, strict=True):
        assert largest_changes(answer, people, neighbors, [0]) == norms(part)
        assert isinstance(part.l1, int), "whole on a grid"


LIMITS = [(1, 1, None), (2, 1, None), (2, 2, None), (2, 2, 3), (2, 3, 4), (1, 3, 2), (2, 2, 1)]


def contributions(limit: tuple[int, int, int | None], cells: int) -> list[tuple[int, ...]]:
    """All counts by group that one person may have."""
    groups, each, rows = limit
    return [
        counts
        for counts in itertools.product(range(each + 1), repeat=cells)
        if sum(count > 0 for count in counts) <= groups and sum(counts) <= (rows or math.inf)
    ]


def contribution(limit: tuple[int, int, int | None]) -> Contribution:
    return Contribution(groups=limit[0], rows_per_group=limit[1], rows=limit[2])


def added_up(table: Table) -> Any:
    return np.sum(table, axis=0) if table else np.zeros(4)


@BOTH
@pytest.mark.parametrize("limit", LIMITS)
def test_counts_by_group(neighbors: Neighbors, limit: tuple[int, int, int | None]) -> None:
    claim = sensitivities.of_grouped_counts(contribution(limit), neighbors)
    true = largest_changes(added_up, contributions(limit, cells=4), neighbors, [0])
    assert norms(claim) == pytest.approx(true, rel=1e-15)
    assert claim.l2**2 >= true[1] ** 2 * (1.0 - 1e-15)


@BOTH
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("lower", "upper"), [(0, 3), (1, 3), (-3, -1), (-2, 3), (-3, 3)])
def test_sums_by_group(neighbors: Neighbors, limit: tuple[int, int, int | None], lower: int, upper: int) -> None:
    people = {
        sums
        for counts in contributions(limit, cells=4)
        for sums in itertools.product(
            *([low * lower + (count - low) * upper for low in range(count + 1)] for count in counts)
        )
    }
    claim = sensitivities.of_grouped_sums(contribution(limit), lower=lower, upper=upper, neighbors=neighbors)
    moves = np.array(sorted(people), dtype=float)
    if neighbors is RP:
        moves = (moves[:, None, :] - moves[None, :, :]).reshape(-1, 4)
    l1, l2, linf = np.abs(moves).sum(1).max(), np.sqrt((moves**2).sum(1).max()), np.abs(moves).max()
    assert (claim.l1, claim.linf) == (l1, linf)
    assert claim.l2 >= l2 * (1.0 - 1e-15)
    if neighbors is AR or lower >= 0 or upper <= 0 or lower == -upper:
        assert claim.l2 == pytest.approx(l2, rel=1e-15)


@BOTH
def test_the_median_itself(neighbors: Neighbors) -> None:
    claim = sensitivities.of_quantile_value(lower=20, upper=50, neighbors=neighbors)
    median = lambda table: sorted(table)[(len(table) - 1) // 2]  # noqa: E731
    assert largest_changes(median, [20, 35, 50], neighbors, [2, 3, 4]) == norms(claim)


@BOTH
@ROWS
@pytest.mark.parametrize("quantile", [0.0, 0.25, 0.5, 0.9])
def test_rank_scores(neighbors: Neighbors, rows: int, quantile: float) -> None:
    """Values are where they lie beside one candidate: below it or above."""
    score = lambda table: -abs(sum(rows_of(table)) - quantile * len(rows_of(table)))  # noqa: E731
    true = largest_changes(score, at_most(rows, [0, 1]), neighbors, [0, 2, 3])[0]
    claim = sensitivities.of_rank_score(quantile=quantile, rows=rows, neighbors=neighbors)
    assert claim.score_sensitivity >= true - 1e-12
    assert claim.score_sensitivity == pytest.approx(true)
    assert not claim.monotone


@BOTH
@ROWS
def test_the_scores_of_a_mode(neighbors: Neighbors, rows: int) -> None:
    people = at_most(rows, [0, 1, 2])
    cells = lambda table: np.bincount(np.array(rows_of(table), dtype=int), minlength=3)  # noqa: E731
    claim = sensitivities.of_mode(rows=rows, neighbors=neighbors)
    assert largest_changes(cells, people, neighbors, [0, 1])[2] == claim.score_sensitivity
    one_way = all(
        np.all(change >= 0) or np.all(change <= 0)
        for change in (cells(there) - cells(here) for here, there in neighboring(people, neighbors, [0]))
    )
    assert claim.monotone is one_way


@BOTH
def test_the_largest_count_of_people(neighbors: Neighbors) -> None:
    people = at_most(3, [0, 1])
    largest = lambda table: max(sum(group in person for person in table) for group in (0, 1))  # noqa: E731
    claim = sensitivities.of_largest_count_of_people(neighbors)
    assert largest_changes(largest, people, neighbors, [0, 1, 2]) == norms(claim)
