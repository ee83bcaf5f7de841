"""What a bound on each person's rows leaves of a sum: against every possible lot, counted out."""

import itertools
import statistics

import numpy as np
import pytest

from dpengine.accuracy.lessons.bounded_people import bounded_sum
from dpengine.errors import InvalidParameterError
from tests.running.cases import each

PEOPLE = ["a", "b", "a", "c", "b", "a", "a", "d"]
VALUES = [1.0, -3.0, 4.0, 10.0, 5.0, 0.0, 2.5, -1.0]


def every_lot(bound: int) -> list[float]:
    """The sum under every choice of at most so many rows of each person, all equally likely."""
    owned = {person: [v for p, v in zip(PEOPLE, VALUES, strict=True) if p == person] for person in set(PEOPLE)}
    choices = [list(itertools.combinations(values, min(bound, len(values)))) for values in owned.values()]
    return [sum(map(sum, lot)) for lot in itertools.product(*choices)]


@each("bound", [1, 2, 3, 4, 9])
def test_mean_and_deviation_over_all_lots(bound):
    lots, found = every_lot(bound), bounded_sum(PEOPLE, VALUES, bound=bound)
    assert found.mean == pytest.approx(statistics.mean(lots), abs=1e-12)
    assert found.standard_deviation == pytest.approx(statistics.pstdev(lots), abs=1e-7)
    assert found.rows == sum(min(bound, PEOPLE.count(person)) for person in "abcd")


def test_a_bound_that_drops_nothing_leaves_nothing_to_the_lot():
    found = bounded_sum(PEOPLE, VALUES, bound=4)
    assert (found.rows, found.mean, found.standard_deviation) == (8, sum(VALUES), 0.0)
    assert bounded_sum(PEOPLE, VALUES, bound=3).standard_deviation > 0.0


def test_nobody_sums_to_nothing():
    found = bounded_sum([], [], bound=1)
    assert (found.rows, found.mean, found.standard_deviation) == (0, 0.0, 0.0)


@each("arguments", [{"bound": 0}, {"bound": 1.5}, {"values": [1.0]}, {"people": np.zeros((2, 4))}])
def test_nonsense_is_refused(arguments):
    with pytest.raises(InvalidParameterError):
        bounded_sum(**{"people": PEOPLE, "values": VALUES, "bound": 2, **arguments})
