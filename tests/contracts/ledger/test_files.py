"""Files that are missing, torn, read-only, on a full disk: a sentence each, and no budget comes back unseen."""

import contextlib
import os
import resource
import shutil
import tempfile
import threading
from pathlib import Path

import pytest

from dpengine.errors import LedgerError
from dpengine.ledger.storage import sqlite_pool
from dpengine.privacy import Guarantee
from tests.contracts.ledger.conftest import apart
from tests.contracts.ledger.laws import again, the_table
from tests.contracts.ledger.stranger import charged
from tests.examples.ledgers import asking, opened
from tests.servers.ledger_places import FilePlace

WAL = "budget.db-wal"


@pytest.fixture
def used(file_place):
    """A file with twenty charges, none of them left in the -wal file."""
    ledger = file_place.open()
    account = opened(ledger, the_table(), epsilon=100.0)
    for number in range(20):
        account.charge(f"r{number}", asking(0.1))
    ledger.close()
    return file_place


@pytest.mark.parametrize("left", [0, 1, 99, 100, 4096, 5000])
def test_a_torn_file(used, left):
    os.truncate(used.path, left)
    with pytest.raises(LedgerError, match=r"not a ledger|not a database|damaged|missing") as caught:
        used.open()
    assert "SELECT" not in str(caught.value)
    assert used.path.stat().st_size == left


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 0.9, 0.99])
def test_a_file_without_its_end(used, share):
    os.truncate(used.path, int(used.path.stat().st_size * share))
    with pytest.raises(LedgerError, match=r"damaged|not a database"):
        used.open()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.999, 1.0])
def test_a_copy_with_a_torn_log_holds_whole_charges_and_another_head(file_place, tmp_path_factory, share):
    ledger = file_place.open()
    ledger.close()
    account = opened(ledger, the_table(), epsilon=100.0)
    for number in range(20):
        account.charge(f"r{number}", asking(0.1))
    head = ledger.head
    elsewhere = FilePlace(folder=tmp_path_factory.mktemp("torn"))
    for name in ("budget.db", WAL):
        shutil.copy(file_place.folder / name, elsewhere.folder / name)
    os.truncate(elsewhere.folder / WAL, int((elsewhere.folder / WAL).stat().st_size * share))
    copy = elsewhere.open()
    copy.verify()
    kept = [entry.request_id for account in copy.accounts() for entry in account.charges()]
    assert kept == [f"r{number}" for number in range(len(kept))]
    assert (copy.head == head) == (len(kept) == 20) == (share == 1.0)


def test_a_file_on_a_full_disk_keeps_what_it_has(used, monkeypatch):
    pages = used.asked("PRAGMA page_count")[0][0] + 2
    monkeypatch.setattr(sqlite_pool, "_PRAGMAS", (*sqlite_pool._PRAGMAS, f"max_page_count = {pages}"))
    ledger, before = used.open(), again(used).charges()
    charged = charged_until_refused(again(used), "The disk is full, so nothing can be charged")
    assert charged
    monkeypatch.undo()
    ledger.verify()
    assert len(again(used).charges()) == len(before) + charged
    again(used).charge(f"more{charged}", asking(0.1))


def test_a_file_that_may_not_grow_keeps_what_it_has(used):
    """The kernel refuses each write beyond a size, as a quota does."""
    ledger, account = used.open(), again(used)
    with largest_file(60_000):
        charged = charged_until_refused(account, "nothing can be charged")
    ledger.verify()
    assert len(again(used).charges()) == 20 + charged
    again(used).charge(f"more{charged}", asking(0.1))


def charged_until_refused(account, words):
    for number in range(100):
        try:
            account.charge(f"more{number}", asking(0.1))
        except LedgerError as error:
            return number if words in str(error) else pytest.fail(str(error))
    return pytest.fail("nothing was refused")


@contextlib.contextmanager
def largest_file(size):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


RIGHTS = (
    (0o777, 0o666, 0o666, "charged"),
    (0o777, 0o666, 0o444, "ledger.id cannot be written, so nothing can be charged"),
    (0o777, 0o444, 0o666, "The ledger cannot be written, so nothing can be charged"),
    (0o555, 0o444, 0o666, "The ledger cannot be"),
    (0o777, 0o000, 0o666, "The ledger cannot be"),
    (0o000, 0o666, 0o666, "cannot be read"),
)
"""Of the folder, of the file and of its marker, and what a process without others is told."""


@pytest.fixture(scope="module")
def strangers():
    """A ledger for each line of RIGHTS, and what one process without rights was told of each."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        places = []
        for number, (folder_mode, file_mode, marker_mode, _) in enumerate(RIGHTS):
            folder = Path(name) / str(number)
            folder.mkdir()
            place = FilePlace(folder=folder)
            ledger = place.open()
            opened(ledger, the_table())
            ledger.close()
            place.marker.chmod(marker_mode)
            place.path.chmod(file_mode)
            place.folder.chmod(folder_mode)
            places.append(place)
        told = apart(charged, [(place.url, place.marker) for place in places])
        for place in places:
            place.folder.chmod(0o700)
            place.path.chmod(0o600)
        yield list(zip(places, told, strict=True))


@pytest.mark.parametrize("number", range(len(RIGHTS)), ids=[said for *_, said in RIGHTS])
def test_what_a_process_without_rights_is_told(strangers, number):
    place, told = strangers[number]
    said = RIGHTS[number][-1]
    assert said in told
    assert again(place).spent == Guarantee(epsilon=0.1 if said == "charged" else 0.0)


def test_the_file_is_let_go_of_when_nobody_asks(file_place, monkeypatch):
    """Then the file alone is the whole ledger: a plain copy of it loses nothing."""
    monkeypatch.setattr(sqlite_pool, "IDLE_SECONDS", 0.01)
    account = opened(file_place.open(), the_table())
    account.charge("r", asking(0.1))
    for thread in threading.enumerate():
        if thread.name == "closes the idle ledger":
            thread.join()
    assert not (file_place.folder / WAL).exists()
    account.charge("s", asking(0.1))


def test_a_copied_process_opens_the_file_by_itself(file_place):
    account = opened(file_place.open(), the_table())
    account.charge("parent", asking(0.1))
    child = os.fork()
    if child == 0:
        status = 1
        with contextlib.suppress(BaseException):
            account.charge("child", asking(0.1))
            status = 0
        os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    account.charge("parent again", asking(0.1))
    assert [entry.request_id for entry in account.charges()] == ["parent", "child", "parent again"]


def test_a_file_put_back_under_another_inode_is_noticed(used):
    """Even the same content: two processes might write into two files of one name."""
    account = again(used)
    shutil.copy(used.path, used.folder / "copy")
    (used.folder / "copy").replace(used.path)
    for _ in range(2):
        with pytest.raises(LedgerError, match=r"was exchanged.*Restart the program"):
            account.charge("r", asking(0.1))
