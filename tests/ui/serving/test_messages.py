"""A browser that says more than a page makes it say is cut off; nobody asks where to send a million files."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from starlette.types import Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.ui.serving import messages
from pages.ui.serving.messages import AT_ONCE, MOST_FILES, MOST_HASHES, MOST_STATES, PER_SECOND, OnlyWhatWeUse
from tests.running.cases import each
from tests.servers.looping import finished
from tests.ui.serving.hall import BEATS, DRAWN, HERE, Visitor

REFUSED = BackMsg(clear_cache=True).SerializeToString()


@dataclass
class Listener:
    """Streamlit's part: it hears to the end, and still says something afterwards."""

    heard: list[bytes] = field(default_factory=list)

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            self.heard.append(message["bytes"])
        await send({"type": "websocket.send", "bytes": DRAWN})


async def said(count: int, payload: bytes) -> tuple[int, list[int]]:
    """How much is heard of so many messages at once, and the codes that their connection is closed with."""
    listener = Listener()
    visitor = Visitor(OnlyWhatWeUse(listener), "a", HERE)
    visit = visitor.come(*[payload] * count)
    visitor.go()
    await asyncio.wait_for(visit, timeout=30)
    codes = [one["code"] for one in visitor.heard if one["type"] == "websocket.close"]
    assert not codes or visitor.heard[-1]["type"] == "websocket.close", "Nothing is said into a closed connection."
    return len(listener.heard), codes


@each(("payload", "heard"), [(BEATS, AT_ONCE), (REFUSED, 0)])
def test_more_at_once_than_any_page_says_ends_the_connection(
    payload: bytes, heard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "monotonic", lambda: 0.0)
    assert finished(said(AT_ONCE, payload)) == (heard, [])
    assert finished(said(AT_ONCE + 1, payload)) == (heard, [1008])


@each(("each_second", "codes"), [(PER_SECOND, []), (PER_SECOND + 2, [1008])])
def test_so_many_a_second_may_go_on_for_ever(
    each_second: int, codes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr(messages, "monotonic", lambda: next(ticks) / each_second)
    assert finished(said(1_000, BEATS))[1] == codes


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
