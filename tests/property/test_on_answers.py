"""Whatever was released: the order does not matter, more answers never widen, bounds lie on the safe side."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.attacks.on_answers import Told, averaged, believed, differenced, one_person
from dpengine.beliefs import posterior_bounds
from dpengine.data import And, Condition, Not
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from tests.examples.told import ILL, IN_A, OLD, OLDER, answers, told

BUDGET = Guarantee(epsilon=3.0)
CONDITIONS: tuple[Condition | None, ...] = (None, ILL, And((ILL, IN_A)), And((IN_A, ILL)), Not(ILL), OLD, OLDER)
EPSILONS = st.sampled_from((0.1, 0.5, 1.0))
VALUES = st.integers(-50, 5000)
COUNTS = st.builds(
    lambda where, value, epsilon: told(CountQuery(where), [value], epsilon=epsilon),
    st.sampled_from(CONDITIONS),
    VALUES,
    EPSILONS,
)
CELLS = st.builds(
    lambda no, yes, epsilon: told(HistogramQuery("ill"), [no, yes], epsilon=epsilon), VALUES, VALUES, EPSILONS
)
OTHERS = st.builds(lambda epsilon: told(MeanQuery("age"), [0], [100], epsilon=epsilon), EPSILONS)
SOME = st.lists(st.one_of(COUNTS, CELLS, OTHERS), min_size=1, max_size=7)


@settings(max_examples=20)
@given(SOME.flatmap(lambda some: st.tuples(st.just(some), st.permutations(some))))
def test_the_order_of_answers_does_not_matter(both: tuple[list, list]) -> None:
    one, other = (answers(*some) for some in both)
    assert averaged(one, budget=BUDGET) == averaged(other, budget=BUDGET)
    assert differenced(one, prior=0.2) == differenced(other, prior=0.2)
    assert one_person(one) == one_person(other)


@settings(max_examples=20)
@given(SOME, COUNTS)
def test_another_answer_never_widens_an_average_and_never_teaches_less(some: list, more: Told) -> None:
    before = {count.asked: count for count in averaged(answers(*some), budget=BUDGET).counts}
    for count in averaged(answers(*some, more), budget=BUDGET).counts:
        if count.asked in before:
            assert count.more <= before[count.asked].more
            assert count.half_width <= before[count.asked].half_width * 1.02
            assert count.granted <= before[count.asked].granted or count.again != before[count.asked].again
    assert one_person(answers(*some, more)).added_up.most >= one_person(answers(*some)).added_up.most


@given(st.floats(0.001, 0.999), st.floats(0.0, 20.0), st.sampled_from((0.0, 1e-9, 1e-6, 1e-3)))
def test_people_of_100_are_never_below_the_belief(prior: float, epsilon: float, delta: float) -> None:
    belief = believed(prior, Guarantee(epsilon=epsilon, delta=delta))
    least, most = posterior_bounds(prior, epsilon=epsilon)
    assert belief.most_of_100 >= 100 * most - 1e-6
    assert belief.least_of_100 <= 100 * least + 1e-6
    assert belief.right_of_100 >= 100 * max(prior, 1 - prior) - 1e-6
