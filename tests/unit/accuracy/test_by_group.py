"""Whom the noise hurts, and what merging groups changes."""

from __future__ import annotations

import math

import pytest

from dpengine.accuracy import Guess, answer_error, guess_from_rows
from dpengine.accuracy.by_group import (
    Group,
    GroupError,
    exact_groups,
    group_errors,
    guessed_groups,
    neighbors_together,
    regrouped,
    sizes_question,
    smallest_first,
    smallest_together,
    together,
    without_smallest,
)
from dpengine.data import Comparison, sample_schema
from dpengine.errors import InvalidParameterError
from dpengine.feasible import Asked
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    HistogramQuery,
    StatisticalQueries,
)
from tests.examples.tables import shared_sample
from tests.running.cases import each

SCHEMA = sample_schema("patients")
ADD_REMOVE = Neighbors.ADD_REMOVE
MEANS = GroupedMeanQuery("age", "disease")


def asked(query, epsilon=0.5):
    guess = guess_from_rows(query, SCHEMA, ADD_REMOVE, shared_sample("patients")[0])
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))
    return Asked(planned=planned, schema=SCHEMA, neighbors=ADD_REMOVE, guess=guess)


def groups_of(question):
    query = question.planned.query
    sizes = guess_from_rows(sizes_question(query), SCHEMA, ADD_REMOVE, shared_sample("patients")[0])
    labels = question.planned.parts(SCHEMA, ADD_REMOVE)[0].labels
    return exact_groups(labels, sizes=sizes, answers=question.guess)


def test_every_count_has_the_same_noise_and_a_share_of_its_own():
    question = asked(HistogramQuery("disease"))
    errors = question.group_errors(groups_of(question), confidence=0.95)
    half_width = question.law(0.5).quantile(0.95)
    assert {error.half_width for error in errors} == {half_width}
    assert [error.relative for error in errors] == [half_width / error.group.size for error in errors]
    assert sum(error.group.size for error in errors) == 2000
    assert [error.pays for error in errors] == [half_width > 0.1 * error.group.size for error in errors]
    enough = errors[0].large_enough
    for size, pays in ((enough, False), (enough - 1.0, True)):
        group = Group(label="another", size=size, answer=size)
        assert GroupError(group=group, half_width=half_width).pays is pays


def test_a_mean_has_the_law_of_its_own_group():
    question = asked(MEANS)
    groups = groups_of(question)
    parts = MEANS.parts(SCHEMA, ADD_REMOVE)
    mechanisms = question.planned.mechanisms(SCHEMA, ADD_REMOVE)
    errors = group_errors(MEANS, parts, mechanisms, groups, confidence=0.9)
    for error in errors:
        alone = Guess(records=error.group.size * len(groups), answer=error.group.answer)
        assert error.half_width == answer_error(MEANS, parts, mechanisms, alone).quantile(0.9)
    by_size = sorted(errors, key=lambda error: error.group.size)
    assert by_size[0].half_width > by_size[-1].half_width


def test_sizes_of_means_and_sums_are_the_rows_with_a_value():
    assert sizes_question(MEANS) == sizes_question(GroupedSumQuery("age", "disease"))
    assert sizes_question(HistogramQuery("disease")) == HistogramQuery("disease")
    counted = [group.size for group in groups_of(asked(MEANS))]
    assert counted == [group.size for group in groups_of(asked(GroupedCountQuery("disease")))]


def test_no_answer_at_all_is_all_noise():
    empty = Group(label="nobody", size=0.0, answer=0.0)
    assert math.isinf(GroupError(group=empty, half_width=3.0).relative)
    assert GroupError(group=empty, half_width=0.0).relative == 0.0


COUNTED = tuple(
    Group(label=label, size=size, answer=size) for label, size in zip("abcd", (30.0, 5.0, 90.0, 5.0), strict=True)
)


def test_ways_to_regroup():
    assert smallest_first(COUNTED) == (1, 3, 0, 2)
    assert smallest_together(COUNTED, 2) == ((0,), (1, 3), (2,))
    assert smallest_together(COUNTED, 4) == ((0, 1, 2, 3),)
    assert together(COUNTED, [3, 0]) == ((0, 3), (1,), (2,))
    assert together(COUNTED, []) == ((0,), (1,), (2,), (3,))
    assert neighbors_together(COUNTED) == ((0, 1), (2, 3))
    assert neighbors_together(COUNTED[:3]) == ((0, 1), (2,))
    assert without_smallest(COUNTED, 1) == ((0,), (2,), (3,))
    assert without_smallest(COUNTED, 9) == ((2,),), "One is always kept."


def test_counts_add_up_and_means_are_weighted():
    query = HistogramQuery("disease")
    merged = regrouped(query, COUNTED, ((0, 2), (1,)))
    assert merged == (Group(label="a + c", size=120.0, answer=120.0), COUNTED[1])
    means = (Group(label="a", size=30.0, answer=10.0), Group(label="b", size=10.0, answer=50.0))
    assert regrouped(MEANS, means, ((0, 1),))[0].answer == 20.0
    nobody = tuple(Group(label=label, size=0.0, answer=answer) for label, answer in (("a", 10.0), ("b", 30.0)))
    assert regrouped(MEANS, nobody, ((0, 1),))[0].answer == 20.0


def test_guessed_groups():
    histogram = HistogramQuery("disease")
    guess = Guess(records=100, answer=(25.0, 25.0))
    assert [group.size for group in guessed_groups(histogram, "ab", guess)] == [25.0, 25.0]
    assert [group.answer for group in guessed_groups(histogram, "ab", guess, sizes=(90, 10))] == [90.0, 10.0]
    sums = guessed_groups(
        GroupedSumQuery("age", "sex"), "ab", Guess(records=100, answer=(2000.0, 2000.0)), sizes=(9, 1)
    )
    assert [group.answer for group in sums] == [3600.0, 400.0]
    means = guessed_groups(MEANS, "ab", Guess(records=100, answer=(40.0, 60.0)))
    assert [(group.size, group.answer) for group in means] == [(50.0, 40.0), (50.0, 60.0)]


@each("sizes", [(1.0,), (1.0, 2.0, 3.0), (-1.0, 2.0)])
def test_senseless_sizes_are_refused(sizes):
    with pytest.raises(InvalidParameterError):
        guessed_groups(HistogramQuery("sex"), "ab", Guess(records=10, answer=(5.0, 5.0)), sizes=sizes)


def test_as_many_groups_as_answers():
    question = asked(HistogramQuery("sex"))
    with pytest.raises(InvalidParameterError, match=r"^groups must be"):
        question.group_errors(groups_of(question)[:1], confidence=0.95)
    assert len(question.group_errors(groups_of(question), confidence=0.95)) == 2


def test_fewer_statistical_queries_share_the_epsilon():
    conditions = tuple(Comparison("age", ">", bound) for bound in (20, 40, 60, 80))
    question = asked(StatisticalQueries(conditions))
    before = question.group_errors(groups_of(question), confidence=0.95)
    kept = regrouped(question.planned.query, groups_of(question), without_smallest(groups_of(question), 2))
    after = question.with_groups(2).group_errors(kept, confidence=0.95)
    assert [error.group.label for error in after] == [error.group.label for error in before[:2]]
    assert after[0].half_width == pytest.approx(before[0].half_width / 2, rel=0.05), "Half the counts, half the noise."
