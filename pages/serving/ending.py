"""Ctrl+C, and being told to end, end the process calmly: exit code 0, and temporary folders with rows are deleted."""

from __future__ import annotations

import signal
from types import FrameType

import uvicorn

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGQUIT", "SIGBREAK") if hasattr(signal, name))


def listener() -> uvicorn.Server | None:
    """The listener of this process that catches signals, once it does; None where there is none."""
    found = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return found if isinstance(found, uvicorn.Server) else None


def calmly() -> None:
    """Let the listener that catches signals in this process stop without raising them again when it has.

    Raised again they would end Python before it has tidied up. A second Ctrl+C does not wait for anybody.
    """
    server = listener()
    if server is None:
        return

    def stop(number: int, _frame: FrameType | None) -> None:
        server.force_exit = server.should_exit and number == signal.SIGINT
        server.should_exit = True

    for number in SIGNALS:
        signal.signal(number, stop)
