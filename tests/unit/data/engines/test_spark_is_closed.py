"""Spark in this process holds rows: in files and behind ports that no other account of the machine may read."""

from __future__ import annotations

import gc
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import CategoryColumn, PrivacyUnit, Schema, Table, TextColumn, read_table
from dpengine.data.engines.scratch import default_room
from dpengine.data.engines.spark_sessions import session_of
from dpengine.errors import EngineError
from dpengine.privacy import Neighbors
from dpengine.queries import GroupedCountQuery
from tests.servers.databases import Databases
from tests.servers.listening import places

SCHEMA = Schema(
    name="visits",
    columns=(TextColumn(name="who"), CategoryColumn(name="ill", categories=("red", "green"))),
    unit=PrivacyUnit(identifier="who", rows=3),
)
_OPEN_BLOCKS = 3
"""Of Spark's messages, a question to a block service."""


@pytest.fixture
def asked(databases: Databases) -> Iterator[Table]:
    """A table of which a question was answered, for which Spark put each person's rows in order."""
    path = databases.path("visits.parquet")
    rows = {"who": [f"person {i % 40}" for i in range(200)], "ill": ["red", "green"] * 100}
    pq.write_table(pa.table(rows), path)
    with closing(read_table(databases.spark(parquet=path), schema=SCHEMA)) as table:
        (part,) = GroupedCountQuery("ill").parts(SCHEMA, Neighbors.ADD_REMOVE)
        assert sum(table.run(part.aggregate)) == 120
        yield table


def context() -> Any:
    """Spark itself, as it runs in this process."""
    return session_of("local[2]").sparkContext


def test_what_it_writes_lies_in_a_private_folder(asked: Table) -> None:
    folder = Path(context().getConf().get("spark.local.dir"))
    assert (folder.parent, folder.stat().st_mode & 0o777) == (default_room(), 0o700)
    assert [*folder.glob("blockmgr-*/*/shuffle_*.data")], "The control: rows were written."
    java = context()._jvm
    assert java.System.getProperty("java.io.tmpdir") == str(folder)
    said = java.java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()
    assert "-XX:-UsePerfData" in list(said), "What it measures of itself would lie in a folder of the machine."


def test_its_ports_hear_a_stranger_out_about_nothing_but_who_that_is(asked: Table) -> None:
    told = [answer(port) for _, port in places(context()._gateway.proc.pid)]
    of_spark = [words for words in told if b"java." in words]
    assert len(of_spark) >= 2, "The control: both kinds of its ports answer."
    assert all(b"Expected SaslMessage" in words for words in of_spark)
    assert context().getConf().get("spark.io.encryption.enabled") == "true"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of the bridge's sockets to what ended
def test_where_java_has_ended_the_next_table_begins_another(asked: Table) -> None:
    """As where a row is more than its memory holds: no table in Spark could be read until the server starts anew."""
    (part,) = GroupedCountQuery("ill").parts(SCHEMA, Neighbors.ADD_REMOVE)
    java = context()._gateway.proc
    java.kill()
    java.wait()
    with pytest.raises(EngineError):
        asked.run(part.aggregate)
    assert not asked.failed, "No row was read."
    assert context()._gateway.proc.pid != java.pid
    assert context().parallelize([1, 2]).count() == 2
    gc.collect()


def answer(port: int) -> bytes:
    """How the answer of a port begins to whoever asks a block service for rows; nothing where it says nothing."""
    body = bytes([0]) + _text("app") + _text("driver") + struct.pack(">i", 1) + _text("shuffle_0_0_0")
    head = bytes([_OPEN_BLOCKS]) + struct.pack(">qi", 1, len(body))
    with socket.create_connection(("127.0.0.1", port), 10) as stranger:
        stranger.sendall(struct.pack(">q", 8 + len(head) + len(body)) + head + body)
        stranger.settimeout(10)
        try:
            return stranger.recv(200)
        except (TimeoutError, ConnectionError):
            return b""


def _text(words: str) -> bytes:
    return struct.pack(">i", len(words)) + words.encode()
