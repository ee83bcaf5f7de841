"""The least whole number that is enough."""

from __future__ import annotations

import pytest

from dpengine.accuracy.whole_numbers import MOST, least_whole


@pytest.mark.parametrize("least", [1, 2, 3, 99, 100, 101, 12_345, 10**9 + 7, MOST])
@pytest.mark.parametrize("near", [0.3, 1.0, 100.0, 12_000.0, 1e15])
@pytest.mark.parametrize("pace", [1.0001, 1.01, 4.0])
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
