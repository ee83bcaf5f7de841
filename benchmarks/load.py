"""Fifty people at once on one server: how long a page takes for each, and how much memory the server needs.

`python -m benchmarks.load [sessions]` opens so many sessions, 50 unless told otherwise, over Streamlit's own websocket,
without browsers: each opens a page, all at once, and then asks for it again several times, as a moved dial does. Times
are from the request to the end of the script's run. Beside the dashboard's pages stands a one-chart Streamlit page, on
a server of its own in the same run, and for each the time that one person alone waits.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Subprotocol
from websockets.asyncio.client import ClientConnection, connect

from tests.server import ROOT, Server

SESSIONS, TURNS, PATIENCE = 50, 3, 180.0
PAGES = ("welcome", "tradeoff", "budget", "release")


class Person:
    """One open websocket, which asks for pages and waits until each is there."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._page_hash = connection, ""

    @classmethod
    async def connected(cls, server: Server) -> Person:
        """A new session; the server has run nothing for it yet."""
        address = server.url.replace("http", "ws") + "/_stcore/stream"
        protocols = [Subprotocol("streamlit")]
        return cls(await connect(address, subprotocols=protocols, max_size=None, open_timeout=PATIENCE, proxy=None))

    async def milliseconds(self, page: str) -> float:
        """From the request to the end of the run; raises RuntimeError where the run ends otherwise."""
        asked = BackMsg()
        asked.rerun_script.page_name, asked.rerun_script.page_script_hash = page, self._page_hash
        begin = time.perf_counter()
        await self._connection.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(await self._message())
            if told.WhichOneof("type") == "new_session":
                self._page_hash = told.new_session.page_script_hash
            if told.WhichOneof("type") == "script_finished":
                if told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    return 1000 * (time.perf_counter() - begin)
                if told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    raise RuntimeError(ForwardMsg.ScriptFinishedStatus.Name(told.script_finished))

    async def _message(self) -> bytes:
        async with asyncio.timeout(PATIENCE):
            return await self._connection.recv(decode=False)

    async def leave(self) -> None:
        """Close the websocket."""
        await self._connection.close()


async def waits(server: Server, page: str, people: int) -> tuple[list[float], list[float]]:
    """Milliseconds of the first run and of the later ones, of people who all do the same at the same time."""
    crowd = [await Person.connected(server) for _ in range(people)]
    first = await asyncio.gather(*(person.milliseconds(page) for person in crowd))
    later: list[float] = []
    for _ in range(TURNS):
        later += await asyncio.gather(*(person.milliseconds(page) for person in crowd))
    for person in crowd:
        await person.leave()
    return list(first), later


def megabytes(pid: int) -> tuple[float, float]:
    """What a process holds now, and the most that it ever held."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    now, most = (re.search(rf"{name}:\s+(\d+)", status) for name in ("VmRSS", "VmHWM"))
    return tuple(int(found[1]) / 1024 if found else float("nan") for found in (now, most))  # type: ignore[return-value]


def row(name: str, server: Server, page: str, people: int) -> str:
    """One page's figures: alone, then in the crowd."""
    _, alone = asyncio.run(waits(server, page, 1))
    first, later = asyncio.run(waits(server, page, people))
    p50, p95 = np.percentile(later, [50, 95])
    now, most = megabytes(server.pid)
    opened = float(np.percentile(first, 95))
    return f"{name:<18}{np.median(alone):>10.0f}{opened:>16.0f}{p50:>12.0f}{p95:>12.0f}{now:>10.0f}{most:>10.0f}"


def main() -> int:
    """Print a table; 0 when every session saw every page."""
    people = int(float(sys.argv[1])) if len(sys.argv) > 1 else SESSIONS
    print(f"{people} sessions at once; milliseconds of a run, megabytes of the server")
    print(
        f"{'':<18}{'alone':>10}{'opening, p95':>16}{'again, p50':>12}{'p95':>12}{'MB now':>10}{'most':>10}", flush=True
    )
    with ExitStack() as stack:
        ours, chart = (
            stack.enter_context(Server(Path(stack.enter_context(tempfile.TemporaryDirectory())), app=app))
            for app in (ROOT / "app.py", ROOT / "benchmarks" / "one_chart_app.py")
        )
        for page in PAGES:
            print(row(page, ours, page, people), flush=True)
        print(row("one-chart page", chart, "", people))
    return 0


if __name__ == "__main__":
    sys.exit(main())
