"""Code of others that a table of PostgreSQL would run with our rights: views and row security of who may read less."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from dpengine.data import NumberColumn, RowCount, Schema, Table, read_table
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.postgres_source import postgres_engine
from dpengine.errors import EngineError, IntakeError
from tests.servers.databases import Cluster, Databases

SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100),))
STRANGER = "would run code of 'mallory'"
TELLS = """
    CREATE FUNCTION club.tells(age int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        PERFORM set_config('default_transaction_read_only', 'off', false);
        IF current_setting('transaction_read_only') = 'off' THEN
            INSERT INTO club.loot SELECT name FROM public.secret;
        END IF;
        RETURN age;
    EXCEPTION WHEN OTHERS THEN RETURN age;
    END $$
"""
MADE = {
    "a view that calls a function": "CREATE VIEW club.visits AS SELECT club.tells(age) AS age FROM club.people",
    "a view that runs as its reader": "CREATE VIEW club.visits WITH (security_invoker = true) AS SELECT age, "
    "(SELECT pg_notify('club', string_agg(name, ','))::text FROM public.secret) FROM club.people",
    "row security": "ALTER TABLE club.people RENAME TO visits; ALTER TABLE club.visits ENABLE ROW LEVEL SECURITY; "
    "CREATE POLICY asked ON club.visits USING (club.tells(age) = age)",
    "a view of a view": "CREATE VIEW club.inner AS SELECT club.tells(age) AS age FROM club.people; "
    "GRANT SELECT ON club.inner TO PUBLIC; CREATE VIEW club.visits AS SELECT age FROM club.inner",
}


@pytest.fixture
def club(databases: Databases) -> Iterator[Cluster]:
    """A secret that reader may read and mallory not, and mallory's own schema with people and a place for loot."""
    cluster = databases.cluster
    with cluster.connect() as owner:
        owner.execute("""
            CREATE ROLE mallory LOGIN PASSWORD 'm'; CREATE ROLE reader LOGIN PASSWORD 'r';
            CREATE TABLE secret (name text); INSERT INTO secret VALUES ('eve'); GRANT SELECT ON secret TO reader;
            CREATE SCHEMA club AUTHORIZATION mallory; GRANT USAGE ON SCHEMA club TO PUBLIC
        """)
    as_mallory(
        cluster,
        "CREATE TABLE club.people AS SELECT generate_series(1, 9) AS age; CREATE TABLE club.loot (name text); "
        "GRANT INSERT ON club.loot TO PUBLIC",
        TELLS,
    )
    yield cluster
    with cluster.connect() as owner:
        owner.execute("DROP SCHEMA club CASCADE; DROP TABLE secret")
        owner.execute("DROP OWNED BY mallory, reader; DROP ROLE mallory, reader")


def as_mallory(cluster: Cluster, *statements: str) -> list[tuple[object, ...]]:
    """What the last of these brings."""
    address = f"postgresql://mallory:m@127.0.0.1:{cluster.port}/postgres"
    with psycopg.connect(address, autocommit=True) as connection:
        found = [connection.execute(statement.encode()) for statement in statements][-1]
        return found.fetchall() if found.description else []


def opened(cluster: Cluster) -> Table:
    return read_table(f"postgresql://reader:r@127.0.0.1:{cluster.port}/postgres?table=club.visits", schema=SCHEMA)


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_a_strangers_code_is_not_run_with_our_rights(club: Cluster, made: str) -> None:
    as_mallory(club, made, "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
    with pytest.raises(IntakeError, match=STRANGER):
        opened(club)
    with club.connect() as owner:
        owner.execute("REVOKE SELECT ON secret FROM reader")
    if "public.secret" not in made:
        assert opened(club).run(RowCount()).tolist() == [9], "Who may read nothing else has nothing to lose."


def test_a_table_that_becomes_such_a_view_is_read_no_more(club: Cluster) -> None:
    as_mallory(club, "ALTER TABLE club.people RENAME TO visits")
    as_mallory(club, "GRANT SELECT ON club.visits TO PUBLIC")
    table = opened(club)
    assert table.run(RowCount()).tolist() == [9], "The control: nobody's code is in a table."
    as_mallory(club, "ALTER TABLE club.visits RENAME TO people", MADE["a view that calls a function"])
    as_mallory(club, "GRANT SELECT ON club.visits TO PUBLIC")
    for _ in range(3):
        with pytest.raises((EngineError, IntakeError)):
            table.run(RowCount())
    assert as_mallory(club, "SELECT * FROM club.loot") == []


def test_views_of_who_may_read_as_much_are_read(club: Cluster) -> None:
    with club.connect() as owner:
        owner.execute("CREATE TABLE public.ages AS SELECT generate_series(1, 5) AS age")
        owner.execute("CREATE VIEW club.visits AS SELECT age FROM public.ages; GRANT SELECT ON club.visits TO reader")
        assert opened(club).run(RowCount()).tolist() == [5]
        owner.execute("DROP TABLE public.ages CASCADE")


def test_what_a_question_sets_is_gone_with_it(club: Cluster) -> None:
    """Else code of a view would have the next question write."""
    engine = postgres_engine(Address.of(f"postgresql://mallory:m@127.0.0.1:{club.port}/postgres?table=club.people"))
    changed = ("default_transaction_read_only", "standard_conforming_strings", "statement_timeout")
    before = [engine.texts(f"SHOW {name}") for name in changed]
    for name, value in zip(changed, ("off", "off", "0"), strict=True):
        assert engine.texts(f"SELECT set_config('{name}', '{value}', false)") == [(value,)], "The control: it is set."
    assert [engine.texts(f"SHOW {name}") for name in changed] == before
    with pytest.raises(EngineError):
        engine.texts("INSERT INTO club.loot VALUES ('x')")
    engine.close()
