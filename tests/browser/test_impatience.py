"""One intent, one charge: double and triple clicks, a reload or a restart in between, two tabs on one account."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.test_main_path import heading
from tests.browsing import RELEASE, settled
from tests.ledgers import stored
from tests.server import Server

OpenContext = Callable[..., BrowserContext]


def open_account(page: Page, server: Server) -> None:
    page.goto(server.address("release"))
    settled(page)
    page.get_by_role("button", name="Open the account").click()
    expect(page.get_by_role("button", name=RELEASE)).to_be_visible()
    settled(page)


def charges(server: Server) -> int:
    """How many charges the ledger's file holds, each with its one answer."""
    ((charged, answered),) = stored(
        server.ledger_path, "SELECT count(*), count(charge) FROM charges LEFT JOIN answers ON charge = charges.id"
    )
    assert charged == answered
    return int(charged)


def answered(page: Page) -> None:
    """Wait for the answer, and until the page has come to rest."""
    expect(heading(page)).to_contain_text("The answer", timeout=20_000)
    settled(page)


@pytest.mark.parametrize("clicks", [2, 3])
def test_rapid_clicks_are_one_charge(fresh_server: Server, browser_page: Page, clicks: int) -> None:
    page = browser_page
    open_account(page, fresh_server)
    page.get_by_role("button", name=RELEASE).click(click_count=clicks, delay=5)
    answered(page)
    page.reload()
    expect(settled(page).get_by_text("History: 1 answer released")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("ε 2.9")
    expect(heading(page)).to_contain_text("The answer")
    assert charges(fresh_server) == 1


def test_a_second_intent_is_a_second_charge(fresh_server: Server, browser_page: Page) -> None:
    """The control: clicks that follow an answer that was seen are wishes of their own."""
    page = browser_page
    open_account(page, fresh_server)
    for count in ("1 answer", "2 answers"):
        page.get_by_role("button", name=RELEASE).click()
        expect(page.get_by_text(f"History: {count} released")).to_be_visible()
        settled(page)
    assert charges(fresh_server) == 2


def test_a_reload_in_the_middle_costs_once_and_loses_nothing(fresh_server: Server, browser_page: Page) -> None:
    page = browser_page
    open_account(page, fresh_server)
    page.get_by_role("button", name=RELEASE).click(no_wait_after=True)
    page.reload()
    settled(page)
    page.reload()
    settled(page)
    count = charges(fresh_server)
    assert count <= 1
    if count:
        expect(page.get_by_text("History: 1 answer released")).to_be_visible()
    page.get_by_role("button", name=RELEASE).click()
    expect(page.get_by_text(f"History: {count + 1} answer")).to_be_visible(timeout=20_000)
    answered(page)
    assert charges(fresh_server) == count + 1


def test_two_tabs_open_one_account_and_are_two_intents_on_its_budget(
    fresh_server: Server, open_context: OpenContext
) -> None:
    context = open_context()
    tabs = [context.new_page(), context.new_page()]
    for page in tabs:
        page.goto(fresh_server.address("release"))
        settled(page)
    for page in tabs:
        page.get_by_role("button", name="Open the account").click(click_count=2, delay=5)
    for page in tabs:
        expect(page.get_by_role("button", name=RELEASE)).to_be_visible()
        settled(page)
    assert stored(fresh_server.ledger_path, "SELECT count(*) FROM accounts") == [(1,)]
    assert charges(fresh_server) == 0
    for page in tabs:
        page.get_by_role("button", name=RELEASE).click(click_count=2, delay=5)
    for page in tabs:
        answered(page)
    assert charges(fresh_server) == 2
    tabs[0].reload()
    expect(settled(tabs[0]).get_by_text("History: 2 answers released")).to_be_visible()


def test_two_browsers_spend_one_budget(fresh_server: Server, open_context: OpenContext) -> None:
    first, second = open_context().new_page(), open_context().new_page()
    open_account(first, fresh_server)
    second.goto(fresh_server.address("release"))
    settled(second)
    for page in (first, second):
        page.get_by_role("button", name=RELEASE).click()
        answered(page)
    second.reload()
    expect(settled(second).get_by_test_id("stSidebar")).to_contain_text("ε 2.8")
    assert charges(fresh_server) == 2


def test_a_server_killed_after_the_charge_shows_the_answer_again_for_free(
    fresh_server: Server, browser_page: Page
) -> None:
    page = browser_page
    open_account(page, fresh_server)
    page.get_by_role("button", name=RELEASE).click()
    answered(page)
    said = heading(page).inner_text().removeprefix("The answer: ")
    fresh_server.restart(kill=True)
    page.goto(fresh_server.address("released"))
    settled(page)
    expect(page.get_by_test_id("stMain").get_by_text(said).first).to_be_visible()
    assert charges(fresh_server) == 1
