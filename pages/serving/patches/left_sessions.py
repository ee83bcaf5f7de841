"""Sessions whose browser was cut off: kept for whoever comes back, and holding little of the process meanwhile.

Streamlit 1.67 gives each session an event loop of its own, of three open files, and keeps it as long as the session:
whoever comes and goes would use up all files of the process, and nobody new could come in.
"""

from __future__ import annotations

import asyncio

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo

MOST_LEFT = 3500
"""Sessions, each for two minutes, in which twenty a second begin, besides the 600 that were here before; of Streamlit's
128 a stranger who comes and goes would drive out all others within seconds.
"""


class LeftSessions(MemorySessionStorage):
    """The same storage, of whose sessions none holds an open file while nothing runs in it."""

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session; one that was never asked for a page has nothing to come back to, and ends."""
        session = session_info.session
        if session._scriptrunner is None and not session._client_state.page_script_hash:  # noqa: SLF001
            asyncio.get_running_loop().call_soon(session.shutdown)
            return
        super().save(session_info)
        _rest(session)

    def get(self, session_id: str) -> SessionInfo | None:
        """A session whose browser has come back, ready to run."""
        found = super().get(session_id)
        if found is not None and found.session._script_event_loop.is_closed():  # noqa: SLF001
            found.session._script_event_loop = asyncio.new_event_loop()  # noqa: SLF001
        return found

    def rest(self) -> None:
        """Let go of what is over: those that nobody comes back to, with their tables, and files of finished runs."""
        for _, over in self._cache.expire():  # type: ignore[attr-defined]
            _end(over.session)
        for kept in self.list():
            _rest(kept.session)


def known() -> set[str]:
    """Every session of this process that is here, or that somebody may come back to."""
    return {one.session.id for one in get_instance()._session_mgr.list_sessions()}  # noqa: SLF001


def rest() -> None:
    """Let go of what is over among those of this process."""
    kept = get_instance()._session_mgr._session_storage  # type: ignore[attr-defined]  # noqa: SLF001
    if isinstance(kept, LeftSessions):
        kept.rest()


def remembered() -> None:
    """A browser that was cut off finds its session again, however many others come and go meanwhile."""
    kept = LeftSessions(maxsize=MOST_LEFT, ttl_seconds=int(st.get_option("server.disconnectedSessionTTL")))
    get_instance()._session_mgr._session_storage = kept  # type: ignore[attr-defined]  # noqa: SLF001


def _rest(session: AppSession) -> None:
    if session._scriptrunner is None:  # noqa: SLF001
        session._script_event_loop.close()  # noqa: SLF001


def _end(session: AppSession) -> None:
    """Nobody waits until Python finds out that nobody knows it any more: components hold what they have drawn."""
    session.shutdown()
    if session._scriptrunner is None:  # noqa: SLF001
        kept = session._session_state  # noqa: SLF001
        kept.clear()
        kept._new_widget_state.widget_metadata.clear()  # noqa: SLF001
