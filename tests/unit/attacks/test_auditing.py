"""Ways around an auditor: each keeps its rule, and each tells the secret, whatever it is."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.attacks import denial, grid, pair, tracker
from dpengine.errors import InvalidParameterError
from tests.running.cases import each

RNG = np.random.default_rng(4)
BITS = RNG.random(200) < 0.4


@each("person", [0, 57, 199])
def test_large_counts_tell(person: int) -> None:
    found = pair(BITS, person=person)
    assert found.told == BITS[person]
    assert found.smallest == 199


@each("person", [0, 57, 199])
def test_a_tracker_tells(person: int) -> None:
    wide = np.arange(200) % 10 == person % 10
    found = tracker(BITS, person=person, wide=wide, narrow=np.arange(200) == person)
    assert found.told == BITS[person]
    assert (found.smallest, found.largest) == (19, 20)
    with pytest.raises(InvalidParameterError, match="singles this person out"):
        tracker(BITS, person=person, wide=wide, narrow=wide)


@each("person", [0, 57, 199])
@each("size", [2, 3, 10])
def test_questions_that_hardly_overlap_tell(person: int, size: int) -> None:
    found = grid(BITS, person=person, size=size)
    assert found.told == BITS[person]
    assert len(found.questions) == 2 * size - 1
    assert found.smallest == found.largest == size
    assert found.most_shared == 1
    assert all(one.answer == BITS[sorted(one.about)].sum() for one in found.questions)


def test_a_grid_needs_enough_people() -> None:
    with pytest.raises(InvalidParameterError, match="so small that"):
        grid(BITS, person=0, size=20)


def test_a_refusal_tells_and_an_answer_does_not() -> None:
    assert denial([31, 40, 86]).told == 86
    assert denial([31, 86, 40]).told is None
    with pytest.raises(InvalidParameterError):
        denial([40, 40, 40])
