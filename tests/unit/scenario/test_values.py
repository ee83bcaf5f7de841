"""Whatever an engine's value accepts can be saved and comes back equal; anything else is refused by name."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpengine.data import (
    DEPTH,
    And,
    Between,
    Comparison,
    Condition,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    Schema,
    require_condition,
)
from dpengine.errors import InvalidParameterError, ScenarioError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery
from dpengine.scenario import Scenario
from tests.examples.ledgers import SCHEMA, asking
from tests.running.cases import each

ARGUMENTS: dict[str, Any] = {
    "table_name": "t",
    "schema": SCHEMA,
    "neighbors": Neighbors.ADD_REMOVE,
    "budget": Guarantee(epsilon=1.0),
}


def scenario_of(*queries, schema=SCHEMA):
    return Scenario(**(ARGUMENTS | {"schema": schema, "queries": queries}))


@each(
    "name, value",
    [
        ("table_name", None),
        ("schema", "visits"),
        ("neighbors", "add_remove"),
        ("budget", 1.0),
        ("queries", None),
        ("queries", (CountQuery(),)),
        ("queries", asking(1.0)),
        ("rule", None),
    ],
)
def test_a_field_of_another_kind_is_named(name, value):
    with pytest.raises(InvalidParameterError, match=f"^{name} must be"):
        Scenario(**(ARGUMENTS | {name: value}))


@each("read", [Scenario.from_json, Scenario.from_link])
@each("text", [None, 5, b"{}"])
def test_only_text_is_read(read, text):
    with pytest.raises(InvalidParameterError, match=r"^text must be of the kind text"):
        read(text)


def test_numpys_numbers_are_saved():
    column = NumberColumn(name="x", lower=np.int64(0), upper=np.float32(8))  # type: ignore[arg-type]
    schema = Schema(name="t", columns=(column,), people=np.int64(9))  # type: ignore[arg-type]
    where = And(
        (
            Comparison("x", ">", np.int64(1)),  # type: ignore[arg-type]
            OneOf("x", np.arange(3)),  # type: ignore[arg-type]
            Between("x", np.float32(0.5), np.float64(2)),  # type: ignore[arg-type]
        )
    )
    query = HistogramQuery("x", np.linspace(0, 8, 3), where)  # type: ignore[arg-type]
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=np.float32(0.5), delta=np.int64(0)))  # type: ignore[arg-type]
    scenario = scenario_of(planned, schema=schema)
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_link(scenario.to_link()) == scenario


def test_equal_plans_are_saved_alike():
    whole, real = (scenario_of(asking(epsilon)) for epsilon in (1, 1.0))
    assert whole == real
    assert whole.to_json() == real.to_json()
    assert json.loads(whole.to_json())["queries"][0]["guarantee"]["epsilon"] == 1.0


@each("kind", [And, Or, Not])
def test_the_deepest_condition_that_may_be_asked_can_be_saved(kind):
    condition: Condition = OneOf("age", (1, 2))
    for _ in range(DEPTH):
        condition = Not(condition) if kind is Not else kind((condition, IsMissing("age")))
    require_condition(condition, SCHEMA)
    scenario = scenario_of(asking(1.0, CountQuery(condition)))
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_link(scenario.to_link()) == scenario


@each("unit, reason", [("\ud800", "half a letter"), ("long" * 1000, "at most 1,000"), ("km² of 1,000", "")])
def test_a_text_that_nobody_could_write_or_read_is_refused_where_a_plan_comes_in(unit, reason):
    """JSON has such texts; a page, a file or a ledger that took one would end in an error for ever."""
    schema = replace(SCHEMA, columns=(replace(SCHEMA.columns[0], unit=unit), *SCHEMA.columns[1:]))
    plan = scenario_of(schema=schema)
    for back, told in ((Scenario.from_json, plan.to_json()), (Scenario.from_link, plan.to_link())):
        if reason:
            with pytest.raises(ScenarioError, match=reason):
                back(told)
        else:
            assert back(told).schema == schema, "The control."
