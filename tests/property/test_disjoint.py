"""Conditions are called disjoint where, and only where, no row satisfies both: against every row there is."""

from __future__ import annotations

import itertools
from datetime import date, timedelta

from hypothesis import event, given, settings
from hypothesis import strategies as st

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    Comparison,
    Condition,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    Schema,
    TextColumn,
)
from dpengine.queries.disjoint import disjoint
from tests.contracts.engines.rows_oracle import holds

FIRST_DAY = date(2020, 1, 1)
COLUMNS = (
    NumberColumn(name="number", lower=0, upper=2),
    CategoryColumn(name="category", categories=("a", "b", "c")),
    BooleanColumn(name="boolean"),
    DateColumn(name="date", earliest=FIRST_DAY, latest=date(2020, 1, 4)),
    TextColumn(name="text"),
)
SCHEMA = Schema(name="generated", columns=COLUMNS)
VALUES = (
    (None, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0),
    (None, "a", "b", "c"),
    (None, True, False),
    (None, *(FIRST_DAY + timedelta(days=day) for day in range(-1, 5))),
    (None, "a", "b", "neither"),
)
ROWS = [dict(zip([column.name for column in COLUMNS], row, strict=True)) for row in itertools.product(*VALUES)]

numbers = st.sampled_from([0, 1, 2.0])
days = st.integers(0, 3).map(lambda day: FIRST_DAY + timedelta(days=day))
orders = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
leaves = st.one_of(
    st.builds(Comparison, st.just("number"), orders, numbers),
    st.builds(Between, st.just("number"), numbers, numbers),
    st.builds(OneOf, st.just("number"), st.lists(numbers, min_size=1, max_size=2).map(tuple)),
    st.builds(Comparison, st.just("category"), st.sampled_from(["=", "!="]), st.sampled_from("abc")),
    st.builds(OneOf, st.just("category"), st.lists(st.sampled_from("abc"), min_size=1, max_size=2).map(tuple)),
    st.builds(Comparison, st.just("text"), st.sampled_from(["=", "!="]), st.sampled_from("ab")),
    st.builds(OneOf, st.just("text"), st.lists(st.sampled_from("ab"), min_size=1, max_size=2).map(tuple)),
    st.builds(Comparison, st.just("boolean"), st.sampled_from(["=", "!="]), st.booleans()),
    st.builds(Comparison, st.just("date"), orders, days),
    st.builds(Between, st.just("date"), days, days),
    st.builds(IsMissing, st.sampled_from([column.name for column in COLUMNS])),
)
conditions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=2).map(tuple)),
    ),
    max_leaves=6,
)


def test_two_comparisons_of_a_number_are_disjoint_where_no_number_is_left() -> None:
    """Every two of them: also those that meet between two values that are named, and nowhere else."""
    compared = [
        Comparison("number", order, value) for order in ("=", "!=", "<", "<=", ">", ">=") for value in (0, 1, 2)
    ]
    for first, second in itertools.product(compared, repeat=2):
        meets = any(holds(first, row) and holds(second, row) for row in ROWS)
        assert disjoint(first, second, SCHEMA) is not meets, (first, second)


@settings(max_examples=60, deadline=None)
@given(conditions, conditions)
def test_disjoint_is_what_no_row_contradicts(first: Condition, second: Condition) -> None:
    """The rows hold a value in every stretch that these conditions can tell apart, so both directions are decided."""
    meets = any(holds(first, row) and holds(second, row) for row in ROWS)
    event("they meet" if meets else "they never meet")
    assert disjoint(first, second, SCHEMA) is not meets
    assert disjoint(second, first, SCHEMA) is not meets
