"""The whole way in Chromium: a real file, declared, asked, explored, released, spent, refused, and refused again."""

from __future__ import annotations

import csv
import io
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.widgets.escaping import spoken
from tests.servers.browsing import RELEASE, RequestLog, picked, settled
from tests.servers.menus import followed
from tests.servers.server import ROOT, Server

STUDY = ROOT / "dpengine" / "data" / "samples" / "tables" / "rand_hie.csv"
DECLARED, LEFT_OUT = ("person", "hospital_stays", "self_rated_health"), ("year",)
"""Of the study's columns, those that somebody exported."""


def heading(page: Page) -> Locator:
    """The page's title."""
    return page.get_by_role("heading", level=1)


def go(page: Page, name: str) -> None:
    """Follow the menu."""
    followed(page, name)


def choose(page: Page, label: str, option: str | re.Pattern[str]) -> None:
    """Pick an option of a select box."""
    whole = re.compile(f"^{re.escape(option)}$") if isinstance(option, str) else option
    picked(page.get_by_role("combobox", name=label), lambda options: options.filter(has_text=whole))


def typed(page: Page, label: str, text: str) -> None:
    """Fill a box and leave it; where a redraw put an empty box in its place, once more."""
    for _ in range(4):
        field = page.get_by_label(label, exact=True)
        field.fill(text)
        field.press("Enter")
        settled(page)
        if field.input_value() == text:
            return


def bring_the_study(page: Page) -> None:
    """A real file, with a column that nobody needs."""
    with STUDY.open(encoding="utf-8", newline="") as whole:
        rows = [[row[name] for name in (*DECLARED, *LEFT_OUT)] for row in csv.DictReader(whole)]
    text = io.StringIO()
    csv.writer(text).writerows([(*DECLARED, *LEFT_OUT), *rows])
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(
        {"name": "study.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()}
    )


def upload_and_declare(page: Page) -> None:
    """Bring the study's file and say what may be known about it: the person, a number, one list of values."""
    bring_the_study(page)
    expect(page.get_by_text("Name of the table")).to_be_visible()
    settled(page)
    choose(page, "Kind of person", "text")
    for name in LEFT_OUT:
        choose(page, f"Kind of {spoken(name)}", "leave out")
    typed(page, "Lowest possible value of hospital stays", "0")
    typed(page, "Highest possible value of hospital stays", "10")
    typed(page, "Values of self rated health", "excellent, good, fair, poor")
    typed(page, "Name of the table", "study")
    page.get_by_text("a column names the person").click()
    settled(page)
    typed(page, "Rows that count per person, at most", "5")
    use_table(page)


def use_table(page: Page) -> None:
    """Take the declared file in."""
    page.get_by_role("button", name="Use this table").click()
    settled(page)
    expect(heading(page)).to_contain_text("study: 3 columns, at most 5 rows per person")
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text("20,190 rows read.")).to_be_visible()


def ask_two_questions(page: Page) -> None:
    """People with a hospital stay, and health by category."""
    go(page, "Questions")
    choose(page, "What do you want to know?", "How many different people")
    page.get_by_role("button", name="add a condition").click()
    settled(page)
    choose(page, "Column", "hospital_stays")
    choose(page, "Comparison", ">")
    expect(page.get_by_text("Type a value for 'hospital_stays'.")).to_be_visible()
    settled(page)
    typed(page, "Value", "0")
    expect(page.get_by_text("Everybody counts once")).to_be_visible()
    add(page, 1)
    expect(page.get_by_role("button", name="remove", exact=True)).to_have_count(0)
    choose(page, "What do you want to know?", "How many have each value (histogram)")
    choose(page, "Column", "self_rated_health")
    add(page, 2)


def add(page: Page, count: int) -> None:
    """Add the question that was built."""
    page.get_by_role("button", name="Add this question").click()
    expect(heading(page)).to_contain_text(f"{count} question")
    settled(page)


def release(page: Page, question: int, *, answers: int) -> None:
    """Choose a question, press the button, and wait until the history holds so many answers."""
    choose(page, "Question", re.compile(f"^Question {question} "))
    page.get_by_role("button", name=RELEASE).click()
    expect(page.get_by_text(f"History: {answers} answer")).to_be_visible(timeout=20_000)
    settled(page)


def no_more(page: Page) -> None:
    """The first question asks for more than is left: the button is off, and the reason stands above it."""
    choose(page, "Question", re.compile("^Question 1 "))
    expect(page.get_by_role("button", name=RELEASE)).to_be_disabled()
    expect(page.get_by_text("It costs ε 1; ε 0.9 is left.")).to_be_visible()


def come_back(page: Page, server: Server, said: str) -> None:
    """After a restart the answer is there, among those of others' tables, and the table once its file was brought."""
    plan = page.url.split("?", 1)[1]
    assert server.stop() == 0, "A calm end, at which folders with rows are deleted."
    server.start()
    page.goto(server.address("released"))
    if settled(page).get_by_role("combobox", name=(which := "Answers about which table?")).is_visible():
        choose(page, which, re.compile("^study "))
    expect(settled(page).get_by_test_id("stMain").get_by_text(said).first).to_be_visible()
    page.goto(server.address("data") + "?" + plan)
    settled(page)
    bring_the_study(page)
    expect(page.get_by_text("Name of the table")).to_be_visible()
    settled(page)
    use_table(page)


@pytest.mark.timeout(400)
def test_from_an_uploaded_table_to_a_refusal_that_survives_a_restart(
    emptied_server: Server, browser_page: Page, request_log: RequestLog
) -> None:
    page = browser_page
    page.goto(emptied_server.address("data"))
    settled(page)
    page.locator(".st-key-open_patients button").click()
    settled(page)
    upload_and_declare(page)
    expect(page.get_by_text("Show exact values")).to_be_visible()
    ask_two_questions(page)

    go(page, "Trade-off")
    expect(heading(page)).to_have_text("95% of possible answers are off by at most 30 people")
    assert "1,398" not in page.content()
    typed(page, "epsilon, typed", "1")
    expect(heading(page)).to_have_text("95% of possible answers are off by at most 3 people")
    planned_before = page.url
    page.get_by_role("button", name="Keep this epsilon in the plan").click()
    expect(page).not_to_have_url(planned_before)
    settled(page)

    go(page, "Budget")
    expect(heading(page)).to_have_text("4 questions fit the budget, by every rule")
    expect(page.locator(".live-burn .detail b").first).to_have_text(
        "All 2 questions fit: they would spend ε 1.1 of ε 3."
    )

    go(page, "Release")
    page.get_by_role("button", name="Open the account").click()
    settled(page)
    release(page, 1, answers=1)
    expect(heading(page)).to_contain_text("± 3 people")
    answer = float(re.search(r"answer: ([\d,]+)", heading(page).inner_text()).group(1).replace(",", ""))  # type: ignore[union-attr]
    assert abs(answer - 1398) < 30
    release(page, 2, answers=2)
    expect(page.get_by_text("4 cells; in 95% of releases, all of them are within 218 rows.").first).to_be_visible()
    release(page, 1, answers=3)
    said = heading(page).inner_text().removeprefix("The answer: ")
    no_more(page)

    come_back(page, emptied_server, said)
    go(page, "Release")
    expect(heading(page)).to_contain_text("The answer")
    no_more(page)
    assert not request_log.foreign_hosts
    assert request_log.hosts == {"127.0.0.1"}
