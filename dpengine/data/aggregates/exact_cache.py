"""The exact answers that one table has given to whoever explores it, so that the same question scans the rows once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpengine.data.aggregates.aggregate_kinds import Aggregate

MOST_ANSWERS = 256
MOST_BYTES = 16 * 1024**2


class ExactCache:
    """Answers by aggregate, the least recently used dropped first; several threads may ask at once.

    Each table has its own and shares it with none, so that no session can tell by the time what another one asked.
    """

    __slots__ = ("_answers", "_bytes", "_lock")

    def __init__(self) -> None:
        self._answers: OrderedDict[Aggregate, NDArray[np.int64]] = OrderedDict()
        self._bytes, self._lock = 0, threading.Lock()

    def recall(self, aggregate: Aggregate, read: Callable[[], NDArray[np.int64]]) -> NDArray[np.int64]:
        """The answer as it was read first; what `read` raises is not remembered."""
        with self._lock:
            if aggregate in self._answers:
                self._answers.move_to_end(aggregate)
                return self._answers[aggregate].copy()
        answer = read()
        self._remember(aggregate, answer.copy())
        return answer

    def forget(self) -> None:
        """Drop every answer."""
        with self._lock:
            self._answers.clear()
            self._bytes = 0

    def _remember(self, aggregate: Aggregate, answer: NDArray[np.int64]) -> None:
        with self._lock:
            self._bytes += answer.nbytes - self._answers.get(aggregate, answer[:0]).nbytes
            self._answers[aggregate] = answer
            while len(self._answers) > MOST_ANSWERS or self._bytes > MOST_BYTES:
                self._bytes -= self._answers.popitem(last=False)[1].nbytes
