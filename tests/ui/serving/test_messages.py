"""Of what a browser says, only what our pages make it say is heard; nobody asks where to send a million files."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field

import pytest
from starlette.types import Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.serving.layers import messages, uploads
from pages.serving.layers.messages import (
    LONGEST_OF_OTHERS,
    LONGEST_STATES,
    LONGEST_TURN,
    MOST_FILES,
    MOST_HASHES,
    MOST_OF_A_CURATOR,
    MOST_STATES,
    OnlyWhatWeUse,
)
from pages.serving.layers.proof import HEADER
from tests.running.cases import each
from tests.servers.looping import finished
from tests.ui.serving.hall import ASKED, BEATS, FILE, HERE, OF_A_PART, Visitor


@dataclass
class Listener:
    """Streamlit's part: it hears to the end."""

    heard: list[bytes] = field(default_factory=list)

    async def __call__(self, _: Scope, receive: Receive, __: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            self.heard.append(message["bytes"])


@each(("names", "heard"), [(MOST_FILES, True), (MOST_FILES + 1, False)])
def test_where_to_send_files_is_asked_for_as_many_as_there_may_be(names: int, *, heard: bool) -> None:
    asked = BackMsg()
    asked.file_urls_request.file_names.extend([""] * names)
    assert messages.is_heard(asked.SerializeToString()) is heard


@each(
    ("states", "hashes", "heard"),
    [(MOST_STATES, MOST_HASHES, True), (MOST_STATES + 1, 0, False), (0, MOST_HASHES + 1, False)],
)
def test_a_page_says_no_more_of_itself_than_ours_have(states: int, hashes: int, *, heard: bool) -> None:
    asked = BackMsg()
    asked.rerun_script.widget_states.widgets.extend([WidgetState(id="x")] * states)
    asked.rerun_script.cached_message_hashes.extend(["x"] * hashes)
    assert messages.is_heard(asked.SerializeToString()) is heard


@each(("files", "heard"), [(MOST_FILES, True), (MOST_FILES + 1, False)])
def test_no_more_files_were_sent_than_there_may_be(files: int, *, heard: bool) -> None:
    """Two bytes of a message each, and an object of eighty in a session."""
    asked = BackMsg()
    for number in (1, files - 1):
        sent = asked.rerun_script.widget_states.widgets.add(id="x").file_uploader_state_value
        sent.uploaded_file_info.extend([UploadedFileInfo()] * number)
    assert messages.is_heard(asked.SerializeToString()) is heard


@each(
    ("kind", "heard"),
    [("string_value", True), ("arrow_value", False), ("bytes_value", False), ("chat_input_value", False)],
)
def test_no_page_has_boxes_of_other_kinds(kind: str, *, heard: bool) -> None:
    asked = BackMsg()
    box = asked.rerun_script.widget_states.widgets.add(id="x")
    if kind in {"string_value", "bytes_value"}:
        setattr(box, kind, "a" if heard else b"a")
    else:
        getattr(box, kind).SetInParent()
    assert messages.is_heard(asked.SerializeToString()) is heard


@each(("letters", "heard"), [(LONGEST_TURN, True), (LONGEST_TURN + 1, False)])
def test_a_dial_is_turned_once_in_a_message(letters: int, *, heard: bool) -> None:
    """A thousand turns in one are a million looks at them; with ten thousand one message kept a server for minutes."""
    asked = BackMsg()
    asked.rerun_script.widget_states.widgets.extend([WidgetState(id="x", json_trigger_value="1" * letters)])
    assert messages.is_heard(asked.SerializeToString()) is heard


@each(("each_says", "heard"), [(LONGEST_STATES // 10, True), (LONGEST_STATES // 10 + 1, False)])
def test_what_a_pages_parts_keep_is_bounded_in_all(each_says: int, *, heard: bool) -> None:
    """Each letter may be an object: half a megabyte of empty lists took thirteen."""
    asked = BackMsg()
    asked.rerun_script.widget_states.widgets.extend([WidgetState(id="x", json_value="1" * each_says)] * 10)
    assert messages.is_heard(asked.SerializeToString()) is heard


@each(
    ("letters", "boxes", "proof", "heard"),
    [
        (0, 0, "", True),
        (LONGEST_OF_OTHERS, 0, "", False),
        (LONGEST_OF_OTHERS, 0, "b" * 43, False),
        (LONGEST_OF_OTHERS, 0, "a" * 43, True),
        (0, MOST_STATES + 1, "b" * 43, False),
        (0, MOST_OF_A_CURATOR, "a" * 43, True),
        (0, MOST_OF_A_CURATOR + 1, "a" * 43, False),
    ],
)
def test_only_a_curators_browser_says_more_than_the_longest_link_and_the_largest_lesson(
    monkeypatch: pytest.MonkeyPatch, letters: int, boxes: int, proof: str, *, heard: bool
) -> None:
    asked = BackMsg()
    asked.rerun_script.query_string = "x" * letters
    asked.rerun_script.widget_states.widgets.extend([WidgetState(id="x")] * boxes)
    listener = Listener()

    async def said() -> None:
        visitor = Visitor(OnlyWhatWeUse(listener), "a", HERE, headers=[(HEADER.lower().encode(), proof.encode())])
        visit = visitor.come(asked.SerializeToString())
        visitor.go()
        await asyncio.wait_for(visit, timeout=30)

    monkeypatch.setattr(uploads, "_curators", {"of a curator": uploads.Granted("a" * 43, math.inf)})
    finished(said())
    assert bool(listener.heard) is heard


@each(("message", "page"), [(ASKED, True), (OF_A_PART, False), (FILE, False), (BEATS, False), (b"\xff", False)])
def test_a_whole_page_is_asked_for_by_no_part_of_one(message: bytes, *, page: bool) -> None:
    assert messages.asks_for_a_page(message) is page


def test_a_text_is_not_heard() -> None:
    """Streamlit would end the connection, and write why."""

    async def told() -> list[bytes]:
        listener = Listener()
        visitor = Visitor(OnlyWhatWeUse(listener), "a", HERE)
        visitor.says.put_nowait({"type": "websocket.receive", "text": "hello"})
        visit = visitor.come(BEATS)
        visitor.go()
        await asyncio.wait_for(visit, timeout=30)
        return listener.heard

    assert finished(told()) == [BEATS]
