"""Names and values that are links, pictures, scripts and formulas elsewhere stay text on every page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from dpengine.data import CategoryColumn, Column, Comparison, NumberColumn, OneOf, Schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, GroupedCountQuery, HistogramQuery, MeanQuery
from dpengine.scenario import Scenario
from pages.ui import menu
from pages.ui.lessons.lesson import ATTACKS
from tests.browsing import RequestLog, followed, settled, stepped
from tests.server import Server
from tests.workbooks import parts, zipped

NAMES = (
    "[x](http://a.example)",
    "![i](http://b.example/i.png)",
    "<img src=http://c.example/i.png onerror=window.alive=1>",
    "<script>window.alive=1</script>",
    ":smile: $x^2$ `y`",
    "http://d.example/page",
)
VALUES = ("[v](http://e.example)", "http://f.example", "<a href=http://g.example>v</a>", "![v](http://h.example/v.png)")
TABLE = "t [n](http://n.example)"
SHEETS = ("[s](http://s.example)", "<b>s")
OTHERS = [title for section in menu.FOR_ALL.values() for title in section.values() if title not in ATTACKS.values()]
ALIVE = """() => {
    const all = selector => [...document.querySelectorAll(selector)];
    const foreign = element => [...element.attributes].some(
        one => /^(xlink:)?(href|src|style)$/.test(one.name) && /example/.test(one.value) && !one.value.startsWith('#'));
    const formulas = all('.stMain .katex').filter(formula => formula.textContent.includes('x^2'));
    const elements = [...all('*').filter(foreign), ...formulas];
    const found = elements.map(element => element.outerHTML.slice(0, 200));
    return window.alive === 1 ? [...found, 'a script has run'] : found;
}"""


def plan() -> Scenario:
    """Questions that name every hostile column and value."""
    columns: tuple[Column, ...] = (
        *(CategoryColumn(name=name, categories=VALUES) for name in NAMES[:5]),
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


@pytest.fixture
def data_page(server: Server, browser_page: Page) -> Page:
    browser_page.goto(server.address(f"data?plan={plan().to_link()}"))
    return settled(browser_page)


def workbook() -> bytes:
    rows = [NAMES, *((*(VALUES[(i + j) % 4] for j in range(5)), str(i % 7)) for i in range(30))]
    return zipped(parts({SHEETS[0]: rows, SHEETS[1]: rows}))


def alive(page: Page) -> list[str]:
    """The links, pictures and formulas that have come of names, and whether a script has run."""
    return [str(found) for found in page.evaluate(ALIVE)]


def alive_in_any_act(page: Page, attack: str) -> list[str]:
    """The same on every step of an attack, which may run on the table that was brought."""
    found = alive(page)
    for step in stepped(page, attack):
        found += alive(step)
    return found


def test_nothing_comes_alive_on_any_page(data_page: Page, request_log: RequestLog) -> None:
    page = data_page
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(
        {"name": "![n](http://n.example).xlsx", "mimeType": "any/thing", "buffer": workbook()}
    )
    expect(page.get_by_role("button", name="Use this table")).to_be_visible()
    settled(page)
    assert alive(page) == []
    page.get_by_role("button", name="Use this table").click()
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text("30 rows read.")).to_be_visible()
    assert alive(page) == []
    page.get_by_text("Show exact values, for your eyes only").click()
    settled(page)
    for name in ("Questions", "Trade-off", "Budget"):
        assert alive(followed(page, name)) == [], name
        expect(page.get_by_test_id("stMain")).to_contain_text("a.example")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    assert alive(settled(page)) == []
    page.keyboard.press("Escape")
    assert alive(followed(page, "Release")) == []
    page.get_by_role("button", name="Open the account").click()
    page.get_by_role("button", name="Release this answer").click()
    expect(page.get_by_text("History: 1 answer")).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("stMain")).to_contain_text("e.example")
    assert alive(settled(page)) == []
    assert alive(followed(page, "Data")) == []
    for name in OTHERS:
        assert alive(followed(page, name)) == [], name
    for attack, name in ATTACKS.items():
        assert alive_in_any_act(followed(page, name), attack) == [], name
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not request_log.foreign_hosts


def test_a_missing_declaration_names_the_column_as_text(data_page: Page) -> None:
    page = data_page
    page.goto(page.url.split("?")[0])
    settled(page)
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(
        {"name": "n.xlsx", "mimeType": "any/thing", "buffer": workbook()}
    )
    expect(page.get_by_role("status")).to_contain_text("[x](http://a.example)")
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("alert")).to_contain_text("Still to declare")
    assert alive(settled(page)) == []


def test_the_control_what_comes_alive_is_seen(data_page: Page) -> None:
    assert alive(data_page) == []
    for html in (
        "<a href='http://a.example'>x</a>",
        "<img src='http://127.0.0.1:9/example.png'>",
        "<span class='katex'><annotation>x^2</annotation></span>",
        "<svg><a xlink:href='http://a.example'>x</a></svg>",
    ):
        data_page.evaluate("html => document.querySelector('.stMain').insertAdjacentHTML('beforeend', html)", html)
        assert len(alive(data_page)) == 1
        data_page.evaluate("() => document.querySelector('.stMain').lastElementChild.remove()")
        assert alive(data_page) == []
    data_page.evaluate("() => { window.alive = 1 }")
    assert alive(data_page) == ["a script has run"]
