"""How somebody who waits for an attack hears how far it is, and stops it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dpengine.errors import StoppedError


def _untold(share: float) -> None:
    """Tell nobody."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Called while an attack runs, in its own thread; `progress` hears a share from 0 to 1."""

    progress: Callable[[float], None] = _untold
    cancelled: Callable[[], bool] = _never

    def tell(self, share: float) -> None:
        """Pass on how far the work is; raises StoppedError where the person has stopped it."""
        if self.cancelled():
            raise StoppedError
        self.progress(min(max(share, 0.0), 1.0))

    def part(self, start: float, end: float) -> Watch:
        """For a part of the work: all that it tells lies between these shares of the whole."""
        return replace(self, progress=lambda share: self.progress(start + (end - start) * share))


UNWATCHED = Watch()
"""Nobody waits, and nobody will stop it."""
