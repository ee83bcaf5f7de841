"""Who may send files: curators, each in a session of their own browser, and no more than a session needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.serving.layers.proof import of_request

_ADDRESS = "/_stcore/upload_file/"
MOST_FILES = 20
"""One session has three places for a file; those that were taken away again are freed."""
MOST_AT_ONCE = 3
"""Times the largest file that is taken."""
NOT_YOURS = "Only a curator may send files here."
ENOUGH = "Enough files for one session: take one away, or reload the page."
_curators: dict[str, tuple[str, float]] = {}
_lock = threading.Lock()


class CuratorsUploads:
    """The same application, which takes no file from anybody else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, or answer why not."""
        path = scope["path"] if scope["type"] == "http" else ""
        session = path.partition(_ADDRESS)[2].partition("/")[0]
        if session and scope["method"] not in {"OPTIONS", "HEAD"} and (refused := _refused(session, scope)):
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def allow(session: str, proof: str, until: float) -> None:
    """The curator's session, the proof that its browser carries, and when its role ends, in seconds of Unix time."""
    with _lock:
        for ended in [one for one in _curators if one != session and not runtime.get_instance().is_active_session(one)]:
            del _curators[ended]
        _curators[session] = proof, until


def forbid(session: str) -> None:
    """A session that is no longer, or never was, a curator's."""
    with _lock:
        _curators.pop(session, None)


def forbid_browser(proof: str) -> None:
    """All sessions of a browser, until a run of theirs finds a curator again; of a frame they get no further rows."""
    with _lock:
        ended = [session for session, (browser, _) in _curators.items() if browser == proof]
        for session in ended:
            del _curators[session]
    for session in ended if runtime.exists() else ():
        runtime.get_instance().dataframe_source_mgr.clear_all_for_session(session)


def is_a_curators(browser: str) -> bool:
    """Whether the browser with this proof has a session in which somebody is a curator now."""
    now = time.time()
    with _lock:
        return bool(browser) and any(one == browser and now <= until for one, until in _curators.values())


def _refused(session: str, scope: Scope) -> PlainTextResponse | None:
    proof = of_request(scope)
    with _lock:
        browser, until = _curators.get(session, ("", 0.0))
    if not proof or proof != browser or time.time() > until:
        return PlainTextResponse(NOT_YOURS, status_code=403)
    if scope["method"] == "PUT" and _is_full(session, Headers(scope=scope)):
        return PlainTextResponse(ENOUGH, status_code=413)
    return None


def _is_full(session: str, headers: Mapping[str, str]) -> bool:
    largest = int(st.get_option("server.maxUploadSize")) * 1024 * 1024
    kept = runtime.get_instance().uploaded_file_mgr
    files = kept.file_storage.get(session, {}) if isinstance(kept, MemoryUploadedFileManager) else {}
    coming = headers.get("content-length", "")
    size = sum(len(one.data) for one in files.values()) + (int(coming) if coming.isdecimal() else largest)
    return len(files) >= MOST_FILES or size > MOST_AT_ONCE * largest
