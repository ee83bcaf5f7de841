"""What a run said last is heard before the next begins: Streamlit's own session on a real loop, with a slow thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from pages.serving.patches import last_messages
from tests.servers.looping import finished

Start = Callable[[AppSession, Any], None]


class Session:
    """As much of Streamlit's session as starts runs."""

    _state = AppSessionState.APP_IS_RUNNING

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._event_loop, self._scriptrunner = loop, None


class Runner:
    """What a session knows of a run: it refuses another one, says its last word, and its thread ends."""

    def __init__(self, session: Any, said: list[str], name: str, *, takes_over: bool = False) -> None:
        self.name, self._takes_over = name, takes_over
        self._script_thread = threading.Thread(target=self._run, args=(session, said))

    def request_rerun(self, _wanted: str) -> bool:
        return self._takes_over

    def _run(self, session: Any, said: list[str]) -> None:
        time.sleep(0.02)
        session._event_loop.call_soon_threadsafe(self._hear, session, said)

    def _hear(self, session: Any, said: list[str]) -> None:
        """As Streamlit does: what another than the present runner says is ignored."""
        if session._scriptrunner is self:
            said.append(self.name)


async def heard(start: Start, monkeypatch: pytest.MonkeyPatch, wanted: list[str], *, takes_over: bool) -> list[str]:
    """What is heard, until every run has ended, where runs are asked for while the first one ends."""
    said: list[str] = []
    threads: list[threading.Thread] = []
    session: Any = Session(asyncio.get_running_loop())

    def begin(_session: Any, name: str) -> None:
        session._scriptrunner = Runner(session, said, name, takes_over=takes_over)
        threads.append(session._scriptrunner._script_thread)
        threads[-1].start()

    monkeypatch.setattr(last_messages, "_start_at_once", begin)
    last_messages._start_in_turn(session, "first")
    for name in wanted:
        (start if start is not AppSession._create_scriptrunner else begin)(session, name)
    at_rest = asyncio.Event()
    _look_for_rest(session, threads, at_rest)
    await at_rest.wait()
    return said


def _look_for_rest(session: Any, threads: list[threading.Thread], at_rest: asyncio.Event) -> None:
    """Nobody stands in line and every thread has ended: what they said stands before us in the loop's queue."""
    if last_messages._lines.get(session) or any(thread.is_alive() for thread in threads):
        session._event_loop.call_later(last_messages.LOOK_AGAIN_SECONDS, _look_for_rest, session, threads, at_rest)
    else:
        session._event_loop.call_soon(at_rest.set)


def test_every_run_is_heard_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said = finished(heard(last_messages._start_in_turn, monkeypatch, ["second", "third"], takes_over=False))
    assert said == ["first", "second", "third"]


class CountedThread:
    """Alive for so many looks, whoever looks."""

    def __init__(self, looks: int) -> None:
        self._left = looks

    def is_alive(self) -> bool:
        self._left -= 1
        return self._left >= 0


async def begun(looks: int, monkeypatch: pytest.MonkeyPatch, wanted: list[str], *, stopped: bool) -> list[str]:
    """The order in which runs begin that were asked for while the first was looked at so often, or had been let go."""
    order: list[str] = []
    all_begun = asyncio.Event()
    session: Any = Session(asyncio.get_running_loop())

    def begin(_session: Any, name: str) -> None:
        order.append(name)
        session._scriptrunner = SimpleNamespace(_script_thread=CountedThread(looks), request_rerun=lambda _: False)
        if len(order) == len(wanted):
            all_begun.set()

    monkeypatch.setattr(last_messages, "_start_at_once", begin)
    for name in wanted:
        last_messages._start_in_turn(session, name)
        if stopped and len(last_messages._lines[session]) == 1:
            session._scriptrunner = None
    await all_begun.wait()
    return order


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("looks", range(5))
def test_runs_begin_in_the_order_in_which_they_were_asked_for(
    looks: int, stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ["first", "second", "third", "fourth"]
    assert finished(begun(looks, monkeypatch, wanted, stopped=stopped)) == wanted


def test_a_run_that_takes_the_next_one_over_is_not_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    said = finished(heard(last_messages._start_in_turn, monkeypatch, ["second", "third"], takes_over=True))
    assert said == ["first", "second"]


def test_started_at_once_the_first_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    said = finished(heard(AppSession._create_scriptrunner, monkeypatch, ["second", "third"], takes_over=False))
    assert said == ["third"]


async def heard_in_a_real_session(script: Path, wanted: list[str]) -> list[str]:
    """The kinds and texts that a browser would get from Streamlit's own session, up to the end of the last run."""
    told = asyncio.Event()
    files = MemoryUploadedFileManager("/upload")
    session = AppSession(ScriptData(str(script), is_hello=False), files, ScriptCache(), told.set, {})
    for name in wanted:
        session._create_scriptrunner(RerunData(query_string=f"said={name}"))
    texts: list[str] = []
    while wanted[-1] not in texts:
        async with asyncio.timeout(30):
            await told.wait()
        told.clear()
        texts += [message.delta.new_element.text.body for message in session.flush_browser_queue()]
    thread = session._scriptrunner._script_thread if session._scriptrunner is not None else None
    session.shutdown()
    if thread is not None:
        await asyncio.to_thread(thread.join)
        await asyncio.sleep(0)
    assert session._script_event_loop.is_closed(), "Else its sockets are found unclosed in whatever test comes later."
    return [text for text in texts if text]


def test_it_fits_the_streamlit_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's own session and runs, of which it uses what nobody has promised."""
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    monkeypatch.setattr(AppSession, "_create_scriptrunner", AppSession._create_scriptrunner)
    last_messages.hear_out()
    assert AppSession._create_scriptrunner is last_messages._start_in_turn
    script = tmp_path / "says.py"
    script.write_text('import streamlit as st\nst.text(st.query_params["said"])\n', encoding="utf-8")
    heard = finished(heard_in_a_real_session(script, ["first", "second", "third"]))
    assert (heard[0], heard[-1]) == ("first", "third")
