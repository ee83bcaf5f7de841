"""The label in Chromium: one printed page whatever the names, nothing fetched, and all files from the Release page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.ledger.accounts.history import with_totals
from dpengine.plan.amounts import cost_of
from dpengine.reports import history_from_json, privacy_label
from pages.session.first_plan import first_plan
from tests.browser import beside
from tests.examples.kept import HOSTILE, history_of, hostile_schema
from tests.servers.browsing import PHONE, RequestLog, settled
from tests.servers.server import Server

PAPER = ("A4", "Letter")
LONG = ("P " * 50 + "Q", "W" * 118, "漢" * 118, *(f"{number} {'W' * 100}" for number in range(30)))
LEAVING = ("http:", "https:", "ws:", "wss:")


def printed_pages(page: Page, paper: str) -> int:
    """How many sheets come out of the printer."""
    pdf = page.pdf(format=paper)
    return pdf.count(b"/Type /Page") - pdf.count(b"/Type /Pages")


def offline(open_context: Callable[..., BrowserContext]) -> Page:
    return open_context(viewport=(794, 1123), offline=True).new_page()


def written(folder: Path, text: str) -> str:
    path = folder / "label.html"
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("names", [HOSTILE, LONG], ids=["hostile", "long"])
def test_a_label_is_one_page_fetches_nothing_and_runs_nothing(
    tmp_path: Path, open_context: Callable[..., BrowserContext], request_log: RequestLog, names: tuple[str, ...]
) -> None:
    page = offline(open_context)
    history = history_of(hostile_schema(names), reason="R " * 240 + "end", practice=True, request="r" * 190)
    for place in range(3):
        page.goto(written(tmp_path, privacy_label(history, f"{'r' * 190}{place}")))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert {paper: printed_pages(page, paper) for paper in PAPER} == dict.fromkeys(PAPER, 1)
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        assert page.evaluate("() => window.alive === undefined")
        assert page.evaluate("() => document.querySelectorAll('script, a, img, link, iframe').length") == 0
    assert not [address for address in request_log.addresses if address.startswith(LEAVING)]


@pytest.mark.parametrize("names", [HOSTILE, LONG], ids=["hostile", "long"])
@pytest.mark.parametrize("place", [0, 1])
def test_the_label_of_many_answers_together_is_one_page(
    tmp_path: Path, open_context: Callable[..., BrowserContext], names: tuple[str, ...], place: int
) -> None:
    page = offline(open_context)
    history = history_of(hostile_schema(names), reason="R " * 240 + "end", practice=True)
    first = history.lines[place].entry
    entries = [replace(first, request_id=f"{'r' * 190}{number}") for number in range(3)]
    for number in range(5):
        planned = first.planned_query.at(0.2 + number / 10)
        charge = replace(first.charge, amounts=cost_of(planned, first.schema, first.neighbors))
        entries.append(replace(first, request_id=f"{number}", planned_query=planned, charge=charge))
    together = replace(history, lines=with_totals(entries, [history.terms.granted] * len(entries)))
    page.goto(written(tmp_path, privacy_label(together, *(one.request_id for one in entries))))
    expect(page.get_by_text("of 8 released answers, combined")).to_be_visible()
    assert {paper: printed_pages(page, paper) for paper in PAPER} == dict.fromkeys(PAPER, 1)
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate("() => window.alive === undefined")


def test_the_control_two_pages_and_a_request_are_seen(
    tmp_path: Path, open_context: Callable[..., BrowserContext], request_log: RequestLog
) -> None:
    page = offline(open_context)
    planted = (
        "<p style='break-after: page'>1</p><p>2</p><img src='http://a.example/i.png'><script>window.alive = 1</script>"
    )
    page.goto(written(tmp_path, planted))
    assert printed_pages(page, "A4") == 2
    assert page.evaluate("() => window.alive") == 1
    assert request_log.foreign_hosts == {"a.example"}


def test_label_and_history_are_taken_from_the_release_page(
    tmp_path: Path, emptied_server: Server, browser_page: Page, open_context: Callable[..., BrowserContext]
) -> None:
    page = browser_page
    beside.account(emptied_server, first_plan("rand_hie"))
    page.goto(emptied_server.address("release"))
    settled(page)
    page.get_by_role("button", name="Release this answer").click()
    expect(page.get_by_text("History: 1 answer released")).to_be_visible(timeout=20_000)
    settled(page)
    label = taken(page, "label_of_shown", tmp_path)
    assert label.name.startswith("label-practice-rand-hie-")
    alone = offline(open_context)
    alone.goto(label.as_uri())
    expect(alone.get_by_text("PRACTICE")).to_be_visible()
    expect(alone.get_by_role("heading", level=1)).to_have_text("How many people were in hospital at least once?")
    expect(alone.get_by_text("How many people have hospital_stays > 0?")).to_be_visible()
    assert printed_pages(alone, "A4") == 1
    alone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert alone.evaluate("() => document.documentElement.scrollWidth") <= PHONE[0]
    assert label.read_bytes() == taken(page, "label_of_history", tmp_path).read_bytes()
    table = taken(page, "history_csv", tmp_path).read_bytes()
    assert table.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))
    assert [row["what"] for row in rows] == ["account opened", "answer", "account as it stands"]
    text = taken(page, "history_json", tmp_path).read_text(encoding="utf-8")
    assert json.loads(text)["account"]["kind"] == "PRACTICE"
    (line,) = history_from_json(text).lines
    assert line.release is not None
    assert line.release.answer == float(rows[1]["value"])


def taken(page: Page, key: str, folder: Path) -> Path:
    """What the button with this key downloads."""
    with page.expect_download() as waiting:
        page.locator(f".st-key-{key} button:visible").click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    settled(page)
    return path
