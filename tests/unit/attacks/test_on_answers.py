"""What released answers give away once they are averaged, differenced and added up for one person."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from dpengine.accounting import epsilon as epsilon_of
from dpengine.attacks.on_answers import (
    HALF_A_PERSON,
    MOST_COMPARED,
    Answers,
    Averaged,
    Told,
    averaged,
    believed,
    differenced,
    one_person,
)
from dpengine.attacks.on_answers.terms import columns_in, condition_of, terms_of
from dpengine.beliefs import posterior_bounds
from dpengine.data import (
    And,
    Between,
    Comparison,
    IsMissing,
    Not,
    OneOf,
    Or,
)
from dpengine.errors import InvalidParameterError
from dpengine.ledger import combined
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan.amounts import cost_of, granted_by
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    StatisticalQueries,
    SumQuery,
)
from tests.examples.drawn import planned_as, released
from tests.examples.told import ILL, IN_A, OLD, OLDER, SCHEMA, SEVERAL_ROWS, answers, told
from tests.running.cases import each

BUDGET = Guarantee(epsilon=3.0)


def only(everything: Answers, **options: object) -> Averaged:
    (found,) = averaged(everything, budget=BUDGET, **options).counts  # type: ignore[arg-type]
    return found


def test_alike_answers_are_averaged_as_the_ledger_combines_them() -> None:
    asked = [(CountQuery(ILL), 103, 0.5), (CountQuery(ILL), 95, 0.5), (CountQuery(ILL), 101, 1.5)]
    found = only(answers(*(told(query, [value], epsilon=each) for query, value, each in asked)))
    ledger = combined([released(planned_as(query, each), [[value]], schema=SCHEMA) for query, value, each in asked])
    assert found.answers == 3
    assert found.average == pytest.approx(float(ledger.values[0]))
    assert found.half_width == ledger.half_width(0.95) < found.half_width_of_one
    assert found.interval == pytest.approx(ledger.interval(0.95))
    assert found.half_width_of_one == DiscreteLaplaceMechanism.from_epsilon(1.5, l1_sensitivity=1).error_quantile(0.95)


def test_how_many_more_answers_wear_the_noise_down_to_half_a_person() -> None:
    found = only(answers(told(CountQuery(), [100], epsilon=0.5), told(CountQuery(), [98], epsilon=0.25)))
    variances = [
        DiscreteLaplaceMechanism.from_epsilon(e, l1_sensitivity=1).standard_deviation ** 2 for e in (0.5, 0.25)
    ]

    def deviation(more: int) -> float:
        return (1.0 / (1 / variances[0] + 1 / variances[1] + more / variances[0])) ** 0.5

    assert found.again.guarantee.epsilon == 0.5
    assert deviation(found.more) <= HALF_A_PERSON < deviation(found.more - 1)
    assert found.cost.epsilon == found.more * 500_000_000


def test_what_they_would_cost_stands_beside_what_the_budget_grants() -> None:
    twice = answers(told(CountQuery(), [100]), told(CountQuery(), [98]))
    small, large = (averaged(twice, budget=Guarantee(epsilon=size)).counts[0] for size in (3.0, 500.0))
    assert (small.granted, small.refused) == (4, True)
    assert (large.granted, large.refused) == (998, False)
    rho = averaged(
        answers(told(CountQuery(), [100], delta=1e-6)), budget=Guarantee(epsilon=1.0, delta=1e-6), rule="concentrated"
    ).counts[0]
    each = cost_of(rho.again, SCHEMA, Neighbors.ADD_REMOVE).rho
    assert rho.granted == granted_by(Guarantee(epsilon=1.0, delta=1e-6)).rho // each - 1
    assert rho.refused


def test_no_further_answer_is_needed_where_one_has_hardly_any_noise() -> None:
    assert only(answers(told(CountQuery(), [100], epsilon=6.0))).more == 0
    assert only(answers(told(CountQuery(), [100], epsilon=2.0))).more > 0


def test_other_spellings_and_tables_of_counts_hold_the_same_count() -> None:
    both_ways = answers(
        told(CountQuery(And((ILL, IN_A))), [10]),
        told(CountQuery(And((OneOf("town", ("a",)), Not(Not(ILL))))), [12]),
        told(GroupedCountQuery(("town", "ill")), [1, 14, 2, 3, 4, 5]),
        told(HistogramQuery("ill", where=IN_A), [3, 16]),
        told(StatisticalQueries((ILL, OLD), where=IN_A), [18, 40]),
    )
    found = averaged(both_ways, budget=BUDGET).counts[0]
    assert found.asked.terms == terms_of(And((IN_A, ILL)))
    assert found.answers == 5
    alone = {count.asked.where: count for count in averaged(both_ways, budget=BUDGET).counts}
    assert alone[condition_of(terms_of(And((IN_A, OLD))))].average == 40


def test_counts_of_people_are_counts_of_rows_only_where_a_row_is_a_person() -> None:
    pair = (told(CountQuery(ILL), [10]), told(CountPeopleQuery(ILL), [12]))
    assert len(averaged(answers(*pair), budget=BUDGET).counts) == 1
    assert len(averaged(answers(*pair, schema=SEVERAL_ROWS), budget=BUDGET).counts) == 2


def test_ranges_are_averaged_range_by_range() -> None:
    ages = HistogramQuery("age", edges=(0, 50, 100))
    found = averaged(answers(told(ages, [10, 20]), told(ages, [14, 22])), budget=BUDGET).counts
    assert [(one.asked.cell, one.average) for one in found] == [("age: 0 to 50", 12.0), ("age: 50 to 100", 21.0)]
    assert not differenced(answers(told(ages, [10, 20]), told(CountQuery(OLD), [14]))).listed


def test_what_is_no_count_is_left_out_with_a_reason() -> None:
    others = (told(MeanQuery("age"), [5], [100]), told(SumQuery("age"), [5]), told(ModeQuery("town"), [1]))
    found = averaged(answers(*others, told(CountQuery(), [7])), budget=BUDGET)
    assert len(found.counts) == 1
    assert {one.told for one in found.left_out} == set(others)
    assert all("no plain count" in one.because for one in found.left_out)
    assert differenced(answers(*others)).left_out == found.left_out
    assert not averaged(answers(*others), budget=BUDGET).counts


def test_nothing_released_or_an_answer_of_another_question_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="at least one released answer"):
        answers()
    with pytest.raises(InvalidParameterError, match="as its question has parts"):
        answers(told(CountQuery(), [1, 2]))
    with pytest.raises(InvalidParameterError, match="rule"):
        averaged(answers(told(CountQuery(), [1])), budget=BUDGET, rule="best")
    with pytest.raises(InvalidParameterError, match="confidence"):
        differenced(answers(told(CountQuery(), [1])), confidence=1.0)
    with pytest.raises(InvalidParameterError, match="prior"):
        one_person(answers(told(CountQuery(), [1])), prior=1.0)
    assert answers(told(CountQuery(), [1])).told


PAIRS = (
    (None, ILL),
    (ILL, And((ILL, IN_A))),
    (ILL, And((ILL, Not(IN_A)))),
    (OLD, OLDER),
    (OneOf("town", ("a", "b")), IN_A),
    (And((OLD, ILL)), And((OLDER, ILL, IN_A))),
)
NO_PAIRS = ((ILL, IN_A), (ILL, Not(ILL)), (OLD, Between("age", 60, 70)), (ILL, Comparison("ill", "!=", False)))


@each(("larger", "smaller"), PAIRS)
def test_a_group_inside_another_is_found(larger: object, smaller: object) -> None:
    counts = {larger: 100, smaller: 99}
    for order in permutations(counts):
        found = differenced(answers(*(told(CountQuery(one), [counts[one]]) for one in order)))  # type: ignore[arg-type]
        assert found.pairs == 1
        assert found.listed[0].count == 1
        assert found.listed[0].larger.terms == terms_of(larger)  # type: ignore[arg-type]


@each(("one", "other"), NO_PAIRS)
def test_groups_that_overlap_or_only_are_spelled_otherwise_are_not(one: object, other: object) -> None:
    asked = (told(CountQuery(one), [100]), told(CountQuery(other), [99]))  # type: ignore[arg-type]
    assert not differenced(answers(*asked)).listed


def test_rows_are_not_subtracted_from_people() -> None:
    pair = (told(CountQuery(), [10]), told(CountPeopleQuery(ILL), [12]))
    assert not differenced(answers(*pair, schema=SEVERAL_ROWS)).listed
    assert differenced(answers(*pair)).listed


@each("epsilons", [(0.3, 0.3), (0.2, 0.9), (2.0, 3.0)])
def test_the_interval_of_a_difference_is_that_of_both_noises(epsilons: tuple[float, float]) -> None:
    asked = answers(told(CountQuery(), [100], epsilon=epsilons[0]), told(CountQuery(ILL), [60], epsilon=epsilons[1]))
    found = differenced(asked).listed[0]
    steps = np.arange(-400.0, 401.0)
    laws = [DiscreteLaplaceMechanism.from_epsilon(e, l1_sensitivity=1).probability(steps) for e in epsilons]
    law = np.convolve(np.asarray(laws[0]), np.asarray(laws[1]))
    reach = np.abs(np.arange(law.size) - law.size // 2)
    assert found.count == 40
    assert law[reach <= found.half_width].sum() >= 0.95 - 1e-12
    assert law[reach <= found.half_width - 1.0].sum() < 0.95
    assert found.interval == (40 - found.half_width, 40 + found.half_width)


def test_repeated_questions_sharpen_a_difference_and_are_paid_for_once_each() -> None:
    cells = told(StatisticalQueries((ILL, And((ILL, IN_A)))), [50, 49])
    found = differenced(answers(cells)).listed[0]
    assert (found.count, found.cost.epsilon) == (1, 500_000_000)
    again = differenced(answers(cells, cells)).listed[0]
    assert again.cost.epsilon == 1_000_000_000
    assert again.half_width < found.half_width


def test_a_group_of_one_with_hardly_any_noise_points_at_a_person() -> None:
    loud, quiet = (
        differenced(answers(told(CountQuery(), [100], epsilon=e), told(CountQuery(ILL), [99], epsilon=e))).listed[0]
        for e in (0.5, 8.0)
    )
    assert loud.may_be_one_person
    assert not loud.tells_one_from_none
    assert not loud.points_at_people
    assert quiet.points_at_people
    assert quiet.group == Not(ILL)
    many = answers(told(CountQuery(), [100], epsilon=8.0), told(CountQuery(ILL), [9], epsilon=8.0))
    assert not differenced(many).listed[0].points_at_people


def test_beliefs_after_a_difference_are_those_of_both_charges() -> None:
    pair = answers(told(CountQuery(), [100], epsilon=0.5), told(CountQuery(ILL), [99], epsilon=0.6))
    half, given = differenced(pair, prior=0.1).listed[0].beliefs
    assert (half.before, given.before) == (0.5, 0.1)
    assert half.most == pytest.approx(math.exp(1.1) / (1.0 + math.exp(1.1)))
    assert (given.least, given.most) == pytest.approx(posterior_bounds(0.1, epsilon=1.1))
    assert [belief.before for belief in differenced(pair).listed[0].beliefs] == [0.5]


def test_only_so_many_counts_are_compared_and_pairs_shown() -> None:
    many = [told(CountQuery(Comparison("age", ">=", age)), [age]) for age in range(70)]
    found = differenced(answers(*many), most=7)
    assert (found.counts, found.compared, len(found.listed)) == (70, MOST_COMPARED, 7)
    assert found.pairs == MOST_COMPARED * (MOST_COMPARED - 1) // 2


def test_of_one_person_everything_counts_whatever_its_kind() -> None:
    everything = answers(told(CountQuery(), [1], epsilon=0.5), told(MeanQuery("age"), [1], [2], epsilon=0.7))
    found = one_person(everything, prior=0.1, delta=1e-6, budget=Guarantee(epsilon=2.0))
    assert (found.total.epsilon, found.answers) == (1_200_000_000, 2)
    assert found.added_up == believed(0.1, Guarantee(epsilon=1.2))
    assert found.budget == believed(0.1, Guarantee(epsilon=2.0))
    events = [one.planned.events(SCHEMA, Neighbors.ADD_REMOVE) for one in everything.told]
    exact = epsilon_of({event: 1 for one in events for event in one}, delta=1e-6, accountant="exact")
    assert found.exactly.promise == Guarantee(epsilon=exact, delta=1e-6)
    assert exact <= 1.2
    assert found.without_noise_of_100 == 100
    assert one_person(everything).budget is None


def test_many_small_answers_teach_less_than_they_add_up_to() -> None:
    many = one_person(answers(*[told(CountQuery(), [100], epsilon=0.05)] * 200), delta=1e-5)
    assert many.added_up.promise.epsilon == pytest.approx(10.0)
    assert many.exactly.promise.epsilon < 4.0
    assert many.exactly.most < many.added_up.most
    assert many.exactly.right_of_100 < many.added_up.right_of_100 == 100


def test_of_answers_with_a_delta_the_bounds_hold_for_all_but_a_share() -> None:
    gaussian = one_person(answers(told(CountQuery(), [100], epsilon=0.5, delta=1e-6)))
    assert gaussian.added_up.promise == Guarantee(epsilon=0.5, delta=1e-6)
    assert gaussian.added_up.unless == 0.001
    vector = told(StatisticalQueries((ILL, OLD, IN_A)), [1, 2, 3], epsilon=1.0, delta=1e-6)
    assert 0.5 < one_person(answers(vector)).exactly.promise.epsilon <= 1.001
    assert one_person(answers(told(CountQuery(), [100]))).added_up.unless == 0.0


def test_beliefs_as_people_of_100_never_understate() -> None:
    belief = believed(0.5, Guarantee(epsilon=1.0))
    assert (belief.least_of_100, belief.most_of_100, belief.right_of_100) == (26, 74, 74)
    assert 100 * belief.most <= belief.most_of_100
    assert 100 * belief.least >= belief.least_of_100
    nothing = believed(0.5, Guarantee(epsilon=0.0))
    assert (nothing.least_of_100, nothing.most_of_100, nothing.right_of_100) == (50, 50, 50)
    everything = believed(0.5, Guarantee(epsilon=900.0))
    assert (everything.least_of_100, everything.most_of_100) == (0, 100)
    rare = believed(0.01, Guarantee(epsilon=0.5, delta=1e-6))
    assert rare.most > posterior_bounds(0.01, epsilon=0.5)[1]
    assert rare.unless == 0.001


def test_terms_are_the_same_for_the_same_demands() -> None:
    assert terms_of(Or((ILL, OLD))) == terms_of(Or((OLD, OneOf("ill", (True,)), OLD)))
    assert terms_of(And((And((ILL, OLD)), IN_A))) == {ILL, OLD, IN_A}
    assert terms_of(Or((ILL, ILL))) == terms_of(ILL) != terms_of(Not(ILL))
    assert terms_of(Not(And((ILL, ILL)))) == {Not(ILL)}
    assert terms_of(None) == frozenset()
    assert condition_of(frozenset()) is None
    assert condition_of(terms_of(And((OLD, ILL)))) == condition_of(terms_of(And((ILL, OLD))))
    every_kind = And((Not(Or((ILL, IsMissing("age")))), Between("x", 1, 2), OneOf("y", (1, 2))))
    assert columns_in(terms_of(every_kind)) == {"ill", "age", "x", "y"}


def test_an_answer_is_what_a_release_holds() -> None:
    release = released(planned_as(CountQuery(ILL), 0.5), [[12]], schema=SCHEMA)
    assert Told(planned=release.planned_query, noisy=release.noisy) == told(CountQuery(ILL), [12])
