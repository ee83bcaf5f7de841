"""Fifty people at once on one server: how long it takes for each, and how much memory each one needs.

`python -m benchmarks.load [sessions]` opens so many sessions, 50 unless told otherwise, over Streamlit's own websocket,
without browsers. Each opens the trade-off page, and then turns its dial again and again: it sends the message that a
browser sends when the hand lets go, at a moment of its own within ten seconds, as people do. A turn is timed from
the message to the end of the script's run, and once more on the server alone: its processor time over all turns. Then
the same on the welcome page, and on a one-chart page by a server of its own, whose slider's new value is sent.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets import Origin, Subprotocol
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.command_line import size_asked_for
from benchmarks.limits import Figure, printed
from benchmarks.server_cost import megabytes, processor_milliseconds
from dpengine.frames import EPSILONS
from tests.servers.server import HERE, ROOT, Server

PATIENCE, SERVER_SIDE, MEGABYTES = 180.0, 100.0, 0.5
TRIGGER = "$$STREAMLIT_INTERNAL_KEY_"


@dataclass(frozen=True, kw_only=True)
class Size:
    """So many sessions on each page, after so many early ones; each turns its dial once in `every_seconds`."""

    sessions: int = 50
    early: int = 10
    turns: int = 6
    every_seconds: float = 10.0


USUAL, SMALLEST = Size(), Size(sessions=2, early=1, turns=1, every_seconds=0.1)


@dataclass(frozen=True, kw_only=True)
class Dial:
    """A dial by its key: what a browser says when it is let go, and what the server answers at that epsilon."""

    key: str
    turned: Callable[[str, float], WidgetState]
    answer: Callable[[float], bytes]


def live_dial(page: str) -> Dial:
    """The dashboard's: a trigger that is gone after the run, answered by the frame of its epsilon."""

    def turned(widget: str, epsilon: float) -> WidgetState:
        said = [{"event": "chosen", "value": {"value": f"{epsilon:g}", "turn": f"{time.time_ns()}"}}]
        return WidgetState(id=f"{TRIGGER}{widget}__events", json_trigger_value=json.dumps(said))

    return Dial(key=f"{page}_epsilon_dial", turned=turned, answer=lambda epsilon: f"epsilon {epsilon:g}:".encode())


def stock_slider() -> Dial:
    """Streamlit's own: a value that stays, answered by the title."""

    def turned(widget: str, epsilon: float) -> WidgetState:
        state = WidgetState(id=widget)
        state.double_array_value.data.append(_on_slider(epsilon))
        return state

    return Dial(key="dial", turned=turned, answer=lambda epsilon: f"±{3 / _on_slider(epsilon):.3f}".encode())


def _on_slider(epsilon: float) -> float:
    return max(round(epsilon, 1), 0.1)


@dataclass(kw_only=True)
class Person:
    """One open websocket: it opens a page, finds its dial, and turns it."""

    connection: ClientConnection
    dial: Dial
    widget: str = ""
    fragment: str = ""
    page_hash: str = ""
    milliseconds: list[float] = field(default_factory=list)

    async def open(self, page: str) -> None:
        """Open a page as a new visitor."""
        asked = BackMsg()
        asked.rerun_script.page_name = page
        await self.run(asked)

    async def turn(self, epsilon: float) -> None:
        """Let go of the dial at an epsilon, and write down how long the run took."""
        asked = BackMsg()
        asked.rerun_script.page_script_hash, asked.rerun_script.fragment_id = self.page_hash, self.fragment
        asked.rerun_script.widget_states.widgets.append(self.dial.turned(self.widget, epsilon))
        begin = time.perf_counter()
        told = await self.run(asked)
        self.milliseconds.append(1000 * (time.perf_counter() - begin))
        if not any(self.dial.answer(epsilon) in one for one in told):
            raise RuntimeError(f"The server did not follow the dial to {epsilon:g}.")

    async def run(self, asked: BackMsg) -> list[bytes]:
        """Send a message and listen until the end of the run; RuntimeError where it ends otherwise than well."""
        await self.connection.send(asked.SerializeToString())
        heard: list[bytes] = []
        while True:
            async with asyncio.timeout(PATIENCE):
                heard.append(await self.connection.recv(decode=False))
            told = ForwardMsg.FromString(heard[-1])
            if told.WhichOneof("type") == "new_session" and not self.page_hash:
                self.page_hash = told.new_session.page_script_hash
            elif told.WhichOneof("type") == "navigation":
                self.page_hash = told.navigation.page_script_hash
            elif told.WhichOneof("type") == "delta":
                self.look_at(told)
            elif told.WhichOneof("type") == "script_finished":
                if told.script_finished in ENDED_WELL:
                    return heard
                if told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    raise RuntimeError(ForwardMsg.ScriptFinishedStatus.Name(told.script_finished))

    def look_at(self, told: ForwardMsg) -> None:
        """Keep the dial's own number, and the part of the page that is run again with it."""
        kind = told.delta.new_element.WhichOneof("type")
        element = getattr(told.delta.new_element, kind) if kind else None
        name = getattr(element, "id", "")
        if name.endswith(f"-{self.dial.key}"):
            self.widget, self.fragment = name, told.delta.fragment_id


ENDED_WELL = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


async def person(url: str, dial: Dial, passed_on_for: str = "") -> Person:
    """A new visitor, at this machine or at an address for which a proxy speaks; the server has run nothing for it."""
    headers = {"X-Forwarded-For": passed_on_for} if passed_on_for else {"Cookie": HERE}
    address = url.replace("http", "ws") + "/_stcore/stream"
    protocols = [Subprotocol("streamlit")]
    opened = await connect(
        address,
        subprotocols=protocols,
        additional_headers=headers,
        max_size=None,
        open_timeout=PATIENCE,
        proxy=None,
        origin=Origin(url),
    )
    return Person(connection=opened, dial=dial)


async def turns(one: Person, size: Size, rng: np.random.Generator) -> None:
    """Some turns of one dial, at any moments."""
    for _ in range(size.turns):
        begin = time.perf_counter()
        await asyncio.sleep(rng.uniform(0.0, size.every_seconds))
        await one.turn(float(rng.choice(EPSILONS)))
        await asyncio.sleep(max(size.every_seconds - (time.perf_counter() - begin), 0.0))


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """What so many people on a page cost: times of turns, and the server's memory and processor time."""

    milliseconds: list[float]
    megabytes_each: float
    processor_each: float


async def crowd(server: Server, page: str, dial: Dial, size: Size) -> Crowd:
    """So many people open a page and turn its dial; a few who came before have warmed the server up, and stay."""
    early, rng = [await person(server.url, dial) for _ in range(size.early)], np.random.default_rng(7)
    for one in early:
        await one.open(page)
    await asyncio.gather(*(one.turn(epsilon) for one, epsilon in zip(early, EPSILONS, strict=False)))
    before = megabytes(server.pid)
    everyone = [await person(server.url, dial) for _ in range(size.sessions)]
    for one in everyone:
        await one.open(page)
    spent = processor_milliseconds(server.pid)
    await asyncio.gather(*(turns(one, size, rng) for one in everyone))
    spent = processor_milliseconds(server.pid) - spent
    grown = megabytes(server.pid) - before
    for one in [*early, *everyone]:
        await one.connection.close()
    times = [time for one in everyone for time in one.milliseconds]
    return Crowd(milliseconds=times, megabytes_each=grown / size.sessions, processor_each=spent / len(times))


def figures(name: str, found: Crowd, *, is_ours: bool = True) -> Iterator[Figure]:
    """What is told of a crowd; limits are ours alone."""
    limits = (SERVER_SIDE, MEGABYTES) if is_ours else (None, None)
    yield Figure(name=f"{name}: a turn, to the end of its run", values=found.milliseconds, limit=limits[0])
    yield Figure(name=f"{name}: server, processor time a turn", values=[found.processor_each])
    yield Figure(name=f"{name}: a session's memory", values=[found.megabytes_each], unit="MB", limit=limits[1])


def measured(size: Size) -> Iterator[Figure]:
    """All pages, one after another."""
    with ExitStack() as stack:
        ours, chart = (
            stack.enter_context(Server(Path(stack.enter_context(tempfile.TemporaryDirectory())), app=app))
            for app in (ROOT / "app.py", ROOT / "benchmarks" / "one_chart_app.py")
        )
        for page in ("tradeoff", "welcome"):
            found = asyncio.run(crowd(ours, page, live_dial(page), size))
            yield from figures(f"{page} page", found)
        yield from figures("one-chart page", asyncio.run(crowd(chart, "", stock_slider(), size)), is_ours=False)


def main(arguments: Sequence[str]) -> int:
    """Print a table; 0 when each figure is within its limit."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="sessions")
    print(f"{size.sessions} people at once on one server, each turning a dial every {size.every_seconds:g} s")
    return printed(measured(size), judged=size is not SMALLEST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
