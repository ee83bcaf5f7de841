"""Names and values that are links, pictures, scripts and formulas elsewhere stay text where a file is brought."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from dpengine.data import CategoryColumn, Column, Comparison, NumberColumn, OneOf, Schema, TextColumn
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, GroupedCountQuery, HistogramQuery, MeanQuery
from dpengine.scenario import Scenario
from tests.browser.walks import alive
from tests.examples.workbooks import parts, zipped
from tests.servers.browsing import RequestLog, settled
from tests.servers.server import Server

NAMES = (
    "x] **b** [x](http://a.example)",
    "![i](http://b.example/i.png)",
    "<img src=http://c.example/i.png onerror=window.alive=1>",
    "<script>window.alive=1</script>",
    ":smile: $x^2$ `y`",
    "http://d.example/page",
)
VALUES = (
    "[v](http://e.example)",
    "www.f.example me@f.example https&colon;//f.example http://f.example",
    "<a href=http://g.example>v</a>",
    "![v](http://h.example/v.png)",
)
TABLE = "t [n](http://n.example)"
SHEETS = ("[s](http://s.example)", "<b>s")


def plan() -> Scenario:
    """Questions that name every hostile column and value."""
    columns: tuple[Column, ...] = (
        *(CategoryColumn(name=name, categories=VALUES) for name in NAMES[:5:2]),
        *(TextColumn(name=name) for name in NAMES[1:5:2]),
        NumberColumn(name=NAMES[5], lower=0, upper=9, unit="![u](http://u.example)"),
    )
    asked = (
        HistogramQuery(NAMES[0]),
        CountQuery(where=Comparison(NAMES[1], "=", VALUES[0])),
        MeanQuery(NAMES[5], where=OneOf(NAMES[3], VALUES[1:])),
        GroupedCountQuery((NAMES[2], NAMES[4])),
    )
    guarantee = Guarantee(epsilon=0.5)
    return Scenario(
        table_name=TABLE,
        schema=Schema(name=TABLE, columns=columns),
        neighbors=Neighbors.ADD_REMOVE,
        queries=tuple(PlannedQuery(query=query, guarantee=guarantee) for query in asked),
        budget=Guarantee(epsilon=3.0),
    )


def workbook() -> bytes:
    rows = [NAMES, *((*(VALUES[(i + j) % 4] for j in range(5)), str(i % 7)) for i in range(30))]
    return zipped(parts({SHEETS[0]: rows, SHEETS[1]: rows}))


def bring(page: Page, address: str) -> None:
    """A workbook whose name, sheets, columns and cells are hostile."""
    page.goto(address)
    settled(page).locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(
        {"name": "![n](http://n.example).xlsx", "mimeType": "any/thing", "buffer": workbook()}
    )
    expect(page.get_by_role("button", name="Use this table")).to_be_visible()
    assert alive(settled(page)) == []


@pytest.mark.slow
def test_a_workbook_and_its_plan_stay_text(server: Server, browser_page: Page, request_log: RequestLog) -> None:
    """While it is declared, read and shared; test_canaries walks over every page with such names."""
    page = browser_page
    bring(page, server.address(f"data?plan={plan().to_link()}"))
    page.get_by_role("button", name="Use this table").click()
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text("30 rows read.")).to_be_visible()
    assert alive(settled(page)) == []
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    assert alive(settled(page)) == []
    for name in ("queries", "budget"):
        page.goto(server.address(f"{name}?plan={plan().to_link()}"))
        expect(settled(page).get_by_text("f.example").first).to_be_visible()
        assert alive(page) == []
    bring(page, server.address("data"))
    expect(page.get_by_role("status")).to_contain_text("[x](http://a.example)")
    expect(page.get_by_role("button", name="Use this table")).to_be_disabled()
    expect(page.get_by_role("alert")).to_contain_text("Still to declare")
    assert alive(settled(page)) == []
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not request_log.foreign_hosts
