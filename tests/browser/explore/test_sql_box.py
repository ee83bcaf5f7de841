"""The SQL box in Chromium: a refusal that teaches, what to ask instead, and the builder beside it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.explore.test_main_path import choose, heading
from tests.servers.browsing import RequestLog, settled
from tests.servers.server import Server


def write(page: Page, text: str) -> None:
    """Type a statement and have it read."""
    box = page.get_by_label("The question in SQL", exact=True)
    box.fill(text)
    page.get_by_role("button", name="Use this SQL").click()
    settled(page)
    expect(box).to_have_value(text)


def test_a_refusal_teaches_and_what_is_asked_instead_fills_the_builder(
    server: Server, browser_page: Page, request_log: RequestLog
) -> None:
    page = browser_page
    page.goto(server.address("queries"))
    settled(page)
    expect(page.get_by_label("The question in SQL", exact=True)).to_have_value("SELECT count(*) FROM rand_hie")
    write(page, "SELECT self_rated_health FROM rand_hie WHERE age = 22")
    refused = page.get_by_role("alert").filter(has_text="Refused.")
    expect(refused).to_contain_text("returns the values of individual people, and no noise can hide a person")
    expect(refused).to_contain_text("nothing was charged")
    page.get_by_role("button", name="Ask that instead").click()
    settled(page)
    expect(refused).to_have_count(0)
    expect(page.get_by_text("How many rows has each self-rated health, among those with age of 22?")).to_be_visible()
    expect(page.get_by_text("In use: the builder says the same.")).to_be_visible()

    choose(page, "See what is refused, and why", "The largest value")
    expect(refused).to_contain_text("The smallest or largest value is one person's own value")
    page.get_by_role("button", name="Back to the builder's question").click()
    settled(page)
    expect(refused).to_have_count(0)

    write(page, "SELECT median(age) FROM rand_hie WHERE female AND age BETWEEN 20 AND 30")
    expect(page.get_by_label("Value from")).to_have_value("20")
    choose(page, "What do you want to know?", "The mean of a number")
    expect(page.get_by_label("The question in SQL", exact=True)).to_have_value(
        "SELECT avg(age) FROM rand_hie WHERE female = TRUE AND age BETWEEN 20 AND 30"
    )
    page.get_by_role("button", name="Add this question").click()
    expect(heading(page)).to_contain_text("4 questions planned")
    assert not request_log.foreign_hosts
