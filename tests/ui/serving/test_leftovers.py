"""Files of a session whose browser has gone are freed, once it cannot come back any more; others stay."""

from __future__ import annotations

import asyncio
import gc
import weakref
from types import SimpleNamespace

import pytest
from streamlit.runtime import Runtime, RuntimeConfig, media_file_manager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.serving.patches import downloads, leftovers
from pages.serving.patches.left_sessions import LeftSessions
from pages.serving.patches.leftovers import KEPT, Leftovers
from tests.servers.looping import finished


def test_the_files_of_those_who_left_are_freed_and_of_nobody_else() -> None:
    files, here = MemoryUploadedFileManager("/upload"), {"ada", "bob"}
    for session in ("ada", "bob"):
        files.add_file(session, UploadedFileRec(file_id="1", name="a.csv", type="text/csv", data=b"rows"))
    left = Leftovers(files, here.__contains__)
    left.free(0.0)
    here.remove("bob")
    left.free(1000.0)
    left.free(1000.0 + KEPT - 1.0)
    assert files.file_storage.keys() == {"ada", "bob"}, "Bob may come back."
    left.free(1000.0 + KEPT)
    assert files.file_storage.keys() == {"ada"}


def test_whoever_comes_back_begins_to_be_away_anew() -> None:
    files, here = MemoryUploadedFileManager("/upload"), set[str]()
    files.add_file("bob", UploadedFileRec(file_id="1", name="a.csv", type="text/csv", data=b"rows"))
    left = Leftovers(files, here.__contains__)
    left.free(0.0)
    here.add("bob")
    left.free(KEPT)
    here.remove("bob")
    left.free(KEPT + 1.0)
    left.free(2.0 * KEPT)
    assert files.file_storage.keys() == {"bob"}
    left.free(2.0 * KEPT + 1.0)
    assert not files.file_storage


class Held:
    """What a session holds: a table, say."""


def test_a_session_that_nobody_comes_back_to_is_let_go_though_nobody_else_comes() -> None:
    """With its table: Streamlit keeps it until somebody else connects or leaves."""
    kept, ended = SessionState(), list[str]()
    kept["table"] = Held()
    loop, asked = asyncio.new_event_loop(), SimpleNamespace(page_script_hash="a page")
    session = SimpleNamespace(
        id="gone", _session_state=kept, shutdown=lambda: ended.append("gone"), _client_state=asked
    )
    storage = LeftSessions(ttl_seconds=0)
    held = weakref.ref(kept["table"])
    session.__dict__.update(_scriptrunner=None, _script_event_loop=loop)
    storage.save(SessionInfo(client=None, session=session))  # type: ignore[arg-type]
    gc.collect()
    assert held() is not None, "The control."
    assert storage.get("gone") is None, "It cannot come back."
    storage.rest()
    gc.collect()
    assert held() is None, "Though something still knows the session, as components of Streamlit do."
    assert ended == ["gone"]


def test_the_running_process_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's own server, which is not started: it knows its files, and says that nobody is there."""
    monkeypatch.setattr(Runtime, "_instance", None)
    assert leftovers._of_this_process() is None
    files = MemoryUploadedFileManager("/upload")
    pictures = MemoryMediaFileStorage("/media")
    Runtime(RuntimeConfig(script_path="app.py", media_file_storage=pictures, uploaded_file_manager=files))
    files.add_file("bob", UploadedFileRec(file_id="1", name="a.csv", type="text/csv", data=b"rows"))
    left = leftovers._of_this_process()
    assert left is not None
    left.free(0.0)
    left.free(KEPT)
    assert not files.file_storage


def test_a_file_that_was_written_goes_though_nobody_does_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its curator has left, and no run ends any more; its address stands in the browser's list of downloads."""
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(leftovers, "EVERY", 0.001)
    monkeypatch.setattr(downloads, "KEPT", 0.0)
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", downloads.Lasting)
    kept, files = MemoryMediaFileStorage("/media"), MemoryUploadedFileManager("/upload")
    server = Runtime(RuntimeConfig(script_path="app.py", media_file_storage=kept, uploaded_file_manager=files))
    button = server.media_file_mgr.add_deferred(lambda: "the names", "text/plain", "1.(0)", "record.txt")
    name = server.media_file_mgr.execute_deferred(button).rsplit("/", 1)[-1]
    assert kept.get_file(name).content == b"the names", "The control."

    async def looked() -> None:
        async with leftovers.freed():
            while kept._files_by_id:  # noqa: ASYNC110  # the storage tells nobody
                await asyncio.sleep(0.001)

    finished(asyncio.wait_for(looked(), 20.0))
    with pytest.raises(MediaFileStorageError):
        kept.get_file(name)
