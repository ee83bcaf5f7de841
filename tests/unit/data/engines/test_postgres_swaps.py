"""Tables of PostgreSQL that become a stranger's between two looks, or while a question waits for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
import pytest

from dpengine.data import Comparison, RowCount
from dpengine.data.engines.postgres_engine import PostgreSQLEngine, _looked_at
from dpengine.data.engines.postgres_watch import TableWatch
from dpengine.errors import EngineError, IntakeError
from tests.servers.databases import Cluster
from tests.unit.data.engines.strangers import STRANGER, as_mallory, opened


class Between:
    """A connection between whose looks at a table somebody makes it."""

    def __init__(self, connection: Any, watch: TableWatch, make: Callable[[], object]) -> None:
        self._connection, self._watch, self._make = connection, watch, make

    def execute(self, statement: str, values: Any = None) -> Any:
        """Once nobody was found whose table it would be."""
        if statement == self._watch.columns:
            self._make()
        return self._connection.execute(statement, values)


def test_a_table_that_comes_between_two_looks_is_read_by_nobody(club: Cluster) -> None:
    """What was not there at the first look was locked by nobody, and may be a stranger's at the last."""
    watch = TableWatch(schema="kept", table="visits")
    with club.connect() as owner:
        owner.execute("GRANT USAGE, CREATE ON SCHEMA kept TO mallory")

        def make() -> None:
            as_mallory(club, "CREATE TABLE IF NOT EXISTS kept.visits (age int); GRANT SELECT ON kept.visits TO PUBLIC")

        with pytest.raises(IntakeError, match="no table or view 'visits'"):
            _looked_at(watch, Between(owner, watch, make))
        make()
        trusting = TableWatch(schema="kept", table="visits", trusted=("mallory",))
        assert _looked_at(trusting, owner), "The control: it is there to be seen."
    with club.connect() as owner, pytest.raises(IntakeError, match=STRANGER):
        _looked_at(watch, owner)


@pytest.mark.parametrize("isolation", ["repeatable read", "serializable"])
def test_a_table_that_is_swapped_while_a_question_waits_for_it_is_looked_at_anew(club: Cluster, isolation: str) -> None:
    """A snapshot from before the wait would show the owner's table, while the statement after it reads the stranger's.

    The control is such a snapshot.
    """
    made = "CREATE TABLE {} AS SELECT generate_series(1, 5) AS age; GRANT SELECT ON {} TO reader"
    watch = TableWatch(schema="kept", table="visits")
    with club.connect() as owner:
        owner.execute("GRANT USAGE, CREATE ON SCHEMA kept TO mallory")
        owner.execute(made.format(*2 * ["kept.visits"]))
        owner.execute(f"ALTER ROLE reader SET default_transaction_isolation = '{isolation}'".encode())
    table = opened(club, "kept.visits")
    assert swapped_meanwhile(club, partial(table.run, RowCount())) == STRANGER
    with club.connect() as owner:
        owner.execute("DROP TABLE kept.visits")
        owner.execute(made.format(*2 * ["kept.visits"]))
    as_reader = f"postgresql://reader:r@127.0.0.1:{club.port}/postgres"
    with psycopg.connect(as_reader, application_name="epsilon-explorer") as reader:
        assert swapped_meanwhile(club, partial(_looked_at, watch, reader)) is None, "The control: not seen."
        assert reader.execute("SELECT count(*) FROM kept.visits").fetchall() == [(9,)]


def swapped_meanwhile(club: Cluster, ask: Callable[[], object]) -> str | None:
    """What a question says for which the table became mallory's while it waited for it: STRANGER, or nothing."""
    as_mallory(club, "CREATE TABLE kept.evil AS SELECT age FROM club.people; GRANT SELECT ON kept.evil TO PUBLIC")
    waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'epsilon-explorer'"
    with club.connect() as owner, club.connect() as looking, ThreadPoolExecutor(1) as threads:
        with owner.transaction():
            owner.execute("DROP TABLE kept.visits; ALTER TABLE kept.evil RENAME TO visits")
            asked = threads.submit(ask)
            while not looking.execute(waits).fetchall():
                assert not asked.done()
        refused = asked.exception(timeout=20)
    assert refused is None or (isinstance(refused, IntakeError) and STRANGER in str(refused))
    return STRANGER if refused else None


def test_whoever_may_make_schemas_could_put_one_in_the_place_of_the_tables(club: Cluster) -> None:
    """No lock keeps a schema's name: what is looked at by name may be another's when it is read by name."""
    with club.connect() as owner:
        owner.execute("CREATE TABLE kept.visits (age int); GRANT SELECT ON kept.visits TO reader")
        table = opened(club, "kept.visits")
        assert table.run(RowCount()).tolist() == [0], "The control: nobody else may."
        owner.execute("GRANT CREATE ON DATABASE postgres TO mallory")
    try:
        with pytest.raises(IntakeError, match="may make schemas in its database"):
            opened(club, "kept.visits")
        with pytest.raises(IntakeError, match=STRANGER):
            table.run(RowCount())
        assert opened(club, "kept.visits", trusted="mallory").run(RowCount()).tolist() == [0]
        # The control: nothing waits for who looks.
        renamed = "ALTER SCHEMA kept RENAME TO gone; SET ROLE mallory; ALTER SCHEMA club RENAME TO kept; RESET ROLE; "
        renamed += (
            "SELECT count(*) FROM kept.people; ALTER SCHEMA kept RENAME TO club; ALTER SCHEMA gone RENAME TO kept"
        )
        with club.connect() as reading, club.connect() as owner, reading.transaction():
            assert _looked_at(TableWatch(schema="kept", table="visits", trusted=("mallory",)), reading)
            owner.execute(renamed.encode())
    finally:
        with club.connect() as owner:
            owner.execute("REVOKE CREATE ON DATABASE postgres FROM mallory")


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


class Renaming:
    """A connection between whose look at a table and whose question its owner has another schema take its name."""

    def __init__(self, connection: Any, watch: TableWatch, rename: Callable[[], object]) -> None:
        self._connection, self._watch, self._rename = connection, watch, rename

    def execute(self, statement: Any, values: Any = None) -> Any:
        """Once the columns were looked at."""
        found = self._connection.execute(statement, values)
        if statement == self._watch.columns:
            rename, self._rename = self._rename, lambda: None
            rename()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.mark.parametrize("swaps", [False, True])
def test_no_answer_is_given_of_a_table_that_was_not_looked_at(
    club: Cluster, monkeypatch: pytest.MonkeyPatch, swaps: bool
) -> None:
    """A nightly job swaps schemas, which waits for nobody who reads."""
    made = "CREATE SCHEMA {0}; CREATE TABLE {0}.visits AS SELECT generate_series(1, {1}) AS age; "
    made += "GRANT USAGE ON SCHEMA {0} TO reader; GRANT SELECT ON {0}.visits TO reader"
    with club.connect() as owner:
        owner.execute(f"{made.format('blue', 5)}; {made.format('green', 9)}".encode())
        try:
            table = opened(club, "blue.visits")
            swap = ["ALTER SCHEMA blue RENAME TO old; ALTER SCHEMA green RENAME TO blue"] if swaps else []
            plain = PostgreSQLEngine._lent

            @contextmanager
            def lent(self: PostgreSQLEngine) -> Iterator[Any]:
                assert self._watch is not None
                with plain(self) as connection:
                    yield Renaming(
                        connection, self._watch, lambda: owner.execute(swap.pop().encode()) if swap else None
                    )

            monkeypatch.setattr(PostgreSQLEngine, "_lent", lent)
            if swaps:
                with pytest.raises(EngineError):
                    table.run(RowCount())
            assert table.run(RowCount(where=Comparison("age", ">", 0))).tolist() == [9 if swaps else 5]
        finally:
            for schema in ("blue", "green", "old"):
                owner.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE".encode())


@pytest.mark.parametrize("kind", ["numeric(10, 2)", "kept.cents", "kept.pennies"])
def test_other_decimal_places_are_another_type(club: Cluster, kind: str) -> None:
    """A writer takes them from the values: one person's would write everybody's otherwise, and so choose others."""
    made = "DROP TABLE IF EXISTS kept.visits; CREATE TABLE kept.visits (age int, paid {}); "
    made += "INSERT INTO kept.visits VALUES (30, 1.5); GRANT SELECT ON kept.visits TO reader"
    domains = "DROP DOMAIN IF EXISTS kept.pennies, kept.cents; CREATE DOMAIN kept.cents AS numeric(10, {places}); "
    domains += "CREATE DOMAIN kept.pennies AS kept.cents"
    with club.connect() as owner:
        owner.execute(domains.format(places=2).encode())
        owner.execute(made.format(kind).encode())
        table = opened(club, "kept.visits")
        owner.execute(made.format(kind).encode())
        assert table.run(RowCount()).tolist() == [1], "The control: made anew with the same type."
        owner.execute(b"DROP TABLE kept.visits")
        owner.execute(domains.format(places=3).encode())
        owner.execute(made.format(kind.replace("2", "3")).encode())
    with pytest.raises(EngineError):
        table.run(RowCount())
    assert opened(club, "kept.visits").run(RowCount()).tolist() == [1]
