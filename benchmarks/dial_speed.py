"""How the live dial follows the hand, and how soon the page rests after it, beside a one-chart page in the same run.

`python -m benchmarks.dial_speed` drags the dials of the trade-off and welcome pages in Chromium with the mouse, as a
hand does, and reports for each stroke what benchmarks/stopwatch.py measures; counts the messages to the server while
the dial is held; then lets go, in turns with the slider of a page with one chart (benchmarks/one_chart_app.py, which
draws nothing until it is let go), so that whatever else the machine does falls on both. Processor time of the server
is that of its whole process, over all releases of a turn.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from benchmarks import stopwatch
from benchmarks.limits import Figure, printed
from benchmarks.server_cost import processor_milliseconds
from benchmarks.stopwatch import Stroke
from tests import chromium
from tests.browsing import LAPTOP, launched, settled
from tests.server import ROOT, Server

PAINT, REST, PROCESSOR = 16.0, 200.0, 60.0
WARM_UP, TURNS, DRAGS_A_TURN, STROKES_A_DRAG = 3, 4, 10, 8
PATIENCE_MILLISECONDS = 400
DIAL, STOCK_SLIDER = ".live-dial input[type=range]", "[data-testid=stSlider] [role=group]"


@dataclass(kw_only=True)
class Contender:
    """One page, its server, and what was measured."""

    name: str
    page: Page
    server: Server
    is_ours: bool
    sent: list[object]
    backwards: bool = False
    strokes: list[Stroke] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)
    while_held: int = 0
    processor: list[float] = field(default_factory=list)

    def take_turn(self) -> None:
        """Drag and let go several times and write down the times."""
        self.page.bring_to_front()
        before, count = processor_milliseconds(self.server.pid), len(self.rests)
        for _ in range(DRAGS_A_TURN):
            self.drag()
        self.processor.append((processor_milliseconds(self.server.pid) - before) / (len(self.rests) - count))

    def drag(self) -> None:
        """One drag of several strokes to and fro over a fifth of the dial, held a moment, and let go."""
        box, mouse = self.page.locator(DIAL if self.is_ours else STOCK_SLIDER).bounding_box(), self.page.mouse
        if box is None:
            raise RuntimeError("The dial is not on the page.")
        self.backwards = not self.backwards
        shares = np.linspace(0.3, 0.5, STROKES_A_DRAG + 1)[:: -1 if self.backwards else 1]
        along = [(box["x"] + box["width"] * float(share), box["y"] + box["height"] / 2) for share in shares]
        mouse.move(*along[0])
        mouse.down()
        before = len(self.sent)
        for place in along[1:]:
            mouse.move(*place)
        self.page.wait_for_timeout(PATIENCE_MILLISECONDS)
        self.while_held += len(self.sent) - before
        self.strokes += stopwatch.strokes(self.page)
        stopwatch.arm(self.page)
        mouse.up()
        self.rests.append(stopwatch.milliseconds_to_rest(self.page))
        if len(self.sent) == before:
            raise RuntimeError("The server did not hear of the release.")

    def forget(self) -> None:
        """Begin to count after a warm-up."""
        self.strokes, self.rests, self.processor, self.while_held = [], [], [], 0

    def figures(self) -> Iterator[Figure]:
        """What is told of it; limits are ours alone."""
        if self.is_ours:
            yield Figure(name=f"{self.name}: its script", values=[one.script for one in self.strokes])
            yield Figure(name=f"{self.name}: input to paint", values=[one.painted for one in self.strokes], limit=PAINT)
            yield Figure(
                name=f"{self.name}: hand to paint, with the wait", values=[one.since_hand for one in self.strokes]
            )
            yield Figure(name=f"{self.name}: while held", values=[self.while_held], unit="messages", limit=0.0)
        yield Figure(name=f"{self.name}: let go to rest", values=self.rests, limit=REST if self.is_ours else None)
        yield Figure(
            name=f"{self.name}: server, processor",
            values=self.processor,
            limit=PROCESSOR if self.is_ours else None,
        )


def main() -> int:
    """Measure all pages and print a table; 0 when each figure is within its limit."""
    executable, sentence = chromium.found_or_installed()
    print(sentence, flush=True)
    if executable is None:
        return 1
    with ExitStack() as stack:
        browser = launched(stack.enter_context(sync_playwright()), executable)
        ours, peer = (_server(stack, app) for app in (ROOT / "app.py", ROOT / "benchmarks" / "one_chart_app.py"))
        contenders = [
            _contender(browser, "trade-off page", ours, "tradeoff"),
            _contender(browser, "welcome page", ours, "welcome"),
            _contender(browser, "one-chart page", peer, ""),
        ]
        for _ in range(TURNS):
            for contender in contenders:
                contender.take_turn()
        return printed(figure for contender in contenders for figure in contender.figures())


def _server(stack: ExitStack, app: Path) -> Server:
    return stack.enter_context(Server(Path(stack.enter_context(tempfile.TemporaryDirectory())), app=app))


def _contender(browser: Browser, name: str, server: Server, address: str) -> Contender:
    width, height = LAPTOP
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    sent = _sent_by(page)
    stopwatch.listen(page)
    page.goto(server.address(address))
    settled(page)
    if address:
        page.locator(".live-dial.ready h1").wait_for()
    stopwatch.install(page)
    contender = Contender(name=name, page=page, server=server, is_ours=bool(address), sent=sent)
    for _ in range(WARM_UP):
        contender.drag()
    contender.forget()
    return contender


def _sent_by(page: Page) -> list[object]:
    """Every message to the server from now on."""
    sent: list[object] = []

    def note(message: str | bytes) -> None:
        sent.append(message)

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", note)

    page.on("websocket", listen)
    return sent


if __name__ == "__main__":
    sys.exit(main())
