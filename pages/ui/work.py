"""A computation that may take seconds, in a thread of its own so that the page stays alive; it can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from dpengine.attacks import Watch

Result = TypeVar("Result")
MOST_AT_ONCE = 2
_ROOM = threading.BoundedSemaphore(MOST_AT_ONCE)
_IMPATIENT = 0.2


class Work(Generic[Result]):
    """One computation on its way; nothing in it calls Streamlit. No more than MOST_AT_ONCE run at the same time."""

    def __init__(self, compute: Callable[[Watch], Result]) -> None:
        self.share = 0.0
        self._stopped = threading.Event()
        self._outcome: Future[Result] = Future()
        threading.Thread(target=self._run, args=(compute,), daemon=True, name="computing").start()

    def done(self, seconds: float = 0.0) -> bool:
        """Whether it has come to an end, well or badly, after waiting at most so long."""
        return bool(wait([self._outcome], seconds).done)

    def result(self) -> Result:
        """What was computed, once done; raises what the computation raised."""
        return self._outcome.result(0.0)

    def stop(self) -> None:
        """End it at its next step."""
        self._stopped.set()

    def _run(self, compute: Callable[[Watch], Result]) -> None:
        try:
            self._outcome.set_result(self._compute(compute))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that asks for the result
            self._outcome.set_exception(error)

    def _compute(self, compute: Callable[[Watch], Result]) -> Result:
        watch = Watch(progress=self._tell, cancelled=self._stopped.is_set)
        while not _ROOM.acquire(timeout=_IMPATIENT):
            watch.tell(0.0)
        try:
            return compute(watch)
        finally:
            _ROOM.release()

    def _tell(self, share: float) -> None:
        self.share = share
