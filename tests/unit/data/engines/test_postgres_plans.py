"""What PostgreSQL makes of a question: how long it takes is not to depend on one person's text and the conditions."""

from __future__ import annotations

import pytest

from dpengine.data import Aggregate, And, Comparison, ConditionCounts, Or, RowCount
from dpengine.data.aggregates.aggregate_expressions import totals
from dpengine.data.connected.connections import open_connected
from dpengine.data.engines.postgres_engine import PostgreSQLEngine
from dpengine.data.engines.postgres_sql import postgres_sql
from tests.servers.databases import Databases
from tests.unit.data.engines.postgres_tables import SCHEMA, visits

MANY = tuple(Comparison("who", "=", f"x{number}") for number in range(20))
YOUNG = Comparison("age", "<", 35)


@pytest.mark.parametrize(
    "aggregate", [RowCount(where=And((YOUNG, Or(MANY)))), ConditionCounts(conditions=MANY, where=YOUNG)]
)
def test_a_text_is_read_once_a_row_however_many_conditions_are_about_it(
    databases: Databases, aggregate: Aggregate
) -> None:
    """Of a megabyte, each reading takes a tenth of a second: many would show whether another condition holds."""
    with visits(databases.cluster), databases.cluster.connect() as owner:
        opened = open_connected(databases.cluster.url("visits"), schema=SCHEMA, salt="s")
        engine = opened.engine
        assert isinstance(engine, PostgreSQLEngine)
        statement = postgres_sql(totals(aggregate, opened.rows[0]), **engine._stored)
        engine.close()
        plans = [
            " ".join(row[0] for row in owner.execute(f"EXPLAIN (VERBOSE) {asked}"))
            for asked in (statement, statement.replace(" OFFSET 0", ""))
        ]
    once, control = (plan.count("btrim(") for plan in plans)
    assert once == 1 < control
