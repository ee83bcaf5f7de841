"""Rooms go on their day though nobody opens a page: once an hour, for as long as the server runs."""

from __future__ import annotations

import threading
import time

from dpengine.errors import DPEngineError
from dpengine.workshop import Rooms

EVERY_SECONDS = 3600.0


def begin(rooms: Rooms, every: float = EVERY_SECONDS) -> threading.Thread:
    """Look now and then whether the day of a room has come; a thread that ends with the process."""
    thread = threading.Thread(target=_sweep, args=(rooms, every), name="deletes old rooms", daemon=True)
    thread.start()
    return thread


def _sweep(rooms: Rooms, every: float) -> None:
    while True:
        time.sleep(every)
        try:
            rooms.delete_expired()
        except DPEngineError:
            continue  # a ledger that cannot be used now is told of where it is needed
