"""One total shared out: to the billionth, never above it, and what is locked never moves."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.errors import InvalidParameterError
from dpengine.privacy import nanos_down
from dpengine.spending import shares
from tests.running.cases import each

amounts = st.lists(st.integers(shares.LEAST, 10**10), min_size=1, max_size=12)


def nanos(values: tuple[float, ...]) -> list[int]:
    return [nanos_down(value) for value in values]


def test_the_others_give_in_proportion() -> None:
    assert shares.moved((0.1, 0.2, 0.6), place=0, to=0.5, total=0.9) == (0.5, 0.1, 0.3)


def test_what_is_locked_stays() -> None:
    assert shares.moved((0.1, 0.2, 0.6), place=0, to=0.2, total=0.9, locked=[2]) == (0.2, 0.1, 0.6)
    assert shares.scaled((0.1, 0.2, 0.6), total=1.8, locked=[0]) == (0.1, 0.425, 1.275)
    assert shares.equal((0.1, 0.2, 0.6), total=0.9, locked=[1]) == (0.35, 0.2, 0.35)


def test_a_question_that_is_moved_may_be_locked_itself() -> None:
    assert shares.moved((0.1, 0.2), place=0, to=0.2, total=0.3, locked=[0]) == (0.2, 0.1)


def test_billionths_that_do_not_divide_are_given_out_one_by_one() -> None:
    assert shares.equal((0.1, 0.1, 0.1), total=1.0) == (0.333333334, 0.333333333, 0.333333333)
    assert shares.sum_of((0.1,) * 3) == 0.3


@each(
    ("wish", "sentence"),
    [
        (lambda: shares.moved((0.1, 0.2), place=0, to=0.4, total=0.3), "question 1 must be between 0.000001 and"),
        (lambda: shares.moved((0.1, 0.2), place=0, to=0.2, total=0.3, locked=[1]), "must be 0.1, since all others"),
        (lambda: shares.moved((0.1,), place=0, to=0.2, total=0.3), "must be 0.3, since all others"),
        (lambda: shares.scaled((0.1, 0.2), total=0.15, locked=[1]), "at least 0.200001, of which 0.2 is locked"),
        (lambda: shares.equal((0.1, 0.2), total=0.4, locked=[0, 1]), "must be 0.3, as all questions are locked"),
        (lambda: shares.scaled((0.1, 0.2), total=float("nan")), "The total must be"),
        (lambda: shares.scaled((0.1, 0.2), total=-1.0), "The total must be"),
    ],
)
def test_an_impossible_wish_gets_a_sentence(wish: object, sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence):
        wish()  # type: ignore[operator]


def test_everything_locked_at_its_own_total_is_no_contradiction() -> None:
    assert shares.equal((0.1, 0.2), total=0.3, locked=[0, 1]) == (0.1, 0.2)


@given(
    amounts,
    st.integers(shares.LEAST, 10**11),
    st.sets(st.integers(0, 11)),
    st.integers(0, 11),
    st.integers(shares.LEAST, 10**10),
)
def test_the_sum_is_the_total_and_proportions_stay(
    given: list[int], total: int, locked: set[int], place: int, wish: int
) -> None:
    """Against exact fractions: each unlocked share is within a billionth of its proportion, unless at the least."""
    place %= len(given)
    locked = {one for one in locked if one < len(given) and one != place}
    held, free = sum(given[i] for i in locked), [i for i in range(len(given)) if i not in locked and i != place]
    start = tuple(amount / 1e9 for amount in given)
    possible = shares.LEAST <= wish <= total - held - shares.LEAST * len(free) if free else wish == total - held
    if not possible:
        with pytest.raises(InvalidParameterError):
            shares.moved(start, place=place, to=wish / 1e9, total=total / 1e9, locked=locked)
        return
    after = nanos(shares.moved(start, place=place, to=wish / 1e9, total=total / 1e9, locked=locked))
    assert sum(after) == total
    assert after[place] == wish
    assert all(after[i] == given[i] for i in locked)
    assert all(after[i] >= shares.LEAST for i in free)
    if free and min(after[i] for i in free) > shares.LEAST + 1:
        whole = sum(given[i] for i in free)
        assert all(abs(after[i] - Fraction((total - held - wish) * given[i], whole)) < 1 for i in free)
