"""The least whole number that is enough."""

from __future__ import annotations

from dpengine.accuracy.numerical.whole_numbers import MOST, least_whole, least_whole_below
from tests.running.cases import each


@each("least", [1, 2, 3, 99, 100, 101, 12_345, 10**9 + 7, MOST])
@each("near", [0.3, 1.0, 100.0, 12_000.0, 1e15])
@each("pace", [1.0001, 1.01, 4.0])
def test_the_least_is_found_from_anywhere(least, near, pace):
    assert least_whole(lambda number: number >= least, near=near, pace=pace) == least


def test_there_may_be_none():
    assert least_whole(lambda number: False, near=5.0) is None


def test_a_good_guess_needs_few_questions():
    asked = []

    def enough(number):
        asked.append(number)
        return number >= 10_000

    assert least_whole(enough, near=9_990.0) == 10_000
    assert len(asked) < 12


SHAPES = {
    "as it is taken to be": lambda number, least: least / number,
    "steeper": lambda number, least: (least / number) ** 2.5,
    "flatter": lambda number, least: (least / number) ** 0.4,
    "a step": lambda number, least: 2.0 if number < least else 0.5,
    "down to nothing": lambda number, least: 5.0 if number < least else 0.0,
}


@each("least", [1, 2, 100, 12_345, 10**9 + 7, MOST])
@each("near", [0.3, 100.0, 12_000.0, 1e15])
@each("shape", SHAPES)
def test_a_measure_is_followed_to_its_level(least, near, shape):
    asked = []

    def measure(number):
        asked.append(number)
        return SHAPES[shape](number, least)

    found = least_whole_below(measure, 1.0, near=near)
    assert found == least
    assert len(asked) < 120


def test_a_measure_may_never_fall_that_low():
    assert least_whole_below(lambda number: 2.0, 1.0, near=5.0) is None


def test_a_measure_of_the_expected_shape_is_asked_for_a_few_times():
    asked = []

    def measure(number):
        asked.append(number)
        return 12_345.6 / number + 1e-6

    assert least_whole_below(measure, 1.0, near=900.0) == 12_346
    assert len(asked) <= 6
