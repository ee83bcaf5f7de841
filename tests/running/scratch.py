"""Where tests write: in memory, where a machine has room there; a disk would make them wait and tell them nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

VARIABLE = "TMPDIR"
MEMORY, ENOUGH = Path("/dev/shm"), 2**32  # noqa: S108  (a folder of its own is made there)


def begin(config: pytest.Config) -> None:
    """Have all that this run writes lie in one folder, which goes with it; workers are started in it.

    Who wants to look at it afterwards sets TMPDIR, and finds it there.
    """
    if VARIABLE in os.environ or not _has_room(MEMORY):
        return
    folder = tempfile.TemporaryDirectory(prefix="tests-", dir=MEMORY, ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    Path(folder.name).chmod(0o711)  # the database server, which runs as somebody else, goes through it
    os.environ[VARIABLE], tempfile.tempdir = folder.name, folder.name
    config.option.basetemp = config.option.basetemp or f"{folder.name}/pytest"


def _has_room(folder: Path) -> bool:
    return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > ENOUGH
