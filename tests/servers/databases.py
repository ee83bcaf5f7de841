"""Engines of the tests' own: PostgreSQL on a free port of this machine, stopped by its own process id, and Spark."""

from __future__ import annotations

import importlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlencode

import psycopg
import pytest

from tests.servers.server import free_port

START_SECONDS, STOP_SECONDS = 30, 15
_DEBIAN = "usr/lib/postgresql/*/bin/initdb"
_ACCOUNTS = ("postgres", "nobody")
_SETTINGS_VARIABLE = "SPARK_CONF_DIR"
# A hundred small questions: interpreting each takes less than compiling it, and so does a Java that hardly compiles
# itself. The tests on a cluster compile.
_QUICK = (
    ("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"),
    ("spark.sql.adaptive.enabled", "false"),
    ("spark.sql.shuffle.partitions", "2"),
    ("spark.sql.codegen.wholeStage", "false"),
    ("spark.sql.codegen.factoryMode", "NO_CODEGEN"),
    # As on clusters whose jobs are to go on; this product's have to stop.
    ("spark.sql.files.ignoreCorruptFiles", "true"),
    ("spark.sql.files.ignoreMissingFiles", "true"),
)


def programs() -> Path | None:
    """Where initdb and postgres stand: in the PATH, or where Debian keeps them."""
    found = shutil.which("initdb")
    candidates = [Path(found)] if found else sorted(Path("/").glob(_DEBIAN), reverse=True)
    return candidates[0].resolve().parent if candidates else None


class Cluster:
    """A private cluster with one database, sorted as a language sorts and not byte by byte, and one user.

    Raises RuntimeError with the server's own words where it does not start.
    """

    user, database = "tester", "postgres"

    def __init__(self, binaries: Path) -> None:
        self.password, self.port = secrets.token_hex(8) + "@:/?#%", free_port()
        self._binaries, self._folder = binaries, Path(tempfile.mkdtemp(prefix="postgresql-"))
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, table: str, **options: str) -> str:
        """The address of a table, as an administrator writes it."""
        place = f"{self.user}:{quote(self.password, safe='')}@127.0.0.1:{self.port}/{self.database}"
        return f"postgresql://{place}?{urlencode({'table': table, **options})}"

    def connect(self, database: str | None = None) -> psycopg.Connection[tuple[Any, ...]]:
        """A connection that may write, to fill tables."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=self.user,
            password=self.password,
            dbname=database or self.database,
            autocommit=True,
        )

    def start(self) -> None:
        """Create the cluster and return once it answers."""
        secret = self._folder / "password"
        secret.write_text(self.password)
        owner = unprivileged()
        if owner is not None:
            for path in (self._folder, secret):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        locale = ("--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")
        access = ("--auth=scram-sha-256", f"--username={self.user}", f"--pwfile={secret}")
        created = self._begin("initdb", "--no-sync", *locale, *access, f"--pgdata={self._folder / 'data'}")
        if created.wait(START_SECONDS) == 0:
            self.port = free_port()  # chosen again after these seconds, in which somebody else may have taken the first
            self.resume()
        else:
            self._wait()

    def resume(self, *settings: str) -> None:
        """Start the server of a cluster that was created, and return once it answers.

        Fast for tables; the ledger waits for the disk whatever the server's default is.
        """
        always = ("listen_addresses=127.0.0.1", "unix_socket_directories=", "synchronous_commit=off")
        flags = (part for setting in (*always, f"port={self.port}", *settings) for part in ("-c", setting))
        self._process = self._begin("postgres", "-D", str(self._folder / "data"), *flags)
        self._wait()

    def interrupt(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server and keep its files."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(STOP_SECONDS)
            self._process = None

    def follow_only(self, *, begin: bool) -> None:
        """Whether the server, from its next start on, only reads and waits for another one's changes."""
        sign = self._folder / "data" / "standby.signal"
        if begin:
            sign.touch()
        else:
            sign.unlink()

    def stop(self) -> None:
        """Stop the server that this object started, at once, and delete its files."""
        self.interrupt(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _begin(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        owner = unprivileged()
        account = {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                (self._binaries / name, *arguments),
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                **account,  # type: ignore[call-overload]
            )

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while self._process is not None and self._process.poll() is None and time.monotonic() < deadline:
            try:
                self.connect().close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        said = (self._folder / "log").read_text(errors="replace")
        self.stop()
        raise RuntimeError(f"PostgreSQL did not start. It said:\n{said}")


def unprivileged() -> pwd.struct_passwd | None:
    """Whose account the server runs under: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    present = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(present[name] for name in _ACCOUNTS if name in present)


class Databases:
    """The engines that tests start when they first need them, and stop at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cluster: Cluster | None = None
        self._own_settings = os.environ.get(_SETTINGS_VARIABLE)
        self._spark = ""

    @property
    def cluster(self) -> Cluster:
        """The one cluster of this process; the test skips where PostgreSQL is not installed."""
        if self._cluster is None:
            binaries = programs()
            if binaries is None:
                pytest.skip("no initdb on this machine; install PostgreSQL to test it")
            self._cluster = Cluster(binaries)
            self._cluster.start()
        return self._cluster

    def spark(self, **options: str) -> str:
        """The address of a table in Spark in this process; the test skips where Java is not installed."""
        if not self._spark:
            if not java_is_there():
                pytest.skip("no Java on this machine; install Java 17 to test Spark")
            (self._folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in _QUICK))
            os.environ[_SETTINGS_VARIABLE] = str(self._folder)
            self._spark = "spark-local://2"
        return f"{self._spark}?{urlencode({**options, 'memory': '1g'})}"

    def path(self, name: str) -> str:
        """A place for a file."""
        return str(self._folder / name)

    def stop(self) -> None:
        """Stop what was started."""
        if self._cluster is not None:
            self._cluster.stop()
        if self._spark:
            session = importlib.import_module("pyspark.sql").SparkSession.getActiveSession()
            if session is not None:
                session.stop()
            os.environ.pop(_SETTINGS_VARIABLE)
            if self._own_settings is not None:
                os.environ[_SETTINGS_VARIABLE] = self._own_settings


def java_is_there() -> bool:
    """Whether Spark can be started here."""
    return bool(shutil.which("java") or os.environ.get("JAVA_HOME"))
