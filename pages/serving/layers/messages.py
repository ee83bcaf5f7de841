"""What a browser may say over its websocket: what our pages make it say, and nothing else; how often, pace.py says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # it ships none
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.serving.layers.proof import of_request
from pages.serving.layers.uploads import is_a_curators

HEARD = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"})
"""The others empty everybody's caches, change the server's settings, or ask for what lies beside the program."""
OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})
"""Of what may be asked for without a run: a file behind a button, the next rows of a frame."""

_ENDS = {"rerun_script": "script_finished", "backend_operation_request": "backend_operation_response"}
MOST_FILES = 20
"""Of which somebody asks at once where to send them, or says that they were sent: each is kept as an object."""
MOST_STATES, MOST_OF_A_CURATOR, MOST_HASHES = 1_000, 10_000, 5_000
"""Of a page's boxes, and of what its browser has kept; all are kept in memory. Ours have a hundred of the first, but a
curator's form has some for each column, and *Budget* four for each of five hundred questions.
"""
LONGEST_TURN, LONGEST_STATES = 2_000, 8_000
"""Letters in which one of our dials says where the hand is, whose square Streamlit takes in work; and all that a page's
parts of that kind keep, of which it makes objects of twenty times that size.
"""
_NONE_OF_OURS = {"arrow_value", "bytes_value", "chat_input_value"}
"""Kinds of boxes that no page has; each holds whatever one likes."""
LONGEST_OF_OTHERS = 160_000
"""Bytes that a browser without a curator says at once: the longest link of a plan, a pasted promise, and a page."""


class OnlyWhatWeUse:
    """The same application, which never hears of any other message; a browser that sends one is not told either."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, without what nobody is to hear."""

        async def hear() -> Message:
            while (message := await receive())["type"] == "websocket.receive":
                data = message.get("bytes")
                if data is not None and _may_say(data, of_a_curator=is_a_curators(of_request(scope))):
                    break
            return message

        await self._app(scope, hear if scope["type"] == "websocket" else receive, send)


def _may_say(data: bytes, *, of_a_curator: bool) -> bool:
    if of_a_curator:
        return is_heard(data, MOST_OF_A_CURATOR)
    return len(data) <= LONGEST_OF_OTHERS and is_heard(data)


def is_heard(data: bytes | None, most: int = MOST_STATES) -> bool:
    """Whether a message is one of ours, with so many boxes; what is none at all is left to Streamlit, which ends it."""
    said = _read(data)
    if said is None or data is None:
        return True
    kind = said.WhichOneof("type")
    if kind == "backend_operation_request":
        return said.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in HEARD and (
        len(said.file_urls_request.file_names) <= MOST_FILES
        and len(said.rerun_script.cached_message_hashes) <= MOST_HASHES
        and _are_ours(said.rerun_script.widget_states.widgets, most)
    )


def _are_ours(states: Sequence[WidgetState], most: int) -> bool:
    """Whether a page's boxes are of our kinds, and hold no more than ours."""
    return (
        len(states) <= most
        and not any(one.WhichOneof("value") in _NONE_OF_OURS for one in states)
        and all(len(one.json_trigger_value) <= LONGEST_TURN for one in states)
        and sum(len(one.json_value) for one in states) <= LONGEST_STATES
        and sum(len(one.file_uploader_state_value.uploaded_file_info) for one in states) <= MOST_FILES
    )


def presses(data: bytes | None, key: str = "") -> bool:
    """Whether a message presses a button, or the one of this key."""
    said = _read(data)
    pressed = [] if said is None else [one.id for one in said.rerun_script.widget_states.widgets if one.trigger_value]
    return any(name.endswith(f"-{key}") for name in pressed) if key else bool(pressed)


def asks_for_a_page(data: bytes | None) -> bool:
    """Whether a message asks for a whole page; a part of one is run again, or where it is none, not at all."""
    said = _read(data)
    return said is not None and said.WhichOneof("type") == "rerun_script" and not said.rerun_script.fragment_id


def asks_for_work(data: bytes | None) -> str:
    """What ends the work that a message asks for: the run of a page or a part, or a file or rows without a run.

    Empty where it asks for none.
    """
    said = _read(data)
    return "" if said is None else _ENDS.get(said.WhichOneof("type") or "", "")


def look_of(data: bytes | None) -> str:
    """The part of a page that looks by itself whether it is to change; empty for any other message."""
    said = _read(data)
    return said.rerun_script.fragment_id if said is not None and said.rerun_script.is_auto_rerun else ""


def of_the_page(look: bytes) -> bytes:
    """The same message as that look, which asks for the whole page."""
    asked = BackMsg()
    asked.ParseFromString(look)
    asked.rerun_script.ClearField("fragment_id")
    asked.rerun_script.ClearField("is_auto_rerun")
    return bytes(asked.SerializeToString())


@lru_cache(maxsize=8)
def _read(data: bytes | None) -> BackMsg | None:
    said = BackMsg()
    try:
        said.ParseFromString(data or b"")
    except DecodeError:
        return None
    return said
