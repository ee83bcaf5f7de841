"""A visitor without a browser: says of itself what it likes, and reads which pages the server offers it."""

from __future__ import annotations

import socket
from collections.abc import Mapping

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Origin, Subprotocol
from websockets.sync.client import connect

PATIENCE = 60.0


def offered(door: tuple[str, int], *, claimed: str, headers: Mapping[str, str] | None = None) -> set[str]:
    """The addresses in the menu, hidden ones left out, for whoever comes through this door and claims this host."""
    with (
        socket.create_connection(door, timeout=PATIENCE) as way,
        connect(
            f"ws://{claimed}/_stcore/stream",
            sock=way,
            origin=Origin(f"http://{claimed}"),
            subprotocols=[Subprotocol("streamlit")],
            additional_headers=dict(headers or {}),
            user_agent_header=None,
            max_size=None,
            max_queue=None,
            proxy=None,
        ) as visit,
    ):
        asked = BackMsg()
        asked.rerun_script.page_name = ""
        visit.send(asked.SerializeToString())
        while True:
            told = ForwardMsg.FromString(visit.recv(timeout=PATIENCE, decode=False))
            if told.WhichOneof("type") == "navigation":
                return {page.url_pathname for page in told.navigation.app_pages if not page.is_hidden}
