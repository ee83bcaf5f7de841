"""Laws of errors by group and of what targets allow, whatever the numbers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.accuracy import Guess
from dpengine.accuracy.by_group import Group, regrouped, together
from dpengine.data import CategoryColumn, NumberColumn, Schema
from dpengine.feasible import Asked, Targets, feasible_epsilons
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import GroupedMeanQuery, GroupedSumQuery, HistogramQuery, Query

SCHEMA = Schema(
    name="people",
    columns=(
        NumberColumn(name="pay", lower=0, upper=100),
        CategoryColumn(name="town", categories=("a", "b", "c", "d")),
    ),
    people=1000,
)
QUERIES: tuple[Query, ...] = (HistogramQuery("town"), GroupedSumQuery("pay", "town"), GroupedMeanQuery("pay", "town"))
towns = st.lists(st.tuples(st.integers(0, 5000), st.floats(0.5, 99.5)), min_size=4, max_size=4)
epsilons = st.floats(0.01, 5.0)
few = settings(max_examples=25)


def asked(query, epsilon, groups, neighbors=Neighbors.ADD_REMOVE):
    guess = Guess(records=sum(group.size for group in groups), answer=tuple(group.answer for group in groups))
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))
    return Asked(planned=planned, schema=SCHEMA, neighbors=neighbors, guess=guess)


def groups_of(query, sizes_and_means):
    answers = {"count": lambda size, mean: size, "sum": lambda size, mean: size * mean}
    answer = answers.get(query.noun, lambda size, mean: mean)
    labelled = zip("abcd", sizes_and_means, strict=True)
    return [Group(label=label, size=size, answer=answer(size, mean)) for label, (size, mean) in labelled]


@few
@given(st.sampled_from(QUERIES), towns, epsilons, st.floats(1.0, 10.0))
def test_more_epsilon_never_hurts_any_group(query, sizes_and_means, epsilon, factor):
    groups = groups_of(query, sizes_and_means)
    less = asked(query, epsilon, groups).group_errors(groups, confidence=0.95)
    more = asked(query, epsilon * factor, groups).group_errors(groups, confidence=0.95)
    assert all(one.half_width <= other.half_width * (1 + 1e-8) for one, other in zip(more, less, strict=True))


@few
@given(towns, epsilons, st.sampled_from(list(Neighbors)))
def test_a_smaller_group_never_has_a_smaller_relative_error(sizes_and_means, epsilon, neighbors):
    groups = groups_of(QUERIES[0], sizes_and_means)
    errors = asked(QUERIES[0], epsilon, groups, neighbors).group_errors(groups, confidence=0.95)
    by_size = sorted(errors, key=lambda error: error.group.size)
    relative = [error.relative for error in by_size]
    assert relative == sorted(relative, reverse=True)


@few
@given(st.sampled_from(QUERIES), towns, epsilons, st.sets(st.integers(0, 3), min_size=2))
def test_a_merged_group_is_never_worse_off_than_the_worst_of_its_members(query, sizes_and_means, epsilon, members):
    groups = groups_of(query, sizes_and_means)
    question = asked(query, epsilon, groups)
    before = question.group_errors(groups, confidence=0.95)
    regrouping = together(groups, sorted(members))
    merged = regrouped(query, groups, regrouping)
    after = question.with_groups(len(merged)).group_errors(merged, confidence=0.95)
    place = regrouping.index(tuple(sorted(members)))
    assert after[place].half_width <= max(before[member].half_width for member in members) * (1 + 1e-8)
    if query != QUERIES[2]:
        assert after[place].relative <= min(before[member].relative for member in members) * (1 + 1e-12)
    for new, (old, *others) in enumerate(regrouping):
        assert others or after[new].half_width <= before[old].half_width * (1 + 1e-12)


@few
@given(epsilons, st.floats(0.5, 0.99), st.floats(1.01, 20.0), st.floats(0.51, 0.9))
def test_a_wider_tolerance_never_needs_more_epsilon(epsilon, confidence, factor, belief):
    groups = groups_of(QUERIES[0], [(10, 1.0)] * 4)
    question = asked(QUERIES[0], epsilon, groups)
    error = question.law(epsilon).quantile(confidence) + 0.5
    narrow = feasible_epsilons(question, Targets(error=error, belief=belief, confidence=confidence))
    wide = feasible_epsilons(question, Targets(error=error * factor, belief=belief, confidence=confidence))
    assert there(wide.least) <= there(narrow.least)
    assert wide.most == narrow.most
    assert narrow.is_empty or not wide.is_empty
    at_once = feasible_epsilons(question, Targets(error=error, confidence=confidence, together=True))
    assert there(at_once.least) >= there(narrow.least)


def there(value):
    """A number that has to be there."""
    assert value is not None
    return value
