"""Tables in Spark: silent about cells and tokens, stoppable, and one Spark at a time."""

import socket
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import import_module

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import (
    CategoryColumn,
    CategoryCounts,
    Comparison,
    ConditionCounts,
    NumberColumn,
    RowCount,
    Schema,
    TextColumn,
    read_table,
)
from dpengine.data.connected import spark_source
from dpengine.data.connected.addresses import Address, address_of
from dpengine.data.engines.spark_engine import SparkEngine
from dpengine.data.engines.spark_sessions import session_of
from dpengine.data.engines.spark_sql import spark_sql
from dpengine.errors import EngineError, IntakeError
from tests.examples.ledgers import ledger_at, opened

SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100), TextColumn(name="who")))
CELL = "unmistakable cell"
ODD = (
    "\\",
    "\\n",
    "it's",
    'say "x"',
    "\x0bv\x0c",
    "\x07",
    "a\nb",
    "%s {} $x",
    "\u6771\u4eac",
    "`",
    "\\u0041",
    "v",
    "f",
)


def chain(error):
    """An error and everything that Python keeps with it, as a log would print it."""
    told = []
    while error is not None:
        told.append(f"{error!r} {error} {vars(error)}")
        error = error.__cause__ or error.__context__
    return " ".join(told)


def visits(databases, name="visits.parquet", **columns):
    path = databases.path(name)
    pq.write_table(pa.table(columns or {"age": [30.0, 40.0, 50.0], "who": ["ann", "bob", "ann"]}), path)
    return databases.spark(parquet=path)


@pytest.fixture
def engine(databases):
    return SparkEngine(session_of("local[2]", memory=Address.of(databases.spark()).options["memory"]))


def test_every_text_is_the_text_that_was_meant(engine):
    """Spark has escapes of its own, and a wrong one would compare with another text."""
    expression = ibis.literal(0).as_table().select(**{f"c{i}": ibis.literal(text) for i, text in enumerate(ODD)})
    assert engine.rows(expression) == [ODD]


def test_odd_texts_and_odd_names_of_columns(databases):
    names = ["a`b", "A`b", "x y'; --", "a.b", "\\%s", "naïve"]
    table = pa.table([pa.array([odd.strip() for odd in ODD])] * len(names), names=names)
    path = databases.path("odd.parquet")
    pq.write_table(table, path)
    values = tuple(dict.fromkeys(odd.strip() for odd in ODD))
    named = [name for name in names if name != "A`b"]
    schema = Schema(name="odd", columns=tuple(CategoryColumn(name=name, categories=values) for name in named))
    with closing(read_table(databases.spark(parquet=path), schema=schema)) as odd:
        counts = [sum(one.strip() == value for one in ODD) for value in values]
        assert odd.run(CategoryCounts(column=named[0], values=values)).tolist() == counts
        asked = [Comparison(name, "=", value) for name, value in zip(named, values, strict=False)]
        assert odd.run(ConditionCounts(conditions=tuple(asked))).tolist() == counts[: len(named)]


def test_no_variable_of_the_server_is_put_into_a_text(databases):
    """A declared text would be another one, and what the server's environment holds could be asked."""
    path, schema = (
        databases.path("variables.parquet"),
        Schema(
            name="variables",
            columns=(CategoryColumn(name="said", categories=("${spark.app.name}", "epsilon-explorer")),),
        ),
    )
    pq.write_table(pa.table({"said": ["${spark.app.name}"] * 7 + ["epsilon-explorer"] * 4}), path)
    with closing(read_table(databases.spark(parquet=path), schema=schema)) as table:
        assert table.run(CategoryCounts(column="said", values=("${spark.app.name}", "epsilon-explorer"))).tolist() == [
            7,
            4,
        ]


def test_text_is_compared_byte_by_byte_whatever_its_collation(databases, engine, request):
    engine._session.sql("CREATE TABLE blind USING parquet AS SELECT collate('ROME', 'UNICODE_CI') AS city")
    request.addfinalizer(lambda: engine._session.sql("DROP TABLE blind"))
    blind = engine._session.table("blind")
    assert blind.where("city = 'rome'").count() == 1, "the control"
    kind = dict(blind.dtypes)["city"]
    assert kind.startswith("string")
    address = Address.of(databases.spark(table="blind"))
    rows = spark_source.spark_source(engine, address)
    assert engine.rows(rows.filter(rows.city == "rome").count().as_table()) == [(0,)]
    assert engine.rows(rows.filter(rows.city == "ROME").count().as_table()) == [(1,)]


def test_errors_quote_no_cell(databases, engine, caplog, capfd):
    failing = f"SELECT CAST(concat('{CELL}', id) AS double) AS age FROM range(3)"
    engine._session.sql(failing).createOrReplaceTempView("failing")
    asked = ibis.table({"age": "float64"}, name="failing").age.sum().as_table()
    with pytest.raises(EngineError) as refused:
        engine.integers(asked)
    assert CELL not in chain(refused.value) + caplog.text + "".join(capfd.readouterr())
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException) as raw:
        engine._session.sql(spark_sql(asked)).collect()
    assert CELL in str(raw.value), "the control"


@pytest.mark.parametrize("how", ["interrupt", "close"])
def test_a_long_question_can_be_stopped_and_the_next_is_answered(engine, how):
    engine._session.sql("SELECT 1.5D AS age FROM range(1000000) a CROSS JOIN range(1000000) b").createOrReplaceTempView(
        "endless"
    )
    rows = ibis.table({"age": "float64"}, name="endless")
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(engine.integers, rows.filter(rows.age > 1).count().as_table())
        try:
            status = engine._session.sparkContext.statusTracker()
            while not status.getActiveJobsIds():
                assert not asked.done()
                time.sleep(0.05)
            getattr(engine, how)()
            with pytest.raises(EngineError):
                asked.result(timeout=30)
        finally:
            engine._session.sparkContext.cancelAllJobs()
    if how == "close":
        with pytest.raises(EngineError):
            engine.rows(rows)
        engine._closed = False
    engine.interrupt()
    assert engine.integers(ibis.literal(7).name("n").as_table()) == [{"n": 7}]


def test_several_threads_may_ask_at_once(databases):
    with closing(read_table(visits(databases), schema=SCHEMA)) as table, ThreadPoolExecutor(3) as threads:
        ages = [25, 35, 45, 55]
        counts = threads.map(lambda age: int(table.run(RowCount(where=Comparison("age", ">", age)))[0]), ages)
        assert list(counts) == [3, 2, 1, 0]
        assert threading.active_count() > 1


def test_the_budget_belongs_to_the_place(databases, tmp_path):
    ledger = ledger_at(tmp_path / "budget.db")
    with closing(read_table(visits(databases), schema=SCHEMA)) as table:
        opened(ledger, table, epsilon=1.0)
    changed = visits(databases, age=[1.0], who=["eve"])
    with closing(read_table(changed, schema=SCHEMA)) as table:
        assert table.run(RowCount()).tolist() == [1]
        assert ledger.account_of(table) is not None
    with closing(read_table(visits(databases, "other.parquet"), schema=SCHEMA)) as table:
        assert ledger.account_of(table) is None


def test_a_table_has_one_account_however_its_name_is_written(databases, engine):
    path = databases.path("visits.parquet")
    visits(databases)
    engine._session.sql(f"CREATE TABLE visits USING parquet AS SELECT * FROM parquet.`{path}`")
    try:
        spelled = (
            "visits",
            " visits",
            "default.visits",
            "`visits`",
            "spark_catalog.default.visits",
            "default . visits",
        )
        prints = set()
        for name in spelled:
            with closing(read_table(databases.spark(table=name), schema=SCHEMA)) as table:
                assert table.run(RowCount()).tolist() == [3]
                prints.add(table.fingerprint(b"secret"))
        assert len(prints) == 1
        with pytest.raises(EngineError):
            read_table(databases.spark(table=f"parquet.`{path}`"), schema=SCHEMA)
    finally:
        engine._session.sql("DROP TABLE visits")


@pytest.mark.parametrize("other", [pa.int32(), pa.float64(), pa.string(), pa.decimal128(21, 2)])
def test_files_that_differ_in_a_type_are_refused_when_they_are_opened(databases, tmp_path, other):
    """Each question would fail otherwise, and say thereby that somebody's value is of another kind."""
    schema, folder = Schema(name="alike", columns=(NumberColumn(name="x", lower=0, upper=10),)), tmp_path / "parts"
    folder.mkdir()
    for name in ("a", "b"):
        pq.write_table(pa.table({"x": pa.array([1], pa.int64())}), folder / f"{name}.parquet")
    with closing(read_table(databases.spark(parquet=str(folder)), schema=schema)) as table:
        assert table.run(RowCount()).tolist() == [2], "the control"
    pq.write_table(pa.table({"x": pa.array([1], pa.int64()).cast(other)}), folder / "b.parquet")
    with pytest.raises(EngineError, match="of the same type"):
        read_table(databases.spark(parquet=str(folder)), schema=schema)


def test_what_one_persons_folder_is_called_changes_nobody_elses_value(databases, tmp_path):
    """Spark would read every "01" as 1 while all folders look like numbers, and as text once one does not."""
    columns = (
        CategoryColumn(name="code", categories=("01", "02", "0A")),
        NumberColumn(name="year", lower=0, upper=3000),
    )
    schema, age = Schema(name="parts", columns=columns), {"age": [30.0]}
    codes = CategoryCounts(column="code", values=("01", "02", "0A"))
    years = ConditionCounts(conditions=(Comparison("year", "=", 2020), Comparison("year", "=", 2021)))
    for folder in ("code=01/year=2020", "code=02/year=2021"):
        (tmp_path / folder).mkdir(parents=True)
        pq.write_table(pa.table(age), tmp_path / folder / "a.parquet")
    with closing(read_table(databases.spark(parquet=str(tmp_path)), schema=schema)) as table:
        assert (table.run(codes).tolist(), table.run(years).tolist()) == ([1, 1, 0], [1, 1])
    for folder in ("code=0A/year=2020", "code=0A/year=some"):
        (tmp_path / folder).mkdir(parents=True)
        pq.write_table(pa.table(age), tmp_path / folder / "a.parquet")
    with closing(read_table(databases.spark(parquet=str(tmp_path)), schema=schema)) as table:
        assert (table.run(codes).tolist(), table.run(years).tolist()) == ([1, 1, 2], [2, 1])


@pytest.mark.parametrize("name, over_35", [("age", 0), ("AGE", 1)])
def test_names_that_differ_in_capital_letters_are_two(databases, name, over_35):
    good = visits(databases, "letters.parquet", age=[30.0], AGE=[40.0])
    schema = Schema(name="letters", columns=(NumberColumn(name=name, lower=0, upper=100),))
    with closing(read_table(good, schema=schema)) as table:
        asked = ConditionCounts(conditions=(Comparison(name, ">", 35.0),))
        assert table.run(asked).tolist() == [over_35]


def test_a_second_spark_is_refused(databases):
    good = visits(databases)
    read_table(good, schema=SCHEMA).close()
    with pytest.raises(EngineError, match="one at a time"):
        read_table(good.replace("//2", "//1"), schema=SCHEMA)


def test_a_table_that_is_closed_answers_nothing(databases):
    table = read_table(visits(databases), schema=SCHEMA)
    table.close()
    with pytest.raises(EngineError):
        table.run(RowCount())


@pytest.mark.parametrize(
    "url, reason",
    [
        ("spark-local://many?parquet=/t", "how many threads"),
        ("spark-local://2?parquet=/t&table=t", "ends with"),
        ("spark-local://2?parquet=/t&memory=lots", "512m or 2g"),
        ("spark-local://2", "ends with"),
        ("spark://?table=t", "ends with"),
        ("spark://host?table=t&password=x", "not known here"),
        ("sc://host?parquet=", "ends with"),
        ("sc://host:15002/;user_id=ann?table=t", "nothing else after"),
        ("sc://host:15002/x?table=t", "nothing else after"),
        ("spark://host:7077/x?table=t", "nothing else after"),
        ("spark-local://2/x?table=t", "nothing else after"),
    ],
)
def test_addresses_that_make_no_sense_are_refused_in_words(url, reason):
    with pytest.raises(IntakeError, match=reason):
        read_table(url, schema=SCHEMA)


def test_what_an_address_says_of_encryption_and_its_token_reaches_spark(monkeypatch):
    """As Spark's own reader of addresses sees it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        spark = import_module("pyspark.sql.connect.client")
    monkeypatch.setattr(spark_source, "remote_session", spark.DefaultChannelBuilder)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = f"localhost:{listening.getsockname()[1]}"
        said = {"": (False, None), "&use_ssl=true": (True, None), "&use_ssl=true&token=a%3Db%3Bc": (True, "a=b;c")}
        for options, (secure, token) in said.items():
            built = spark_source._through_connect(address_of(f"sc://{place}?table=t{options}", ("sc",)))
            assert (built.secure, built.token, built.endpoint) == (secure, token, place)
    with pytest.raises(EngineError, match="does not answer"):
        spark_source._through_connect(address_of(f"sc://{place}?table=t", ("sc",)))


@pytest.mark.parametrize("options", [{"parquet": "/absent/t.parquet"}, {"table": "absent"}, {"table": "a b; c"}])
def test_what_spark_does_not_find_is_an_error_of_ours(databases, options):
    with pytest.raises(EngineError) as refused:
        read_table(databases.spark(**options), schema=SCHEMA)
    assert "absent" not in chain(refused.value)


def test_without_pyspark_a_sentence_says_what_to_install(monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr("dpengine.data.engines.spark_sessions.import_module", absent)
    with pytest.raises(IntakeError, match=r"requirements-spark\.txt"):
        read_table("spark-local://2?parquet=/t", schema=SCHEMA)
