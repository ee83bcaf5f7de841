"""A computation that may take seconds, in a thread of its own so that the page stays alive; it can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from time import monotonic
from typing import Generic, TypeVar

from dpengine.attacks import Watch

Result = TypeVar("Result")
MOST_AT_ONCE = 2
LONELY_SECONDS = 30.0
"""After so long a computation ends that nobody asks about any more; who comes back has it begun anew."""
_IMPATIENT = 0.2


class Places:
    """So many computations run at once, and of whoever they are counted for no more than one."""

    def __init__(self, most: int) -> None:
        self._free, self._busy, self._changed = most, set[str](), threading.Condition()

    def take(self, who: str, seconds: float) -> bool:
        """Wait for a place, at most so long; says whether there is one."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._free > 0 and who not in self._busy, seconds):
                return False
            self._free -= 1
            self._busy.add(who)
            return True

    def give_back(self, who: str) -> None:
        """Somebody else may have it."""
        with self._changed:
            self._free += 1
            self._busy.discard(who)
            self._changed.notify_all()


_PLACES = Places(MOST_AT_ONCE)


class Work(Generic[Result]):
    """One computation on its way, counted for an address; nothing in it calls Streamlit."""

    def __init__(self, compute: Callable[[Watch], Result], who: str = "") -> None:
        self.share = 0.0
        self._who, self._asked_until = who, monotonic()
        self._stopped = threading.Event()
        self._outcome: Future[Result] = Future()
        threading.Thread(target=self._run, args=(compute,), daemon=True, name="computing").start()

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has stopped it; one that ended because nobody asked about it is not."""
        return self._stopped.is_set()

    def done(self, seconds: float = 0.0) -> bool:
        """Whether it has come to an end, well or badly, after waiting at most so long."""
        self._asked_until = monotonic() + seconds
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
        watch = Watch(progress=self._tell, cancelled=self._has_to_end)
        while not _PLACES.take(self._who, _IMPATIENT):
            watch.tell(0.0)
        try:
            return compute(watch)
        finally:
            _PLACES.give_back(self._who)

    def _has_to_end(self) -> bool:
        return self._stopped.is_set() or monotonic() - self._asked_until > LONELY_SECONDS

    def _tell(self, share: float) -> None:
        self.share = share
