"""A visitor without a browser: says of itself what it likes, and reads which pages the server offers it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Origin, Subprotocol
from websockets.sync.client import connect

from tests.servers.server import Server

PATIENCE = 60.0


def offered(
    door: tuple[str, int], *, claimed: str, headers: Mapping[str, str] | None = None, xsrf: str = "none"
) -> set[str]:
    """The addresses in the menu, hidden ones left out, for whoever comes through this door and claims this host.

    `xsrf` is the token against forged requests, without which Streamlit does not look who has signed in.
    """
    with (
        socket.create_connection(door, timeout=PATIENCE) as way,
        connect(
            f"ws://{claimed}/_stcore/stream",
            sock=way,
            origin=Origin(f"http://{claimed}"),
            subprotocols=[Subprotocol("streamlit"), Subprotocol(xsrf)],
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


@contextmanager
def visiting(
    server: Server, *, session: str = "", headers: Mapping[str, str] | None = None
) -> Iterator[Callable[[], str]]:
    """An open websocket that asks for the first page each time it is called, waits for its end, and says the id of the
    session that was run; `session` is the id that it claims to have had before.
    """
    # The second word is the token against forged requests, which a websocket need not carry.
    words = ["streamlit", "none", *([session] if session else [])]
    with connect(
        f"ws://127.0.0.1:{server.port}/_stcore/stream",
        origin=Origin(server.url),
        subprotocols=[Subprotocol(word) for word in words],
        additional_headers=dict(headers or {}),
        user_agent_header=None,
        max_size=None,
        max_queue=None,
        proxy=None,
    ) as way:

        def run() -> str:
            asked, known = BackMsg(), ""
            asked.rerun_script.page_name = ""
            way.send(asked.SerializeToString())
            while True:
                told = ForwardMsg.FromString(way.recv(timeout=PATIENCE, decode=False))
                if told.WhichOneof("type") == "new_session":
                    known = told.new_session.initialize.session_id
                if told.WhichOneof("type") == "script_finished" and known:
                    return known

        yield run
