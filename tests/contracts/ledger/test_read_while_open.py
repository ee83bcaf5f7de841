"""A program that has the ledger open reads its file, as for a copy by hand: SQLite's locks are lost, no charge is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpengine.errors import LedgerError
from dpengine.ledger import Account
from dpengine.ledger.storage.sqlite import SqliteDatabase
from dpengine.ledger.storage.sqlite_lock import OwnLock
from dpengine.ledger.storage.sqlite_pool import KeptOpen
from tests.contracts.ledger.conftest import apart
from tests.contracts.ledger.laws import again
from tests.examples.ledgers import asking, ledger_at
from tests.servers.ledger_places import FilePlace

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there a lock is its descriptor's")
KEEPS_IT = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDWR)
fcntl.lockf(file, fcntl.LOCK_EX, 510, 0x40000000 + 2)
print("kept", flush=True)
sys.stdin.read()
"""


def file_of(account: Account) -> KeptOpen:
    database = account.store.database
    assert isinstance(database, SqliteDatabase)
    return database._file


def test_while_no_file_can_be_opened_it_is_not_taken_for_ours(begun: FilePlace) -> None:
    """SQLite may have its own open, and would write beside another program. The control: a moment later."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lock = OwnLock(begun.path)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        taken = lock.take(begun, 0.0)
        with lock.alone(begun, 0.0) as alone:
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (taken, alone) == (False, False)
    assert lock.take(begun, 0.0)
    lock.let_go(begun)


def log_of(place: FilePlace) -> int:
    """Which -wal file is there; 0 for none."""
    log = Path(f"{place.path}-wal")
    return log.stat().st_ino if log.exists() else 0


def by_another_program(place: FilePlace, request_id: str = "") -> None:
    """Look at the ledger, or charge it, and close it again, as whoever was the last to use it."""
    apart(_another, str(place.folder), request_id)


def _another(folder: str, request_id: str) -> None:
    account = again(FilePlace(folder=Path(folder)))
    if request_id:
        account.charge(request_id, asking(0.1))
    account.store.database.close()


@pytest.mark.parametrize("reads", [True, False])
def test_whoever_read_the_file_goes_on_with_everybody_elses_charges(begun: FilePlace, *, reads: bool) -> None:
    account = again(begun)
    with file_of(account).in_use():  # so that nobody closes it for being idle
        account.charge("before", asking(0.1))
        mine = log_of(begun)
        if reads:
            begun.path.read_bytes()
        by_another_program(begun, "another's")
        assert (log_of(begun) == mine) is not reads, "The hazard: the other one has taken the -wal file away."
        for number in range(3):
            account.charge(f"after {number}", asking(0.1))
            by_another_program(begun)
    account.store.database.close()
    requests = ["before", "another's", "after 0", "after 1", "after 2"]
    assert [entry.request_id for entry in again(begun).charges()] == requests


def test_from_its_beginning_to_its_end_nobody_takes_the_log_away(begun: FilePlace) -> None:
    account = again(begun)
    with file_of(account).in_use():
        account.charge("before", asking(0.1))
        begun.path.read_bytes()
        with account.store.reading():
            mine = log_of(begun)
            by_another_program(begun)
            assert log_of(begun) == mine != 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no lock keeps SQLite from taking the others' away")
@pytest.mark.parametrize(
    ("ends", "others"), [(["-shm"], ["another's"]), (["-shm"], []), (["-wal", "-shm"], [])], ids=str
)
def test_who_tidies_up_beside_the_ledger_loses_no_charge(begun: FilePlace, ends: list[str], others: list[str]) -> None:
    """Files of an open ledger are deleted; what was only in them is still known to whoever had them open."""
    account = again(begun)
    with file_of(account).in_use():
        account.charge("before", asking(0.1))
        for end in ends:
            Path(f"{begun.path}{end}").unlink()
        for request in others:
            by_another_program(begun, request)
        account.charge("after", asking(0.1))
        account.store.database.close()
    assert [entry.request_id for entry in again(begun).charges()] == ["before", *others, "after"]


@pytest.mark.parametrize("reads", [True, False])
def test_in_the_middle_of_a_charge_nobody_else_writes(begun: FilePlace, *, reads: bool) -> None:
    """Though all of SQLite's own locks are lost, as where the folder is copied meanwhile."""
    account = again(begun)
    with account.store.writing() as connection:
        for file in begun.path.parent.glob("budget.db*") if reads else ():
            file.read_bytes()
        assert apart(_refused, os.fspath(begun.path)).startswith("Another program has been using the ledger")
        connection.rollback()
    by_another_program(begun, "the control")
    assert [entry.request_id for entry in again(begun).charges()] == ["the control"]


def _refused(path: str) -> str:
    database = SqliteDatabase(path=Path(path), patience=0.05)
    try:
        with database.writing():
            return "written"
    except LedgerError as refused:
        return str(refused)
    finally:
        database.close()


def test_two_users_in_one_program_close_nothing_for_each_other(begun: FilePlace) -> None:
    """The file may be closed here once neither uses it; else all locks of the process would be lost."""
    one, other = again(begun), again(begun)
    with file_of(one).in_use():
        one.charge("one", asking(0.1))
        other.charge("other", asking(0.1))
        mine = log_of(begun)
        file_of(other).close()
        by_another_program(begun)
        assert log_of(begun) == mine != 0


def test_who_has_looked_at_an_empty_file_keeps_nobody_from_making_a_ledger_of_it(tmp_path: Path) -> None:
    """As programs do that begin at once: SQLite wants the file for itself when it turns on its write-ahead log."""
    path = tmp_path / "budget.db"
    path.touch()
    looked = SqliteDatabase(path=path, patience=1.0)
    with looked._file.in_use():
        with looked.reading():
            pass
        apart(_made, os.fspath(path))
    assert log_of(FilePlace(folder=tmp_path)) != 0 or path.stat().st_size > 0
    looked.close()


def _made(path: str) -> None:
    ledger_at(Path(path), patience=1.0)


def test_an_interruption_leaves_nobody_writing_and_nobody_using(
    begun: FilePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+C in a notebook, in the very moment in which it has become the one that writes."""
    account, writes = again(begun), OwnLock._is_the_writer

    def interrupted(lock: OwnLock) -> bool:
        writes(lock)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(OwnLock, "_is_the_writer", interrupted)
        with pytest.raises(KeyboardInterrupt):
            account.charge("interrupted", asking(0.1))
    assert not file_of(account)._users
    by_another_program(begun, "another's")
    account.charge("after", asking(0.1))
    assert [entry.request_id for entry in again(begun).charges()] == ["another's", "after"]


def test_who_finds_the_file_kept_by_another_program_waits_and_gives_up(begun: FilePlace) -> None:
    lock = OwnLock.of(begun.path)
    with subprocess.Popen(
        [sys.executable, "-c", KEEPS_IT, os.fspath(begun.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as another:
        assert another.stdout is not None
        assert another.stdout.readline() == "kept\n"
        assert not lock.take(begun, 0.02)
        another.communicate("")
    assert lock.take(begun, 0.02)
    lock.let_go(begun)
