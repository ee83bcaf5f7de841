"""What a process has one of, however many visitors ask at once: Streamlit's own caches can be emptied."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, ParamSpec, TypeVar

_Asked = ParamSpec("_Asked")
_Made = TypeVar("_Made")


class Once(Generic[_Asked, _Made]):
    """A function that makes each thing a single time; who asks meanwhile waits for it. What failed is tried again."""

    def __init__(self, make: Callable[_Asked, _Made]) -> None:
        self._make = make
        self._made: dict[Hashable, _Made] = {}
        self._lock = threading.Lock()
        self.__doc__ = make.__doc__

    def __call__(self, *asked: _Asked.args, **named: _Asked.kwargs) -> _Made:
        key = asked, tuple(sorted(named.items()))
        with self._lock:
            if key not in self._made:
                self._made[key] = self._make(*asked, **named)
            return self._made[key]

    def clear(self) -> None:
        """Forget all that was made: for tests, each of which has a ledger of its own."""
        with self._lock:
            self._made.clear()
