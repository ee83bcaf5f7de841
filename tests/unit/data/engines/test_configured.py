"""Tables of the server's configuration, picked by name."""

from datetime import date, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import CategoryColumn, DateColumn, NumberColumn, RowCount, Schema, TextColumn
from dpengine.data.connected.connections import OPENERS
from dpengine.data.intake.configured import TABLES_VARIABLE, ConfiguredTable, configured_tables
from dpengine.data.intake.description import LOOKS, describe
from dpengine.data.intake.preview import ColumnGuess
from dpengine.data.typed.misfits import misfits_of
from dpengine.errors import IntakeError

GOOD = """
[visits]
url = "postgresql://reader:${VISITS_PASSWORD}@db:5432/clinic?table=public.visits"
description = "Visits since 2019"

["the survey"]
url = "parquet:///data/survey.parquet"
"""


def written(tmp_path, text):
    path = tmp_path / "tables.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_tables_are_found_by_name_in_the_order_of_the_file(tmp_path):
    path = written(tmp_path, GOOD)
    environment = {TABLES_VARIABLE: str(path), "VISITS_PASSWORD": "p@ss/word"}
    tables = configured_tables(environment=environment)
    assert list(tables) == ["visits", "the survey"]
    assert tables["visits"].url == "postgresql://reader:p%40ss%2Fword@db:5432/clinic?table=public.visits"
    assert (tables["visits"].description, tables["the survey"].description) == ("Visits since 2019", "")
    assert "pass" not in repr(tables)
    assert configured_tables(path, environment=environment) == tables
    assert configured_tables(environment={}) == {}


@pytest.mark.parametrize(
    "text, reason",
    [
        ("[visits\nurl = 'secret'", r"not written in TOML \(at line 1"),
        ("[visits]\nurl = secret", r"not written in TOML \(at line 2"),
        ("[visits]\n", "'visits' is configured without its address"),
        ("visits = 'parquet:///secret'", "'visits' is configured without its address"),
        ("[visits]\nurl = 7", "'visits' is configured without its address"),
        ("[visits]\nurl = 'parquet:///secret'\npassword = 'secret'", "'visits' is configured with 'password'"),
        ("[visits]\nurl = 'parquet:///secret'\ndescription = 1", "'visits'.*description must be"),
        ("[visits]\nurl = 'mysql://u:secret@h/d'", "'visits'.*'mysql' addresses cannot be opened"),
        ("[visits]\nurl = 'postgresql://u:sec/ret@h/d'", "'visits'.*must read scheme"),
        (
            "[visits]\nurl = 'postgresql://u:${ABSENT}@h/d?table=secret'",
            "'visits' needs the environment variable ABSENT",
        ),
        ("[' ']\nurl = 'parquet:///secret'", "name must be"),
    ],
)
def test_faults_are_told_by_section_without_the_address(tmp_path, text, reason):
    with pytest.raises(IntakeError, match=reason) as refused:
        configured_tables(written(tmp_path, text), environment={})
    assert "secret" not in str(refused.value)
    assert refused.value.__cause__ is refused.value.__context__ is None


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(IntakeError, match=r"absent\.toml"):
        configured_tables(environment={TABLES_VARIABLE: str(tmp_path / "absent.toml")})


def test_a_configured_table_is_described_and_opened(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"age": [30.5, None], "n": [7, 7], "city": ["Rome", "Rome"], "odd": [[1], [2]]}), path)
    table = configured_tables(written(tmp_path, f"[t]\nurl = 'parquet://{path}'"))["t"]
    look = table.describe(rows=1)
    assert [(column.name, column.kind) for column in look.columns] == [
        ("age", "number"),
        ("n", "number"),
        ("city", "category"),
        ("odd", "text"),
    ]
    assert (look.rows, look.sampled) == ((("30.5", "7", "Rome", ""),), 2)
    opened = table.open(Schema(name="t", columns=(NumberColumn(name="age", lower=0, upper=99),)))
    assert opened.run(RowCount()).tolist() == [2]
    opened.close()


def test_what_would_be_lost_of_a_table_is_told_before_it_is_used_as_it_will_be(tmp_path):
    noon = datetime(2020, 2, 1, 12)  # noqa: DTZ001 - as databases have it
    columns = {
        "written": ["1.212,72", "3", None],
        "age": [30.5, float("nan"), 500.0],
        "seen": [datetime(2020, 1, 31), noon, None],  # noqa: DTZ001
        "ward": [1, 2, 7],
        "note": ["a", "b", "c"],
    }
    path, days = tmp_path / "t.parquet", (date(2020, 1, 1), date(2020, 12, 31))
    pq.write_table(pa.table(columns), path)
    schema = Schema(
        name="t",
        columns=(
            NumberColumn(name="written", lower=0, upper=9000),
            NumberColumn(name="age", lower=0, upper=100),
            DateColumn(name="seen", earliest=days[0], latest=days[1]),
            CategoryColumn(name="ward", categories=("1", "2")),
            TextColumn(name="note"),
        ),
    )
    table = ConfiguredTable(name="t", url=f"parquet://{path}")
    look = table.describe()
    assert look.sample is not None
    found = misfits_of(look.sample, schema.columns)
    assert [(one.name, one.misfits, one.cells, one.examples) for one in found] == [
        ("written", 1, 2, ("1.212,72",)),
        ("age", 1, 3, ("nan",)),
        ("seen", 1, 2, ("2020-02-01 12:00:00",)),
        ("ward", 1, 3, ("7",)),
    ]
    opened = table.open(schema)
    assert [one.misfits for one in opened.intake_report.columns] == [1, 1, 1, 1, 0], "The same, once it is used."
    opened.close()


def test_every_kind_of_table_that_can_be_opened_can_be_described():
    assert list(LOOKS) == list(OPENERS)


def test_a_table_in_postgresql_is_described(databases):
    with databases.cluster.connect() as connection:
        connection.execute(
            "CREATE TABLE looked AS SELECT 1.5::numeric AS paid, true AS ill, date '2020-01-31' AS day, x AS id, "
            "'yes' AS word, repeat('long', 900) AS essay, NULL::json AS odd FROM generate_series(1, 2000) x"
        )
        look = ConfiguredTable(name="t", url=databases.cluster.url("looked")).describe()
        connection.execute("DROP TABLE looked")
    kinds = {column.name: column.kind for column in look.columns}
    assert kinds == {
        "paid": "number",
        "ill": "boolean",
        "day": "date",
        "id": "text",
        "word": "category",
        "essay": "category",
        "odd": "text",
    }
    assert (len(look.rows), look.sampled, max(len(cell) for row in look.rows for cell in row)) == (20, 1000, 200)
    assert look.rows[0][:3] == ("1.5", "true", "2020-01-31")


def test_an_empty_table_in_postgresql_is_described_by_its_types(databases):
    with databases.cluster.connect() as connection:
        connection.execute("CREATE TABLE bare (a int, b text, c date)")
        look = describe(databases.cluster.url("bare"))
        connection.execute("DROP TABLE bare")
    assert look.columns == (
        ColumnGuess(name="a", kind="number"),
        ColumnGuess(name="b", kind="text"),
        ColumnGuess(name="c", kind="date"),
    )
    assert (look.rows, look.sampled) == ((), 0)


def test_a_table_in_spark_is_described(databases):
    path = databases.path("looked.parquet")
    pq.write_table(pa.table({"age": [30.5, None], "city": ["Rome", "Rome"], "odd": [[1], [2]]}), path)
    look = describe(databases.spark(parquet=path))
    assert [column.kind for column in look.columns] == ["number", "category", "text"]
    assert look.rows == (("30.5", "Rome", ""), ("", "Rome", ""))
