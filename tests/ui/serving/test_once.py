"""What a process has one of stays one, however many ask at once, and whoever could not be served may ask again."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.serving.once import Once

VISITORS = 8


def test_all_who_ask_at_once_get_the_same() -> None:
    both, made = threading.Barrier(VISITORS), []
    going_on = threading.Event()

    def make(name: str) -> object:
        made.append(name)
        going_on.wait(0.05 if len(made) > 1 else 0.2)  # time, not a state: nobody else may come in meanwhile
        return object()

    once = Once(make)

    def asked(name: str) -> object:
        both.wait()
        return once(name)

    with ThreadPoolExecutor(VISITORS) as threads:
        found = set(threads.map(asked, ["ledger"] * VISITORS))
    assert (len(found), made) == (1, ["ledger"])
    assert once("another") not in found, "the control"


def test_what_failed_is_tried_again() -> None:
    tries = []

    def make() -> int:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("not there yet")
        return len(tries)

    once = Once(make)
    with pytest.raises(OSError, match="not there yet"):
        once()
    assert (once(), once(), len(tries)) == (2, 2, 2)
