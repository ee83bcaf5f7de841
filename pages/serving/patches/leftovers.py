"""Sessions that ended, their files, and what was written for a download: Streamlit frees them when it happens to look.

On a quiet server it never does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.serving.layers import uploads
from pages.serving.patches import left_sessions

KEPT = 150.0
"""Seconds for which a session may come back with its files; Streamlit gives it back for 120."""
EVERY = 10.0


class Leftovers:
    """The files of sessions whose browser is gone; `is_active` says of a session whether its browser is there."""

    def __init__(self, files: MemoryUploadedFileManager, is_active: Callable[[str], bool]) -> None:
        self._files, self._is_active = files, is_active
        self._gone_since: dict[str, float] = {}

    def free(self, now: float) -> None:
        """Free those of every session that has been gone for too long at this moment, in seconds of any clock."""
        gone = [session for session in list(self._files.file_storage) if not self._is_active(session)]
        self._gone_since = {session: self._gone_since.get(session, now) for session in gone}
        for session, since in self._gone_since.items():
            if now - since >= KEPT:
                self._files.remove_session_files(session)


@asynccontextmanager
async def freed() -> AsyncIterator[None]:
    """Look every few seconds while the process serves."""
    looking = asyncio.create_task(_look())
    yield
    looking.cancel()
    with suppress(asyncio.CancelledError):
        await looking


async def _look() -> None:
    left = None
    while True:
        await asyncio.sleep(EVERY)
        if runtime.exists():
            left_sessions.rest()
            uploads.forget_all_but(left_sessions.known())
            runtime.get_instance().media_file_mgr.remove_orphaned_files()
        left = left or _of_this_process()
        if left is not None:
            left.free(time.monotonic())


def _of_this_process() -> Leftovers | None:
    files = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(files, MemoryUploadedFileManager):
        return None
    return Leftovers(files, runtime.get_instance().is_active_session)
