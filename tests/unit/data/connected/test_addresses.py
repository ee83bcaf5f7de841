import socket
from typing import Any

import pytest

from dpengine.data.connected import parquet_files, spark_source
from dpengine.data.connected.addresses import Address, address_of
from dpengine.data.connected.spark_places import files_place, named, table_name
from dpengine.data.connected.spark_source import _place
from dpengine.errors import IntakeError
from tests.running.cases import each


def test_the_parts_are_read_with_their_signs():
    address = Address.of("postgresql://me:a%40b%2Fc@db.example.org:5433/clinic?table=%22a.b%22.c&sslmode=require")
    assert (address.scheme, address.host, address.port, address.path) == (
        "postgresql",
        "db.example.org",
        5433,
        "/clinic",
    )
    assert (address.user, address.password) == ("me", "a@b/c")
    assert address.options == {"table": '"a.b".c', "sslmode": "require"}


def test_neither_user_nor_password_is_shown():
    shown = repr(Address.of("postgresql://somebody:hidden@host/db?token=secret"))
    assert "host" in shown
    assert not any(secret in shown for secret in ("somebody", "hidden", "secret"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:pass#word@host/db",
        "postgresql://me:pass/word@host/db",
        "postgresql://me:word@host:port/db",
        "postgresql://me:word@host:99999/db",
        "postgresql://[me:word@host/db",
        "postgresql://me:word@host/db?table",
        "postgresql://me:word@host/db?table=a&table=b",
    ],
)
def test_what_is_no_address_is_refused_and_not_quoted(url):
    with pytest.raises(IntakeError, match="must read") as refused:
        Address.of(url)
    assert "word" not in str(refused.value).replace("password", "")


def test_an_option_that_is_not_known_is_not_quoted():
    """It may be what follows a question mark in a password."""
    with pytest.raises(IntakeError, match="'table'") as refused:
        Address.of("postgresql://me:12?word=x@host/db").require_options(("table",))
    assert "word" not in str(refused.value)


def test_the_identity_is_the_place_and_nobody_in_particular():
    def identity(url):
        return Address.of(url).identity("public", "visits")

    here = identity("postgresql://me:a@host/db?table=visits")
    assert identity("postgresql://you:b@host/db?table=public.visits&seconds=9") == here
    others = [identity(url) for url in ("postgresql://host/other", "postgresql://host2/db", "postgresql://host:1/db")]
    assert len({here, *others}) == 4
    address = Address.of("postgresql://me:a@host/db")
    assert address.identity("a", "bc") != address.identity("ab", "c")


@each(
    ("url", "another"),
    [
        ("postgresql://host/db", "postgresql://host:5432/db"),
        ("postgresql://host/db", "postgresql://HOST.//db/"),
        ("postgresql://localhost/db", "postgresql://127.0.0.1/db"),
        ("postgresql://localhost/db", "postgresql://127.1/db"),
        ("postgresql://localhost/db", "postgresql://[::1]/db"),
        ("postgresql://localhost/db", "postgresql://0.0.0.0/db"),
        ("postgresql://localhost/db", "postgresql://[::ffff:127.0.0.1]/db"),
        ("postgresql://10.0.0.5/db", "postgresql://[::ffff:10.0.0.5]/db"),
        ("postgresql://[2001:db8::1]/db", "postgresql://[2001:db8:0::1]/db"),
    ],
)
def test_however_an_address_is_written_it_is_the_same_place(url, another):
    assert Address.of(url).identity("t", usual_port=5432) == Address.of(another).identity("t", usual_port=5432)


def in_spark(url):
    """The identity of files at an address, as Spark reads them."""
    address = Address.of(url)
    return spark_source._identity(address, files_place(named(address)[1], here=False))


@each(
    ("url", "another", "same"),
    [
        ("spark-local://2?parquet=/data/v", "spark-local://4?parquet=/data/v/&memory=2g", True),
        ("spark-local://2?parquet=/data/v", "spark-local://2?parquet=file:///data/./v", True),
        ("spark-local://2?parquet=/data/v", "spark-local://2?parquet=FILE:/data//v", True),
        ("spark-local://2?parquet=/data/v", "spark-local://2?parquet=/data/w", False),
        ("spark://host?parquet=hdfs://One/v", "spark://host:7077?parquet=HDFS://one/w/../v", True),
        ("spark://host?parquet=hdfs://one/v", "spark://host?parquet=hdfs://two/v", False),
        ("sc://host?parquet=/v", "sc://host:15002/?parquet=/v", True),
        ("sc://host?parquet=/v", "sc://host2?parquet=/v", False),
    ],
)
def test_in_spark_it_is_what_is_read_and_not_by_how_many_threads(url, another, same):
    assert (in_spark(url) == in_spark(another)) is same


@each("path", ["/data/vis*", "/data/visit[s]", "/data/visit{s}", "/data/v\\isits", " /data/v", "data/v", "//data/v"])
def test_in_spark_a_path_is_whole_and_no_pattern(path):
    with pytest.raises(IntakeError, match="one file or one folder"):
        files_place(path, here=False)


@each(
    ("parts", "known_as"),
    [
        (("spark_catalog", "default", "Visits"), "visits"),
        (("spark_catalog", "Clinic", "visits"), "clinic.visits"),
        (("lake", "default", "visits"), "lake.default.visits"),
        (("lake", "a", "b", "visits"), "lake.a.b.visits"),
        (("default",), "default"),
    ],
)
def test_a_table_in_spark_has_one_name(parts, known_as):
    assert table_name(parts) == known_as


@pytest.mark.parametrize("read", [parquet_files.place_at, lambda path: files_place(path, here=True).known_as])
def test_a_path_through_a_link_is_refused(tmp_path, read):
    """Another way to write the same place, or another place tomorrow."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data/v.parquet").touch()
    (tmp_path / "link").symlink_to("data")
    (tmp_path / "link.parquet").symlink_to("data/v.parquet")
    assert read(f"{tmp_path}/x/../data/v.parquet") == f"{tmp_path}/data/v.parquet"
    for through in ("link", "link/", "link/v.parquet", "link.parquet", "data/../link.parquet"):
        with pytest.raises(IntakeError, match="is a link"):
            read(f"{tmp_path}/{through}")


def test_a_pattern_is_refused_where_a_link_leads_to_it(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to("data")
    assert parquet_files.place_at(f"{tmp_path}/data/year=[12]*/*") == f"{tmp_path}/data/year=[12]*/*"
    with pytest.raises(IntakeError, match="is a link"):
        parquet_files.place_at(f"{tmp_path}/link/year=[12]*")


def test_only_known_schemes_are_opened():
    assert address_of("sc://host", ("sc",)).host == "host"
    with pytest.raises(IntakeError, match=r"'sc'.*known are 'spark'"):
        address_of("sc://host", ("spark",))


NO_ENGINE: Any = None
"""Of files none is asked."""


@pytest.mark.parametrize(
    "where", ["spark-local://2", "spark://elsewhere:7077", "sc://127.0.0.1:15002", "sc://localhost"]
)
def test_files_of_this_machine_are_there_once_whichever_spark_reads_them(tmp_path, where):
    folder, led = tmp_path / "folder", tmp_path / "led"
    folder.mkdir()
    (folder / "x.parquet").write_bytes(b"")
    told = _place(NO_ENGINE, Address.of(f"{where}?parquet={folder}"))
    assert told.known_as == str(folder), "The control."
    led.symlink_to(folder)
    with pytest.raises(IntakeError, match="is a link"):
        _place(NO_ENGINE, Address.of(f"{where}?parquet={led}"))
    (folder / "y.parquet").symlink_to("x.parquet")
    assert told.files() == [str(folder / "x.parquet")]
    (folder / "z[1].parquet").write_bytes(b"")
    with pytest.raises(IntakeError, match="has one of the signs"):
        told.files()
    assert _place(NO_ENGINE, Address.of(f"sc://elsewhere:15002?parquet={led}")).known_as == str(led), (
        "Nobody looks there."
    )


def test_an_address_leads_here_by_whatever_number_of_this_machine() -> None:
    """The numbers of its interfaces, if it has any beside the loopback; the control is another machine's."""
    own = {place[4][0] for place in socket.getaddrinfo(socket.gethostname(), 0, type=socket.SOCK_STREAM)}
    for host in ("localhost", "127.0.0.1", "[::1]", *(f"[{one}]" if ":" in str(one) else one for one in own)):
        assert Address.of(f"sc://{host}:15002?table=a").leads_here, host
    for host in ("192.0.2.77", "nowhere.invalid"):
        assert not Address.of(f"sc://{host}:15002?table=a").leads_here, host
