"""How far the ledger has come, remembered outside of its database: the place and the head of its newest entry.

A database that lost its last entries, by damage or for an older copy, is whole in itself, and its budgets have grown.
So the marker remembers the newest entry, durably before anything is drawn or shown, and a ledger that ends before it,
or has another entry in that place, is neither read nor charged. A crash between a commit and the mark leaves the mark
behind, which the next look makes up for.

Two records lie in sectors of their own and are written by turns: one that was torn is ignored, and the other holds.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection

from dpengine.errors import LedgerError
from dpengine.ledger.storage import chain
from dpengine.ledger.storage.chain import Link
from dpengine.ledger.storage.database import within

try:
    import fcntl
except ImportError:  # not on Windows, where one process at a time may use a marker
    fcntl = None  # type: ignore[assignment]

_ALONE = Lock()
"""Threads that no lock on the file holds apart."""
_PATIENCE_SECONDS = 30.0
"""For others who write a record, which takes them milliseconds; whoever may read the marker could keep it for good."""

SECTOR = 512
RECORDS = (SECTOR, 2 * SECTOR)
"""Where they begin; the id of the ledger comes before them, and what an administrator accepted behind."""
END = 3 * SECTOR
NOTHING = Link(0, "")
_AN_ID = 33
"""Bytes of a ledger's id and the end of its line."""
UNREADABLE = "The marker {marker} cannot be read. Restore it from a backup; an older one will do."
_DURABLY = os.O_RDWR | getattr(os, "O_DSYNC", 0) | getattr(os, "O_BINARY", 0)
"""A record is on the disk when its one write returns: a kill comes before or after, never between the two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HighWaterMark:
    """The mark as it stood when its marker was opened; without a marker nothing is known, and nothing remembered."""

    marker: Path | None = None
    descriptor: int = -1
    link: Link = NOTHING

    def require_reached(self, connection: Connection, newest: Link, place: str) -> None:
        """Raise LedgerError where the ledger, whose newest entry this is, lacks the entry that the mark stands for."""
        if newest == self.link or not self.link.id:
            return
        if newest.id < self.link.id:
            raise LedgerError(
                f"The ledger {place} ends at entry {newest.id}, but entry {self.link.id} was written: it was damaged, "
                f"or an older copy was put in its place, and its budgets would have grown. {self._way_on}"
            )
        if chain.head_at(connection, self.link.id) != self.link.head:
            raise LedgerError(
                f"Entry {self.link.id} of the ledger {place} is another one than was written: it was altered, or an "
                f"older copy was put in its place and used. {self._way_on}"
            )

    def raise_to(self, newest: Link) -> None:
        """Remember a committed entry before this returns, unless it or a later one is remembered already."""
        if self.marker is None or newest.id <= self.link.id:
            return
        try:
            with _held(self.descriptor):
                content = _content(self.descriptor)
                if newest.id > newest_record(content, self.marker).id:
                    _write(self.descriptor, record(newest), at=_older(content))
        except OSError:
            raise LedgerError(
                f"The marker {self.marker} cannot be written, and nothing is drawn or shown before it is. What was "
                "charged stays charged; its answer is free once the marker can be written. Check its disk, and who "
                "keeps it open."
            ) from None

    @property
    def _way_on(self) -> str:
        return (
            "Nothing was changed. Stop the program and restore a newer copy. Is there none? Then see "
            f"`python -m dpengine.ledger accept-loss {self.marker}`."
        )


@contextmanager
def opened(marker: Path | None) -> Iterator[HighWaterMark]:
    """The mark, ready to be raised: a marker that may not be written is noticed before anything is charged."""
    if marker is None:
        yield HighWaterMark()
        return
    try:
        descriptor = os.open(marker, _DURABLY)
    except OSError:
        raise LedgerError(
            f"The marker {marker} cannot be written, so nothing can be charged. Check its permissions and its folder's."
        ) from None
    try:
        yield HighWaterMark(marker=marker, descriptor=descriptor, link=newest_record(_content(descriptor), marker))
    finally:
        os.close(descriptor)


def first_content(ledger_id: str, newest: Link) -> bytes:
    """A whole marker: the ledger's id, one record, and room for the other."""
    return f"{ledger_id}\n".encode().ljust(SECTOR) + record(newest) + b"\n".rjust(SECTOR)


def record(link: Link) -> bytes:
    """One sector, with a sum by which a torn one is told."""
    entry = f"{link.id} {link.head}"
    return f"{entry} {_sum(entry)}\n".encode().rjust(SECTOR)


def newest_record(content: bytes, marker: Path) -> Link:
    """The later of the records that are whole; of a marker from before there were records, which is an id, nothing.

    Raises LedgerError where no record is whole: one always is, whenever a write was cut short.
    """
    whole = [link for link in _links(content) if link is not None]
    if not whole and len(content) > _AN_ID:
        raise LedgerError(UNREADABLE.format(marker=marker))
    return max(whole, key=lambda link: link.id, default=NOTHING)


def _older(content: bytes) -> int:
    """Where the record lies that may be written over: a torn one, else the earlier one."""
    places = [-1 if link is None else link.id for link in _links(content)]
    return RECORDS[places.index(min(places))]


def _links(content: bytes) -> list[Link | None]:
    return [_link(content[at : at + SECTOR]) for at in RECORDS]


@lru_cache(maxsize=8)
def _link(sector: bytes) -> Link | None:
    words = sector.decode("ascii", errors="replace").split()
    whole = len(words) == 3 and words[2] == _sum(f"{words[0]} {words[1]}")
    return Link(int(words[0]), words[1]) if whole else None


def _sum(entry: str) -> str:
    return hashlib.sha256(entry.encode()).hexdigest()[:16]


@contextmanager
def _held(descriptor: int) -> Iterator[None]:
    """Alone with the marker while a record is written, and no longer: who reads the ledger may look at it once more.

    Raises OSError where somebody else keeps it for too long.
    """
    if fcntl is None:
        with _ALONE:
            yield
        return
    if not within(_PATIENCE_SECONDS, partial(_has_locked, descriptor)):
        raise OSError
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _has_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _content(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, END)


def _write(descriptor: int, sector: bytes, *, at: int) -> None:
    os.lseek(descriptor, at, os.SEEK_SET)
    if os.write(descriptor, sector) != len(sector):
        raise OSError
    if not hasattr(os, "O_DSYNC"):
        os.fsync(descriptor)
