"""One person's walk over every page and each of its steps: what is wrong there, and all that the browser received."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, Page, expect

from pages.lesson.lesson import SERIES
from pages.shell import menu
from tests.browser.accessibility import hard_to_read, violations
from tests.servers.browsing import LAPTOP, RequestLog, opened_context, settled, sideways_scroll, stepped
from tests.servers.menus import followed
from tests.servers.wire import Wire

CURATORS = {title: Path(path).parent.name for section in menu.CURATORS.values() for path, title in section.items()}
FOR_ALL = {title: Path(path).parent.name for section in menu.FOR_ALL.values() for path, title in section.items()}
LESSONS = {title: name for series in SERIES.values() for name, title in series.items()}
"""The title of a page -> its name in the address."""
ALIVE = """() => {
    const all = selector => [...document.querySelectorAll(selector)];
    const foreign = element => [...element.attributes].some(
        one => /^(xlink:)?(href|src|style)$/.test(one.name) && /example/.test(one.value) && !one.value.startsWith('#'));
    const formulas = all('.stMain .katex').filter(formula => formula.textContent.includes('x^2'));
    const elements = [...all('*').filter(foreign), ...formulas];
    const found = elements.map(element => element.outerHTML.slice(0, 200));
    return window.alive === 1 ? [...found, 'a script has run'] : found;
}"""
PICTURES = '[data-testid="stPlotlyChart"], [data-testid="stDataFrame"], [data-testid="stTable"], .stMain table'
"""An attack may begin with a table: that is what was published."""
TO_THE_TOP = "() => document.querySelector('[data-testid=\"stMain\"]').scrollTop === 0"
MAIN = '[data-testid="stMain"]'


def alive(page: Page) -> list[str]:
    """The links, pictures and formulas that have come of names, and whether a script has run."""
    return [f"alive: {found}" for found in page.evaluate(ALIVE)]


def at_first_sight(page: Page) -> Iterator[str]:
    """What nobody needs a rule for: errors, no title, a page wider than its window, names that have come alive."""
    yield from (f"exception: {text[:80]}" for text in page.get_by_test_id("stException").all_inner_texts())
    yield from (f"dialog: {text[:80]}" for text in page.get_by_role("dialog").all_inner_texts())
    if not page.get_by_role("heading", level=1).count():
        yield "no title"
    if (wider := sideways_scroll(page)) > 0:
        yield f"{wider} pixels wider than its window"
    yield from alive(page)


@dataclass(kw_only=True)
class Walk:
    """A page that goes on by the menu, what was wrong on its way by title and step, and what it received."""

    page: Page
    first: str
    """The page that lies at "/"."""
    log: RequestLog
    wire: Wire
    faults: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def begun(cls, browser: Browser, *, first: str, **options: Any) -> Self:
        """In a browser of its own, which is closed with `walk.page.context.close()`."""
        context, log, wire = opened_context(browser, **options), RequestLog(), Wire()
        log.watch(context)
        wire.listen(context)
        return cls(page=context.new_page(), first=first, log=log, wire=wire)

    def anew(self) -> Self:
        """The same page, of which nothing is known yet."""
        return replace(self, wire=Wire(), faults={})

    @property
    def found(self) -> dict[str, list[str]]:
        """The places where something is wrong."""
        return {where: faults for where, faults in self.faults.items() if faults}

    def go(self, title: str) -> Page:
        """Follow the menu, on a phone too."""
        return followed(self.page, title)

    def visit(self, title: str) -> None:
        """Go to a page, look at it as it opens, and then at all that is folded away."""
        self.arrive(title)
        self.open_all()

    def arrive(self, title: str) -> None:
        """Go to a page, and look at it as it opens."""
        self.go(title)
        self.look(title)
        self.faults[title] += [*self._address(title), *self._below_the_first_screen(title)]

    def steps(self, title: str) -> None:
        """A lesson or an attack from its first step to its last, each of which begins at its top.

        Their colors are those of the first.
        """
        self.page.locator(f".st-key-{LESSONS[title]}_step button").first.click()
        self.wire.take_page(settled(self.page))
        for number, page in enumerate(stepped(self.page, LESSONS[title]), start=2):
            page.wait_for_function(TO_THE_TOP)
            self.look(f"{title}, step {number}", within=MAIN, colors=False)
        expect(self.page.get_by_role("heading", level=1)).to_have_text(re.compile("questions? to check yourself"))

    def look(self, where: str, *, within: str = "html", colors: bool = True) -> None:
        """Keep what is wrong with what is shown now, and what it shows."""
        self.faults[where] = [
            *at_first_sight(self.page),
            *violations(self.page, within=within, colors=colors),
            *hard_to_read(self.page),
        ]
        self.wire.take_page(self.page)

    def open_all(self) -> None:
        """Open everything on a page that can be opened without spending, and keep what it shows."""
        page = self.page
        for folded in page.locator('[data-testid="stMain"] details:not([open]) > summary').all():
            folded.click()
        numbers = page.get_by_text("Show the numbers behind the pictures")
        if numbers.count():
            numbers.first.click()
            settled(page)
        for button in page.get_by_test_id("stDownloadButton").get_by_role("button").all():
            with page.expect_download():
                button.click()
        self.wire.take_page(settled(page))

    def _below_the_first_screen(self, title: str) -> Iterator[str]:
        """A lesson shows its first picture without scrolling on a laptop."""
        if title not in LESSONS or self.page.viewport_size != {"width": LAPTOP[0], "height": LAPTOP[1]}:
            return
        box = self.page.locator(PICTURES).first.bounding_box()
        if box is None or box["y"] + box["height"] > LAPTOP[1]:
            yield "its first picture is not on the first screen"

    def _address(self, title: str) -> Iterator[str]:
        name = (CURATORS | FOR_ALL)[title]
        wanted = "" if title == self.first else name
        if not re.search(rf"://[^/]+/{wanted}(\?|$)", self.page.url):
            yield f"its address is {self.page.url}"
        if self.first == "Welcome" and ("plan=" in self.page.url) is (name in menu.OF_A_ROOM):
            yield f"a plan in the address of a room, or none in another: {self.page.url}"


def titles(*parts: Iterable[str]) -> list[str]:
    """Of several parts of the menu, in their order."""
    return [title for part in parts for title in part]
