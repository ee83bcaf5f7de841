"""What a browser may say over its websocket: what our pages make it say, as often as they do, and nothing else."""

from __future__ import annotations

from time import monotonic

from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # it ships none
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

HEARD = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"})
"""The others empty everybody's caches, change the server's settings, or ask for what lies beside the program."""
OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})
"""Of what may be asked for without a run: a file behind a button of this session, the next rows of its frames."""

_ENDS = {"rerun_script": "script_finished", "backend_operation_request": "backend_operation_response"}
MOST_FILES = 20
"""Of which somebody asks at once where to send them."""
MOST_STATES, MOST_HASHES = 1_000, 5_000
"""Of a page's boxes, and of what its browser has kept; ours have a hundred of the first, and all are kept in memory."""
PER_SECOND, AT_ONCE = 20, 60
"""Messages of one connection; a page that is turned, pressed and typed on says ten a second."""
_TOO_FAST = 1008


class OnlyWhatWeUse:
    """The same application, which never hears of any other message; a browser that sends one is not told either.

    One that sends more than a browser would is cut off: reading them all would keep everybody else waiting.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, without what nobody is to hear."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        talk = _Talk(receive, send)
        await self._app(scope, talk.hear, talk.say)


class _Talk:
    """One connection, until it says more than a browser would."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send, self._pace, self._is_open = receive, send, _Pace(), True

    async def hear(self) -> Message:
        """The next message that is one of ours, or the end."""
        while (message := await self._receive())["type"] == "websocket.receive":
            if self._pace.is_too_fast():
                self._is_open = False
                await self._send({"type": "websocket.close", "code": _TOO_FAST, "reason": "Too many messages."})
                return {"type": "websocket.disconnect", "code": _TOO_FAST}
            if message.get("bytes") is not None and is_heard(message["bytes"]):
                break
        return message

    async def say(self, message: Message) -> None:
        """Pass it on, while there is somebody to hear it."""
        if self._is_open:
            await self._send(message)


class _Pace:
    """How many messages have come beyond so many a second."""

    def __init__(self) -> None:
        self._ahead, self._since = 0.0, monotonic()

    def is_too_fast(self) -> bool:
        now = monotonic()
        self._ahead = max(0.0, self._ahead - PER_SECOND * (now - self._since)) + 1
        self._since = now
        return self._ahead > AT_ONCE


def is_heard(data: bytes | None) -> bool:
    """Whether a message is one of ours; what is none at all is left to Streamlit, which ends the connection."""
    said = _read(data)
    if said is None or data is None:
        return True
    kind = said.WhichOneof("type")
    if kind == "backend_operation_request":
        return said.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in HEARD and (
        len(said.file_urls_request.file_names) <= MOST_FILES
        and len(said.rerun_script.widget_states.widgets) <= MOST_STATES
        and len(said.rerun_script.cached_message_hashes) <= MOST_HASHES
    )


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


def _read(data: bytes | None) -> BackMsg | None:
    said = BackMsg()
    try:
        said.ParseFromString(data or b"")
    except DecodeError:
        return None
    return said
