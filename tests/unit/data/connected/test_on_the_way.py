"""Somebody between the dashboard and a database says that there is no encryption: the driver would do without."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import make_url

from dpengine import listeners
from dpengine.data import NumberColumn, RowCount, Schema, read_table
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.postgres_source import _secured
from dpengine.data.engines import postgres_engine
from dpengine.errors import EngineError, LedgerError
from dpengine.ledger.storage import postgres
from dpengine.ledger.storage.postgres import PostgresDatabase
from tests.servers.databases import Databases

SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100),))
ASKS_FOR_ENCRYPTION = (bytes.fromhex("0000000804d2162f"), bytes.fromhex("0000000804d21630"))


@contextmanager
def somebody_between(port: int) -> Iterator[tuple[int, bytearray]]:
    """A port that passes everything on but the wish for encryption, and all that the server said there."""
    heard = bytearray()

    def passes_on(reads: socket.socket, writes: socket.socket, keep: bytearray | None) -> None:
        with suppress(OSError):
            while said := reads.recv(65536):
                if keep is not None:
                    keep.extend(said)
                writes.sendall(said)
            writes.shutdown(socket.SHUT_WR)

    def stands_between(near: socket.socket) -> None:
        with suppress(OSError), closing(near), socket.create_connection(("127.0.0.1", port)) as far:
            while (first := near.recv(8)) in ASKS_FOR_ENCRYPTION:
                near.sendall(b"N")
            far.sendall(first)
            back = threading.Thread(target=passes_on, args=(far, near, heard), daemon=True)
            back.start()
            passes_on(near, far, None)
            back.join()

    def listens(door: socket.socket) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=stands_between, args=(door.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=listens, args=(door,), daemon=True).start()
        yield door.getsockname()[1], heard


@pytest.mark.parametrize(("mode", "reads"), [("verify-full", False), ("require", False), ("prefer", True)])
def test_a_table_is_not_read_in_the_clear(databases: Databases, mode: str, reads: bool) -> None:
    """The last is the control: what the driver does by itself."""
    cluster = databases.cluster
    with cluster.connect() as owner:
        owner.execute("CREATE TABLE public.seen AS SELECT 33 AS age FROM generate_series(1, 4711)")
    try:
        with somebody_between(cluster.port) as (port, heard):
            url = cluster.url("public.seen", sslmode=mode).replace(f":{cluster.port}/", f":{port}/")
            if reads:
                with closing(read_table(url, schema=SCHEMA)) as table:
                    assert table.run(RowCount()).tolist() == [4711]
            else:
                with pytest.raises(EngineError, match="does not answer or refused access"):
                    read_table(url, schema=SCHEMA)
            assert (b"4711" in heard) is reads
    finally:
        with cluster.connect() as owner:
            owner.execute("DROP TABLE public.seen")


@pytest.mark.parametrize(("mode", "reads"), [("verify-full", False), ("prefer", True)])
def test_nor_is_a_ledger(databases: Databases, mode: str, reads: bool) -> None:
    cluster = databases.cluster
    with somebody_between(cluster.port) as (port, heard):
        place = f"{cluster.user}:{quote(cluster.password, safe='')}@127.0.0.1:{port}/{cluster.database}"
        ledger = PostgresDatabase.at(make_url(f"postgresql://{place}?sslmode={mode}"), 10.0)
        if reads:
            ledger.is_there()
        else:
            with pytest.raises(LedgerError, match="no certificate that is known here"):
                ledger.is_there()
        assert bool(heard) is reads


CHECKED = {"sslmode": "verify-full", "sslrootcert": "system"}
PROVED = {"require_auth": "scram-sha-256"}


@pytest.mark.parametrize(
    ("host", "options", "asked"),
    [
        ("db.example.org", {}, CHECKED),
        ("10.0.0.5", {}, CHECKED),
        ("db", {"sslrootcert": "/ours.pem"}, {"sslmode": "verify-full", "sslrootcert": "/ours.pem"}),
        ("db", {"sslmode": "disable"}, {"sslmode": "disable"}),
        ("127.0.0.1", {}, {}),
        ("localhost", {}, {}),
        ("[::1]", {}, {}),
    ],
)
def test_another_machine_has_to_show_who_it_is(host: str, options: dict[str, str], asked: dict[str, str]) -> None:
    written = "&".join(f"{name}={value}" for name, value in options.items())
    assert settings_of(f"me:a@{host}/clinic?{written}") == [asked | PROVED] * 2


def settings_of(place: str) -> list[dict[str, object]]:
    """Of a table there, and of a ledger."""
    ledger = PostgresDatabase.at(make_url(f"postgresql://{place}"), 1.0)
    return [dict(_secured(Address.of(f"postgresql://{place}"))), dict(ledger.address.query)]


def test_a_server_is_shown_a_password_only_as_the_address_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings_of("me@localhost/clinic") == [{"require_auth": "!password,!md5"}] * 2
    assert settings_of("me:a@localhost/clinic?require_auth=md5") == [{"require_auth": "md5"}] * 2
    monkeypatch.setenv("PGPASSWORD", "a")
    assert settings_of("me@localhost/clinic") == [PROVED] * 2


def test_a_strangers_program_at_the_servers_port_is_asked_nothing(
    databases: Databases, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It could pass on how both prove themselves, and read along: SCRAM says nothing of who stands between."""
    cluster = databases.cluster
    with somebody_between(cluster.port) as (port, heard):
        place = f"{cluster.user}:{quote(cluster.password, safe='')}@127.0.0.1:{port}/{cluster.database}"
        ledger = PostgresDatabase.at(make_url(f"postgresql://{place}"), 10.0)
        ledger.is_there()
        assert heard, "As long as it is our own."
        ledger.close()
        heard.clear()
        own = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: own + 1)
        monkeypatch.setattr(listeners, "FIRST_OF_PEOPLE", 0)
        with pytest.raises(LedgerError, match="another person's account listens"):
            ledger.is_there()
        with pytest.raises(EngineError, match="another person's account listens"):
            read_table(f"postgresql://{place}?table=public.seen", schema=SCHEMA)
        with pytest.raises(LedgerError, match="another person's account listens"):
            ledger.back_up(tmp_path / "copy")
        assert not heard


def test_nor_is_it_proved_anything_where_it_begins_to_listen_after_the_look(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose program has taken the connection is looked at before a password is proved, to which the server answers."""
    cluster, proof = databases.cluster, bytes((0, 0, 0, 12)) + b"v="
    with somebody_between(cluster.port) as (port, heard):
        place = f"{cluster.user}:{quote(cluster.password, safe='')}@127.0.0.1:{port}/{cluster.database}"
        ledger = PostgresDatabase.at(make_url(f"postgresql://{place}"), 10.0)
        ledger.is_there()
        assert proof in heard, "The control."
        ledger.close()
        heard.clear()
        own = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: own + 1)
        monkeypatch.setattr(listeners, "FIRST_OF_PEOPLE", 0)
        for module in (postgres, postgres_engine):
            monkeypatch.setattr(module, "strangers_listen", lambda *_: False)
        with pytest.raises(LedgerError, match="another person's account listens"):
            ledger.is_there()
        with pytest.raises(EngineError, match="another person's account listens"):
            read_table(f"postgresql://{place}?table=public.seen", schema=SCHEMA)
        assert proof not in heard


def test_the_environment_names_no_host_for_a_ledger_that_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.setblocking(False)
        monkeypatch.setenv("PGHOST", "127.0.0.1")
        monkeypatch.setenv("PGPORT", str(elsewhere.getsockname()[1]))
        with suppress(LedgerError):
            PostgresDatabase.at(make_url("postgresql:///clinic"), 1.0).is_there()
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect("postgresql:///clinic", connect_timeout=2)
        elsewhere.accept()[0].close()  # the control
