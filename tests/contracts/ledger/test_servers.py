"""A PostgreSQL that is stopped, restarted, read-only, crowded, or not ours: a sentence, and the ledger goes on."""

import contextlib
import gc
import time
import traceback
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import make_url, text

from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from dpengine.ledger.accounts import rows
from dpengine.ledger.accounts.account import Account
from dpengine.ledger.entries.entry import Request
from dpengine.ledger.storage.account_state import standing
from dpengine.ledger.storage.postgres import PostgresDatabase
from dpengine.ledger.storage.postgres_triggers import NAMESPACE
from dpengine.privacy import Guarantee
from tests.contracts.ledger.laws import again, the_table
from tests.examples.ledgers import asking, opened
from tests.servers.databases import Cluster, programs
from tests.servers.ledger_places import ServerPlace


@pytest.fixture(scope="module")
def own_cluster():
    """A cluster that a test may stop."""
    binaries = programs()
    if binaries is None:
        pytest.skip("no initdb on this machine; install PostgreSQL to test it")
    with Cluster(binaries) as cluster:
        yield cluster


@pytest.fixture
def own_place(own_cluster, tmp_path):
    return ServerPlace(cluster=own_cluster, folder=tmp_path).emptied()


def told(url, tmp_path):
    """What opening says, and all that a log would show of it."""
    with pytest.raises(LedgerError) as caught:
        Ledger.open(url, marker=tmp_path / "another.id", patience=2)
    return str(caught.value), "".join(traceback.format_exception(caught.value)) + repr(caught.value.__context__)


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        (":{password}@", ":wrong@", "refused the user or the password"),
        ("tester:", "nobody:", "refused the user or the password"),
        ("/postgres", "/missing", "does not exist"),
        (":{port}/", ":1/", "does not answer at the host and port"),
    ],
)
def test_a_wrong_address_in_a_sentence_without_the_password(server_place, tmp_path, old, new, sentence):
    cluster = server_place.cluster
    password = quote(cluster.password, safe="")
    old = old.format(password=password, port=cluster.port)
    assert old in server_place.url
    said, logged = told(server_place.url.replace(old, new), tmp_path)
    assert sentence in said
    for secret in (cluster.password, password, "wrong@"):
        assert secret not in said + logged
    server_place.open()


def test_whoever_owns_the_database_has_nothing_run_as_the_ledgers_user(server_place):
    """Its owner says where names are looked for; what SQLAlchemy asks first would be found there."""
    cluster, counted = server_place.cluster, "SELECT last_value, is_called FROM evil.asked"
    with cluster.connect() as owner:
        owner.execute("CREATE SCHEMA evil; CREATE SEQUENCE evil.asked")
        owner.execute(
            "CREATE FUNCTION evil.current_schema() RETURNS name LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM nextval('evil.asked'); RETURN 'evil'; END $$"
        )
        owner.execute(f"ALTER DATABASE {cluster.database} SET search_path = evil, pg_catalog")
        try:
            server_place.open().close()
            assert owner.execute(counted).fetchone() == (1, False)
            with cluster.connect() as plain:
                plain.execute("SELECT current_schema()")
            assert owner.execute(counted).fetchone() == (1, True), "The control."
        finally:
            owner.execute(f"ALTER DATABASE {cluster.database} RESET search_path")
            owner.execute("DROP SCHEMA evil CASCADE")


@pytest.mark.parametrize("made", ["a whole ledger", "its schema", "a table", "a function"])
def test_one_that_somebody_else_made_first_or_may_change_is_refused(server_place, tmp_path, made):
    """Its secret would be theirs, their triggers would run as the ledger's user, and they may drop what was charged."""
    cluster = server_place.cluster
    theirs = server_place.url.replace(f"{cluster.user}:{quote(cluster.password, safe='')}", "mallory:m")
    with cluster.connect() as owner:
        owner.execute(f"CREATE ROLE mallory LOGIN PASSWORD 'm'; GRANT CREATE ON DATABASE {cluster.database} TO mallory")
        try:
            if made == "a whole ledger":
                Ledger.open(theirs, marker=tmp_path / "theirs.id").close()
                Ledger.open(theirs, marker=tmp_path / "theirs.id").close()
            elif made == "its schema":
                owner.execute(f"CREATE SCHEMA {NAMESPACE} AUTHORIZATION mallory")
            else:
                server_place.open().close()
                owner.execute(
                    f"ALTER TABLE {NAMESPACE}.charges OWNER TO mallory"
                    if made == "a table"
                    else f"CREATE FUNCTION {NAMESPACE}.any() RETURNS int LANGUAGE sql AS 'SELECT 1'; "
                    f"ALTER FUNCTION {NAMESPACE}.any() OWNER TO mallory"
                )
            said, _ = told(server_place.url, tmp_path)
            assert "belongs to mallory" in said
            tables = f"SELECT count(*) FROM pg_tables WHERE schemaname = '{NAMESPACE}'"
            assert (owner.execute(tables).fetchone() == (0,)) is (made == "its schema"), "Nothing is made there."
        finally:
            owner.execute("DROP OWNED BY mallory CASCADE; DROP ROLE mallory")
            server_place.emptied()


def test_no_secret_in_what_a_ledger_says_of_itself(server_place):
    ledger = server_place.open()
    account = opened(ledger, the_table())
    (secret,) = server_place.asked("SELECT secret FROM meta")[0]
    shown = repr(ledger) + repr(account) + repr(account.store) + repr(account.store.database)
    for hidden in (server_place.cluster.password, quote(server_place.cluster.password), secret.hex(), repr(secret)):
        assert hidden not in shown
    assert account.fingerprint not in shown


def test_the_environment_leads_to_no_other_server(server_place, monkeypatch, tmp_path):
    """Nor does it take the guards away; the ledger there would have every budget anew."""
    server_place.open()
    monkeypatch.setenv("PGHOSTADDR", "127.9.9.9")
    monkeypatch.setenv("PGOPTIONS", "-c session_replication_role=replica")
    (services := tmp_path / "services").write_text("[elsewhere]\nhostaddr=127.9.9.9\n")
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    monkeypatch.setenv("PGSERVICE", "elsewhere")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server_place.url, connect_timeout=2)
    ledger = server_place.open()
    with ledger.store.reading() as connection:
        assert connection.scalar(text("SHOW session_replication_role")) == "origin"
    ledger.back_up(tmp_path / "copy.dump")


def test_a_user_without_rights(server_place, tmp_path):
    server_place.asked("DROP ROLE IF EXISTS guest")
    server_place.asked("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    url = f"postgresql://guest:guest@127.0.0.1:{server_place.cluster.port}/postgres"
    said, _ = told(url, tmp_path)
    assert "needs to own a schema" in said
    server_place.open()
    said, _ = told(url, tmp_path)
    assert "may not do this" in said


def test_it_waits_for_the_disk_whatever_the_server_does(server_place):
    ledger = server_place.open()
    with ledger._store.writing() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    assert server_place.asked("SHOW synchronous_commit") == [("off",)]


@pytest.mark.parametrize("table", ["meta", "accounts", "topups", "charges", "answers"])
def test_nothing_is_ever_changed_past_the_code(server_place, table):
    account = opened(server_place.open(), the_table())
    account.top_up(Guarantee(epsilon=2.0), reason="more")
    account.charge("r", asking(0.1))
    account.store_answer("r", [[7]])
    before = server_place.asked(f"SELECT * FROM {table}")
    column = "single" if table == "meta" else "id"
    for statement in (
        f"DELETE FROM {table}",
        f"TRUNCATE {table} CASCADE",
        f"UPDATE {table} SET {column} = 1",
        f"INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({column}) DO UPDATE SET {column} = 1",
    ):
        assert server_place.tampered(statement) != "", statement
        assert server_place.asked(f"SELECT * FROM {table}") == before


def test_a_smaller_total_is_refused_past_the_code(server_place):
    opened(server_place.open(), the_table(), epsilon=1.0)
    columns = "id, account, granted_epsilon, granted_delta, granted_rho, reason, granted, head"
    total = f"INSERT INTO topups ({columns}) VALUES (2, 1, ?, 0, 0, 'why', 'now', '{'0' * 64}')"
    assert "not a larger total" in server_place.tampered(total, 10**9)
    assert server_place.tampered(total, 10**9 + 1) == ""


def test_a_connection_that_ends_in_the_middle_of_a_charge(server_place):
    ledger = server_place.open()
    account = opened(ledger, the_table())
    planned = asking(0.4)
    request = Request.of("r", planned, account.schema)
    with pytest.raises(LedgerError, match="does not answer"), account.store.writing() as connection:  # noqa: PT012
        now = standing(connection, account.id)
        rows.add_charge(connection, request, account.cost(planned).amounts, key=account.id, at=now, time="now")
        server = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        server_place.asked("SELECT pg_terminate_backend(?, 5000)", server)
        connection.exec_driver_sql("SELECT 1")
    assert account.spent == Guarantee(epsilon=0.0)
    account.charge("r", planned)
    ledger.verify()


def test_a_server_that_is_restarted(own_place):
    ledger = own_place.open()
    account = opened(ledger, the_table())
    account.charge("before", asking(0.1))
    own_place.cluster.interrupt()
    with pytest.raises(LedgerError, match="does not answer"):
        account.charge("r", asking(0.1))
    own_place.cluster.resume()
    for _ in range(2):
        account.charge("r", asking(0.1))
    assert account.spent == Guarantee(epsilon=0.2)
    ledger.verify()


def test_a_server_that_only_follows_another_one(own_place):
    account = opened(own_place.open(), the_table())
    own_place.cluster.interrupt()
    own_place.cluster.follow_only(begin=True)
    own_place.cluster.resume()
    try:
        assert account.spent == Guarantee(epsilon=0.0)
        with pytest.raises(LedgerError, match="only reads"):
            account.charge("r", asking(0.1))
        with pytest.raises(LedgerError, match="only reads"):
            own_place.open()
    finally:
        own_place.cluster.interrupt()
        own_place.cluster.follow_only(begin=False)
        own_place.cluster.resume()
    account.charge("r", asking(0.1))


def test_a_server_that_does_not_wait_for_its_disk(own_place):
    own_place.open()
    own_place.cluster.interrupt()
    own_place.cluster.resume("fsync=off")
    try:
        with pytest.raises(LedgerError, match="fsync is off"):
            own_place.open()
    finally:
        own_place.cluster.interrupt()
        own_place.cluster.resume()
    own_place.open()


def test_more_at_once_than_the_server_has_connections_for(own_place):
    account = opened(own_place.open(patience=2), the_table())
    own_place.cluster.interrupt()
    own_place.cluster.resume("max_connections=4", "superuser_reserved_connections=0")
    taken: list[psycopg.Connection] = []
    try:
        while len(taken) < 4:  # the server may not have let go yet of whoever asked whether it is back
            with contextlib.suppress(psycopg.OperationalError):
                taken.append(own_place.cluster.connect())
        with pytest.raises(LedgerError, match="no free connection"):
            account.charge("r", asking(0.1))
    finally:
        for one in taken:
            one.close()
        own_place.cluster.interrupt()
        own_place.cluster.resume()
    assert isinstance(again(own_place), Account)
    account.charge("r", asking(0.1))


def test_whoever_forgets_a_ledger_lets_its_connections_go(server_place):
    """Else a program that opens many would at last be refused by the server. The control: one that is still held."""
    server_place.open()
    database = PostgresDatabase.at(make_url(server_place.url), 10.0)
    with database.reading() as connection:
        process = connection.scalar(text("SELECT pg_backend_pid()"))
    assert is_connected(server_place, process)
    del database, connection
    gc.collect()
    until = time.monotonic() + 30.0
    while is_connected(server_place, process):
        assert time.monotonic() < until, "Somebody holds it."
        time.sleep(0.05)


def is_connected(server_place, process):
    return bool(server_place.asked(f"SELECT pid FROM pg_catalog.pg_stat_activity WHERE pid = {process}"))
