"""Every possible table held against every count: none that is left is wrong about more than four times the error."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.attacks.reconstruction import MISLEADING, RANDOM, try_everything, worst_found
from dpengine.attacks.reconstruction.exhaustive import tables_left
from dpengine.errors import InvalidParameterError
from tests.running.cases import each


def left_one_by_one(asked, answers, people, most):
    return [
        table
        for table in range(2**people)
        if all(
            abs(answer - (int(group) & table).bit_count()) <= most for group, answer in zip(asked, answers, strict=True)
        )
    ]


@each("asked", [np.arange(64), np.array([3, 3, 60, 21, 0, 63]), np.array([5])])
@each("most", [0, 1, 3])
def test_the_tables_left_are_those_found_one_by_one(asked, most):
    rng = np.random.default_rng(most)
    answers = np.bitwise_count(asked & 0b101101) + rng.integers(-most, most, size=asked.size, endpoint=True) * 1.0
    ours = tables_left(asked, answers, people=6, most=most)
    assert ours.tolist() == left_one_by_one(asked, answers, 6, most)
    assert 0b101101 in ours


@each("errors", [RANDOM, MISLEADING])
@each("people,most", [(8, 0), (12, 1), (12, 2), (16, 3)])
def test_four_times_the_error_is_never_exceeded(errors, people, most):
    for seed in range(5):
        found = try_everything(people=people, most=most, errors=errors, seed=seed)
        assert found.guarantee == 4 * most
        assert found.kept_guarantee
        assert found.tables == 2**people
        assert found.wrong[0] == 0
        assert (~found.misled.right).sum() == found.wrong[-1]
        assert (~found.found.right).sum() in found.wrong


def test_a_misleading_publisher_reaches_it_exactly():
    """With at least two ones and two zeros, an error of 1 can hide four people; none fewer would do as a bound."""
    found = [try_everything(people=12, most=1, errors=MISLEADING, seed=seed).wrong[-1] for seed in range(10)]
    assert max(found) == 4


def test_the_worst_found_is_the_worst_of_its_draws():
    tried = [int(try_everything(people=9, most=2, errors=MISLEADING, seed=seed).wrong[-1]) for seed in range(3, 8)]
    assert worst_found(people=9, most=2, errors=MISLEADING, draws=5, seed=3) == max(tried) > min(tried)
    assert worst_found(people=12, most=2, errors=MISLEADING, draws=20, seed=11) == 8
    assert worst_found(people=12, most=2, errors=RANDOM, draws=20, seed=11) == 0
    with pytest.raises(InvalidParameterError, match="draws"):
        worst_found(people=9, most=2, errors=RANDOM, draws=0, seed=3)


def test_exact_counts_leave_one_table():
    found = try_everything(people=10, most=0, seed=1)
    assert found.wrong.tolist() == [0]
    assert found.found.fraction == 1.0


def test_with_few_groups_nothing_is_proved_and_more_may_be_wrong():
    found = [try_everything(people=12, most=1, questions=12, seed=seed) for seed in range(10)]
    assert all(one.guarantee is None for one in found)
    assert all(one.kept_guarantee for one in found)
    assert max(one.wrong[-1] for one in found) > 4


def test_an_error_beyond_the_claimed_one_breaks_the_guarantee():
    """The control: a check that cannot fail would prove nothing."""
    people, secret = 8, 0b11110000
    every = np.arange(2**people)
    answers = np.bitwise_count(every & 0b00001111) * 1.0
    left = tables_left(every, answers, people=people, most=1)
    assert max((int(table) ^ secret).bit_count() for table in left) > 4


@each("wrong", [{"people": 21}, {"people": 1}, {"most": -1}, {"share": 1.0}, {"errors": "never"}, {"questions": 0}])
def test_what_cannot_be_tried_gets_a_sentence(wrong):
    with pytest.raises(InvalidParameterError, match=next(iter(wrong))):
        try_everything(**{"people": 6, "most": 1, "seed": 1, **wrong})
