"""What the person who waits for a file sees and may do: a share that grows, and a way to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpengine.errors import IntakeError, named


def _untold(share: float, stage: str) -> None:
    """Tell nobody."""


def _never() -> bool:
    return False


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingWatch:
    """Called while a file is read, several times a second.

    `progress(share, stage)` hears, in the thread that reads, a share from 0 to 1 that never falls and a few words on
    what is going on; once `cancelled()` is true, which any thread may ask, the work is dropped and IntakeError raised.
    """

    progress: Callable[[float, str], None] = _untold
    cancelled: Callable[[], bool] = _never

    def tell(self, share: float, stage: str) -> None:
        """Pass on how far the work is; raises IntakeError where the person has stopped it."""
        self.require_wanted()
        self.progress(min(max(share, 0.0), 1.0), stage)

    def require_wanted(self) -> None:
        """Raise IntakeError where the person has stopped it."""
        if self.cancelled():
            raise IntakeError("Reading was stopped.")


UNWATCHED = ReadingWatch()
"""Nobody waits, and nobody will stop it."""
