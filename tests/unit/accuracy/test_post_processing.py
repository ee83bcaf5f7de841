"""What is done to noisy counts afterwards."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.accuracy.lessons.post_processing import largest, rounded_to, share_of, sum_of, without_negatives
from dpengine.errors import InvalidParameterError
from tests.running.cases import each

NOISY = [60.0, 21.0, 88.0, -2.0]


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(-1e6, 1e6)), min_size=1))
def test_no_count_moves_away_from_the_truth(pairs: list[tuple[float, float]]) -> None:
    exact, noisy = (np.array(values) for values in zip(*pairs, strict=True))
    assert np.all(np.abs(without_negatives(noisy) - exact) <= np.abs(noisy - exact))


def test_each_thing_done_by_hand() -> None:
    assert without_negatives(NOISY).tolist() == [60, 21, 88, 0]
    assert rounded_to(NOISY, step=10).tolist() == [60, 20, 90, 0]
    assert sum_of(NOISY, [0, 3]) == 58.0
    assert share_of(NOISY, 1) == pytest.approx(21 / 169)
    assert largest(NOISY) == 2


def test_nothing_left_is_a_share_of_nothing() -> None:
    assert share_of([-3.0, 0.0], 1) == 0.0


@each("counts", [[], [math.nan], 3.0, [[1.0]]])
def test_no_list_of_counts_is_refused(counts: object) -> None:
    with pytest.raises(InvalidParameterError):
        without_negatives(counts)  # type: ignore[arg-type]


def test_no_step_is_refused() -> None:
    with pytest.raises(InvalidParameterError):
        rounded_to(NOISY, step=0.0)
