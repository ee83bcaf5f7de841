"""How soon pages are there: on a server that has just started, and each page of the app once the server is warm.

`python -m benchmarks.page_speed [openings]` measures in Chromium from the start of the navigation until the title is
painted, and until the whole page is: its script ended, its charts and its dial drawn. A cold start is a server process
of its own each time, which has never run the app, and a browser without a cache; it runs from the first request, and
what the process needs before it listens is told beside it; every other time nobody comes for three seconds, in which
the process imports what it needs. A warm opening is a new tab of a browser that has been there before; the one-chart
page shows how much of it is Streamlit's own scripts and Plotly's. Following the menu is what people do from there: from
the click until the page rests, for every page that the menu shows to somebody at this machine. Welcome, trade-off and,
in turns with them, a one-chart Streamlit page are opened 30 times unless told otherwise; cold starts are made a sixth
as often, and so every page is followed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.command_line import size_asked_for
from benchmarks.limits import Figure, printed
from benchmarks.server_cost import processor_milliseconds
from pages.access.roles import Role
from pages.shell import menu
from tests.servers import chromium
from tests.servers.browsing import LAPTOP, SETTLED, launched, sits_here
from tests.servers.menus import entry_of
from tests.servers.server import ROOT, Server

COLD, WARM, EACH_PAGE, PROCESSOR = 5000.0, 2000.0, 1000.0, 60.0
MAIN = ("welcome", "tradeoff")
QUIET_MILLISECONDS, PATIENCE = 300, 60_000
LATER_SECONDS = 3.0
"""By when somebody who has started the server by hand may open its page; the imports go on meanwhile."""
ONE_CHART = ROOT / "benchmarks" / "one_chart_app.py"


@dataclass(frozen=True, kw_only=True)
class Size:
    """How often pages are opened, in how many ways servers start, and how many pages of the menu there are at most."""

    openings: int = 30
    ways_to_start: int = 2
    pages: int = 100

    @property
    def seldom(self) -> int:
        """How often what takes long is done."""
        return max(self.openings // 6, 1)

    @property
    def names(self) -> list[str]:
        """The pages of the menu, in its order."""
        shown = menu.sections(Role.CURATOR).values()
        return [Path(path).parent.name for section in shown for path in section][: self.pages]


USUAL, SMALLEST = Size(), Size(openings=1, ways_to_start=1, pages=1)


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Milliseconds from the navigation to the painted title and to the painted page; the server's, of its processor."""

    title: float
    whole: float
    processor: float


@dataclass(kw_only=True)
class Visited:
    """One page of one server, and how it opened so far."""

    name: str
    server: Server
    context: BrowserContext
    address: str
    openings: list[Opening] = field(default_factory=list)

    def open(self, times: int) -> None:
        """Open it in a new tab each time."""
        self.openings += [opening(self.context, self.server, self.address) for _ in range(times)]

    def figures(self, *, title: float | None = None) -> Iterator[Figure]:
        """What is told of it, the title only where it has a limit."""
        if title is not None:
            yield Figure(name=f"{self.name}: title", values=[one.title for one in self.openings], limit=title)
        yield Figure(name=f"{self.name}: whole page", values=[one.whole for one in self.openings])
        yield Figure(name=f"{self.name}: server, processor", values=[one.processor for one in self.openings])


def opening(context: BrowserContext, server: Server, address: str) -> Opening:
    """Open an address in a new tab, and close it once the page has rested."""
    before, page = processor_milliseconds(server.pid), context.new_page()
    page.add_init_script(_WATCH)
    page.goto(server.address(address), wait_until="commit")
    page.wait_for_function(
        "quiet => window.wholeSince && performance.now() - window.wholeSince > quiet",
        arg=QUIET_MILLISECONDS,
        polling=50,
        timeout=PATIENCE,
    )
    title, whole = page.evaluate("() => [window.titleAt, window.wholeSince]")
    page.close()
    return Opening(title=title, whole=whole, processor=processor_milliseconds(server.pid) - before)


def cold(browser: Browser, size: Size) -> Iterator[Figure]:
    """Servers and browsers that know nothing yet."""
    listening: list[float] = []
    visited: list[Opening] = []
    later: list[Opening] = []
    for turn in range(size.ways_to_start * size.seldom):
        with ExitStack() as stack:
            begin = time.perf_counter()
            server = _server(stack, warm=False)
            listening.append(1000 * (time.perf_counter() - begin))
            time.sleep(turn % 2 * LATER_SECONDS)
            (later if turn % 2 else visited).append(opening(_context(browser), server, ""))
    yield Figure(name="cold start: until the process listens", values=listening)
    yield Figure(name="cold start: first request to title", values=[one.title for one in visited], limit=COLD)
    yield Figure(name="cold start: first request to whole page", values=[one.whole for one in visited])
    if later:
        yield Figure(name=f"{LATER_SECONDS:g} s later: first request to title", values=[one.title for one in later])


TITLES = {menu.named(path): title for one in menu.sections(Role.CURATOR).values() for path, title in one.items()}


def warm(browser: Browser, size: Size) -> Iterator[Figure]:
    """Each page of a server on which somebody has looked at every page before."""
    with ExitStack() as stack:
        ours, peer = _server(stack), _server(stack, app=ONE_CHART)
        context, beside = _context(browser), _context(browser)
        pages = [Visited(name=name, server=ours, context=context, address=name) for name in size.names]
        chart = Visited(name="one-chart page", server=peer, context=beside, address="")
        for one in (*pages, chart):
            opening(one.context, one.server, one.address)
        main = [one for one in pages if one.name in MAIN]
        for _ in range(size.openings):
            for one in (*main, chart):
                one.open(1)
        for one in main:
            yield from one.figures(title=WARM)
        yield from chart.figures()
        yield from followed(context, ours, size)


def followed(context: BrowserContext, server: Server, size: Size) -> Iterator[Figure]:
    """Each page by its link in the menu of a tab in which all of them were open before."""
    page = context.new_page()
    page.add_init_script(_WATCH)
    page.goto(server.address(""), wait_until="commit")
    page.wait_for_function("() => window.wholeSince", timeout=PATIENCE)
    found: dict[str, list[float]] = {name: [] for name in size.names}
    for turn in range(size.seldom + 1):
        for name, times in found.items():
            taken = _following(page, name)
            times.extend([taken] if turn else [])
    page.close()
    for name, times in found.items():
        yield Figure(name=f"{name}, by its link: whole page", values=times, limit=EACH_PAGE)


def _following(page: Page, name: str) -> float:
    """From the click on a link of the menu until its page has come and rests.

    The server's answer changes the address, and until then the page before may rest for long on a busy machine.
    """
    begun = entry_of(page, TITLES[name]).evaluate(
        """link => {
            const begun = performance.now();
            [window.wholeSince, window.awaited] = [undefined, link.pathname];
            link.click();
            return begun;
        }"""
    )
    page.wait_for_function(
        "quiet => window.wholeSince && performance.now() - window.wholeSince > quiet",
        arg=QUIET_MILLISECONDS,
        polling=50,
        timeout=PATIENCE,
    )
    return float(page.evaluate("() => window.wholeSince")) - float(begun)


def main(arguments: Sequence[str]) -> int:
    """Print a table; 0 when each figure is within its limit."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="openings")
    executable, sentence = chromium.found_or_installed()
    print(sentence, flush=True)
    if executable is None:
        return 1
    with sync_playwright() as playwright:
        browser = launched(playwright, executable)

        def figures() -> Iterator[Figure]:
            yield from cold(browser, size)
            yield from warm(browser, size)

        return printed(figures(), judged=size is not SMALLEST)


def _server(stack: ExitStack, *, app: Path = ROOT / "app.py", warm: bool = True) -> Server:
    return stack.enter_context(Server(Path(stack.enter_context(tempfile.TemporaryDirectory())), app=app, warm=warm))


def _context(browser: Browser) -> BrowserContext:
    width, height = LAPTOP
    return sits_here(browser.new_context(viewport={"width": width, "height": height}))


_WATCH = """(() => {
    const settled = SETTLED;
    const painted = then => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => then(performance.now());
        channel.port2.postMessage(null);
    });
    const look = () => {
        const shown = [...document.querySelectorAll('[data-testid="stMain"] h1')].some(title => title.offsetHeight > 0);
        if (shown && window.titleAt === undefined) {
            window.titleAt = null;
            painted(now => { window.titleAt = now; });
        }
        const arrived = window.awaited === undefined || window.awaited === location.pathname;
        const whole = shown && arrived && settled();
        if (whole && window.wholeSince === undefined) painted(now => { window.wholeSince ??= now; });
        if (!whole) window.wholeSince = undefined;
        requestAnimationFrame(look);
    };
    look();
})()""".replace("SETTLED", SETTLED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
