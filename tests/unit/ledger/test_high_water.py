"""The two records of a mark: the later whole one counts, and no write, cut short anywhere, loses it."""

import fcntl
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Lock

import pytest

from dpengine.errors import LedgerError
from dpengine.ledger.storage import high_water
from dpengine.ledger.storage.chain import Link
from dpengine.ledger.storage.high_water import END, NOTHING, RECORDS, SECTOR, first_content, opened, record


def link(place):
    return Link(place, f"{place:064x}")


@pytest.fixture
def marker(tmp_path):
    marker = tmp_path / "ledger.id"
    marker.write_bytes(first_content("0" * 32, link(0)))
    return marker


def raised(marker, place):
    with opened(marker) as mark:
        mark.raise_to(link(place))


def seen(marker):
    with opened(marker) as mark:
        return mark.link


def test_it_only_rises(marker):
    assert seen(marker) == link(0)
    for place, then in ((1, 1), (2, 2), (1, 2), (9, 9), (3, 9)):
        raised(marker, place)
        assert seen(marker) == link(then)
    assert marker.stat().st_size == END


def test_a_record_torn_anywhere_leaves_the_one_before(marker):
    raised(marker, 1)
    before = marker.read_bytes()
    raised(marker, 2)
    after = marker.read_bytes()
    assert before != after
    first = min(at for at in range(END) if before[at] != after[at])
    found = set()
    for cut in range(first, END + 1):
        marker.write_bytes(after[:cut] + before[cut:])
        found.add(seen(marker))
        raised(marker, 3)
        assert seen(marker) == link(3)
    assert found == {link(1), link(2)}


@pytest.mark.parametrize("at", RECORDS)
def test_one_record_that_cannot_be_read_is_passed_over_and_two_are_not(marker, at):
    raised(marker, 1)
    content = bytearray(marker.read_bytes())
    content[at : at + SECTOR] = b"\xff" * SECTOR
    marker.write_bytes(content)
    assert seen(marker) in (link(0), link(1))
    marker.write_bytes(content[:SECTOR] + b"\xff" * 2 * SECTOR)
    with pytest.raises(LedgerError, match="cannot be read"):
        seen(marker)


def test_an_altered_record_is_none(marker):
    raised(marker, 1)
    content = marker.read_bytes()
    (at,) = [at for at in RECORDS if content[at : at + SECTOR] == record(link(1))]
    whole = record(link(1))
    start = len(whole) - len(whole.lstrip())
    for position in range(start, SECTOR - 1):
        altered = bytearray(content)
        altered[at + position] ^= 1
        marker.write_bytes(altered)
        assert seen(marker) == link(0)


def test_a_marker_without_records_knows_nothing(tmp_path):
    marker = tmp_path / "ledger.id"
    marker.write_text("0" * 32 + "\n")
    assert seen(marker) == NOTHING
    with opened(None) as mark:
        mark.raise_to(link(1))
        assert mark.link == NOTHING


def test_nobody_else_can_write_while_a_record_is_written(marker, monkeypatch):
    write, written = high_water._write, []

    def watched(*arguments, **place):
        with marker.open("rb") as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)
        written.append(place)
        write(*arguments, **place)

    monkeypatch.setattr(high_water, "_write", watched)
    raised(marker, 1)
    assert len(written) == seen(marker).id == 1
    with marker.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the control


def test_whoever_keeps_it_open_is_waited_for_in_vain_and_not_for_ever(marker, monkeypatch):
    monkeypatch.setattr(high_water, "_PATIENCE_SECONDS", 0.05)
    with marker.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        with pytest.raises(LedgerError, match=r"cannot be written.*its answer is free.*who keeps it open"):
            raised(marker, 1)
    raised(marker, 1)
    assert seen(marker) == link(1)


@pytest.mark.parametrize("with_file_locks", [True, False])
def test_many_at_once_never_lower_it(marker, monkeypatch, with_file_locks):
    """Nobody returns before the mark is as high as what they wrote, whoever else writes meanwhile."""
    if not with_file_locks:
        monkeypatch.setattr(high_water, "fcntl", None)
        monkeypatch.setattr(high_water, "_ALONE", Lock())
    places = count(1)

    def raise_often(_):
        for _ in range(100):
            place = next(places)
            raised(marker, place)
            assert seen(marker).id >= place

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(raise_often, range(8)))
    assert seen(marker) == link(800)
