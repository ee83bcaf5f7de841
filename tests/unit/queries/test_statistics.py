"""From counted integers to scores and spreads: by brute force over small tables, and whatever the rows."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.queries.statistics import RankScores, SpreadOverPeople, SumOfSquares
from tests.running.cases import each

SHARES = [Fraction(0), Fraction(1, 8), Fraction(1, 2), Fraction(9, 10), Fraction(1)]


def ranks(share: Fraction, cells: int) -> RankScores:
    """Every cell is a candidate."""
    below, at_most = range(cells), range(1, cells + 1)
    return RankScores(numerator=share.numerator, denominator=share.denominator, below=below, at_most=at_most)


def plain_scores(share: Fraction, values: list[int], cells: int) -> list[int]:
    """Minus how far the wanted rank lies from the ranks that a candidate has, from the definition."""
    scores = []
    for candidate in range(cells):
        below = sum(value < candidate for value in values)
        at_most = sum(value <= candidate for value in values)
        wanted = share * len(values)
        distance = max(Fraction(below) - wanted, wanted - at_most, Fraction(0))
        scores.append(int(-distance * share.denominator))
    return scores


@pytest.mark.parametrize("share", SHARES)
@given(values=st.lists(st.integers(0, 4), max_size=9))
def test_scores_are_distances_of_ranks(share, values):
    assert ranks(share, 5)(np.bincount(values, minlength=5)).tolist() == plain_scores(share, values, 5)


@each("share", SHARES)
@each("rows", [1, 2])
def test_one_person_moves_a_score_by_as_much_as_is_claimed_and_never_by_more(share, rows):
    """Adding: rows times the larger of the two shares; replacing, the selection left or entered: rows times all."""
    scores, most = ranks(share, 3), 4
    tables = [np.array(counts) for counts in itertools.product(range(most), repeat=3)]
    persons = [np.array(counts) for counts in itertools.product(range(rows + 1), repeat=3) if sum(counts) <= rows]
    added = [np.abs(scores(table + one) - scores(table)).max() for table in tables for one in persons]
    assert max(added) == rows * max(share.numerator, share.denominator - share.numerator)
    replaced = [
        np.abs(scores(table + one) - scores(table + other)).max()
        for table in tables
        for one, other in itertools.combinations(persons, 2)
    ]
    assert max(replaced) == rows * share.denominator


@given(values=st.lists(st.integers(0, 30), min_size=1, max_size=41))
def test_the_best_candidates_of_a_median_are_the_middle_values_and_all_between(values):
    scores = ranks(Fraction(1, 2), 31)(np.bincount(values, minlength=31))
    best = np.flatnonzero(scores == scores.max())
    ordered = sorted(values)
    assert best.tolist() == list(range(ordered[(len(values) - 1) // 2], ordered[len(values) // 2] + 1))
    assert scores.max() == 0


@st.composite
def bounds_and_rows(draw):
    lower, upper = draw(st.integers(-40, 0)), draw(st.integers(0, 40))
    value = st.integers(lower, upper)
    return lower, upper, draw(value), draw(value), draw(st.lists(value, max_size=12)), draw(st.integers(1, 15))


@given(bounds_and_rows())
def test_a_replaced_value_moves_a_spread_by_at_most_the_squared_range_whatever_the_number_of_rows(case):
    """`people` may be wrong, and values may be missing: these count as 0, the middle."""
    lower, upper, one, other, rest, people = case
    spread = SpreadOverPeople(people=people, lower=lower, upper=upper)
    here, there = (spread(np.array([sum(rows), sum(x * x for x in rows)])) for rows in ([*rest, one], [*rest, other]))
    assert abs(int(here[0]) - int(there[0])) <= (upper - lower) ** 2


@each("people", [1, 2, 3, 5])
@each(("lower", "upper"), [(0, 2), (-1, 1), (-2, 1), (-1, 0)])
def test_all_small_tables_and_a_bound_that_is_reached(people, lower, upper):
    """With the right number of people, n, the largest move is (n - 1) / n of the bound."""
    spread = SpreadOverPeople(people=people, lower=lower, upper=upper)
    values, largest = range(lower, upper + 1), {}
    for rows in range(6):
        moves = [
            abs(int(spread(moments((*rest, one)))[0] - spread(moments((*rest, other)))[0]))
            for rest in itertools.combinations_with_replacement(values, rows)
            for one, other in itertools.combinations(values, 2)
        ]
        largest[rows + 1] = max(moves)
    bound = (upper - lower) ** 2
    assert max(largest.values()) <= bound
    assert largest[people] >= bound * (people - 1) / people - 1


def moments(rows: tuple[int, ...]) -> np.ndarray:
    return np.array([sum(rows), sum(x * x for x in rows)])


@given(st.lists(st.integers(-(2**15), 2**15), min_size=2, max_size=30))
def test_a_spread_over_as_many_people_as_there_are_is_their_variance(values):
    exact = SpreadOverPeople(people=len(values), lower=-(2**15), upper=2**15)(moments(tuple(values)))[0]
    mean = Fraction(sum(values), len(values))
    assert abs(int(exact) - sum((value - mean) ** 2 for value in values)) <= Fraction(1, 2)


def test_a_spread_of_the_largest_tables_is_exact():
    """A hundred million values, half at either bound: products of sums would leave 64 bits."""
    half, people = 2**15, 10**8
    exact = SpreadOverPeople(people=people, lower=-half, upper=half)(np.array([0, people * half**2]))
    assert exact.tolist() == [people * half**2]
    assert SumOfSquares()(np.array([3, 7])).tolist() == [7]
