"""A guess: what it refuses, and how it is read."""

from __future__ import annotations

import math

import pytest

from dpengine.accuracy import Guess
from dpengine.errors import InvalidParameterError
from tests.running.cases import each


@each(
    "field, value",
    [
        ("records", -1),
        ("records", math.nan),
        ("records", math.inf),
        ("spread", -0.1),
        ("spread", math.inf),
        ("answer", math.nan),
        ("answer", (1.0, math.inf)),
    ],
)
def test_nonsense_is_refused_by_name(field, value):
    with pytest.raises(InvalidParameterError, match=rf"^{field} must be"):
        Guess(**{"records": 10, field: value})


def test_one_answer_or_one_for_each_coordinate():
    assert Guess(records=10).answers == ()
    assert Guess(records=10, answer=3).answers == (3,)
    assert Guess(records=10, answer=(3, 4)).answers == (3, 4)
    assert Guess(records=10, answer=(3,)).single_answer() == 3


@each("answer", [None, (1.0, 2.0)])
def test_a_single_answer_is_needed_where_there_is_one(answer):
    with pytest.raises(InvalidParameterError, match=r"^answer must be"):
        Guess(records=10, answer=answer).single_answer()


def test_equal_guesses_are_equal_and_hashable():
    as_list = Guess(records=10, answer=[1.0, 2.0])  # type: ignore[arg-type]
    assert len({as_list, Guess(records=10, answer=(1.0, 2.0))}) == 1
