"""Code of others that a table of PostgreSQL would run with our rights: read where its owners are trusted by name."""

from __future__ import annotations

import psycopg
import pytest

from dpengine.data import RowCount
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.postgres_source import postgres_engine
from dpengine.errors import EngineError, IntakeError
from tests.servers.databases import Cluster
from tests.unit.data.engines.strangers import MADE, OF_THE_OWNER, STRANGER, address, as_mallory, opened


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_a_strangers_code_is_not_run_with_our_rights(club: Cluster, made: str) -> None:
    as_mallory(club, made, "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
    with pytest.raises(IntakeError, match=STRANGER):
        opened(club)
    assert opened(club, trusted="mallory").run(RowCount()).tolist() == [9], "The control: of mallory's nothing is kept."


def test_code_of_an_index_runs_while_a_statement_is_planned(club: Cluster) -> None:
    """The control of what is refused: with the rights of who reads, without any view."""
    as_mallory(club, MADE["an index"], "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
    as_reader = f"postgresql://reader:r@127.0.0.1:{club.port}/postgres"
    with psycopg.connect(as_reader, autocommit=True) as reader:
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


def test_what_a_role_of_the_database_owns_is_whose_member_one_is(club: Cluster) -> None:
    """The database writes no word of such an owner into its list of who depends on whom."""
    with club.connect() as owner:
        owner.execute("GRANT pg_monitor TO mallory; GRANT CREATE ON SCHEMA club TO pg_monitor")
        owner.execute("CREATE TABLE kept.visits (age int); GRANT SELECT ON kept.visits TO reader")
        assert opened(club, "kept.visits").run(RowCount()).tolist() == [0], "The control."
        owner.execute("ALTER TABLE kept.visits OWNER TO pg_monitor")
        try:
            with pytest.raises(IntakeError, match="'pg_monitor' owns it"):
                opened(club, "kept.visits")
        finally:
            owner.execute("ALTER TABLE kept.visits OWNER TO CURRENT_USER; REVOKE CREATE ON SCHEMA club FROM pg_monitor")


def test_nobody_has_somebody_elses_table_refused(club: Cluster) -> None:
    """A cast to a type of one's own needs no right on the other one, nor does to depend on an extension."""
    with club.connect() as owner:
        owner.execute("CREATE TYPE kept.mood AS ENUM ('good'); CREATE TABLE kept.visits (age int, x kept.mood)")
        owner.execute(
            "CREATE FUNCTION kept.same(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN $1; END'; "
            "CREATE INDEX ON kept.visits ((kept.same(age)))"
        )
        owner.execute("GRANT SELECT ON kept.visits TO reader; GRANT USAGE ON SCHEMA kept TO mallory")
    as_mallory(
        club,
        "CREATE FUNCTION club.cast(kept.mood) RETURNS club.mood LANGUAGE sql AS $$ SELECT 'good'::club.mood $$; "
        "CREATE CAST (kept.mood AS club.mood) WITH FUNCTION club.cast(kept.mood)",
        "CREATE INDEX mine ON club.people (age); ALTER INDEX club.mine DEPENDS ON EXTENSION plpgsql",
    )
    assert opened(club, "kept.visits").run(RowCount()).tolist() == [0]


FOREIGN = {
    "itself": "CREATE FOREIGN TABLE kept.visits (age int) SERVER away",
    "a view of one": "CREATE FOREIGN TABLE kept.away (age int) SERVER away; CREATE VIEW kept.visits AS TABLE kept.away",
    "a part that is one": "CREATE TABLE kept.visits (age int) PARTITION BY LIST (age); "
    "CREATE FOREIGN TABLE kept.away PARTITION OF kept.visits FOR VALUES IN (1) SERVER away",
}


@pytest.mark.parametrize("made", FOREIGN.values(), ids=FOREIGN)
def test_rows_of_elsewhere_are_not_read(club: Cluster, made: str) -> None:
    """Lines of a file, for one, where a quotation mark of one person's takes in everybody after them."""
    with club.connect() as owner:
        owner.execute("CREATE FOREIGN DATA WRAPPER far; CREATE SERVER away FOREIGN DATA WRAPPER far")
        owner.execute(f"{made}; GRANT SELECT ON kept.visits TO reader".encode())
    with pytest.raises(IntakeError, match="foreign table"):
        opened(club, "kept.visits")


def test_an_owner_is_trusted_by_name_alone(club: Cluster) -> None:
    as_mallory(club, "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
    assert opened(club, "club.people", trusted="postgres, mallory").run(RowCount()).tolist() == [9]
    for other in ("", "mallory2", "Mallory", "m", "reader"):
        with pytest.raises(IntakeError, match=STRANGER):
            opened(club, "club.people", trusted=other)


def test_a_table_of_our_own_user_needs_nobodys_trust(club: Cluster) -> None:
    with club.connect() as owner:
        owner.execute("CREATE TABLE kept.visits AS SELECT generate_series(1, 9) AS age")
        owner.execute("ALTER TABLE kept.visits OWNER TO reader")
    assert opened(club, "kept.visits").run(RowCount()).tolist() == [9]


def test_the_owner_of_the_database_is_an_owner_of_all_that_is_public(club: Cluster) -> None:
    with club.connect() as owner:
        owner.execute("CREATE TABLE kept.visits (age int); GRANT SELECT ON kept.visits TO reader")
        assert opened(club, "kept.visits").run(RowCount()).tolist() == [0], "The control: a superuser's."
        owner.execute("ALTER DATABASE postgres OWNER TO mallory")
        try:
            with pytest.raises(IntakeError, match=STRANGER):
                opened(club, "kept.visits")
        finally:
            owner.execute("ALTER DATABASE postgres OWNER TO CURRENT_USER")


def test_who_reads_is_the_addresss_user_whatever_role_the_database_gives_it(club: Cluster) -> None:
    """Else a function takes the role off again, and an owner is compared with somebody who reads nothing."""
    with club.connect() as owner:
        owner.execute("GRANT mallory TO reader; ALTER ROLE reader SET role = 'mallory'")
    as_mallory(club, "GRANT SELECT ON ALL TABLES IN SCHEMA club TO PUBLIC")
    with pytest.raises(IntakeError, match=STRANGER):
        opened(club, "club.people")
    engine = postgres_engine(Address.of(address(club, "club.people")))
    assert engine.texts("SELECT current_user, session_user") == [("reader", "reader")]
    engine.close()


def test_whoever_sets_where_names_are_looked_for_has_nothing_run(club: Cluster) -> None:
    """The first statement of a connection comes before all that it sets."""
    sets = "CREATE FUNCTION club.set_config(text, text, boolean) RETURNS text LANGUAGE plpgsql AS $$ BEGIN "
    sets += "INSERT INTO club.loot SELECT name FROM public.secret; RETURN pg_catalog.set_config($1, $2, $3); END $$"
    as_mallory(club, sets)
    with club.connect() as owner:
        owner.execute("CREATE TABLE kept.visits AS SELECT generate_series(1, 9) AS age")
        owner.execute("GRANT SELECT ON kept.visits TO reader; ALTER ROLE reader SET search_path = club, pg_catalog")
    assert opened(club, "kept.visits").run(RowCount()).tolist() == [9]
    assert as_mallory(club, "SELECT name FROM club.loot") == []
    as_reader = f"postgresql://reader:r@127.0.0.1:{club.port}/postgres"
    with psycopg.connect(as_reader, autocommit=True) as reader:
        reader.execute("SELECT set_config('timezone', 'UTC', false)")
    assert as_mallory(club, "SELECT name FROM club.loot") == [("eve",)], "The control: a short name is looked for."


def test_views_of_who_is_trusted_are_read(club: Cluster) -> None:
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
