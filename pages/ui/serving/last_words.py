"""What a run says last is heard, even where the next run is asked for in that very moment.

Streamlit 1.67 would start a new runner for the next one, and ignore what of the run before still waits on the event
loop: elements, and the word that the run has ended. A page that looks by itself each second loses an answer now and
then, the sooner the busier the server is. Here the new runner waits until the one before has been heard out.
"""

from __future__ import annotations

import asyncio
from typing import Any

from streamlit.runtime.app_session import AppSession, AppSessionState

LOOK_AGAIN_SECONDS, PATIENCE_SECONDS = 0.002, 0.5
"""A run that was stopped by hand may take long to notice: nobody waits for it longer than this."""
_start_at_once = AppSession._create_scriptrunner  # noqa: SLF001


def hear_out() -> None:
    """From now on, in every session of this process."""
    AppSession._create_scriptrunner = _start_in_turn  # type: ignore[method-assign,assignment]  # noqa: SLF001


def _start_in_turn(session: AppSession, wanted: Any) -> None:
    """Start a run at once where none came before it, else after everything that the last one said."""
    before = session._scriptrunner  # noqa: SLF001
    if before is None:
        _start_at_once(session, wanted)
        return
    loop = session._event_loop  # noqa: SLF001
    _wait(session, wanted, before, loop, until=loop.time() + PATIENCE_SECONDS)


def _wait(session: AppSession, wanted: Any, before: Any, loop: asyncio.AbstractEventLoop, until: float) -> None:
    """Look again until the last run's thread has ended: what it has said stands before us in the loop's queue then."""
    thread = before._script_thread  # noqa: SLF001
    if thread is not None and thread.is_alive() and loop.time() < until:
        loop.call_later(LOOK_AGAIN_SECONDS, _wait, session, wanted, before, loop, until)
    else:
        loop.call_soon(_start, session, wanted, before)


def _start(session: AppSession, wanted: Any, before: Any) -> None:
    """Start, unless the session has ended, or another run was started meanwhile: that takes this one over, or is the
    one to be heard out now.
    """
    now = session._scriptrunner  # noqa: SLF001
    if session._state is AppSessionState.SHUTDOWN_REQUESTED:  # noqa: SLF001
        return
    if now is None or now is before:
        _start_at_once(session, wanted)
    elif not now.request_rerun(wanted):
        _start_in_turn(session, wanted)
