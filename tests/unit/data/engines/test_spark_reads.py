"""What Spark reads: no view, whose code would run with the rights of this process, and files as they are now."""

import json
import os
import sys
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pytest
from pyarrow.parquet import read_table as read_table_of
from pyarrow.parquet import write_table

from dpengine.data import Comparison, NumberColumn, RowCount, Schema, read_table
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.spark_source import spark_source
from dpengine.data.engines.spark_engine import SparkEngine
from dpengine.data.engines.spark_sessions import session_of
from dpengine.errors import EngineError, IntakeError
from tests.servers.databases import Databases

SCHEMA = Schema(name="ages", columns=(NumberColumn(name="age", lower=0, upper=100),))
HONEST, LIES = 0x01020304, 1
SETS = "java_method('java.lang.System', 'setProperty', 'epsilon.loot', (SELECT max(name) FROM secret))"
LOOT = "SELECT java_method('java.lang.System', 'getProperty', 'epsilon.loot')"
MADE = (
    "CREATE TABLE ages USING parquet AS SELECT 30.0D AS age",
    "CREATE TABLE secret USING parquet AS SELECT 'eve' AS name",
    f"CREATE VIEW seen AS SELECT CASE WHEN {SETS} = 'x' THEN 0 ELSE age END AS age FROM ages",
    f"CREATE GLOBAL TEMPORARY VIEW gone AS SELECT CASE WHEN {SETS} = 'x' THEN 0 ELSE age END AS age FROM ages",
    "CREATE TABLE elsewhere USING jdbc OPTIONS (url 'jdbc:derby:memory:any;create=true', dbtable 'SYS.SYSTABLES')",
    "CREATE TABLE named USING parquet AS SELECT 30.0D AS age, 'jdbc' AS Provider, 'VIEW' AS Type",
    "CREATE TABLE softer USING orc AS SELECT 30.0D AS age",
    "CREATE TABLE apart USING parquet PARTITIONED BY (age) AS SELECT 1 AS one, 30.0D AS age",
    "CREATE TABLE loaded USING parquet OPTIONS ('parquet.private.read.filter.predicate' 'rO0=') AS SELECT 30.0D AS age",
    "CREATE TABLE lines USING csv OPTIONS (multiLine 'true') AS SELECT 30.0D AS age",
)


def test_only_files_are_read_since_code_of_a_view_or_a_source_would_run_here(databases: Databases) -> None:
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    session.sparkContext._jvm.java.lang.System.setProperty("derby.stream.error.file", os.devnull)
    engine = SparkEngine(session)
    try:
        for statement in MADE:
            session.sql(statement)
        for name in ("seen", "global_temp.gone", "elsewhere", "lines", "softer", "apart", "loaded"):
            with pytest.raises(IntakeError, match="no plain table of Parquet files"):
                read_table(databases.spark(table=name), schema=SCHEMA)
        assert session.sql(LOOT).collect()[0][0] == "null"
        for name in ("ages", "named"):
            with closing(read_table(databases.spark(table=name), schema=SCHEMA)) as table:
                assert table.run(RowCount()).tolist() == [1], "The control: the rows themselves are read."
        session.sql("SELECT age FROM seen").collect()
        assert session.sql(LOOT).collect()[0][0] == "eve", "The control: it runs for whoever reads it."
    finally:
        engine.close()
        session.sql("SELECT java_method('java.lang.System', 'clearProperty', 'epsilon.loot')").collect()
        for name in (
            "VIEW seen",
            "VIEW global_temp.gone",
            *(
                f"TABLE {made}"
                for made in ("ages", "secret", "elsewhere", "named", "lines", "softer", "apart", "loaded")
            ),
        ):
            session.sql(f"DROP {name}")


def test_a_file_that_another_one_replaced_is_read_to_its_end(databases: Databases) -> None:
    """Spark keeps the length that a file had, and leaves out rows beyond: one person would move many of them."""
    path = databases.path("nightly.parquet")
    write_table(pa.table({"age": [30.0] * 100}), path)
    with closing(read_table(databases.spark(parquet=path), schema=SCHEMA)) as table:
        assert table.run(RowCount()).tolist() == [100]
        write_table(pa.table({"age": [30.0 + row % 7 for row in range(1000)]}), path, row_group_size=100)
        assert table.run(RowCount(where=Comparison("age", ">", 0))).tolist() == [1000]


@pytest.mark.parametrize("beside", [0, 1])
def test_one_persons_missing_value_leaves_out_nobody(databases: Databases, beside: int) -> None:
    """It makes whole numbers decimal ones, which a Spark that goes on over broken files would leave out unsaid."""
    folder = Path(databases.path(f"districts{beside}"))
    folder.mkdir()
    schema = Schema(name="districts", columns=(NumberColumn(name="district", lower=0, upper=100),))
    whole, missing = pa.table({"district": [1] * 7}), pa.table({"district": [*[1.0] * 7, None]})
    for file in range(beside + 1):
        write_table(whole, folder / f"{file}.parquet")
    with closing(read_table(databases.spark(parquet=str(folder)), schema=schema)) as table:
        assert table.run(RowCount()).tolist() == [7 * (beside + 1)], "The control."
        write_table(missing, folder / "0.parquet")
        with pytest.raises(EngineError, match="could not compute" if beside else "other columns now"):
            table.run(RowCount(where=Comparison("district", ">", 0)))
        write_table(whole, folder / "0.parquet")
        (folder / "broken.parquet").write_bytes(b"PAR1 and no more of it")
        with pytest.raises(EngineError):
            table.run(RowCount(where=Comparison("district", ">", 1)))


def test_what_a_file_says_of_a_missing_column_is_not_computed(databases: Databases) -> None:
    """It is SQL, computed with the rights of whoever reads, where a file beside it has no such column."""
    folder = Path(databases.path("told"))
    folder.mkdir()
    told = {"name": "age", "type": "double", "nullable": True, "metadata": {"EXISTS_DEFAULT": "50.0D"}}
    beside = {"name": "x", "type": "double", "nullable": True, "metadata": {}}
    whole = pa.table({"age": [30.0] * 3, "x": [1.0] * 3})
    said = {"org.apache.spark.sql.parquet.row.metadata": json.dumps({"type": "struct", "fields": [told, beside]})}
    write_table(whole.replace_schema_metadata(said), folder / "a.parquet")
    write_table(pa.table({"x": [1.0] * 5}), folder / "b.parquet")
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    assert session.read.parquet(str(folder)).where("age > 0").count() == 8, "The control."
    session.sql(f"CREATE TABLE told USING parquet LOCATION '{folder}'")
    try:
        for options in ({"parquet": str(folder)}, {"table": "told"}):
            with closing(read_table(databases.spark(**options), schema=SCHEMA)) as table:
                assert table.run(RowCount(where=Comparison("age", ">", 0))).tolist() == [3]
    finally:
        session.sql("DROP TABLE told")


def test_no_module_that_a_file_names_is_imported(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of somebody's own type says in which module that is."""
    folder, importable = Path(databases.path("modules")), Path(databases.path("importable"))
    folder.mkdir()
    importable.mkdir()
    (importable / "somebodys.py").write_text("class Age: pass")
    monkeypatch.syspath_prepend(str(importable))
    own = {"type": "udt", "pyClass": "somebodys.Age", "serializedClass": "", "sqlType": "double"}
    fields = [
        {"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in (("age", "double"), ("x", own))
    ]
    said = {"org.apache.spark.sql.parquet.row.metadata": json.dumps({"type": "struct", "fields": fields})}
    write_table(pa.table({"age": [30.0] * 3, "x": [1.0] * 3}).replace_schema_metadata(said), folder / "a.parquet")
    with closing(read_table(databases.spark(parquet=str(folder)), schema=SCHEMA)) as table:
        assert table.run(RowCount(where=Comparison("age", ">", 0))).tolist() == [3]
    assert "somebodys" not in sys.modules
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    with suppress(Exception):
        session.read.parquet(str(folder)).dtypes  # noqa: B018  # to ask is enough
    assert "somebodys" in sys.modules, "The control: Spark's own reading imports it."
    sys.modules.pop("somebodys")


def test_rows_that_a_table_has_since_are_counted(databases: Databases) -> None:
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    session.sql(MADE[0])
    try:
        with closing(read_table(databases.spark(table="ages"), schema=SCHEMA)) as table:
            assert table.run(RowCount()).tolist() == [1]
            session.sql("INSERT INTO ages VALUES (31.0D), (32.0D)")
            assert table.run(RowCount(where=Comparison("age", ">", 0))).tolist() == [3]
            session.sql("INSERT OVERWRITE ages SELECT 40.0D FROM range(7)")
            assert table.run(RowCount(where=Comparison("age", "<", 99))).tolist() == [7]
    finally:
        session.sql("DROP TABLE ages")


def test_each_file_is_read_once_and_no_link_that_leads_elsewhere(databases: Databases) -> None:
    """Spark itself follows links, and a log of a writer: rows would count twice, or be another table's."""
    folder, private = Path(databases.path("a")), Path(databases.path("private"))
    for place, ages in ((folder, [30.0] * 5), (private, [77.0] * 9)):
        place.mkdir()
        write_table(pa.table({"age": ages}), place / "x.parquet")
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    with closing(read_table(databases.spark(parquet=str(folder)), schema=SCHEMA)) as table:
        assert table.run(RowCount()).tolist() == [5], "The control."
        for name in ("y.parquet", "z.parquet"):
            (folder / name).symlink_to("x.parquet")
        assert session.read.parquet(str(folder)).count() == 15, "The control."
        assert table.run(RowCount(where=Comparison("age", ">", 1))).tolist() == [5]
        (folder / "_spark_metadata").mkdir()
        named = {"path": str(folder / "x.parquet"), "size": 1, "isDir": False, "modificationTime": 1}
        told = json.dumps(named | {"blockReplication": 1, "blockSize": 1, "action": "add"})
        (folder / "_spark_metadata/0").write_text(f"v1\n{told}\n{told}")
        with pytest.raises(IntakeError, match="a log in 'a'"):
            table.run(RowCount(where=Comparison("age", ">", 2)))
        rmtree(folder / "_spark_metadata")
        (folder / "elsewhere.parquet").symlink_to(private / "x.parquet")
        with pytest.raises(IntakeError, match="leads elsewhere"):
            table.run(RowCount())
        rmtree(folder)
        folder.symlink_to(private)
        with pytest.raises(IntakeError, match="is a link"):
            table.run(RowCount())


def test_a_folder_whose_files_have_other_names_is_not_left_to_spark(databases: Databases) -> None:
    """It reads whatever lies there, a link to a file as well as the file. The control is one by its own path."""
    folder = Path(databases.path("other_names"))
    folder.mkdir()
    write_table(pa.table({"age": [30.0] * 5}), folder / "x.pq")
    (folder / "latest.pq").symlink_to("x.pq")
    with pytest.raises(IntakeError, match="No file here ends with"):
        read_table(databases.spark(parquet=str(folder)), schema=SCHEMA)
    with closing(read_table(databases.spark(parquet=str(folder / "x.pq")), schema=SCHEMA)) as table:
        assert table.run(RowCount()).tolist() == [5]


def test_a_tables_files_count_once_and_stay_while_they_are_read(databases: Databases) -> None:
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    folder = Path(databases.path("of a table"))
    folder.mkdir()
    write_table(pa.table({"age": [30.0] * 5}), folder / "x.parquet")
    session.sql(f"CREATE TABLE placed USING parquet LOCATION '{folder}'")
    try:
        address = Address.of(databases.spark(table="placed"))
        for engine, fails in ((SparkEngine(session), False), (Replacing(session), True)):
            rows = spark_source(engine, address)
            with pytest.raises(EngineError, match="changed while they were read") if fails else nullcontext():
                assert engine.rows(rows.count().as_table()) == [(5,)], "The control."
            engine.close()
        with closing(read_table(databases.spark(table="placed"), schema=SCHEMA)) as table:
            other = Path(databases.path("of another"))
            other.mkdir()
            write_table(pa.table({"age": [77.0] * 3}), other / "x.parquet")
            session.sql(f"ALTER TABLE placed SET LOCATION '{other}'")
            with pytest.raises(EngineError, match="another table now"):
                table.run(RowCount())
        (other / "y.parquet").symlink_to("x.parquet")
        with closing(read_table(databases.spark(table="placed"), schema=SCHEMA)) as table:
            assert table.run(RowCount()).tolist() == [3]
    finally:
        session.sql("DROP TABLE placed")


def test_a_table_that_is_gone_or_another_kind_is_asked_no_more(databases: Databases) -> None:
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    session.sql(MADE[0])
    try:
        with closing(read_table(databases.spark(table="ages"), schema=SCHEMA)) as table:
            assert table.run(RowCount()).tolist() == [1], "The control."
            session.sql("DROP TABLE ages")
            with pytest.raises(EngineError):
                table.run(RowCount())
            session.sql("CREATE VIEW ages AS SELECT 30.0D AS age")
            with pytest.raises(IntakeError, match="no plain table of Parquet files"):
                table.run(RowCount())
            session.sql("DROP VIEW ages")
            session.sql(MADE[0])
            assert table.run(RowCount()).tolist() == [1]
    finally:
        session.sql("DROP TABLE IF EXISTS ages")


class Replacing(SparkEngine):
    """Each time after its files were listed, another one is in their place."""

    __slots__ = ()

    def _found(self) -> list[tuple[Any, ...]]:
        found = super()._found()
        path = urlsplit(found[0][0]).path
        write_table(pa.table({"age": [30.0] * (2 * read_table_of(path).num_rows)}), path)
        return found


def test_no_answer_is_given_while_files_change(databases: Databases) -> None:
    path = databases.path("changing.parquet")
    write_table(pa.table({"age": [30.0] * 100}), path)
    session = session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])
    for engine, fails in ((SparkEngine(session), False), (Replacing(session), True)):
        rows = spark_source(engine, Address.of(databases.spark(parquet=path)))
        with pytest.raises(EngineError, match="changed while they were read") if fails else nullcontext():
            assert engine.rows(rows.count().as_table()) == [(100,)], "The control: of files that stay."
        engine.close()


@pytest.mark.parametrize("claims", [LIES, HONEST])
def test_no_row_is_left_out_because_a_files_statistics_say_so(databases: Databases, claims: int) -> None:
    path = Path(databases.path("claims.parquet"))
    write_table(
        pa.table({"age": pa.array([HONEST] * 9, type=pa.int32())}), path, use_dictionary=False, compression="none"
    )
    written, said = path.read_bytes(), HONEST.to_bytes(4, "little")
    length = int.from_bytes(written[-8:-4], "little")
    rows, footer, end = written[: -8 - length], written[-8 - length : -8], written[-8:]
    assert footer.count(said) >= 2
    path.write_bytes(rows + footer.replace(said, claims.to_bytes(4, "little")) + end)
    schema = Schema(name="ages", columns=(NumberColumn(name="age", lower=0, upper=2e7),))
    with closing(read_table(databases.spark(parquet=str(path)), schema=schema)) as table:
        assert table.run(RowCount(where=Comparison("age", ">=", 1000))).tolist() == [9]


def test_no_cell_keeps_a_question_for_longer_than_its_length(databases: Databases) -> None:
    """Java tries every way to read one: with two ways to read each digit, this would take it an hour."""
    path = databases.path("long.parquet")
    write_table(pa.table({"told": ["1" * 500_000 + "x", "1"]}), path)
    schema = Schema(name="long", columns=(NumberColumn(name="told", lower=0, upper=2),))
    with closing(read_table(databases.spark(parquet=path), schema=schema)) as table:
        assert table.run(RowCount(where=Comparison("told", "<=", 1.0))) == 1
