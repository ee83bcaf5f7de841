"""A question that fails on some rows and not on others tells exactly which there are, so a table fails only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import TypeVar
from weakref import WeakValueDictionary

import ibis

from dpengine.data.engines.engine import Engine
from dpengine.errors import EngineError, MaskedError

Read = TypeVar("Read")
_numbers = count()
"""Of what is opened, and of failures, in their order."""


class _SameTable:
    """What all that is opened of one table in this process has in common, as long as any of it is."""

    __slots__ = ("__weakref__", "alone", "failure")

    def __init__(self) -> None:
        self.alone = threading.Lock()
        self.failure = -1
        """The number of the last one."""


_opened: WeakValueDictionary[bytes, _SameTable] = WeakValueDictionary()
_opening = threading.Lock()
PATIENCE_SECONDS, _LOOK_SECONDS = 60.0, 0.2
"""So long a question waits for another one before it is charged; afterwards until it is stopped, which it looks for."""
_OF_NO_ROW = ibis.literal(1, type="int64").name("one").as_table()


class OneFailure:
    """Takes a table out of use after an error that its rows may have caused: any, once its engine was seen to be well.

    What happens to the engine afterwards says nothing: a row may have been more than its memory holds. Whatever else of
    this process was opened of the same table before is out of use with it, `identity` being equal, and of all of it one
    question at a time reads rows, or several would fail at once.
    """

    __slots__ = ("_engine", "_number", "_same")

    def __init__(self, engine: Engine, identity: bytes) -> None:
        self._engine = engine
        with _opening:
            self._same = _opened.setdefault(identity, _SameTable())
        self._number = next(_numbers)

    @property
    def happened(self) -> bool:
        """Whether the table is out of use."""
        return self._same.failure >= self._number

    def require_engine(self) -> None:
        """Ask the engine what no row has to do with; EngineError where it does not answer: a server may be down, or it
        may answer another question about this table all the time.
        """
        if not self._same.alone.acquire(timeout=PATIENCE_SECONDS):
            raise EngineError
        try:
            self._engine.integers(_OF_NO_ROW)
        finally:
            self._same.alone.release()

    def watching(self, read: Callable[[], Read], stopped: Callable[[], bool]) -> Read:
        """What is read; EngineError where it fails, failed before, or somebody stopped it, which takes nothing away.

        Nor does an engine that does not answer by itself: none is read.
        """
        while not self._same.alone.acquire(timeout=_LOOK_SECONDS):
            if stopped():
                raise EngineError
        try:
            if self.happened or stopped():
                raise EngineError
            self._engine.integers(_OF_NO_ROW)
            if stopped():
                raise EngineError
            try:
                return read()
            except MaskedError:
                if not stopped():
                    self._same.failure = next(_numbers)
                raise
        finally:
            self._same.alone.release()
