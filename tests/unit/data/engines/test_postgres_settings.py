"""Whatever a database sets for everybody who comes: a statement says what it says anywhere, and texts stay texts."""

from datetime import date

import pytest

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Comparison,
    ConditionCounts,
    DateColumn,
    FixedPointSum,
    NumberColumn,
    PeriodCounts,
    PrivacyUnit,
    RowCount,
    Schema,
    TextColumn,
    read_table,
)
from dpengine.errors import EngineError, IntakeError
from tests.unit.data.engines.postgres_tables import table_of

ODD = {
    "standard_conforming_strings": "off",
    "escape_string_warning": "off",
    "backslash_quote": "on",
    "transform_null_equals": "on",
    "DateStyle": "SQL, DMY",
    "TimeZone": "Pacific/Kiritimati",
    "IntervalStyle": "sql_standard",
    "extra_float_digits": "-15",
    "search_path": "odd, public",
    "bytea_output": "escape",
    "array_nulls": "off",
    "quote_all_identifiers": "on",
}
AGE = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100),))
ENVIRONMENT = {
    "PGDATESTYLE": "SQL, DMY",
    "PGTZ": "Pacific/Kiritimati",
    "PGOPTIONS": "-c standard_conforming_strings=off",
    "PGHOSTADDR": "127.9.9.9",
}
TEXTS = ("a\\b", "a\\", "\\'", "it's", "\\' OR 1=1 --", "plain")
SCHEMA = Schema(
    name="visits",
    columns=(
        CategoryColumn(name="text", categories=TEXTS),
        NumberColumn(name="age", lower=0, upper=100),
        DateColumn(name="day", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
        BooleanColumn(name="ill"),
        CategoryColumn(name="other day", categories=("2020-01-02", "02/01/2020")),
    ),
)
QUESTIONS = (
    CategoryCounts(column="text", values=TEXTS),
    ConditionCounts(conditions=tuple(Comparison("text", "=", text) for text in TEXTS)),
    FixedPointSum(column="age", fraction_bits=20, lower=0, upper=100 << 20),
    PeriodCounts(column="day", period="month", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
    CategoryCounts(column="ill", values=(True, False)),
    CategoryCounts(column="other day", values=("2020-01-02", "02/01/2020")),
)


@pytest.fixture
def odd(databases):
    """The cluster's own database and one that sets everything otherwise, with the same table in both."""
    cluster = databases.cluster
    usual = cluster.url("visits")
    strange = usual.replace("/postgres?", "/odd?")
    with cluster.connect() as connection:
        connection.execute("CREATE DATABASE odd")
        for name, value in ODD.items():
            connection.execute(f"ALTER DATABASE odd SET {name} = {', '.join(map(repr, value.split(', ')))}")
        try:
            for database in ("postgres", "odd"):
                with cluster.connect(database) as there:
                    there.execute('CREATE TABLE visits (text text, age float8, day date, ill bool, "other day" date)')
                    there.cursor().executemany(
                        "INSERT INTO visits VALUES (%s, %s, %s, %s, %s)",
                        [
                            (text, 0.1 + i, f"2020-0{i + 1}-02", i % 2 == 0, "2020-01-02")
                            for i, text in enumerate(TEXTS)
                        ],
                    )
            yield usual, strange
        finally:
            connection.execute("DROP DATABASE odd WITH (FORCE)")
            connection.execute("DROP TABLE IF EXISTS visits")


def test_the_answers_are_those_of_any_other_database(odd, monkeypatch):
    """Nor does the environment of the program say anything that the address does not."""
    usual = read_table(odd[0], schema=SCHEMA)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    strange = read_table(odd[1], schema=SCHEMA)
    try:
        for question in QUESTIONS:
            assert strange.run(question).tolist() == usual.run(question).tolist(), question
        assert usual.run(QUESTIONS[1]).tolist() == [1] * len(TEXTS), "the control"
    finally:
        usual.close()
        strange.close()


def test_spellings_that_the_database_takes_for_one_name_nobody(databases):
    """Bob and bob are one person there, and two to whoever compares byte by byte."""
    cluster = databases.cluster
    with cluster.connect() as connection:
        how = "provider = icu, locale = 'und-u-ks-level2', deterministic = false"
        connection.execute(f"CREATE COLLATION folding ({how})")
        connection.execute("CREATE DOMAIN one AS text COLLATE folding; CREATE DOMAIN two AS one")
        connection.execute("CREATE DOMAIN plain AS varchar(9); CREATE DOMAIN plainer AS plain")
    who = Schema(name="t", columns=(TextColumn(name="who"),), unit=PrivacyUnit(identifier="who", rows=1))
    for number, kind in enumerate(("text COLLATE folding", "one", "two")):
        folding = table_of(cluster, f"folding_{number}", f"CREATE TABLE {{}} (who {kind})", who)
        with pytest.raises(IntakeError, match="cannot tell people apart"), folding:
            pass
    for number, kind in enumerate(("text", "plain", "plainer")):
        with table_of(cluster, f"plain_{number}", f"CREATE TABLE {{}} (who {kind})", who) as table:
            assert table.run(RowCount()).tolist() == [0], "the control"
    with cluster.connect() as connection:
        connection.execute("DROP TABLE folding_0, folding_1, folding_2; DROP DOMAIN two, one, plainer, plain")
        connection.execute("DROP COLLATION folding")


@pytest.mark.parametrize("table", ["t" * 64, f'"{"ä" * 32}"', f'public."{"t" * 64}"', f"{'s' * 64}.visits"])
def test_a_name_that_the_database_would_cut_is_refused(databases, table):
    """Else one table has as many names, and budgets, as a long name has ends."""
    cluster = databases.cluster
    whole = table.replace("t" * 64, "t" * 63).replace("ä" * 32, "ä" * 31).replace("s" * 64, "public")
    with cluster.connect() as connection:
        connection.execute(f"CREATE TABLE {whole} AS SELECT 1 AS age")
        try:
            assert read_table(cluster.url(whole), schema=AGE).run(RowCount()).tolist() == [1], "The control."
            with pytest.raises(IntakeError, match="more than 63 bytes"):
                read_table(cluster.url(table), schema=AGE)
        finally:
            connection.execute(f"DROP TABLE {whole}")


def test_a_table_that_another_one_replaced_is_asked_where_its_types_stay(databases):
    """One person without a value makes whole numbers floating point ones, which read as no code and nobody's name."""
    cluster, codes = databases.cluster, (1234567890123456, 1234567890123457)
    column = CategoryColumn(name="code", categories=tuple(map(str, codes)))
    counted = CategoryCounts(column="code", values=column.categories)
    schema, made = Schema(name="codes", columns=(column,)), "CREATE TABLE codes AS SELECT unnest({})::{} AS code"
    with cluster.connect() as connection:
        connection.execute(made.format("ARRAY[1234567890123456, 1234567890123457]", "bigint"))
        try:
            table = read_table(cluster.url("codes"), schema=schema)
            assert table.run(counted).tolist() == [1, 1]
            connection.execute("DROP TABLE codes")
            connection.execute(made.format("ARRAY[1234567890123456, 1234567890123456]", "bigint"))
            assert table.run(counted).tolist() == [2, 0], "The control: other rows of the same types are read."
            connection.execute("DROP TABLE codes")
            connection.execute(made.format("ARRAY[1234567890123456, NULL]", "double precision"))
            with pytest.raises(EngineError, match="other columns or types"):
                table.run(counted)
        finally:
            connection.execute("DROP TABLE codes")


def test_an_address_names_one_host(databases):
    cluster = databases.cluster
    with pytest.raises(IntakeError, match="no list of hosts"):
        read_table(cluster.url("visits").replace("127.0.0.1", "127.0.0.1,127.0.0.1"), schema=AGE)
