"""A file's way through the page in Chromium: a bad one, a contradiction, a table, and forgotten again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import PHONE, RequestLog, settled, sideways_scroll
from tests.server import Server

RAGGED = b"age,sex\n34,f\n50\n"
TRIAL = b"age,sex\n34,f\n50,m\n34,f\nold,f\n"


def bring(page: Page, content: bytes, name: str = "trial.csv") -> Page:
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    return page


def typed(page: Page, label: str, text: str) -> Page:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")
    return settled(page)


@pytest.fixture
def data_page(server: Server, browser_page: Page) -> Page:
    browser_page.goto(server.address("data"))
    return settled(browser_page)


def test_from_a_bad_file_to_a_table_and_forgotten(data_page, request_log: RequestLog):
    page = data_page
    expect(page.get_by_role("heading", level=1)).to_contain_text("rand_hie: 13 columns")

    bring(page, RAGGED, "ragged.csv")
    expect(page.get_by_role("alert")).to_contain_text("Line 3")

    page.get_by_role("button", name="Remove ragged.csv").click()
    expect(page.get_by_text("Or take a public practice table")).to_be_visible()
    bring(page, TRIAL)
    expect(page.get_by_role("status")).to_contain_text("Still to declare")

    choose_kind(page, "age", "number")
    typed(page, "Lowest possible value of age", "120")
    typed(page, "Highest possible value of age", "0")
    expect(page.get_by_text("must be below the upper bound 0")).to_be_visible()
    typed(page, "Highest possible value of age", "150")
    typed(page, "Lowest possible value of age", "0")
    expect(page.get_by_text("must be below the upper bound")).to_have_count(0)
    typed(page, "Values of sex", "f, m")

    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("trial: 2 columns, one person is one row")
    expect(page.get_by_text("4 rows read.")).to_be_visible()

    page.get_by_role("button", name="Forget my table").click()
    expect(page.get_by_text("Its rows are not here")).to_be_visible()
    expect(page.get_by_text("4 rows read.")).to_have_count(0)
    assert not request_log.foreign_hosts


def choose_kind(page: Page, name: str, kind: str) -> None:
    page.get_by_role("combobox", name=f"Kind of {name}").click()
    page.get_by_role("option", name=kind).click()
    settled(page)


def test_a_forgotten_file_is_gone_and_its_declarations_are_not(data_page: Page) -> None:
    page = data_page
    bring(page, TRIAL)
    choose_kind(page, "age", "text")
    choose_kind(page, "sex", "text")
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_text("trial.csv")).to_be_visible()
    page.get_by_role("button", name="Forget my table").click()
    expect(page.get_by_text("trial.csv")).to_have_count(0)
    settled(page)
    page.reload()
    expect(settled(page).get_by_role("heading", level=1)).to_have_text("trial: 2 columns, one person is one row")
    bring(page, TRIAL)
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_text("4 rows read.")).to_be_visible()


def test_hostile_names_stay_text(data_page: Page, request_log: RequestLog) -> None:
    page = data_page
    names = ("[x](http://a.example)", "![i](http://b.example/i.png)", "<img src=http://c.example/i.png>", ":smile:")
    bring(
        page,
        (",".join(names) + "\n" + "![i](http://d.example/i.png),$x$,<b>b</b>,:smile:\n" * 9).encode(),
        "![n](x).csv",
    )
    expect(page.get_by_role("status")).to_contain_text("[x](http://a.example)")
    expect(page.get_by_role("status")).to_contain_text("smile")
    assert page.locator('[data-testid="stMain"] a[href*="example"]').count() == 0
    assert not request_log.foreign_hosts


@pytest.mark.parametrize("name", ["data", "queries"])
def test_a_phone_needs_no_sideways_scrolling(server: Server, open_context, name):
    page = open_context(viewport=PHONE).new_page()
    page.goto(server.address(name))
    assert sideways_scroll(settled(page)) == 0
