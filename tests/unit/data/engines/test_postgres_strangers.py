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
STRANGER = "belongs to 'mallory'"
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
TELLS_WHILE_PLANNED = """
    CREATE FUNCTION club.sends(age int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_notify('club', (SELECT string_agg(name, ',') FROM public.secret)); RETURN age;
    EXCEPTION WHEN insufficient_privilege THEN RETURN age;
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
    "a table alone": "ALTER TABLE club.people RENAME TO visits",
    "an index": "ALTER TABLE club.people RENAME TO visits; CREATE INDEX ON club.visits ((age + club.sends(1)))",
}
OF_THE_OWNER = {
    "an index": "CREATE TABLE kept.visits (age int); CREATE INDEX ON kept.visits ((age + club.sends(1)))",
    "a partition's key": "CREATE TABLE kept.visits (age int) PARTITION BY RANGE ((age + club.sends(1)))",
    "statistics": "CREATE TABLE kept.visits (age int, x int); "
    "CREATE STATISTICS kept.told ON (age + club.sends(1)), x FROM kept.visits",
    "a check": "CREATE TABLE kept.visits (age int CHECK (age + club.sends(1) > 0))",
    "a generated column": "CREATE TABLE kept.visits (age int, x int GENERATED ALWAYS AS (age + club.sends(1)) STORED)",
    "an operator": "CREATE VIEW kept.visits AS SELECT 1 AS age, 1 OPERATOR(club.===) 1 AS x",
    "a domain": "CREATE TABLE kept.visits (age club.age)",
    "a type": "CREATE TABLE kept.visits (age int, x club.mood)",
    "a cast": "CREATE TYPE kept.mood AS ENUM ('good'); CREATE FUNCTION kept.cast(kept.mood) RETURNS int LANGUAGE sql "
    "AS 'SELECT 1'; CREATE CAST (kept.mood AS int) WITH FUNCTION kept.cast(kept.mood); "
    "ALTER FUNCTION kept.cast OWNER TO mallory; CREATE TABLE kept.visits (age int, x kept.mood)",
    "a child": "CREATE TABLE kept.visits (age int); CREATE TABLE club.child () INHERITS (kept.visits); "
    "ALTER TABLE club.child OWNER TO mallory",
    "its schema": "CREATE TABLE kept.visits (age int); ALTER SCHEMA kept OWNER TO mallory",
}
"""What a trusted owner made with something of mallory's, who may change that at any moment."""
READS_MORE = {
    "rows that a policy hides": "GRANT SELECT ON secret TO mallory, reader; "
    "ALTER TABLE secret ENABLE ROW LEVEL SECURITY; CREATE POLICY seen ON secret TO reader USING (true)",
    "a column": "GRANT SELECT (name) ON secret TO reader",
    "a table in a closed schema": "CREATE TABLE kept.pay (name text); GRANT SELECT ON kept.pay TO PUBLIC; "
    "REVOKE USAGE ON SCHEMA kept FROM mallory",
    "a view that asks who reads": "CREATE VIEW kept.pay AS SELECT name FROM secret WHERE current_user = 'reader'; "
    "GRANT SELECT ON kept.pay TO PUBLIC; GRANT USAGE ON SCHEMA kept TO mallory",
    "a function of other rights": "CREATE FUNCTION kept.names() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER "
    "AS 'SELECT name FROM public.secret'; REVOKE ALL ON FUNCTION kept.names() FROM PUBLIC; "
    "GRANT EXECUTE ON FUNCTION kept.names() TO reader",
    "another role": "GRANT pg_read_server_files TO reader",
    "a large object": "SELECT lo_from_bytea(7, 'x'); GRANT SELECT ON LARGE OBJECT 7 TO reader",
}


@pytest.fixture
def club(databases: Databases) -> Iterator[Cluster]:
    """A secret that reader may read and mallory not, and mallory's own schema with people and a place for loot."""
    cluster = databases.cluster
    with cluster.connect() as owner:
        owner.execute("""
            CREATE ROLE mallory LOGIN PASSWORD 'm'; CREATE ROLE reader LOGIN PASSWORD 'r';
            CREATE TABLE secret (name text); INSERT INTO secret VALUES ('eve'); GRANT SELECT ON secret TO reader;
            CREATE SCHEMA club AUTHORIZATION mallory; GRANT USAGE ON SCHEMA club TO PUBLIC;
            CREATE SCHEMA kept; GRANT USAGE ON SCHEMA kept TO reader, mallory
        """)
    as_mallory(
        cluster,
        "CREATE TABLE club.people AS SELECT generate_series(1, 9) AS age; CREATE TABLE club.loot (name text); "
        "GRANT INSERT ON club.loot TO PUBLIC",
        f"{TELLS}; {TELLS_WHILE_PLANNED}",
        "CREATE FUNCTION club.same(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT $1 = $2'; "
        "CREATE OPERATOR club.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = club.same); "
        "CREATE DOMAIN club.age AS int CHECK (club.sends(value) > 0); CREATE TYPE club.mood AS ENUM ('good')",
    )
    yield cluster
    with cluster.connect() as owner:
        owner.execute("SELECT lo_unlink(oid) FROM pg_largeobject_metadata")
        owner.execute("DROP SCHEMA kept CASCADE; DROP SCHEMA club CASCADE; DROP TABLE secret")
        owner.execute("DROP OWNED BY mallory, reader; DROP ROLE mallory, reader")


def as_mallory(cluster: Cluster, *statements: str) -> list[tuple[object, ...]]:
    """What the last of these brings."""
    address = f"postgresql://mallory:m@127.0.0.1:{cluster.port}/postgres"
    with psycopg.connect(address, autocommit=True) as connection:
        found = [connection.execute(statement.encode()) for statement in statements][-1]
        return found.fetchall() if found.description else []


def opened(cluster: Cluster, name: str = "club.visits") -> Table:
    return read_table(f"postgresql://reader:r@127.0.0.1:{cluster.port}/postgres?table={name}", schema=SCHEMA)


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_a_strangers_code_is_not_run_with_our_rights(club: Cluster, made: str) -> None:
    as_mallory(club, made, "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
    with pytest.raises(IntakeError, match=STRANGER):
        opened(club)
    with club.connect() as owner:
        owner.execute("REVOKE SELECT ON secret FROM reader")
    if "public.secret" not in made and "sends" not in made:
        assert opened(club).run(RowCount()).tolist() == [9], "Who may read nothing else has nothing to lose."


def test_code_of_an_index_runs_while_a_statement_is_planned(club: Cluster) -> None:
    """The control of what is refused: with the rights of who reads, without any view."""
    as_mallory(club, MADE["an index"], "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
    address = f"postgresql://reader:r@127.0.0.1:{club.port}/postgres"
    with psycopg.connect(address, autocommit=True) as reader:
        reader.execute("LISTEN club")
        reader.execute("SELECT count(*) FROM club.visits WHERE age > 3")
        assert [told.payload for told in reader.notifies(timeout=5, stop_after=1)] == ["eve"]


@pytest.mark.parametrize("made", OF_THE_OWNER.values(), ids=OF_THE_OWNER)
def test_what_uses_something_of_a_strangers_is_not_read(club: Cluster, made: str) -> None:
    with club.connect() as owner:
        owner.execute("CREATE TABLE kept.plain (age int); GRANT SELECT ON kept.plain TO reader")
        assert opened(club, "kept.plain").run(RowCount()).tolist() == [0], "The control: the owner's own is read."
        owner.execute(f"{made}; GRANT SELECT ON kept.visits TO reader".encode())
    with pytest.raises(IntakeError, match=STRANGER):
        opened(club, "kept.visits")


@pytest.mark.parametrize("granted", READS_MORE.values(), ids=READS_MORE)
def test_whoever_may_read_less_than_we_do_is_a_stranger(club: Cluster, granted: str) -> None:
    with club.connect() as owner:
        owner.execute("REVOKE SELECT ON secret FROM reader")
        as_mallory(club, "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
        assert opened(club, "club.people").run(RowCount()).tolist() == [9], "The control: nothing more to read."
        owner.execute(granted.encode())
    with pytest.raises(IntakeError, match=STRANGER):
        opened(club, "club.people")


def test_a_table_that_becomes_a_strangers_is_read_no_more(club: Cluster) -> None:
    with club.connect() as owner:
        owner.execute("CREATE TABLE kept.visits AS SELECT generate_series(1, 9) AS age")
        owner.execute("GRANT SELECT ON kept.visits TO reader")
        table = opened(club, "kept.visits")
        assert table.run(RowCount()).tolist() == [9], "The control: it is the owner's."
        owner.execute("ALTER TABLE kept.visits OWNER TO mallory")
    for _ in range(3):
        with pytest.raises((EngineError, IntakeError)):
            table.run(RowCount())


def test_views_of_who_may_read_as_much_are_read(club: Cluster) -> None:
    with club.connect() as owner:
        owner.execute("CREATE TABLE public.ages AS SELECT generate_series(1, 5) AS age")
        owner.execute("CREATE VIEW kept.visits AS SELECT age FROM public.ages; GRANT SELECT ON kept.visits TO reader")
        assert opened(club, "kept.visits").run(RowCount()).tolist() == [5]
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
