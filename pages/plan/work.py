"""Work of seconds, in a thread of its own so that the page stays alive: how far it is, and a way to stop it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from time import monotonic
from typing import Generic, TypeVar

from dpengine.errors import StoppedError

Result = TypeVar("Result")
_IMPATIENT = 0.2


class Places:
    """So much work of a kind is done at once, and for whoever is named no more than one piece; what waits says so."""

    def __init__(self, most: int, waiting: str = "") -> None:
        self.most, self.waiting = most, waiting
        self._free, self._busy, self._changed = most, set[str](), threading.Condition()

    def take(self, who: str | None, seconds: float) -> bool:
        """Wait for a place, at most so long; says whether there is one."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._free > 0 and who not in self._busy, seconds):
                return False
            self._free -= 1
            self._busy |= set() if who is None else {who}
            return True

    def give_back(self, who: str | None) -> None:
        """Somebody else may have it."""
        with self._changed:
            self._free += 1
            self._busy -= {who}
            self._changed.notify_all()


class Work(Generic[Result]):
    """One piece of work on its way; nothing in it calls Streamlit.

    `do` tells how far it is, and ends where it has to. Nobody's place is taken twice where `who` is named. It ends
    after `lonely` seconds in which nobody asks about it, and whoever comes back has it begun anew; `free` ends what a
    result holds that nobody wants any more.
    """

    def __init__(
        self,
        do: Callable[[Work[Result]], Result],
        places: Places,
        *,
        who: str | None = None,
        lonely: float = math.inf,
        free: Callable[[Result], object] | None = None,
    ) -> None:
        self.share, self.stage = 0.0, places.waiting
        self._places, self._who, self._lonely, self._free = places, who, lonely, free
        self._stopped, self._begun, self._asked_until = threading.Event(), threading.Event(), monotonic()
        self._outcome: Future[Result] = Future()
        threading.Thread(target=self._run, args=(do,), daemon=True, name="work of a page").start()

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has stopped it; one that ended because nobody asked about it is not."""
        return self._stopped.is_set()

    def done(self, seconds: float = 0.0) -> bool:
        """Whether it has come to an end, well or badly, after waiting at most so long."""
        self._asked_until = monotonic() + seconds
        return bool(wait([self._outcome], seconds).done)

    def begins(self, seconds: float) -> bool:
        """Whether it has had a place, after waiting at most so long."""
        return self._begun.wait(seconds)

    def result(self) -> Result:
        """What came of it, once done; raises what was raised."""
        return self._outcome.result(0.0)

    def stop(self) -> None:
        """End it at its next step, and free what has come of it."""
        self._stopped.set()
        self._outcome.add_done_callback(self._let_go)

    def tell(self, share: float, stage: str = "") -> None:
        """How far it is, from 0 to 1, and with what."""
        self.share, self.stage = share, stage

    def has_to_end(self) -> bool:
        """Whether it was stopped, or nobody waits for it any more."""
        return self._stopped.is_set() or monotonic() - self._asked_until > self._lonely

    def _run(self, do: Callable[[Work[Result]], Result]) -> None:
        try:
            self._outcome.set_result(self._in_its_place(do))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that asks for the result
            self._outcome.set_exception(error)

    def _in_its_place(self, do: Callable[[Work[Result]], Result]) -> Result:
        while not self._places.take(self._who, _IMPATIENT):
            if self.has_to_end():
                raise StoppedError
        self._begun.set()
        try:
            self.tell(0.0, "Starting")
            return do(self)
        finally:
            self._places.give_back(self._who)

    def _let_go(self, outcome: Future[Result]) -> None:
        if self._free is not None and outcome.exception() is None:
            self._free(outcome.result())
