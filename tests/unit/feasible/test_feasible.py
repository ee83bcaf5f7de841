"""The epsilons that meet two targets, and the changes that make there be some: each enough, and no less of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpengine import calibration
from dpengine.accuracy import Guess
from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.errors import InvalidParameterError
from dpengine.feasible import Asked, Changes, Targets, feasible_epsilons
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from tests.running.cases import each

SMOKES = Comparison("smokes", "=", value=True)
SCHEMA = Schema(
    name="patients",
    columns=(
        NumberColumn(name="age", lower=0, upper=100, complete=True),
        BooleanColumn(name="smokes"),
        CategoryColumn(name="ward", categories=tuple("abcdefgh")),
    ),
    people=2000,
)
VISITS = replace(
    SCHEMA, columns=(*SCHEMA.columns, TextColumn(name="who")), unit=PrivacyUnit(identifier="who", rows=20, groups=None)
)
EIGHT = Guess(records=2000, answer=(250,) * 8)


def asked(query, guess, *, gaussian=False, neighbors=Neighbors.ADD_REMOVE, schema=SCHEMA, delta=1e-6):
    noise = "gaussian" if gaussian else "laplace"
    guarantee = Guarantee(epsilon=1.0, delta=delta if gaussian else 0.0)
    planned = PlannedQuery(query=query, guarantee=guarantee, mechanism=noise)
    return Asked(planned=planned, schema=schema, neighbors=neighbors, guess=guess)


COUNT = asked(CountQuery(SMOKES), Guess(records=2000, answer=600))
MEAN = asked(MeanQuery("age"), Guess(records=2000, answer=40))
EVERY = {
    "count": COUNT,
    "count, Gaussian": asked(CountQuery(SMOKES), Guess(records=2000, answer=600), gaussian=True),
    "sum": asked(SumQuery("age"), Guess(records=2000, answer=80_000)),
    "mean": MEAN,
    "mean, public number": asked(MeanQuery("age"), Guess(records=2000, answer=40), neighbors=Neighbors.REPLACE_ONE),
    "share": asked(ProportionQuery(SMOKES), Guess(records=2000, answer=0.3)),
    "share, public number": asked(
        ProportionQuery(SMOKES), Guess(records=2000, answer=0.3), neighbors=Neighbors.REPLACE_ONE, gaussian=True
    ),
    "histogram": asked(HistogramQuery("ward"), EIGHT),
    "grouped, many rows each": asked(GroupedCountQuery("ward"), EIGHT, schema=VISITS),
    "grouped means": asked(GroupedMeanQuery("age", "ward"), Guess(records=2000, answer=(40,) * 7 + (70,))),
    "many counts": asked(StatisticalQueries((SMOKES, Comparison("age", ">", 50))), Guess(records=2000, answer=(9, 9))),
    "many shares": asked(
        SeveralProportionsQuery((SMOKES, Comparison("age", ">", 50))), Guess(records=2000, answer=(0.3, 0.8))
    ),
    "many shares of a public number": asked(
        SeveralProportionsQuery((SMOKES, Comparison("age", ">", 50))),
        Guess(records=2000, answer=(0.3, 0.8)),
        neighbors=Neighbors.REPLACE_ONE,
    ),
    "choice": asked(ModeQuery("ward"), Guess(records=2000, answer=0)),
}


def demanding(question, *, together=False, share=5.0):
    """An error a fifth of what epsilon 0.2 gives, for whom a belief of 55 allows no more than that."""
    law = question.law(0.2)
    error = law.quantile(0.95, question.coordinates if together else 1) / share
    return Targets(error=error, belief=0.55, together=together)


@each(
    ("name", "together"),
    [(name, together) for name, one in EVERY.items() for together in (False, True)[: one.coordinates]],
)
def test_every_change_is_enough_by_itself_and_a_little_less_is_not(name, together):
    question = EVERY[name]
    require_least_changes(question, demanding(question, together=together))


@each("name", [name for name, one in EVERY.items() if name != "choice"])
def test_the_least_epsilon_for_all_numbers_at_once_is_where_their_half_width_becomes_the_error(name):
    """The half-width that a headline says and the target that is turned around are one and the same error."""
    question, near = EVERY[name], 0.37

    def half_width(epsilon):
        return question.law(epsilon).quantile(0.95, question.coordinates)

    error = half_width(near) * (1.0 + 1e-6)
    least = there(feasible_epsilons(question, Targets(error=error, together=True)).least)
    assert half_width(least) <= error * (1.0 + 1e-9)
    assert least <= near * (1.0 + 1e-6)
    one_by_one = there(feasible_epsilons(question, Targets(error=error)).least)
    assert half_width(0.99 * least) > error
    assert (one_by_one < least) == (question.coordinates > 1)


@pytest.mark.slow
def test_the_simulated_error_of_a_variance_has_its_least_changes_too():
    question = asked(VarianceQuery("age"), Guess(records=2000, answer=400, mean=45))
    require_least_changes(question, demanding(question), hair=1e-3)


def require_least_changes(question, targets, *, hair=1e-6):
    """No epsilon meets the targets; each change alone makes one do, and a little less of it does not."""
    found = feasible_epsilons(question, targets)
    changes = found.changes
    assert found.is_empty
    assert there(found.least) > there(found.most) == pytest.approx(0.2, rel=0.01)

    def solved(other=question, **changed):
        return not feasible_epsilons(other, replace(targets, **changed)).is_empty

    assert solved(error=there(changes.error))
    assert not solved(error=there(changes.error) * (1 - hair))
    assert solved(belief=there(changes.belief))
    assert not solved(belief=there(changes.belief) - 1e-5)
    if question.shrinks_with_records:
        assert changes.times_as_large is None
        assert solved(question.with_records(there(changes.records)))
        assert not solved(question.with_records(there(changes.records) - 1))
    else:
        assert changes.records is None
        assert solved(error=there(changes.times_as_large) * there(targets.error))
        assert not solved(error=there(changes.times_as_large) * there(targets.error) * (1 - hair))
    if changes.groups is not None:
        assert 1 <= changes.groups < question.coordinates
        assert solved(question.with_groups(changes.groups))
        assert changes.groups + 1 == question.coordinates or not solved(question.with_groups(changes.groups + 1))
    assert changes.laplace == (question.planned.mechanism == "gaussian" and solved(question.without_delta()))


def test_laplace_noise_is_offered_where_it_would_do():
    question = EVERY["count, Gaussian"]
    offered = feasible_epsilons(question, demanding(question, share=2.0)).changes
    assert offered.laplace
    assert not feasible_epsilons(question, demanding(question, share=5.0)).changes.laplace
    assert not feasible_epsilons(COUNT, demanding(COUNT, share=2.0)).changes.laplace


def test_fewer_groups_help_where_groups_share_people_and_nowhere_else():
    def groups(name, *, together, share):
        question = EVERY[name]
        return feasible_epsilons(question, demanding(question, together=together, share=share)).changes.groups

    assert groups("grouped means", together=False, share=2.0) == 4
    assert groups("many counts", together=False, share=2.0) == 1
    assert groups("histogram", together=False, share=1.3) is None
    assert groups("histogram", together=True, share=1.3) == 2
    assert groups("count", together=False, share=1.3) is None


@each(("answers", "hardest"), [((40, 70), 70), ((10, 60), 10), ((5, 95, 2), 2)])
def test_fewer_groups_keep_the_mean_that_is_farthest_from_the_middle(answers, hardest):
    guess = Guess(records=2000, answer=tuple(answers[place % len(answers)] for place in range(8)))
    question = asked(GroupedMeanQuery("age", "ward"), guess)
    assert question.with_groups(3).guess.answers == (hardest,) * 3


def test_met_targets_need_no_change_and_say_the_range():
    found = feasible_epsilons(COUNT, Targets(error=30.0, belief=0.7))
    assert (found.least, found.most) == (0.09819, calibration.epsilon_for_belief(prior=0.5, belief=0.7))
    assert not found.is_empty
    assert found.changes == Changes()


@each("name", EVERY)
def test_the_least_is_what_the_planned_question_solves_for(name):
    question = EVERY[name]
    error = question.law(0.3).quantile(0.9)
    found = feasible_epsilons(question, Targets(error=error, confidence=0.9))
    least = question.planned.least_epsilon(
        question.schema, question.neighbors, question.guess, error=error, confidence=0.9
    )
    assert there(found.least) == least <= 0.3001
    assert found.most is None
    assert not found.is_empty


def test_one_target_alone_or_none():
    assert not feasible_epsilons(COUNT, Targets()).is_empty
    found = feasible_epsilons(COUNT, Targets(belief=0.55))
    assert found.least is None
    assert not found.is_empty
    assert found.most == 0.2006


def test_an_error_that_no_epsilon_keeps_is_empty_and_says_what_would_do():
    question = asked(MeanQuery("age"), Guess(records=5, answer=40))
    found = feasible_epsilons(question, Targets(error=1e-6))
    assert found.is_empty
    assert found.least is None
    records = there(found.changes.records)
    assert found.changes.belief is None
    assert not feasible_epsilons(question.with_records(records), Targets(error=1e-6)).is_empty
    assert feasible_epsilons(question.with_records(records - 1), Targets(error=1e-6)).is_empty


def test_a_delta_that_allows_more_by_itself_asks_for_a_smaller_one():
    question = asked(CountQuery(), Guess(records=2000, answer=600), gaussian=True, delta=1e-3)
    targets = Targets(error=100.0, belief=0.7)
    found = feasible_epsilons(question, targets)
    assert found.is_empty
    assert found.most is None
    assert found.changes.belief is None, "No belief is kept at that delta."
    delta = there(found.changes.delta)
    assert not feasible_epsilons(question.with_delta(delta), targets).is_empty
    assert feasible_epsilons(question.with_delta(10 * delta), targets).is_empty


def test_a_belief_too_close_to_the_prior_for_any_plan_still_gets_an_answer():
    found = feasible_epsilons(COUNT, Targets(error=30.0, belief=0.5 + 1e-11))
    assert found.is_empty
    assert found.changes.error is None
    assert found.changes.belief == pytest.approx(0.5245, abs=1e-4)


def test_a_range_below_the_smallest_epsilon_tried_is_no_empty_one():
    found = feasible_epsilons(COUNT, Targets(error=1e9, belief=0.5 + 1e-6))
    assert not found.is_empty
    assert there(found.least) == there(found.most) < calibration.LOWEST_EPSILON


@each("bad", [{"error": 0.0}, {"error": -1.0}, {"belief": 0.4}, {"belief": 1.0}, {"confidence": 1.0}, {"prior": 0.0}])
def test_senseless_targets_are_refused(bad):
    with pytest.raises(InvalidParameterError):
        Targets(**bad)
    assert Targets(error=1.0, belief=0.6, confidence=0.9, prior=0.1).belief == 0.6


def there(value):
    """A number that has to be there."""
    assert value is not None
    return value
