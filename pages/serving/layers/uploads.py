"""Who may send files: curators, each in a session of their own browser, and no more than a session needs."""

from __future__ import annotations

import threading
import time
from _thread import start_new_thread
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakMethod

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.serving.layers.proof import of_request

_ADDRESS = "/_stcore/upload_file/"
MOST_FILES = 20
"""One session has three places for a file; those that were taken away again are freed."""
MOST_AT_ONCE = 3
"""Times the largest file that is taken."""
NOT_YOURS = "Only a curator may send files here."
ENOUGH = "Enough files for one session: take one away, or reload the page."


@dataclass(slots=True, eq=False)
class Granted:
    """The role of a session's curator: the proof that its browser carries, and when it ends, in seconds of Unix time.

    Whoever is curator there after it has ended has another one.
    """

    proof: str
    until: float


_curators: dict[str, Granted] = {}
_lock = threading.Lock()
_ended = set[str]()
"""Sessions in which a curator's role has ended, and nobody has one again."""
_in_use: dict[str, list[WeakMethod[Callable[[], object]]]] = {}
"""What closes the rows that were brought in a browser, as long as somebody has them: a room may, without any tab."""
_on_their_way: defaultdict[str, list[int]] = defaultdict(list)
"""Bytes of each file that is being sent to a session; known to the one thread that listens."""


class CuratorsUploads:
    """The same application, which takes no file from anybody else, nor one that comes when the role has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, or answer why not."""
        path = scope["path"] if scope["type"] == "http" else ""
        session, _, file = path.partition(_ADDRESS)[2].partition("/")
        if session and scope["method"] not in {"OPTIONS", "HEAD"}:
            if refused := _refused(session, scope):
                await refused(scope, receive, send)
                return
            send = _while_granted(session, file, send)
        if session and scope["method"] == "PUT":
            with _coming(session, _size(Headers(scope=scope))):
                await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def allow(session: str, proof: str, until: float) -> None:
    """The curator's session, the proof that its browser carries, and when its role ends, in seconds of Unix time."""
    with _lock:
        _ended.discard(session)
        if (granted := _curators.get(session)) is not None and granted.proof == proof:
            granted.until = until
        else:
            _curators[session] = Granted(proof, until)


def forbid(session: str) -> None:
    """A session that is no longer, or never was, a curator's."""
    with _lock:
        was_one = _curators.pop(session, None)
        if was_one:
            _ended.add(session)
    if was_one:
        let_go(session)


def hold(close: Callable[[], object]) -> None:
    """Of rows that this run has brought into use: they are closed when somebody leaves in its browser, whatever runs.

    At once where that has happened since the run began.
    """
    context = get_script_run_ctx()
    with _lock:
        granted = None if context is None else _curators.get(context.session_id)
        if granted is not None:
            still = (one for one in _in_use.get(granted.proof, ()) if one() is not None)
            _in_use[granted.proof] = [*still, WeakMethod(close)]
        has_left = context is not None and context.session_id in _ended
    if has_left:
        close()


def let_go(session: str) -> None:
    """Free the files that came to a session, read or not; and of a frame it gets no further rows."""
    if runtime.exists():
        runtime.get_instance().uploaded_file_mgr.remove_session_files(session)
        runtime.get_instance().dataframe_source_mgr.clear_all_for_session(session)


def forbid_browser(proof: str) -> None:
    """All sessions of a browser, also those that are cut off, until a run of theirs finds a curator again.

    The rows that were brought there are closed.
    """
    with _lock:
        theirs = [session for session, granted in _curators.items() if granted.proof == proof]
        in_use = [close for one in _in_use.pop(proof, ()) if (close := one()) is not None]
    for session in theirs:
        forbid(session)
    for close in in_use:  # which may wait for an engine
        start_new_thread(close, ())


def forget_all_but(known: Collection[str]) -> None:
    """Sessions to which nobody comes back are nobody's."""
    with _lock:
        for session in [*_curators]:
            if session not in known:
                del _curators[session]
        _ended.intersection_update(known)
        for proof in [*_in_use]:
            if all(one() is None for one in _in_use[proof]):
                del _in_use[proof]


def is_a_curators(browser: str) -> bool:
    """Whether the browser with this proof has a session in which somebody is a curator now."""
    now = time.time()
    with _lock:
        return bool(browser) and any(one.proof == browser and now <= one.until for one in _curators.values())


def _refused(session: str, scope: Scope) -> PlainTextResponse | None:
    proof = of_request(scope)
    granted = _of(session)
    if not proof or granted is None or proof != granted.proof or time.time() > granted.until:
        return PlainTextResponse(NOT_YOURS, status_code=403)
    if scope["method"] == "PUT" and _is_full(session, Headers(scope=scope)):
        return PlainTextResponse(ENOUGH, status_code=413)
    return None


def _of(session: str) -> Granted | None:
    with _lock:
        return _curators.get(session)


def _while_granted(session: str, file: str, send: Send) -> Send:
    """Send on; a file that was on its way as the role ended is freed, whoever has come to that session meanwhile."""
    granted = _of(session)

    async def checked(message: Message) -> None:
        if message["type"] == "http.response.start" and (granted is None or _of(session) is not granted):
            if isinstance(kept := runtime.get_instance().uploaded_file_mgr, MemoryUploadedFileManager):
                kept.remove_file(session, file)
            message = {**message, "status": 403}
        await send(message)

    return checked


@contextmanager
def _coming(session: str, size: int) -> Iterator[None]:
    """A file of so many bytes is on its way to a session."""
    _on_their_way[session].append(size)
    try:
        yield
    finally:
        _on_their_way[session].remove(size)
        if not _on_their_way[session]:
            del _on_their_way[session]


def _size(headers: Mapping[str, str]) -> int:
    """How many bytes come at most, as far as it is said."""
    said = headers.get("content-length", "")
    return int(said) if said.isdecimal() else _largest()


def _largest() -> int:
    return int(st.get_option("server.maxUploadSize")) * 1024 * 1024


def _is_full(session: str, headers: Mapping[str, str]) -> bool:
    """Whether another file is more than a session may have, with those that are on their way."""
    kept = runtime.get_instance().uploaded_file_mgr
    files = kept.file_storage.get(session, {}) if isinstance(kept, MemoryUploadedFileManager) else {}
    coming = _on_their_way.get(session, [])
    size = sum(len(one.data) for one in files.values()) + sum(coming) + _size(headers)
    return len(files) + len(coming) >= MOST_FILES or size > MOST_AT_ONCE * _largest()
