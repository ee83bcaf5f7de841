"""The policy brief in Chromium: two printed pages whatever the names, nothing fetched, and all files from the pages."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.data import load_sample
from dpengine.reports import Explored, policy_brief
from pages.session.first_plan import QUESTIONS, first_plan
from tests.browser.explore.test_label import LEAVING, PAPER, offline, printed_pages, taken, written
from tests.examples.explored import LONG, cells_plan, explored, named_plan
from tests.examples.kept import HOSTILE
from tests.servers.browsing import PHONE, RequestLog, settled, sideways_scroll
from tests.servers.server import ROOT, Server

ROOM = (279.4 - 22.0) / 25.4 * 96.0
"""Pixels of height on Letter, the shorter paper, between its margins."""
FILLED = 0.95
"""Each sheet leaves a twentieth of it empty: another machine's letters may be larger."""


def built_in() -> Iterator[Explored]:
    for name in QUESTIONS:
        yield explored(first_plan(name), rows=load_sample(name)[0])


def many_cells() -> Iterator[Explored]:
    yield explored(cells_plan(12), 0)
    yield explored(cells_plan(40), 1)


def named(names: tuple[str, ...]) -> Iterator[Explored]:
    """The kinds with the most to say, first and last in the list, under both rules."""
    for place, rule in ((0, "basic"), (2, "concentrated"), (10, "basic")):
        yield explored(named_plan(names, rule=rule), place, answered=range(9))


def require_two_sheets(page: Page, folder: Path, documents: Iterable[str]) -> None:
    """On both papers, with room to spare; on a phone nothing lies sideways, and nothing in it runs or leads away."""
    for text in documents:
        page.goto(written(folder, text))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert {paper: printed_pages(page, paper) for paper in PAPER} == dict.fromkeys(PAPER, 2)
        heights = heights_in_print(page)
        assert len(heights) == 2
        assert max(heights) <= FILLED * ROOM
        for width, height in ((794, 1123), PHONE):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.evaluate("() => window.alive === undefined")
        assert page.evaluate("() => document.querySelectorAll('script, a, img, link, iframe').length") == 0
        assert page.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "light"


@pytest.mark.parametrize(
    "briefs",
    [built_in, many_cells, lambda: named(HOSTILE), lambda: named(LONG)],
    ids=["built-in", "cells", "hostile", "long"],
)
def test_a_brief_is_two_pages_fetches_nothing_and_runs_nothing(
    tmp_path: Path,
    open_context: Callable[..., BrowserContext],
    request_log: RequestLog,
    briefs: Callable[[], Iterator[Explored]],
) -> None:
    """And each page begins where it should."""
    require_two_sheets(offline(open_context), tmp_path, map(policy_brief, briefs()))
    assert not [address for address in request_log.addresses if address.startswith(LEAVING)]


def heights_in_print(page: Page) -> list[int]:
    """Those of the sheets, as wide as A4 between its margins."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": round((210.0 - 22.0) / 25.4 * 96.0), "height": 1000})
    heights = page.evaluate("() => [...document.querySelectorAll('.sheet')].map(sheet => sheet.scrollHeight)")
    page.emulate_media(media="screen")
    return [int(height) for height in heights]


def test_all_files_are_taken_from_the_budget_page(
    tmp_path: Path, server: Server, browser_page: Page, open_context: Callable[..., BrowserContext]
) -> None:
    page = browser_page
    page.goto(server.address("budget"))
    settled(page)
    brief = taken(page, "budget_take_policy", tmp_path)
    alone = offline(open_context)
    alone.goto(brief.as_uri())
    expect(alone.get_by_role("heading", level=1)).to_have_text("How many people were in hospital at least once?")
    expect(alone.get_by_text("Nothing was released")).to_be_visible()
    assert printed_pages(alone, "A4") == 2
    alone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert sideways_scroll(alone) == 0
    script = taken(page, "budget_take_python", tmp_path)
    assert script.name == "plan_rand_hie.py"
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.stdout.endswith("dpengine and opendp agree on every scale.\n"), done.stderr
    nbformat.validate(nbformat.read(taken(page, "budget_take_notebook", tmp_path), as_version=4))
    numbers = taken(page, "budget_take_numbers", tmp_path).read_bytes().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(numbers, newline="")))
    assert rows[0]["scale_steps"] == "10.0"
    assert len(rows) == 4
