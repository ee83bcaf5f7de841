"""Tables in PostgreSQL: read-only, silent about cells and passwords, and stoppable."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Comparison,
    ConditionCounts,
    FixedPointSum,
    NumberColumn,
    PeopleCount,
    PrivacyUnit,
    RowCount,
    Schema,
    Table,
    TextColumn,
    read_table,
)
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.postgres_source import postgres_engine
from dpengine.errors import EngineError, IntakeError
from dpengine.privacy import Guarantee
from dpengine.release import release
from tests.examples.ledgers import asking, ledger_at, opened
from tests.unit.data.engines.postgres_tables import SCHEMA, table_of, visits

CELL = "unmistakable cell"


@pytest.fixture
def cluster(databases):
    return databases.cluster


def chain(error):
    """An error and everything that Python keeps with it, as a log would print it."""
    told = []
    while error is not None:
        told.append(f"{error!r} {error} {vars(error)}")
        error = error.__cause__ or error.__context__
    return " ".join(told)


def test_rows_are_counted_where_they_are_and_a_live_table_is_read_anew(cluster):
    with visits(cluster) as table:
        assert table.run(RowCount(where=Comparison("age", ">", 35))).tolist() == [2]
        with cluster.connect() as connection:
            connection.execute("INSERT INTO visits VALUES (60, 'eve')")
        assert table.run(RowCount(where=Comparison("age", ">", 35))).tolist() == [3]


def test_nothing_can_be_written(cluster):
    engine = postgres_engine(Address.of(cluster.url("visits")))
    for statement in ("CREATE TABLE planted (x int)", "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"):
        with pytest.raises(EngineError):
            engine.texts(statement)
    with engine._lent() as connection, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        connection.execute("CREATE TABLE planted (x int)")
    assert engine.texts("SHOW default_transaction_read_only") == [("on",)]
    with cluster.connect() as connection:
        connection.execute("CREATE TABLE planted (x int)")
        connection.execute("DROP TABLE planted")
    engine.close()


def test_no_password_is_told(cluster, caplog):
    caplog.set_level(logging.DEBUG)
    url = cluster.url("visits")
    assert cluster.password in str(Address.of(url).password), "the control: it is there"
    with visits(cluster) as table:
        told = [repr(table), repr(table._opened), repr(table._opened.engine), repr(Address.of(url))]
    wrong = url.replace(cluster.user, "somebody"), url.replace("127.0.0.1", "127.0.0.2"), url + "&other=1"
    for one in (*wrong, url.replace("visits", "absent"), url.replace(str(cluster.port), "port")):
        with pytest.raises((EngineError, IntakeError)) as refused:
            read_table(one, schema=SCHEMA)
        told.append(chain(refused.value))
    secret = cluster.password[:16]
    assert secret not in " ".join(told) + caplog.text
    with pytest.raises(psycopg.OperationalError) as raw:
        psycopg.connect(wrong[0].partition("?")[0])
    assert "somebody" in str(raw.value), "the control: the driver quotes what it was given"


def test_errors_quote_no_cell(cluster):
    """A view may fail by itself; what it says is about a cell."""
    failing = (
        f"CREATE VIEW {{}} AS SELECT CAST('{CELL}' || x AS float8) AS age, 'a' AS who FROM generate_series(1, 3) x"
    )
    with table_of(cluster, "failing", failing, SCHEMA) as table:
        with pytest.raises(EngineError) as refused:
            table.run(RowCount(where=Comparison("age", ">", 35)))
        assert CELL not in chain(refused.value)
        with cluster.connect() as connection, pytest.raises(psycopg.DataError) as raw:
            connection.execute("SELECT sum(age) FROM failing")
        assert CELL in chain(raw.value), "the control"


ENDLESS = """
    CREATE VIEW {} AS SELECT 1.5::float8 AS age, 'a' AS who
    FROM generate_series(1, 100000) a, generate_series(1, 100000) b
"""
RUNNING = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND application_name = 'epsilon-explorer'"


def test_a_long_question_can_be_stopped_and_the_next_is_answered(cluster):
    with table_of(cluster, "endless", ENDLESS, SCHEMA) as table, ThreadPoolExecutor(2) as threads:
        asked = threads.submit(table.run, RowCount(where=Comparison("age", ">", 1)))
        while not connection_count(cluster, RUNNING):
            assert not asked.done()
            time.sleep(0.02)
        table.interrupt()
        with pytest.raises(EngineError):
            asked.result(timeout=10)
        assert table._opened.engine.texts("SELECT 1") == [(1,)]
        table.interrupt()
        assert table._opened.engine.texts("SELECT 2") == [(2,)]


def test_it_is_closed_while_a_question_runs(cluster):
    with table_of(cluster, "endless", ENDLESS, SCHEMA) as table, ThreadPoolExecutor(1) as threads:
        asked = threads.submit(table.run, RowCount(where=Comparison("age", ">", 1)))
        while not connection_count(cluster, RUNNING):
            assert not asked.done()
        table._opened.engine.close()
        for answer in (partial(asked.result, timeout=10), partial(table.run, RowCount())):
            with pytest.raises(EngineError):
                answer()


def test_a_question_may_take_only_so_long(cluster):
    began = time.monotonic()
    with table_of(cluster, "endless", ENDLESS, SCHEMA, seconds="1") as table, pytest.raises(EngineError):
        table.run(RowCount(where=Comparison("age", ">", 1)))
    assert 0.9 < time.monotonic() - began < 20


def test_several_threads_may_ask_at_once_and_lost_connections_are_replaced(cluster):
    with visits(cluster) as table, ThreadPoolExecutor(6) as threads:
        ages = list(range(25, 55, 5)) * 3
        counts = threads.map(lambda age: int(table.run(RowCount(where=Comparison("age", ">=", age)))[0]), ages)
        assert list(counts) == [sum(age <= one for one in (30, 40, 50)) for age in ages]
        assert threading.active_count() > 1
        ours = "pid <> pg_backend_pid() AND application_name = 'epsilon-explorer'"
        with cluster.connect() as connection:
            ended = connection.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}"
            ).fetchall()
        assert ended
        assert table.run(RowCount()).tolist() == [3]


def test_a_release_is_charged_and_the_budget_belongs_to_the_place(cluster, tmp_path):
    ledger = ledger_at(tmp_path / "budget.db")
    with visits(cluster) as table:
        account = opened(ledger, table, epsilon=1.0)
        answer = release(asking(0.75), table, account, request_id="once")
        assert answer.answer is not None
        with cluster.connect() as connection:
            connection.execute("INSERT INTO visits VALUES (60, 'eve')")
        again = read_table(cluster.url("public.visits"), schema=SCHEMA)
        found = ledger.account_of(again)
        assert found is not None
        assert found.remaining == Guarantee(epsilon=0.25)
        again.close()
        with visits_elsewhere(cluster) as other:
            assert ledger.account_of(other) is None, "the control: another place has no account yet"


@contextmanager
def visits_elsewhere(cluster):
    with table_of(cluster, "visits2", "CREATE TABLE {} AS SELECT * FROM visits", SCHEMA) as table:
        yield table


HOSTILE = ['a"b', "a'b; DROP TABLE x; --", "%s %(x)s {}", "\\", "naïve 東京", "$$", "select", "a.b", "age"]


@pytest.mark.parametrize("table_name", ['t"; DROP TABLE x; --', "naïve.dot", "SELECT"])
def test_hostile_names_reach_sql_only_quoted(cluster, table_name):
    columns = SQL(", ").join(SQL("{} AS {}").format(Literal(str(i)), Identifier(n)) for i, n in enumerate(HOSTILE))
    with cluster.connect() as connection:
        connection.execute(SQL("CREATE TABLE {} AS SELECT {}").format(Identifier(table_name), columns))
        schema = Schema(
            name="t",
            columns=tuple(CategoryColumn(name=name, categories=(str(i),)) for i, name in enumerate(HOSTILE)),
        )
        quoted = '"' + table_name.replace('"', '""') + '"'
        table = read_table(cluster.url(f"public.{quoted}"), schema=schema)
        each = tuple(Comparison(name, "=", str(i)) for i, name in enumerate(HOSTILE))
        assert table.run(ConditionCounts(conditions=each)).tolist() == [1] * len(HOSTILE)
        assert table.run(CategoryCounts(column=HOSTILE[1], values=("1",))).tolist() == [1]
        assert table.intake_report.columns[3].misfits == 0
        table.close()
        connection.execute(SQL("DROP TABLE {}").format(Identifier(table_name)))


def test_text_means_the_same_whatever_its_kind_and_collation(cluster):
    """An enumeration, a domain, padded text, and text that takes a for A and accents for nothing."""
    with cluster.connect() as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('Rome', 'Paris')")
        connection.execute("CREATE DOMAIN town AS varchar(9)")
        connection.execute("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
    kinds = {"enumerated": "mood", "named": "town", "padded": "char(9)", "blind": "text COLLATE blind"}
    columns = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    schema = Schema(
        name="t",
        columns=tuple(CategoryColumn(name=name, categories=("Rome", "rome", "Paris")) for name in kinds),
    )
    with table_of(cluster, "kinds", f"CREATE TABLE {{}} ({columns})", schema) as table:
        with cluster.connect() as connection:
            connection.execute(
                "INSERT INTO kinds VALUES ('Rome', 'Rome', 'Rome', 'Rome'), ('Paris', ' rome ', 'rome', 'rome')"
            )
        found = {
            name: table.run(CategoryCounts(column=name, values=("Rome", "rome", "Paris"))).tolist() for name in kinds
        }
        assert found == {"enumerated": [1, 0, 1], "named": [1, 1, 0], "padded": [1, 1, 0], "blind": [1, 1, 0]}
        assert connection_count(cluster, "SELECT count(*) FROM kinds WHERE blind = 'rome'") == 2, "the control"
    with cluster.connect() as connection:
        connection.execute("DROP TYPE mood; DROP DOMAIN town; DROP COLLATION blind")


def connection_count(cluster, statement):
    with cluster.connect() as connection:
        return connection.execute(statement).fetchone()[0]


def test_as_many_columns_as_may_be_declared_and_people_by_native_numbers(cluster):
    names = [f"c{i}" for i in range(199)]
    columns = ", ".join(f"(x % 7)::text AS {name}" for name in names)
    schema = Schema(name="wide", columns=(TextColumn(name="id"),), unit=PrivacyUnit(identifier="id", rows=2))
    wide = f"CREATE TABLE {{}} AS SELECT x % 10 AS id, {columns} FROM generate_series(1, 100) x"
    with table_of(cluster, "wide", wide, schema) as table:
        assert table.run(RowCount()).tolist() == [20]
        assert table.run(PeopleCount()).tolist() == [10]


@pytest.mark.parametrize("lower, upper", [(-1e99, 1e100), (-1e90, 1e90), (0, 1e9), (-1e-99, 1e-99)])
def test_sums_are_exact_on_the_coarsest_and_the_finest_grid(cluster, lower, upper):
    """A product that underflows or overflows is an error in PostgreSQL, and would be one that depends on the rows."""
    column = NumberColumn(name="x", lower=lower, upper=upper)
    values = [lower, upper, lower / 3, upper / 7, 0.0, 5e-324, -5e-324, 1e-200, 0.5, -1.0, -1.7e308, 1.7e308]
    schema = Schema(name="t", columns=(column,))
    first, last = column.on_grid(lower), column.on_grid(upper)
    distances = [column.on_grid(min(max(value, lower), upper)) - first for value in values]
    asked = FixedPointSum(column="x", fraction_bits=column.fraction_bits, lower=first, upper=last, center=first)
    for kind in ("float8", "text"):
        rows = ", ".join(f"('{value!r}'::{kind})" for value in values)
        with table_of(cluster, "grid", f"CREATE TABLE {{}} AS SELECT * FROM (VALUES {rows}) v (x)", schema) as table:
            assert table.run(asked).tolist() == [sum(distances)]


def test_words_in_capitals_beyond_ascii(cluster):
    column = BooleanColumn(name="said", true_words=("sí", "ж"), false_words=("k",))
    words = "('SÍ'), ('sí'), ('Ж'), ('K'), (U&'\\212A'), ('SI')"
    with table_of(
        cluster,
        "said",
        f"CREATE TABLE {{}} AS SELECT * FROM (VALUES {words}) v (said)",
        Schema(name="t", columns=(column,)),
    ) as table:
        assert table.run(CategoryCounts(column="said", values=(True, False))).tolist() == [3, 2]


NOWHERE = (
    ("?table=visits", "?table=absent"),
    ("?table=visits", "?table=pg_catalog.absent"),
    ("?table=visits", ""),
    ("?table=visits", "?table=a.b.c"),
    ("?table=visits", "?table=visits&statement_timeout=0"),
    ("?table=visits", "?table=visits&seconds=soon"),
    ("/postgres", "/"),
    ("/postgres", "/absent"),
    ("tester:", "nobody:"),
)


def test_addresses_that_lead_nowhere_are_refused_in_words(cluster):
    with visits(cluster):
        good = cluster.url("visits")
        read_table(good, schema=SCHEMA).close()
        for there, instead in NOWHERE:
            assert there in good
            with pytest.raises((IntakeError, EngineError), match=r"address|no table|does not answer"):
                read_table(good.replace(there, instead), schema=SCHEMA)


def test_a_database_of_another_encoding_is_refused(cluster):
    with cluster.connect() as connection:
        connection.execute("CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0")
        try:
            with pytest.raises(IntakeError, match="UTF8"):
                read_table(cluster.url("visits").replace("/postgres", "/old"), schema=SCHEMA)
        finally:
            connection.execute("DROP DATABASE old WITH (FORCE)")


def test_without_the_driver_a_sentence_says_what_to_install(monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr("dpengine.data.engines.postgres_engine.import_module", absent)
    with pytest.raises(IntakeError, match=r"requirements-postgresql\.txt"):
        read_table("postgresql://a:b@127.0.0.1/c?table=d", schema=SCHEMA)


def test_a_table_that_is_forgotten_leaves_no_connection(cluster):
    with visits(cluster):
        Table(read_table(cluster.url("visits"), schema=SCHEMA)._opened, schema=SCHEMA).run(RowCount())
