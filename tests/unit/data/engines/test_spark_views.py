"""Views in Spark: what stands in them would run with the rights of this process, so they are not read."""

from contextlib import closing

import pytest

from dpengine.data import NumberColumn, RowCount, Schema, read_table
from dpengine.data.connected.addresses import Address
from dpengine.data.engines.spark_engine import SparkEngine
from dpengine.data.engines.spark_sessions import session_of
from dpengine.errors import IntakeError
from tests.servers.databases import Databases

SCHEMA = Schema(name="ages", columns=(NumberColumn(name="age", lower=0, upper=100),))
SETS = "java_method('java.lang.System', 'setProperty', 'epsilon.loot', (SELECT max(name) FROM secret))"
LOOT = "SELECT java_method('java.lang.System', 'getProperty', 'epsilon.loot')"
MADE = (
    "CREATE TABLE ages USING parquet AS SELECT 30.0D AS age",
    "CREATE TABLE secret USING parquet AS SELECT 'eve' AS name",
    f"CREATE VIEW seen AS SELECT CASE WHEN {SETS} = 'x' THEN 0 ELSE age END AS age FROM ages",
)


def test_a_view_is_not_read_since_its_code_would_run_here(databases: Databases) -> None:
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    engine = SparkEngine(session)
    try:
        for statement in MADE:
            session.sql(statement)
        with pytest.raises(IntakeError, match="This is a view"):
            read_table(databases.spark(table="seen"), schema=SCHEMA)
        assert session.sql(LOOT).collect()[0][0] == "null"
        with closing(read_table(databases.spark(table="ages"), schema=SCHEMA)) as table:
            assert table.run(RowCount()).tolist() == [1], "The control: the rows themselves are read."
        session.sql("SELECT age FROM seen").collect()
        assert session.sql(LOOT).collect()[0][0] == "eve", "The control: it runs for whoever reads it."
    finally:
        engine.close()
        session.sql("SELECT java_method('java.lang.System', 'clearProperty', 'epsilon.loot')").collect()
        for name in ("VIEW seen", "TABLE ages", "TABLE secret"):
            session.sql(f"DROP {name}")
