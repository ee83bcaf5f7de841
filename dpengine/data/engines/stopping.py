"""Work in an engine that the person who waits for it may stop, whatever step it is at."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dpengine.data.files.reading import ReadingWatch
from dpengine.errors import EngineError

_POLL = 0.1


@contextmanager
def stoppable(interrupt: Callable[[], None], reading: ReadingWatch) -> Iterator[None]:
    """Call `interrupt` from a thread of its own once the person has stopped the reading.

    Then IntakeError says so, whether or not the engine had ended; any other error stays what it is.
    """
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(interrupt, reading, ended), daemon=True)
    watcher.start()
    try:
        yield
    except EngineError:
        if not reading.cancelled():
            raise
    finally:
        ended.set()
        watcher.join()
    reading.require_wanted()


def _watch(interrupt: Callable[[], None], reading: ReadingWatch, ended: threading.Event) -> None:
    while not ended.wait(_POLL):
        if reading.cancelled():
            interrupt()
