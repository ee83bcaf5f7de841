"""SQLite's locks on a file that is open, which a process loses without knowing when anything in it closes that file.

A notebook that copies the ledger's file, or only computes its checksum, while it has the ledger open, is an example:
POSIX gives up all locks of a process on a file when the process closes any one of its descriptors. Another program
that closes the ledger then takes itself for the last one, and takes the -wal file away in which this one goes on; or,
where the other files were copied, too, writes in the middle of its charge. So the first lock is taken again, and
beside the second stands one of another kind (flock), which no other descriptor gives up.
Source: "How To Corrupt An SQLite Database File", section 2.2; the bytes: SQLite's os.h, SHARED_FIRST and SHARED_SIZE.
"""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EMFILE, ENFILE
from pathlib import Path
from threading import get_ident
from weakref import WeakValueDictionary

from dpengine.ledger.storage.database import within

try:
    import fcntl
except ImportError:  # Windows, where each descriptor has its own locks
    fcntl = None  # type: ignore[assignment]

_FIRST, _COUNT = 0x40000000 + 2, 510
"""What SQLite locks to say that a file is in use."""
_OF_LINUX = "hhqqi4x"
"""Its struct flock: kind, from where, first byte, how many, whose."""


_of: WeakValueDictionary[Path, OwnLock] = WeakValueDictionary()
_finding = threading.Lock()


class OwnLock:
    """The lock of this process on one file, as SQLite takes it, taken again wherever it was lost."""

    def __init__(self, path: Path) -> None:
        self._path, self._descriptor = path, -1
        self._holders, self._lock = set[int](), threading.Lock()
        self._writer: int | None = None

    @classmethod
    def of(cls, path: Path) -> OwnLock:
        """The only one for a file: closing a second descriptor would lose the lock of the first."""
        with _finding:
            return _of.setdefault(path.resolve(), cls(path))

    def take(self, holder: object, patience: float) -> bool:
        """Have it, whether or not it was lost; false where another program kept the file for itself all the time.

        `patience` in seconds. `holder` is whoever uses the file, until it lets go.
        """
        with self._lock:
            self._holders.add(id(holder))
        return within(patience, self._taken)

    @contextmanager
    def alone(self, holder: object, patience: float) -> Iterator[bool]:
        """Whether nobody else writes meanwhile, here or elsewhere; whoever waits looks as often as all others."""
        with self._lock:
            self._holders.add(id(holder))
        try:
            yield within(patience, self._is_the_writer)
        finally:
            self._writes_no_more()

    @contextmanager
    def shared_with_others(self) -> Iterator[None]:
        """What is closed here moves nothing out of the files beside this one, and takes none of them away.

        Others use them, and this process knew older ones. Where the system has no such locks (they are Linux's),
        nothing is different.
        """
        setting = getattr(fcntl, "F_OFD_SETLK", None)
        if setting is None:
            yield
            return
        descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.fcntl(descriptor, setting, struct.pack(_OF_LINUX, fcntl.F_RDLCK, os.SEEK_SET, _FIRST, _COUNT, 0))
            yield
        finally:
            os.close(descriptor)

    def let_go(self, holder: object) -> None:
        """Where nobody else here uses the file, close it, and with that lose all locks of this process on it."""
        with self._lock:
            self._holders.discard(id(holder))
            if not self._holders and self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1

    def _taken(self) -> bool:
        with self._lock:
            return fcntl is None or self._tried(fcntl.lockf, fcntl.LOCK_SH | fcntl.LOCK_NB, _COUNT, _FIRST)

    def _is_the_writer(self) -> bool:
        with self._lock:
            if self._writer is None and (fcntl is None or self._tried(fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB)):
                self._writer = get_ident()
            return self._writer == get_ident()

    def _writes_no_more(self) -> None:
        """Where it is this thread that writes; an interruption may come before it knows that it does."""
        with self._lock:
            if self._writer == get_ident():
                if fcntl is not None and self._descriptor >= 0:
                    fcntl.flock(self._descriptor, fcntl.LOCK_UN)
                self._writer = None

    def _tried(self, lock: Callable[..., None], *given: int) -> bool:
        """Whether it is ours now; where the file may not even be read, SQLite says so better than we could.

        While this process may open no more files, it is not: SQLite may have its own open, and would go on.
        """
        try:
            if self._descriptor < 0:
                self._descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            lock(self._descriptor, *given)
        except BlockingIOError:
            return False
        except OSError as error:
            return error.errno not in {EMFILE, ENFILE}
        return True
