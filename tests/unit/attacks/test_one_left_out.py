"""One more answer, of all but one person: as noisy and as telling as the pair of counts that it would make."""

from __future__ import annotations

import pytest

from dpengine.attacks.on_answers import differenced, one_left_out
from dpengine.data import And
from dpengine.errors import InvalidParameterError
from dpengine.queries import CountPeopleQuery, CountQuery, SumQuery
from tests.examples.told import ILL, OLD, SEVERAL_ROWS, answers, told
from tests.running.cases import each


@each("epsilon", [0.1, 1.0, 40.0])
def test_one_more_answer_is_what_the_pair_with_it_would_be(epsilon: float) -> None:
    asked = told(CountQuery(ILL), [14], epsilon=epsilon)
    found = one_left_out(answers(asked))
    pair = differenced(answers(asked, told(CountQuery(And((ILL, OLD))), [13], epsilon=epsilon))).listed[0]
    assert found is not None
    assert (found.asked, found.answers, found.half_width) == (pair.larger, 1, pair.half_width)
    assert found.tells_one_from_none is (epsilon == 40.0)


def test_one_more_answer_needs_a_count_of_people() -> None:
    assert one_left_out(answers(told(SumQuery("age"), [100]))) is None
    rows = one_left_out(answers(told(CountQuery(ILL), [9]), schema=SEVERAL_ROWS))
    both = answers(told(CountQuery(ILL), [9]), told(CountPeopleQuery(ILL), [4]), schema=SEVERAL_ROWS)
    assert rows is None
    assert one_left_out(both) is not None
    with pytest.raises(InvalidParameterError, match="confidence"):
        one_left_out(both, confidence=0.0)
