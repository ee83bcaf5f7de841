"""Rooms go on their day though nobody opens a page, and what was lent to them: once an hour, as long as it runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from dpengine.errors import DPEngineError
from dpengine.workshop import Room, Rooms

EVERY_SECONDS = 3600.0


def begin(rooms: Rooms, keep_for: Callable[[Sequence[Room]], object], every: float = EVERY_SECONDS) -> threading.Thread:
    """Look now and then whether the day of a room has come; a thread that ends with the process.

    `keep_for` hears which rooms there are: some may have been closed by another process on the same ledger.
    """
    thread = threading.Thread(target=_sweep, args=(rooms, keep_for, every), name="deletes old rooms", daemon=True)
    thread.start()
    return thread


def _sweep(rooms: Rooms, keep_for: Callable[[Sequence[Room]], object], every: float) -> None:
    while True:
        time.sleep(every)
        try:
            rooms.delete_expired()
            keep_for(rooms.all())
        except DPEngineError:
            continue  # a ledger that cannot be used now is told of where it is needed
