"""A question that fails on some rows and not on others tells exactly which there are, so a table fails only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import ibis

from dpengine.data.engines.engine import Engine
from dpengine.errors import EngineError, MaskedError

Read = TypeVar("Read")
PATIENCE_SECONDS = 60.0
"""So long a question waits for another one before it is charged; afterwards as long as it takes."""
_OF_NO_ROW = ibis.literal(1, type="int64").name("one").as_table()


class OneFailure:
    """Takes a table out of use after an error that its rows may have caused: any, once its engine was seen to be well.

    What happens to the engine afterwards says nothing: a row may have been more than its memory holds. One question at
    a time reads rows, or several would fail at once.
    """

    __slots__ = ("_alone", "_engine", "_happened")

    def __init__(self, engine: Engine) -> None:
        self._engine, self._alone, self._happened = engine, threading.Lock(), False

    @property
    def happened(self) -> bool:
        """Whether the table is out of use."""
        return self._happened

    def require_engine(self) -> None:
        """Ask the engine what no row has to do with; EngineError where it does not answer: a server may be down, or it
        may answer another question about this table all the time.
        """
        if not self._alone.acquire(timeout=PATIENCE_SECONDS):
            raise EngineError
        try:
            self._engine.integers(_OF_NO_ROW)
        finally:
            self._alone.release()

    def watching(self, read: Callable[[], Read], stopped: Callable[[], bool]) -> Read:
        """What is read; EngineError where it fails, failed before, or somebody stopped it, which takes nothing away.

        Nor does an engine that does not answer by itself: none is read.
        """
        with self._alone:
            if self._happened or stopped():
                raise EngineError
            self._engine.integers(_OF_NO_ROW)
            if stopped():
                raise EngineError
            try:
                return read()
            except MaskedError:
                self._happened = not stopped()
                raise
