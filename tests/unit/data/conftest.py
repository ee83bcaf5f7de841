"""Files that are parsed in this process, since a process apart costs more than most files; strangers in a database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import pytest

from dpengine.data.files.cells import Cells
from dpengine.data.files.child_process import Task
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.intake import table_intake
from tests.examples.tables import cells_here
from tests.servers.databases import Cluster, Databases
from tests.unit.data.engines.strangers import TELLS, TELLS_WHILE_PLANNED, as_mallory


@pytest.fixture
def parsed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process apart adds is the matter of test_child_process, test_sources and the hostile files."""
    monkeypatch.setattr(table_intake, "read_apart", _read_here)


def _read_here(file: IO[bytes], task: Task, _reading: ReadingWatch, *, share: float = 1.0) -> Cells:
    return cells_here(file.read(), task.form, task.ending, sample=task.sample is not None)


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
        "CREATE FUNCTION club.compared(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT btint4cmp($1, $2)'; "
        "CREATE OPERATOR club.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = club.same); "
        "CREATE DOMAIN club.age AS int CHECK (club.sends(value) > 0); CREATE TYPE club.mood AS ENUM ('good')",
    )
    yield cluster
    with cluster.connect() as owner:
        owner.execute("DROP SCHEMA kept CASCADE; DROP SCHEMA club CASCADE; DROP TABLE secret")
        owner.execute("DROP FOREIGN DATA WRAPPER IF EXISTS far CASCADE")
        owner.execute("DROP OWNED BY mallory, reader; DROP ROLE mallory, reader")
