"""How the live dial follows the hand, and how soon the page rests after it, beside a one-chart page in the same run.

`python -m benchmarks.dial_speed` drags the dials of the trade-off, welcome and budget pages in Chromium with the
mouse, as a hand does, and reports for each stroke what benchmarks/stopwatch.py measures; counts the messages to the
server while the dial is held; then lets go, in turns with the slider of a page with one chart
(benchmarks/one_chart_app.py, which draws nothing until it is let go), so that whatever else the machine does falls on
both; `--peer ENVIRONMENT` adds the slider of DP Wizard, from a virtual environment into which `dp-wizard==0.10.*` was
installed. Processor time of the server is that of its whole process, over all releases of a turn.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from benchmarks import dp_wizard, stopwatch
from benchmarks.command_line import size_asked_for
from benchmarks.limits import Figure, printed
from benchmarks.server_cost import processor_milliseconds
from benchmarks.stopwatch import Stroke
from tests.servers import chromium
from tests.servers.browsing import LAPTOP, launched, settled, sits_here
from tests.servers.server import ROOT, Server

STROKES_A_DRAG, PATIENCE_MILLISECONDS = 8, 400
BURN = '.live-burn.ready [data-part="epsilon"]'
ALL_FRAMES = "() => document.documentElement.dataset.burnFrames === 'all'"
DIAL, STOCK_SLIDER = ".live-dial input[type=range]", "[data-testid=stSlider] [role=group]"


@dataclass(frozen=True, kw_only=True)
class Size:
    """So many drags of each dial that are not counted, and then so many in each turn."""

    warm_up: int = 3
    turns: int = 4
    drags: int = 10


USUAL, SMALLEST = Size(), Size(warm_up=0, turns=1, drags=1)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """At most so many, as 95th percentiles: milliseconds to paint, to rest and of the server, and messages."""

    paint: float
    rest: float
    processor: float
    messages: float


OURS = Limits(paint=16.0, rest=200.0, processor=60.0, messages=0.0)


@dataclass(kw_only=True)
class Contender:
    """One page, its dial, the process of its server, and what was measured; limits where it has to keep them."""

    name: str
    page: Page
    dial: str
    pid: int
    sent: list[object]
    limits: Limits | None = None
    backwards: bool = False
    strokes: list[Stroke] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)
    while_held: list[int] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def take_turn(self, drags: int) -> None:
        """Drag and let go several times and write down the times."""
        self.page.bring_to_front()
        before = processor_milliseconds(self.pid)
        for _ in range(drags):
            self.drag()
        self.processor.append((processor_milliseconds(self.pid) - before) / drags)

    def drag(self) -> None:
        """One drag of several strokes to and fro over a fifth of the dial, held a moment, and let go."""
        box, mouse = self.page.locator(self.dial).first.bounding_box(), self.page.mouse
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
        self.while_held.append(len(self.sent) - before)
        self.strokes += stopwatch.strokes(self.page)
        stopwatch.arm(self.page)
        mouse.up()
        self.rests.append(stopwatch.milliseconds_to_rest(self.page))

    def forget(self) -> None:
        """Begin to count after a warm-up."""
        self.strokes, self.rests, self.processor, self.while_held = [], [], [], []

    def figures(self) -> Iterator[Figure]:
        """What is told of it; a page that draws nothing while it is held has no strokes."""
        limits = self.limits
        if limits:
            yield Figure(name=f"{self.name}: its script", values=[one.script for one in self.strokes])
            yield Figure(
                name=f"{self.name}: input to paint", values=[one.painted for one in self.strokes], limit=limits.paint
            )
            yield Figure(
                name=f"{self.name}: hand to paint, with the wait", values=[one.since_hand for one in self.strokes]
            )
        yield Figure(
            name=f"{self.name}: sent while held",
            values=self.while_held,
            unit="messages",
            limit=limits.messages if limits else None,
        )
        yield Figure(name=f"{self.name}: let go to rest", values=self.rests, limit=limits.rest if limits else None)
        yield Figure(
            name=f"{self.name}: server, processor", values=self.processor, limit=limits.processor if limits else None
        )


def main(arguments: Sequence[str]) -> int:
    """Measure all pages and print a table; 0 when each figure is within its limit."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--peer", type=Path, help="the folder of an environment with dp-wizard")
    asked, others = parser.parse_known_args(arguments)
    peer, size = asked.peer, size_asked_for(others, usual=USUAL, smallest=SMALLEST)
    executable, sentence = chromium.found_or_installed()
    print(sentence if peer else f"{sentence}\nDP Wizard is left out: no --peer was given.", flush=True)
    if executable is None:
        return 1
    with ExitStack() as stack:
        browser = launched(stack.enter_context(sync_playwright()), executable)
        contenders = [
            *_dials(browser, _server(stack, ROOT / "app.py")),
            _one_chart(browser, _server(stack, ROOT / "benchmarks" / "one_chart_app.py")),
            *([_dp_wizard(browser, stack.enter_context(dp_wizard.running(peer)))] if peer else []),
        ]
        for contender in contenders:
            for _ in range(size.warm_up):
                contender.drag()
            contender.forget()
        for _ in range(size.turns):
            for contender in contenders:
                contender.take_turn(size.drags)
        figures = (figure for contender in contenders for figure in contender.figures())
        return printed(figures, judged=size is not SMALLEST)


def _dials(browser: Browser, server: Server) -> Iterator[Contender]:
    for name, address in (("trade-off page", "tradeoff"), ("welcome page", "welcome")):
        page, sent = _opened(browser, server.address(address))
        settled(page).locator(".live-dial.ready h1").wait_for()
        stopwatch.install(page)
        yield Contender(name=name, page=page, dial=DIAL, pid=server.pid, sent=sent, limits=OURS)
    page, sent = _opened(browser, server.address("budget"))
    settled(page).locator(f"{BURN}").hover()
    page.wait_for_function(ALL_FRAMES, timeout=180_000)
    stopwatch.install(settled(page))
    yield Contender(name="budget page", page=page, dial=BURN, pid=server.pid, sent=sent, limits=OURS)


def _one_chart(browser: Browser, server: Server) -> Contender:
    page, sent = _opened(browser, server.address())
    stopwatch.install(settled(page))
    return Contender(name="one-chart page", page=page, dial=STOCK_SLIDER, pid=server.pid, sent=sent)


def _dp_wizard(browser: Browser, server: dp_wizard.Running) -> Contender:
    page, sent = _opened(browser, server.url)
    dp_wizard.to_its_slider(page)
    stopwatch.install(page, idle=dp_wizard.IDLE)
    return Contender(name="DP Wizard", page=page, dial=dp_wizard.SLIDER, pid=server.pid, sent=sent)


def _server(stack: ExitStack, app: Path) -> Server:
    return stack.enter_context(Server(Path(stack.enter_context(tempfile.TemporaryDirectory())), app=app))


def _opened(browser: Browser, address: str) -> tuple[Page, list[object]]:
    """A page on its way, and every message that it sends to its server."""
    width, height = LAPTOP
    page = sits_here(browser.new_context(viewport={"width": width, "height": height})).new_page()
    sent = _sent_by(page)
    stopwatch.listen(page)
    page.goto(address)
    return page, sent


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
    sys.exit(main(sys.argv[1:]))
