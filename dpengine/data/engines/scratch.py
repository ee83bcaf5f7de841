"""Private folders for what does not fit in memory: deleted when closed, and after a crash by whoever opens the next.

They lie in the system's folder for temporary files, which the variable TMPDIR chooses. Where a system knows no locks on
files, such as Windows, folders are deleted when closed alone.
"""

from __future__ import annotations

import getpass
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpengine.errors import EngineError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

_PREFIX, _HELD = "rows-", ".held"


class Scratch:
    """A folder that only this user may enter, while this process lives.

    The process holds a lock on a file beside it, which the system lets go when the process ends, however it ends.
    """

    __slots__ = ("__weakref__", "_delete", "folder")

    def __init__(self, room: Path | None = None) -> None:
        with _alone(room or default_room()) as locked:
            _sweep(locked)
            self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=locked))
            holding = _lock(_beside(self.folder), wait=True)
        self._delete = weakref.finalize(self, _deleted, self.folder, holding)

    @property
    def bytes_used(self) -> int:
        """How much the folder holds now."""
        return sum(_size(path) for path in self.folder.rglob("*"))

    def close(self) -> None:
        """Delete the folder and what is in it."""
        self._delete()


def remove_leftovers(room: Path | None = None) -> int:
    """Delete the folders of processes that ended without doing so; says how many there were."""
    with _alone(room or default_room()) as locked:
        return _sweep(locked)


def default_room() -> Path:
    """Where the folders of this user lie."""
    return Path(tempfile.gettempdir()) / f"epsilon-explorer-{_user()}"


@contextmanager
def _alone(room: Path) -> Iterator[Path]:
    """The room, while no other process opens or sweeps there; raises EngineError where others could reach into it."""
    with suppress(FileExistsError):
        room.mkdir(mode=0o700, parents=True)
    if fcntl is not None and not _is_private(room):
        raise EngineError(f"The folder {room} for temporary files is open to others; delete it, or set TMPDIR.")
    holding = _lock(room / _HELD, wait=True)
    try:
        yield room
    finally:
        os.close(holding)


def _is_private(room: Path) -> bool:
    found = room.lstat()
    return not room.is_symlink() and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _user() -> int | str:
    return getpass.getuser() if fcntl is None else os.getuid()


def _sweep(room: Path) -> int:
    """Delete every folder whose lock nobody holds."""
    left = [folder for folder in room.glob(f"{_PREFIX}*") if folder.is_dir() and not _is_held(folder)]
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
        _beside(folder).unlink(missing_ok=True)
    return len(left)


def _is_held(folder: Path) -> bool:
    if fcntl is None:
        return True
    try:
        os.close(_lock(_beside(folder), wait=False))
    except BlockingIOError:
        return True
    return False


def _lock(path: Path, *, wait: bool) -> int:
    """An open file that nobody else can lock until it is closed; raises BlockingIOError where somebody has."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    if fcntl is None:
        return descriptor
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _beside(folder: Path) -> Path:
    return folder.with_name(folder.name + _HELD)


def _deleted(folder: Path, holding: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(PermissionError):
        _beside(folder).unlink(missing_ok=True)
    os.close(holding)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
