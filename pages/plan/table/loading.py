"""A file that is read in a thread of its own, so that the page stays alive: how far it is, and a way to stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait

from dpengine.data import Table
from dpengine.data.files.reading import ReadingWatch

MOST_AT_ONCE = 3
_ROOM = threading.BoundedSemaphore(MOST_AT_ONCE)
_IMPATIENT = 0.2


class Loading:
    """One file, or table, on its way; nothing in it calls Streamlit.

    The reader's own limits end the thread, and a thread at its end holds nothing: a session that goes away while it
    reads leaves neither rows nor a thread behind. No more than MOST_AT_ONCE files are read at the same time.
    """

    def __init__(self, read: Callable[[ReadingWatch], Table]) -> None:
        self.share, self.stage = 0.0, "Waiting for other files to be read"
        self._stopped = threading.Event()
        self._outcome: Future[Table] = Future()
        threading.Thread(target=self._run, args=(read,), daemon=True, name="reading a file").start()

    def done(self, seconds: float = 0.0) -> bool:
        """Whether it has come to an end, well or badly, after waiting at most so long."""
        return bool(wait([self._outcome], seconds).done)

    def table(self) -> Table:
        """The table, once done; raises what the reader raised."""
        return self._outcome.result(0.0)

    def stop(self) -> None:
        """End the child process within a moment, and free what has been read."""
        self._stopped.set()
        self._outcome.add_done_callback(_free)

    def _run(self, read: Callable[[ReadingWatch], Table]) -> None:
        try:
            table = self._read(read)
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that asks for the table
            self._outcome.set_exception(error)
        else:
            self._outcome.set_result(table)

    def _read(self, read: Callable[[ReadingWatch], Table]) -> Table:
        watched = ReadingWatch(progress=self._tell, cancelled=self._stopped.is_set)
        while not _ROOM.acquire(timeout=_IMPATIENT):
            watched.tell(0.0, self.stage)
        try:
            watched.tell(0.0, "Starting")
            return read(watched)
        finally:
            _ROOM.release()

    def _tell(self, share: float, stage: str) -> None:
        self.share, self.stage = share, stage


def _free(outcome: Future[Table]) -> None:
    if outcome.exception() is None:
        outcome.result().close()
