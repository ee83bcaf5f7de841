"""A ledger that lost its last entries, by damage or for an older copy, is whole in itself: the mark alone tells."""

import contextlib
import fcntl
import itertools
import os
import random
import re
import shutil
import signal
import sys

import pytest

from dpengine.data import Table
from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from dpengine.ledger.storage import chain, high_water
from dpengine.release import release
from tests.contracts.ledger.conftest import apart
from tests.contracts.ledger.crashing import left_by_a_kill
from tests.contracts.ledger.laws import again, the_table, unmarked
from tests.examples.ledgers import asking, opened
from tests.servers.ledger_places import FilePlace

WAL = "budget.db-wal"
CHARGED = tuple(f"r{number}" for number in range(6))
FRAME = 24 + 4096
BELOW = r"ends at entry \d+, but entry 12 was written.*accept-loss .*ledger\.id"


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The folder of a ledger whose process was killed after six charges, all of them in the -wal file alone."""
    place = FilePlace(folder=tmp_path_factory.mktemp("killed"))
    ledger = place.open()
    opened(ledger, the_table(), epsilon=3.0)
    ledger.close()
    assert apart(left_by_a_kill, place.url, place.marker, CHARGED) == signal.SIGKILL
    return place.folder


@pytest.fixture
def copy(killed, tmp_path):
    """A function that copies it, with another -wal file."""
    whole, folders = (killed / WAL).read_bytes(), itertools.count()

    def copied(wal=whole):
        place = FilePlace(folder=shutil.copytree(killed, tmp_path / str(next(folders))))
        (place.folder / WAL).write_bytes(wal)
        return place

    return copied


def flipped(wal, position, bit):
    return wal[:position] + bytes([wal[position] ^ 1 << bit]) + wal[position + 1 :]


def damaged(wal, *, flips, cuts, seed=20261125):
    """One bit is another, in the header, the last frame or anywhere; or the end is missing."""
    chance, length = random.Random(seed), len(wal)
    for position in (17, 32 + 9, length - FRAME + 3, length - 1, *(chance.randrange(length) for _ in range(flips))):
        yield f"bit at {position}", flipped(wal, position, chance.randrange(8))
    for left in (0, length - 1, *(chance.randrange(length) for _ in range(cuts))):
        yield f"cut to {left}", wal[:left]


@pytest.mark.parametrize(
    "flips, cuts", [pytest.param(1, 1, id="some"), pytest.param(200, 100, id="many", marks=pytest.mark.slow)]
)
def test_a_damaged_log_brings_no_budget_back(killed, copy, flips, cuts):
    whole = unmarked(copy()).accounts()[0].exact_spent()
    assert again(copy()).exact_spent() == whole
    for name, wal in damaged((killed / WAL).read_bytes(), flips=flips, cuts=cuts):
        without_a_mark, place = unmarked(copy(wal)), copy(wal)
        (account,) = without_a_mark.accounts()
        without_a_mark.verify()
        assert account.exact_spent().epsilon < whole.epsilon, name
        account.charge("the next question", asking(0.1))
        for _ in range(2):
            with pytest.raises(LedgerError, match=BELOW):
                place.open()
        assert not place.asked("SELECT 1 FROM charges WHERE request_id = 'the next question'"), name


@pytest.mark.parametrize(
    "chances", [pytest.param(20, id="some"), pytest.param(2_000, id="many", marks=pytest.mark.slow)]
)
def test_a_bit_that_is_another_brings_no_budget_back(killed, copy, chances):
    """Anywhere in the file, and in each place that holds what was spent in all."""
    place = copy()
    whole = spent_at(place)
    total, content, chance = whole.epsilon.to_bytes(4), place.path.read_bytes(), random.Random(20261126)
    totals = [match.start() for match in re.finditer(re.escape(total), content)]
    places = [(at + byte, bit) for at in totals for byte in range(len(total)) for bit in range(8)]
    places += [(chance.randrange(len(content)), chance.randrange(8)) for _ in range(chances)]
    refused = 0
    for position, bit in places:
        place.path.write_bytes(flipped(content, position, bit))
        try:
            assert spent_at(place) == whole
        except LedgerError:
            refused += 1
    assert refused >= 8 * len(total), "A total that is another is."
    place.path.write_bytes(content)
    assert spent_at(place) == whole


def spent_at(place):
    """What the one account has spent, of a ledger whose file holds all of it afterwards."""
    with contextlib.closing(place.open()) as ledger:
        (account,) = ledger.accounts()
        return account.exact_spent()


def committed(wal):
    """The newest pages of a -wal file by their numbers, up to its last commit."""
    pages: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for at in range(32, len(wal) - FRAME + 1, FRAME):
        page, commits = (int.from_bytes(wal[at + place : at + place + 4], "big") for place in (0, 4))
        pending[page] = wal[at + 24 : at + FRAME]
        if commits:
            pages, pending = pages | pending, {}
    return pages


def test_whatever_pages_of_the_log_reached_the_file_before_the_log_was_lost_no_budget_comes_back(killed, copy):
    """A power cut may let any of them reach the disk; the newest entry may be there, and others not."""
    whole = unmarked(copy()).accounts()[0].exact_spent()
    pages, opened_again = committed((killed / WAL).read_bytes()), []
    for reached in itertools.chain.from_iterable(itertools.combinations(pages, some) for some in range(len(pages) + 1)):
        place = copy(b"")
        with place.path.open("r+b") as file:
            for page in reached:
                file.seek((page - 1) * 4096)
                file.write(pages[page])
        with contextlib.suppress(LedgerError):
            opened_again.append(again(place).exact_spent())
        shutil.rmtree(place.folder)
    assert set(opened_again) == {whole}, "All of them is the control: it opens."


def test_an_older_copy_is_refused_while_it_is_in_use_and_when_it_is_opened(place, tmp_path):
    ledger = place.open()
    account = opened(ledger, the_table())
    account.charge("first", asking(0.4))
    ledger.back_up(tmp_path / "older")
    behind = shutil.copy(place.marker, tmp_path / "behind.id")
    account.charge("second", asking(0.4))
    ledger.back_up(tmp_path / "newer")
    ledger.close()
    in_place(place, tmp_path / "older")
    for refused in (lambda: account.charge("third", asking(0.4)), lambda: account.spent, place.open):
        with pytest.raises(LedgerError, match="ends at entry 2, but entry 3 was written"):
            refused()
    assert place.asked("SELECT request_id FROM charges") == [("first",)]

    elsewhere = Ledger.open(place.url, marker=behind).account(account.id)
    for request_id in ("third", "fourth"):
        elsewhere.charge(request_id, asking(0.1))
    for refused in (lambda: account.charge("fifth", asking(0.4)), place.open):
        with pytest.raises(LedgerError, match=r"Entry 3 of the ledger .* is another one than was written"):
            refused()

    place.restore(tmp_path / "newer")
    again(place).charge("third", asking(0.1))


def in_place(place, backup):
    """A file keeps its inode, so that nothing but what it holds is another; a schema is dropped and restored."""
    if isinstance(place, FilePlace):
        place.path.write_bytes(backup.read_bytes())
    else:
        place.restore(backup)


def mark_of(place):
    with high_water.opened(place.marker) as mark:
        return mark.link


def newest_of(place):
    with unmarked(place).store.reading() as connection:
        return chain.newest(connection)


def test_everything_written_is_below_the_mark_before_it_is_told(place):
    ledger = place.open()
    account = opened(ledger, the_table())
    for write in (
        lambda: account.charge("r", asking(0.1)),
        lambda: account.store_answer("r", [[7]]),
        lambda: opened(ledger, the_table()),
    ):
        write()
        assert mark_of(place) == newest_of(place)
    assert mark_of(place).id == 3


def test_a_link_stays_one_and_what_it_leads_to_is_the_marker(place, tmp_path):
    """A container's configuration may lead to a disk that stays."""
    link, kept = tmp_path / "link.id", tmp_path / "disk" / "kept.id"
    link.symlink_to(kept)
    with pytest.raises(LedgerError, match="Mount that disk first"):
        Ledger.open(place.url, marker=link)
    kept.parent.mkdir()
    account = opened(Ledger.open(place.url, marker=link), the_table())
    assert link.is_symlink()
    account.charge("r", asking(0.1))
    with high_water.opened(kept) as mark:
        assert mark.link == newest_of(place)


def test_a_kill_between_a_commit_and_the_mark_loses_nothing(place):
    """The mark is behind, as after such a kill; whoever comes next raises it before anything is told."""
    account = opened(place.open(), the_table())
    before = place.marker.read_bytes()
    account.charge("r", asking(0.1))
    for told in (lambda: account.charge("r", asking(0.1)), account.charges, place.open):
        place.marker.write_bytes(before)
        assert mark_of(place).id == 1
        told()
        assert mark_of(place) == newest_of(place)
        assert mark_of(place).id == 2


def test_nobody_is_kept_from_the_mark_while_somebody_reads_or_writes(place):
    """A look that raised the mark held it to its end, and waited for itself where it looked again meanwhile."""
    account = opened(place.open(), the_table())
    before = place.marker.read_bytes()
    account.charge("r", asking(0.1))
    place.marker.write_bytes(before)
    with account.store.reading():
        assert mark_of(place) == newest_of(place)
        require_free(place.marker)
        unmarked(place).accounts()[0].charge("s", asking(0.1))
        assert len(account.charges()) == 2
    with account.store.writing():
        require_free(place.marker)
    descriptor = os.open(place.marker, os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with pytest.raises(BlockingIOError):
        require_free(place.marker)
    os.close(descriptor)


def require_free(marker):
    descriptor = os.open(marker, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)


def test_a_marker_from_before_there_were_marks_gets_one(place):
    account = opened(place.open(), the_table())
    account.charge("r", asking(0.1))
    place.marker.write_text(f"{account.store.ledger_id}\n")
    place.open()
    assert mark_of(place) == newest_of(place)
    again(place).charge("s", asking(0.1))
    assert mark_of(place).id == 3


@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot refuse a write to an open file")
def test_where_the_mark_cannot_be_written_the_charge_stands_and_no_row_is_read(place, monkeypatch):
    account, looked = opened(place.open(), the_table()), []
    run = Table.run

    def looking(table, aggregate):
        looked.append(aggregate)
        return run(table, aggregate)

    monkeypatch.setattr(Table, "run", looking)
    descriptor = sealed(place.marker)
    for _ in range(2):
        with pytest.raises(LedgerError, match=r"cannot be written.*stays charged.*its answer is free"):
            release(asking(0.4), the_table(), account, request_id="r")
    assert (looked, place.asked("SELECT request_id FROM charges")) == ([], [("r",)])
    mended(place.marker, descriptor)
    release(asking(0.4), the_table(), account, request_id="r")
    assert looked
    assert account.exact_spent().epsilon == 400_000_000


def sealed(marker):
    """Let the kernel refuse every write to the marker, though it may be opened for writing."""
    descriptor = os.memfd_create("marker", os.MFD_ALLOW_SEALING)
    os.write(descriptor, marker.read_bytes())
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
    marker.unlink()
    marker.symlink_to(f"/proc/self/fd/{descriptor}")
    return descriptor


def mended(marker, descriptor):
    content = marker.read_bytes()
    marker.unlink()
    marker.write_bytes(content)
    os.close(descriptor)


def test_a_marker_that_is_gone_stops_every_charge(place):
    account = opened(place.open(), the_table())
    place.marker.rename(place.folder / "aside")
    with pytest.raises(LedgerError, match="cannot be written, so nothing can be charged"):
        account.charge("r", asking(0.1))
    (place.folder / "aside").rename(place.marker)
    account.charge("r", asking(0.1))
