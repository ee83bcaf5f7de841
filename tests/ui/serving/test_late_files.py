"""A file belongs to whoever sent it: when their role ends it goes, read or not, on its way or there."""

from __future__ import annotations

import asyncio
import math
from types import SimpleNamespace

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.serving.layers import sign_ins, uploads
from pages.serving.layers.proof import HEADER
from pages.serving.layers.uploads import CuratorsUploads
from tests.servers.looping import finished
from tests.ui.serving.hall import rest

ADAS, BOBS = "adas browser", "bobs browser"
OURS, THEIRS = "a session of ada's", "a session of bob's"


class Frames:
    """Nobody reads on in one here."""

    def clear_all_for_session(self, session: str) -> None:
        """Nothing to do."""


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> MemoryUploadedFileManager:
    """Where this process keeps files, of two curators at two browsers."""
    files = MemoryUploadedFileManager("/_stcore/upload_file")
    here = SimpleNamespace(uploaded_file_mgr=files, dataframe_source_mgr=Frames())
    monkeypatch.setattr("streamlit.runtime.exists", lambda: True)
    monkeypatch.setattr("streamlit.runtime.get_instance", lambda: here)
    monkeypatch.setattr(uploads, "_curators", {})
    for session, browser in ((OURS, ADAS), (THEIRS, BOBS)):
        uploads.allow(session, browser, math.inf)
        files.add_file(session, file("arrived"))
    return files


def file(name: str) -> UploadedFileRec:
    return UploadedFileRec(file_id=name, name=name, type="text/csv", data=b"patient\nAnna\n")


async def sending(app: ASGIApp, name: str, said: list[Message], size: int = 9) -> None:
    """A file of Ada's is sent to her session."""

    async def heard(message: Message) -> None:
        said.append(message)

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/{OURS}/{name}"}
    headers = [(HEADER.encode(), ADAS.encode()), (b"content-length", str(size).encode())]
    await CuratorsUploads(app)({**scope, "headers": headers}, nothing, heard)


def in_session(files: MemoryUploadedFileManager, session: str) -> list[str]:
    return [*files.file_storage.get(session, {})]


def test_what_has_arrived_goes_with_the_role_though_no_run_has_looked_at_it(
    kept: MemoryUploadedFileManager,
) -> None:
    sign_ins.end(ADAS)
    assert (in_session(kept, OURS), in_session(kept, THEIRS)) == ([], ["arrived"])


@pytest.mark.parametrize(
    ("meanwhile", "status"), [("nothing", 204), ("left", 403), ("left, and another one came", 403)]
)
def test_what_is_on_its_way_as_the_role_ends_is_not_taken(
    kept: MemoryUploadedFileManager, meanwhile: str, status: int
) -> None:
    """Nor is it the next curator's, who is in the same tab by then."""
    said: list[Message] = []

    async def arrives_late(scope: Scope, receive: Receive, send: Send) -> None:
        if meanwhile != "nothing":
            sign_ins.end(ADAS)
        if meanwhile.endswith("came"):
            uploads.allow(OURS, ADAS, math.inf)
        uploads.allow(THEIRS, BOBS, math.inf)
        kept.add_file(OURS, file("late"))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    finished(sending(arrives_late, "late", said))
    assert said[0]["status"] == status
    assert ("late" in in_session(kept, OURS)) is (status == 204)


def test_a_role_that_goes_on_keeps_what_it_has_though_its_browser_is_away_for_a_while(
    kept: MemoryUploadedFileManager,
) -> None:
    """And it ends with the others of its browser when somebody leaves in another tab."""
    uploads.forget_all_but({OURS})
    uploads.allow(OURS, ADAS, math.inf)
    assert in_session(kept, OURS) == ["arrived"]
    assert not uploads.is_a_curators(BOBS), "Nobody comes back to that one."
    sign_ins.end(ADAS)
    assert in_session(kept, OURS) == []


@pytest.mark.parametrize(("size", "taken"), [(9, uploads.MOST_FILES - 1), (90_000_000, uploads.MOST_AT_ONCE)])
def test_files_that_are_on_their_way_count(kept: MemoryUploadedFileManager, size: int, taken: int) -> None:
    """One has arrived before; what ends makes room for another."""

    async def sent() -> tuple[int, int]:
        ended, said = asyncio.Event(), list[Message]()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await ended.wait()
            await send({"type": "http.response.start", "status": 204, "headers": []})

        tasks = [asyncio.create_task(sending(slow, str(number), said, size)) for number in range(taken + 2)]
        await rest()
        refused = [one["status"] for one in said if "status" in one]
        ended.set()
        await asyncio.gather(*tasks, sending(slow, "again", said, size))
        answered = [one["status"] for one in said if "status" in one]
        return refused.count(413), answered.count(204)

    assert finished(sent()) == (2, taken + 1)
