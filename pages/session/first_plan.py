"""The ready-made plans of the built-in tables: what a newcomer sees first."""

from __future__ import annotations

from collections.abc import Mapping

from dpengine.data import Between, Comparison, sample_schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery, HistogramQuery, MeanQuery, ProportionQuery, Query
from dpengine.scenario import Scenario

BUDGET = Guarantee(epsilon=3.0, delta=1e-6)
FIRST_EPSILON = 0.1

QUESTIONS: Mapping[str, tuple[Query, ...]] = {
    "rand_hie": (
        CountPeopleQuery(where=Comparison("hospital_stays", ">", 0)),
        MeanQuery("medical_dollars"),
        HistogramQuery("self_rated_health"),
    ),
    "anes_1996": (
        ProportionQuery(having=Comparison("expected_vote", "=", "clinton")),
        MeanQuery("age"),
        HistogramQuery("party"),
    ),
    "patients": (
        CountQuery(where=Comparison("disease", "=", "mumps")),
        HistogramQuery("disease"),
        CountQuery(where=Between("age", 65, 120)),
    ),
}


def first_plan(name: str) -> Scenario:
    """A small budget, a few questions, the promise that hides whether a person is there at all."""
    guarantee = Guarantee(epsilon=FIRST_EPSILON)
    queries = tuple(PlannedQuery(query=query, guarantee=guarantee) for query in QUESTIONS[name])
    return Scenario(
        table_name=name, schema=sample_schema(name), neighbors=Neighbors.ADD_REMOVE, queries=queries, budget=BUDGET
    )
