"""How long the trade-off page takes to follow its dial, beside a one-chart Streamlit page in the same run.

`python -m benchmarks.tradeoff_latency` prints, for both pages, the time from a key press on the dial to the repainted
page in Chromium (benchmarks/repaint.py says what that means), and the processor time that the server spends on it.
The two take turns, so that whatever else the machine does falls on both.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import repaint
from tests import chromium
from tests.browsing import LAPTOP, launched, settled
from tests.server import ROOT, Server

WARM_UP, TURNS, PRESSES_A_TURN = 3, 3, 10


@dataclass(kw_only=True)
class Contender:
    """One page, its server, and what was measured."""

    name: str
    page: Page
    server: Server
    milliseconds: list[float] = field(default_factory=list)
    processor_seconds: float = 0.0

    def take_turn(self) -> None:
        """Press the dial's key several times and write down the times."""
        self.page.bring_to_front()
        before = processor_seconds(self.server.pid)
        self.press(PRESSES_A_TURN)
        self.processor_seconds += processor_seconds(self.server.pid) - before

    def press(self, times: int) -> None:
        """Turn the dial step by step and write down how long each repaint took."""
        first = len(self.milliseconds)
        self.milliseconds += [repaint.milliseconds(self.page, step=step) for step in range(first, first + times)]

    def row(self) -> str:
        """The figures without the warm-up."""
        measured = self.milliseconds[WARM_UP:]
        median, p95 = np.percentile(measured, [50, 95])
        per_rerun = 1000 * self.processor_seconds / len(measured)
        return f"{self.name:<20}{len(measured):>9}{median:>11.0f}{p95:>11.0f}{per_rerun:>20.0f}"


def processor_seconds(pid: int) -> float:
    """User and system time of a process so far, from Linux's own books."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Measure both pages and print a table; 0 when both could be measured."""
    executable, sentence = chromium.found_or_installed()
    print(sentence, flush=True)
    if executable is None:
        return 1
    with ExitStack() as stack:
        browser = launched(stack.enter_context(sync_playwright()), executable)
        contenders = [
            _contender(stack, browser, name="trade-off page", app=ROOT / "app.py", address="tradeoff"),
            _contender(stack, browser, name="one-chart page", app=ROOT / "benchmarks" / "one_chart_app.py"),
        ]
        for _ in range(TURNS):
            for contender in contenders:
                contender.take_turn()
    print(f"{'':<20}{'presses':>9}{'median ms':>11}{'p95 ms':>11}{'server CPU ms/rerun':>20}")
    print("\n".join(contender.row() for contender in contenders))
    return 0


def _contender(stack: ExitStack, browser: Browser, *, name: str, app: Path, address: str = "") -> Contender:
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    server = stack.enter_context(Server(Path(folder), app=app))
    width, height = LAPTOP
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    page.goto(server.address(address))
    page.locator(repaint.DIAL).first.wait_for(state="attached")
    repaint.install(settled(page))
    contender = Contender(name=name, page=page, server=server)
    contender.press(WARM_UP)
    return contender


if __name__ == "__main__":
    sys.exit(main())
