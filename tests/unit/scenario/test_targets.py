"""What a person assumes and aims at: kept as it is, or refused by name."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.scenario import PlanTargets
from dpengine.scenario.targets import MOST_QUERIES
from tests.running.cases import each


def test_numpys_numbers_are_kept_as_plain_ones():
    targets = PlanTargets(confidence=np.float64(0.9), errors=np.array([1.0, 2.0]), question=np.int64(3))  # type: ignore[arg-type]
    assert targets == PlanTargets(confidence=0.9, errors=(1.0, 2.0), question=3)
    assert [type(targets.confidence), type(targets.errors[0]), type(targets.question)] == [float, float, int]


@each("name", ["confidence", "prior", "belief"])
@each("share", [0, 1, -0.1, 1.5, math.nan, True, "0.5"])
def test_a_share_outside_its_range(name, share):
    with pytest.raises(InvalidParameterError, match=f"^{name} must be"):
        PlanTargets(**{name: share})


@each("name", ["confidence", "prior"])
def test_a_share_that_is_missing(name):
    with pytest.raises(InvalidParameterError, match=name):
        PlanTargets(**{name: None})  # type: ignore[arg-type]


@each("error", [-1, math.inf, math.nan, "3", True])
def test_an_error_that_nobody_can_accept(error):
    with pytest.raises(InvalidParameterError, match="error"):
        PlanTargets(errors=(1.0, error))


@each("question", [-1, 0.5, MOST_QUERIES, True, None])
def test_a_question_that_cannot_be(question):
    with pytest.raises(InvalidParameterError, match="question"):
        PlanTargets(question=question)


@each("place", [-1, 0.5, MOST_QUERIES, True, None])
def test_a_place_that_no_question_has(place):
    assert PlanTargets(one_by_one=np.array([MOST_QUERIES - 1])).one_by_one == (MOST_QUERIES - 1,)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"one_by_one|question"):
        PlanTargets(one_by_one=(0, place))


@each("name", ["rows", "people"])
@each("number", [0, -1, 2.5, "300000", True])
def test_a_size_that_no_table_has(name, number):
    assert getattr(PlanTargets(**{name: np.int64(300_000)}), name) == 300_000  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=name):
        PlanTargets(**{name: number})


def test_as_many_errors_as_questions():
    assert len(PlanTargets(errors=(0.0,) * MOST_QUERIES, question=MOST_QUERIES - 1).errors) == MOST_QUERIES
    with pytest.raises(InvalidParameterError, match="question"):
        PlanTargets(errors=(0.0,) * (MOST_QUERIES + 1))


def test_the_open_question_stays_open_and_where_it_is_gone_the_one_in_its_place_is():
    said = PlanTargets(errors=(1.0, None, 3.0), question=2)
    assert said.followed([0, 2]) == PlanTargets(errors=(1.0, 3.0), question=1)
    alone = replace(said, one_by_one=(2, 0, 2))
    assert alone.one_by_one == (0, 2)
    assert alone.followed([2, None, 1]) == PlanTargets(errors=(3.0,), one_by_one=(0,))
    assert said.followed([0, 1]) == PlanTargets(errors=(1.0,), question=1)
    assert said.followed([2, None, 0]) == PlanTargets(errors=(3.0, None, 1.0))
    assert said.followed([]) == PlanTargets()
    assert PlanTargets(errors=(1.0,)).followed([400]) == PlanTargets()
