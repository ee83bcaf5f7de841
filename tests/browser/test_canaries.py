"""Planted values: nothing of them reaches a browser that may not see them, and the same search finds every leak."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pages.ui import menu
from tests import leaking, planted
from tests.browser.test_main_path import choose, go, heading
from tests.browsing import settled
from tests.ledgers import stored
from tests.server import ROOT, Server
from tests.wire import Found, Value, Wire

OTHERS_HOST = "analyst.localhost"
QUESTIONS = len(planted.plan().queries)
VALUES, CHANNELS = 30, 30
SHOWN_ON_REQUEST = {
    "first row's text",
    "rows of the file",
    "rows of nobody",
    "rows beyond the limit",
    "rows of the heaviest person",
    "number of people",
    "numbers that do not fit",
    "empty numbers",
    "yes or no that do not fit",
    "exact count",
    "exact sum",
    "exact mean",
}
"""What a curator sees who asks for it; everything else the application never sends to anybody."""

OpenContext = Callable[..., BrowserContext]


def values(server: Server) -> dict[str, Value]:
    """Everything that only the rows, or the ledger's secrets, can tell."""
    ((fingerprint,),) = stored(server.ledger_path, "SELECT fingerprint FROM accounts")
    ((secret,),) = stored(server.ledger_path, "SELECT secret FROM meta")
    digest = hashlib.sha256(planted.file()).hexdigest()
    secrets = {"fingerprint": fingerprint, "secret of the ledger": secret.hex(), "hash of the file": digest}
    return planted.cells() | planted.exact() | secrets


def seen(found: Found, wanted: Mapping[str, Value]) -> dict[str, str]:
    """The values that were received, each with what stood around it."""
    return {name: around for name, value in wanted.items() if (around := found.evidence(value))}


def visit(page: Page, title: str) -> None:
    """Follow the menu until the page is there: a click may fall on a menu that is just being redrawn."""
    entries = {title: path for section in {**menu.CURATORS, **menu.FOR_ALL}.values() for path, title in section.items()}
    first = title == "Welcome" or (title == "Released answers" and OTHERS_HOST in page.url)
    there = re.compile("://[^/]+/" + (r"(\?|$)" if first else rf"{Path(entries[title]).stem}(\?|$)"))
    for _ in range(3):
        go(page, title)
        try:
            expect(page).to_have_url(there, timeout=10_000)
        except AssertionError:
            continue
        break
    settled(page)


def bring(page: Page, server: Server) -> None:
    """The planted file, declared by its plan, which waits in the address; what the file holds is not shown."""
    page.goto(f"{server.address('data')}?plan={planted.plan().to_link()}")
    settled(page)
    file = {"name": "harvest.csv", "mimeType": "text/csv", "buffer": planted.file()}
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(file)  # type: ignore[arg-type]
    expect(page.get_by_role("button", name="Use this table")).to_be_visible(timeout=30_000)
    settled(page)


def use(page: Page) -> None:
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("button", name="Forget my table")).to_be_visible(timeout=30_000)
    settled(page)


def look_around(page: Page, wire: Wire) -> None:
    """Open everything on a page that can be opened without spending, and keep what it shows."""
    for folded in page.locator('[data-testid="stMain"] details:not([open]) > summary').all():
        folded.click()
    numbers = page.get_by_text("Show the numbers behind the pictures")
    if numbers.count():
        numbers.first.click()
        settled(page)
    for button in page.get_by_test_id("stDownloadButton").get_by_role("button").all():
        with page.expect_download():
            button.click()
    settled(page)
    wire.take_page(page)


def walk(page: Page, wire: Wire) -> None:
    """Every page of the menu, every question on the trade-off page, and an answer to each."""
    for name in [title for section in menu.CURATORS.values() for title in section.values()]:
        visit(page, name)
        if name == "Release" and page.get_by_role("button", name="Open the account").count():
            page.get_by_role("button", name="Open the account").click()
            settled(page)
        if name in ("Trade-off", "Release"):
            for number in range(1, QUESTIONS + 1):
                choose(page, "Question", re.compile(f"^Question {number} "))
                wire.take_page(page)
        look_around(page, wire)


def play_attacks(page: Page, wire: Wire) -> None:
    """Every act of every attack, which may run on the table at hand only where exact values are shown."""
    for path, title in menu.FOR_ALL["Attack"].items():
        visit(page, title)
        acts = page.locator(f".st-key-{Path(path).stem}_step button")
        assert acts.count() > 1
        for number in range(acts.count()):
            acts.nth(number).click()
            wire.take_page(settled(page))


def release_all(page: Page, server: Server, wire: Wire) -> None:
    """An answer to every question, charged and shown."""
    visit(page, "Release")
    for number in range(1, QUESTIONS + 1):
        choose(page, "Question", re.compile(f"^Question {number} "))
        expect(heading(page)).not_to_contain_text("The answer", timeout=20_000)
        press_release(page)
        settled(page)
        assert stored(server.ledger_path, "SELECT count(*) FROM answers") == [(number,)]
    look_around(page, wire)
    for name in ("Released answers", "All budgets"):
        visit(page, name)
        look_around(page, wire)


def press_release(page: Page) -> None:
    """Press until it is heard: the page may have been redrawn under the first press, and the same button is free."""
    for _ in range(3):
        page.get_by_role("button", name="Release this answer").click()
        try:
            expect(heading(page)).to_contain_text("The answer", timeout=10_000)
        except AssertionError:
            continue
        return


def as_analyst(server: Server, open_context: OpenContext) -> Found:
    """Everything that somebody at another machine receives: each page of the menu, and each of the curator's."""
    context, wire = open_context(), Wire()
    wire.listen(context)
    page = context.new_page()
    page.goto(f"http://{OTHERS_HOST}:{server.port}/")
    for name in [title for section in menu.FOR_ALL.values() for title in section.values()]:
        visit(page, name)
        look_around(page, wire)
    for path in [path for section in menu.CURATORS.values() for path in section]:
        page.goto(f"http://{OTHERS_HOST}:{server.port}/{Path(path).stem}")
        settled(page)
        expect(heading(page)).to_have_text("This page is for the curator")
        wire.take_page(page)
    return wire.found()


def ask_for_exact_values(page: Page, wire: Wire) -> None:
    """The same curator, who asks for everything that may be asked for."""
    visit(page, "Data")
    page.get_by_text("Show exact values, for your eyes only").click()
    settled(page)
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text(f"{planted.exact()['numbers that do not fit']:,} do not fit")).to_be_visible(timeout=20_000)
    settled(page)
    page.get_by_text("Show how many rows people have").click()
    expect(page.get_by_text("nobody has more than")).to_be_visible(timeout=20_000)
    wire.take_page(settled(page))
    walk(page, wire)
    attacked = Wire()
    play_attacks(page, attacked)
    assert seen(attacked.found(), planted.exact()), "Where exact values are shown, an attack may run on them."
    visit(page, "Data")
    page.get_by_role("button", name="Declare it differently").click()
    switch, tables = page.get_by_text("Show the first rows"), page.get_by_test_id("stDataFrame")
    expect(switch).to_be_visible(timeout=30_000)
    expect(tables).to_have_count(0, timeout=30_000)
    switch.click()
    expect(tables).to_have_count(1, timeout=30_000)
    wire.take_page(settled(page))


@pytest.mark.timeout(500)
def test_no_planted_value_reaches_a_browser_that_may_not_see_it(
    fresh_server: Server, open_context: OpenContext
) -> None:
    """A curator who hides exact values, then an analyst; and as a control the same curator who shows them."""
    context, wire = open_context(), Wire()
    wire.listen(context)
    page = context.new_page()
    bring(page, fresh_server)
    wire.take_page(page)
    use(page)
    walk(page, wire)
    play_attacks(page, wire)
    release_all(page, fresh_server, wire)
    wire.take_text(fresh_server.log())
    wanted = values(fresh_server)
    assert len(wanted) >= VALUES
    assert seen(wire.found(), wanted) == {}

    assert seen(as_analyst(fresh_server, open_context), wanted) == {}

    ask_for_exact_values(page, wire)
    assert set(seen(wire.found(), wanted)) >= SHOWN_ON_REQUEST


@pytest.fixture
def leaking_server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard that leaks through every channel."""
    with Server(tmp_path, app=ROOT / "tests" / "leaking.py") as running:
        yield running


def test_the_search_finds_a_leak_through_every_channel(leaking_server: Server, open_context: OpenContext) -> None:
    context, wire = open_context(), Wire()
    wire.listen(context)
    page = context.new_page()
    page.goto(leaking_server.address())
    settled(page)
    look_around(page, wire)
    wire.take_text(leaking_server.log())
    found = wire.found()
    texts = {channel for channel in leaking.TEXTS if found.holds(leaking.text(channel))}
    numbers = {channel for channel in leaking.NUMBERS if found.holds(leaking.number(channel))}
    assert texts == set(leaking.TEXTS)
    assert numbers == set(leaking.NUMBERS)
    assert len(texts | numbers) >= CHANNELS
    assert not found.holds("Vexley nowhere bramble")
    assert not found.holds(leaking.FIRST_NUMBER - leaking.STEP)
