"""Somebody without a browser who types curator's tokens, from an address of this machine and with any header."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets import Origin, Subprotocol
from websockets.sync.client import ClientConnection, connect

from tests.servers.server import Certificate

PATIENCE = 60.0
WRONG, WAIT = "This is not the token", "Too many wrong tokens"
"""How the two answers to a wrong token begin: to one that counted, and to one too many."""


@contextmanager
def typing(
    address: str, *, source: str, headers: Mapping[str, str] | None = None, trusted: Certificate | None = None
) -> Iterator[Callable[[str], str]]:
    """A function that types a token on the dashboard at this address, and returns what the page says to it."""
    place = urlsplit(address)
    known = ssl.create_default_context(cafile=trusted.file) if trusted else None
    door = place.hostname or "", place.port or 0
    with (
        socket.create_connection(door, timeout=PATIENCE, source_address=(source, 0)) as way,
        connect(
            f"{address.replace('http', 'ws', 1)}/_stcore/stream",
            sock=way,
            ssl=known,
            origin=Origin(address),
            subprotocols=[Subprotocol("streamlit"), Subprotocol("none")],
            additional_headers=dict(headers or {}),
            max_size=None,
            max_queue=None,
            proxy=None,
        ) as visit,
    ):
        drawn, page = _run(visit, BackMsg())
        form = next(one.text_input for one in drawn if one.text_input.label == "Curator's token")
        button = next(
            one.button for one in drawn if one.button.is_form_submitter and one.button.form_id == form.form_id
        )

        def typed(token: str) -> str:
            asked = BackMsg()
            asked.rerun_script.page_script_hash = page
            asked.rerun_script.widget_states.widgets.extend(
                (WidgetState(id=form.id, string_value=token), WidgetState(id=button.id, trigger_value=True))
            )
            said = (one.alert for one in _run(visit, asked)[0])
            return next((alert.body for alert in said if alert.format == Alert.ERROR), "")

        yield typed


def _run(visit: ClientConnection, asked: BackMsg) -> tuple[list[Element], str]:
    """Have the page run, and return what it drew, and by what name the page is asked for again."""
    asked.rerun_script.SetInParent()
    visit.send(asked.SerializeToString())
    drawn, page = list[Element](), ""
    while True:
        told = ForwardMsg.FromString(visit.recv(timeout=PATIENCE, decode=False))
        if told.WhichOneof("type") == "delta":
            drawn.append(told.delta.new_element)
        if told.WhichOneof("type") == "navigation":
            page = told.navigation.page_script_hash
        if told.WhichOneof("type") == "script_finished" and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            return drawn, page
