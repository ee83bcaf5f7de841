"""The budget page stops where the ledger's whole billionths stop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from hypothesis import example, given
from hypothesis import strategies as st

from dpengine.data import CategoryColumn, NumberColumn, Schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors, nanos_down, nanos_up
from dpengine.queries import CountQuery, MeanQuery, Query
from dpengine.scenario import Scenario
from dpengine.spending import Spending

SCHEMA = Schema(
    name="trial",
    columns=(NumberColumn(name="age", lower=0, upper=120), CategoryColumn(name="sex", categories=("f", "m"))),
)
QUERIES: tuple[Query, ...] = (CountQuery(), MeanQuery("age"))
nanos = st.one_of(st.integers(10, 10**10), st.integers(1, 100).map(lambda tenths: tenths * 10**8))
asked = st.lists(st.tuples(st.sampled_from(QUERIES), nanos), min_size=1, max_size=40)


@given(asked, st.integers(0, 39), st.integers(-1, 1))
@example([(CountQuery(), 10**8)] * 30, 29, 0)
@example([(CountQuery(), 10**8)] * 31, 29, 0)
@example([(CountQuery(), 10**8)] * 30, 29, -1)
@example([(CountQuery(), 100_000_001)] * 30, 29, -1)
def test_adding_up_refuses_the_question_that_the_ledger_refuses(
    questions: Sequence[tuple[Query, int]], place: int, more: int
) -> None:
    """At the budget that just fits the first questions, at one billionth less and at one billionth more."""
    planned = tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=cost / 1e9)) for query, cost in questions)
    charged = [sum(map(nanos_up, one.shares(SCHEMA, Neighbors.ADD_REMOVE))) for one in planned]
    totals = list(accumulate(charged))
    budget = Guarantee(epsilon=(totals[min(place, len(totals) - 1)] + more) / 1e9, delta=1e-6)
    refused = next((i for i, total in enumerate(totals, start=1) if total > nanos_down(budget.epsilon)), None)
    scenario = Scenario(
        table_name="trial", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, queries=planned, budget=budget
    )
    assert Spending(scenario=scenario, rounds=1, budget=budget).first_refused("basic") == refused
