"""What a run says last is heard, even where the next run is asked for in that very moment.

Streamlit 1.67 would start a new runner for the next one, and ignore what of the run before still waits on the event
loop: elements, and the word that the run has ended. A page that looks by itself each second loses an answer now and
then, the sooner the busier the server is. Here the new runner waits until the one before has been heard out; several
that wait begin in the order in which they were asked for.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession, AppSessionState

LOOK_AGAIN_SECONDS, PATIENCE_SECONDS = 0.002, 0.5
"""A run that was stopped by hand may take long to notice: nobody waits for it longer than this."""
_start_at_once = AppSession._create_scriptrunner  # noqa: SLF001
_lines: WeakKeyDictionary[AppSession, deque[Any]] = WeakKeyDictionary()
"""What each session has been asked for and not begun, in that order: an older wish must not come after a newer one."""


def hear_out() -> None:
    """From now on, in every session of this process."""
    AppSession._create_scriptrunner = _start_in_turn  # type: ignore[method-assign,assignment]  # noqa: SLF001


def _start_in_turn(session: AppSession, wanted: Any) -> None:
    """Start a run at once where none came before it, else after everything that the last one said."""
    before, line = session._scriptrunner, _lines.setdefault(session, deque())  # noqa: SLF001
    if before is None and not line:
        _start_at_once(session, wanted)
        return
    line.append(wanted)
    if len(line) == 1:
        _wait(session, line, before)


def _wait(session: AppSession, line: deque[Any], before: Any) -> None:
    """The runs that stand in line follow once this one has been heard out."""
    loop = session._event_loop  # noqa: SLF001
    _look(session, line, before, loop, until=loop.time() + PATIENCE_SECONDS)


def _look(session: AppSession, line: deque[Any], before: Any, loop: asyncio.AbstractEventLoop, until: float) -> None:
    """Look again until the last run's thread has ended: what it has said stands before us in the loop's queue then."""
    thread = before._script_thread  # noqa: SLF001
    if thread is not None and thread.is_alive() and loop.time() < until:
        loop.call_later(LOOK_AGAIN_SECONDS, _look, session, line, before, loop, until)
    else:
        loop.call_soon(_follow, session, line, before)


def _follow(session: AppSession, line: deque[Any], before: Any) -> None:
    """Start the first in line, unless the session has ended; whatever runs now takes over the others, or is to be
    heard out before them.
    """
    if session._state is AppSessionState.SHUTDOWN_REQUESTED:  # noqa: SLF001
        line.clear()
    while line:
        now = session._scriptrunner  # noqa: SLF001
        if now is None or now is before:
            _start_at_once(session, line.popleft())
        elif now.request_rerun(line[0]):
            line.popleft()
        else:
            _wait(session, line, now)
            return
