"""A file's way through the page in Chromium: a bad one, a contradiction, a table, forgotten, and brought again."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dpengine.data import CategoryColumn, ColumnLabel, Labels, NumberColumn, Schema
from dpengine.privacy import Neighbors
from pages.plan.table import saved_declaration
from tests.servers.browsing import RequestLog, picked, settled
from tests.servers.server import Server

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


def keyed_over(field: Locator) -> None:
    """What is typed over a number says the same as in an empty box, however the old one was marked."""
    for old in ("1,5", "1,234.5"):
        for mark in ("Control+A", "Shift+Home", "ArrowUp Control+A"):
            for keys, number in {"1,2": "1.2", "0,05": "0.05", "0\u060c5": "0.5", "1,000,000": "1000000"}.items():
                field.fill("")
                field.press_sequentially(old)
                for key in mark.split():
                    field.press(key)
                field.press_sequentially(keys)
                expect(field).to_have_value(number)


def keyed_with_commas(page: Page) -> None:
    """Chromium leaves a comma out of a number box: 1,40 as a bound would be 140, and nobody would know."""
    field = page.get_by_label("Highest possible value of age", exact=True)
    said = page.locator(".stNumberInput").filter(has=field).get_by_role("alert")
    field.press_sequentially("300.000")
    expect(said).to_have_text("A point is a decimal point here: 300.000 is 300. Write a thousand as 1000.")
    field.press_sequentially("5")
    expect(said).to_have_count(0)
    meant = {"1,000,000": "1000000", "1.234,5": "1234.5", "1,234.5": "1234.5", "1,40": "1.40"}
    for keys, number in meant.items():
        field.fill("")
        field.blur()
        field.press_sequentially(keys)
        expect(field).to_have_value(number)
    keyed_over(field)
    field.fill("")
    field.press_sequentially("1'000")
    expect(said).to_have_text("Only digits and one point are read: check the number above.")
    field.fill("")
    field.press_sequentially("1,40")
    expect(said).to_have_text("A comma is a decimal point here: 1,40 is 1.40. Write a thousand as 1000.")
    field.press("Enter")
    expect(settled(page).get_by_label("Highest possible value of age", exact=True)).to_have_value("1.4")
    people = page.get_by_label("Rows (people), roughly", exact=True)
    people.press_sequentially("1,000")
    expect(people).to_have_value("1000")
    expect(page.get_by_text("Whole numbers only: a comma is left out.")).to_be_visible()


@pytest.fixture
def data_page(server: Server, browser_page: Page) -> Page:
    browser_page.goto(server.address("data"))
    return settled(browser_page)


def test_from_a_bad_file_to_a_table_forgotten_and_brought_again(data_page, request_log: RequestLog):
    page = data_page
    expect(page.get_by_role("heading", level=1)).to_contain_text("Health insurance study: 13 columns")

    bring(page, RAGGED, "ragged.csv")
    expect(page.get_by_role("alert")).to_contain_text("Line 3")

    page.get_by_role("button", name="Remove ragged.csv").click()
    expect(page.get_by_text("Or take a public practice table")).to_be_visible()
    bring(page, TRIAL)
    expect(page.get_by_role("status")).to_contain_text("Still to declare")

    choose_kind(page, "age", "number")
    keyed_with_commas(page)
    typed(page, "Lowest possible value of age", "120")
    typed(page, "Highest possible value of age", "0")
    expect(page.get_by_text("must be below the highest, 0")).to_be_visible()
    typed(page, "Highest possible value of age", "150")
    typed(page, "Lowest possible value of age", "0")
    expect(page.get_by_text("must be below the highest")).to_have_count(0)
    typed(page, "Values of sex", "f, m")

    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("trial: 2 columns, one row per person")
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text("4 rows read.")).to_be_visible()

    page.get_by_role("button", name="Forget my table").click()
    expect(page.get_by_text("Its rows are not here")).to_be_visible()
    expect(page.get_by_text("4 rows read.")).to_have_count(0)
    settled(page)
    page.reload()
    expect(settled(page).get_by_role("heading", level=1)).to_have_text("trial: 2 columns, one row per person")
    expect(page.get_by_text("trial.csv")).to_have_count(0)
    bring(page, TRIAL)
    page.get_by_role("button", name="Use this table").click()
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text("4 rows read.")).to_be_visible()
    assert not request_log.foreign_hosts


def choose_kind(page: Page, name: str, kind: str) -> None:
    picked(page.get_by_role("combobox", name=f"Kind of {name}"), lambda options: options.filter(has_text=kind))


def declare_from(page: Page, schema: Schema, labels: Labels) -> None:
    """Fill the form in from a file of saved declarations."""
    page.get_by_label("Saved declarations").or_(page.get_by_text("Fill it in from saved declarations")).click()
    text = saved_declaration.to_text(schema, Neighbors.ADD_REMOVE, labels).encode()
    page.locator('[data-testid="stFileUploader"] input[type="file"]').last.set_input_files(
        {"name": "d.json", "mimeType": "application/json", "buffer": text}
    )


def test_words_that_came_in_a_file_are_in_sight(data_page: Page) -> None:
    """Questions say them: whoever sent the file may have meant other people than the column is about."""
    bring(data_page, TRIAL)
    expect(data_page.get_by_role("status")).to_contain_text("Still to declare")
    words = data_page.get_by_label("sex", exact=True)
    expect(words).to_be_hidden()
    declared = Schema(name="trial", columns=(CategoryColumn(name="sex", categories=("f", "m")),))
    declare_from(data_page, declared, Labels(columns=(ColumnLabel("sex", "smokes daily"),)))
    expect(words.last).to_have_value("smokes daily")
    expect(words).to_have_count(1)
    expect(words).to_be_visible()


@pytest.mark.slow  # tests/ui/data/test_loading.py sees it cancelled; here the bar and the button are those of a browser
def test_a_large_file_shows_how_far_it_is_and_is_cancelled(data_page: Page, server: Server) -> None:
    page = data_page
    large = b",".join(b"a%d" % i for i in range(16)) + b"\n" + (b"12345.6," * 15 + b"1\n") * 1_300_000
    bring(page, gzip.compress(large, 1), "large.csv.gz")
    expect(page.get_by_role("status")).to_contain_text("Still to declare")
    declare_from(page, Schema(name="large", columns=(NumberColumn(name="a0", lower=0, upper=90_000),)), Labels())
    expect(page.get_by_role("status").get_by_text("Still to declare")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("the table in use stays until it is there")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Reading was stopped. The table in use is still the one before")).to_be_visible()
    expect(page.get_by_label("Highest possible value of a0", exact=True)).to_have_value("90000")
    expect(page.get_by_role("button", name="Use this table")).to_be_visible()
    assert not children_of(server.pid)
    page.get_by_role("button", name="Remove large.csv.gz").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Health insurance study: 13 columns")


def children_of(process: int) -> list[str]:
    """The processes that the server has started and that still run, after giving them a moment to end."""
    until = time.monotonic() + 5.0
    while (found := _children(process)) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def _children(process: int) -> list[str]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [child for task in tasks for child in task.read_text(encoding="ascii").split()]


@pytest.mark.parametrize("megabytes", [1, pytest.param(30, marks=pytest.mark.slow)])
def test_another_file_brought_while_one_is_declared_takes_its_place(
    data_page: Page, tmp_path: Path, megabytes: int
) -> None:
    page = data_page
    bring(page, TRIAL)
    expect(page.get_by_role("status")).to_contain_text("Still to declare")
    large = tmp_path / "large.csv"
    large.write_bytes(b"height,weight\n" + b"171.25,70.125\n" * (megabytes * 2**20 // 14))
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(large)
    expect(page.get_by_text("Remove trial.csv")).to_have_count(0)
    expect(page.get_by_role("combobox", name="Kind of weight")).to_be_visible(timeout=30_000)
    settled(page)
    expect(page.get_by_role("button", name="Remove large.csv")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Declare what may be known about your table")
