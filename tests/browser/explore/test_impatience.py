"""One intent, one charge: double and triple clicks, a reload in between, two tabs and two browsers on one account."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.ledger import Account
from pages.session.first_plan import first_plan
from tests.browser import beside
from tests.browser.explore.test_main_path import heading
from tests.servers.browsing import RELEASE, pressed_twice, settled
from tests.servers.server import Server

OpenContext = Callable[..., BrowserContext]
GAPS = (80, 200, 350, 500)
"""Milliseconds between the two halves of a double click; desktops allow for half a second."""


@pytest.fixture
def account(emptied_server: Server) -> Account:
    """That of the table that everybody sees first, with nothing spent."""
    return beside.account(emptied_server, first_plan("rand_hie"))


@pytest.fixture
def page(account: Account, emptied_server: Server, browser_page: Page) -> Page:
    """On which its first question may be released."""
    return release_page(browser_page, emptied_server)


def release_page(page: Page, server: Server) -> Page:
    page.goto(server.address("release"))
    return settled(page)


def charges(account: Account) -> int:
    """How many there are, each with its one answer."""
    charged = len(account.charges())
    assert len(account.releases()) == charged
    return charged


def press(page: Page, **how: int) -> None:
    """The button that spends, as often as somebody's finger slips."""
    page.get_by_role("button", name=RELEASE).click(**how)  # type: ignore[arg-type]


def test_rapid_clicks_are_one_charge_and_a_second_intent_is_another(page: Page, account: Account) -> None:
    """The second is the control: clicks that follow an answer that was seen are wishes of their own."""
    press(page, click_count=3, delay=5)
    answered(page, 1)
    page.reload()
    expect(settled(page).get_by_text("History: 1 answer released")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("ε 2.9")
    expect(heading(page)).to_contain_text("The answer")
    assert charges(account) == 1
    press(page)
    answered(page, 2)
    assert charges(account) == 2


def test_a_double_click_is_one_charge_however_fast_its_answer_came(page: Page, account: Account) -> None:
    """The next button stands where the last one stood: it hears nothing until somebody could have read it.

    Two clicks that both fall on what is being drawn are heard by nothing, and made again.
    """
    for number, gap in enumerate(GAPS, 1):
        while charges(account) < number:
            pressed_twice(page, page.get_by_role("button", name=RELEASE), gap)
            settled(page)
        answered(page, number)
        assert charges(account) == number


def test_a_reload_in_the_middle_costs_once_and_loses_nothing(page: Page, account: Account) -> None:
    press(page)
    page.reload()
    settled(page)
    page.reload()
    settled(page)
    before = charges(account)
    assert before <= 1
    if before:
        expect(page.get_by_text("History: 1 answer released")).to_be_visible()
    press(page)
    answered(page, before + 1)
    assert charges(account) == before + 1


def test_half_a_double_click_on_a_window_that_closes_is_not_heard_below_it(page: Page, account: Account) -> None:
    """Another site's window lies above and closes under the first half: this one then gets the focus, and the rest."""
    button = page.get_by_role("button", name=RELEASE)
    button.click(trial=True)
    place = button.bounding_box()
    assert place is not None
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    button.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(page.locator("html.to-read")).to_have_count(0)
    settled(page)
    assert charges(account) == 0
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    answered(page, 1)
    assert charges(account) == 1, "The control: the same press, once it could have been read."


@pytest.mark.slow
def test_two_tabs_and_two_browsers_are_intents_on_one_budget(
    page: Page, account: Account, emptied_server: Server, open_context: OpenContext
) -> None:
    tab, other = page.context.new_page(), open_context().new_page()
    for one in (tab, other):
        release_page(one, emptied_server)
    for one in (page, tab, other):
        press(one, click_count=2, delay=5)
    for one in (page, tab, other):
        expect(heading(one)).to_contain_text("The answer")
        settled(one)
    assert charges(account) == 3
    page.reload()
    expect(settled(page).get_by_text("History: 3 answers released")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("ε 2.7")


def answered(page: Page, number: int) -> None:
    """Wait for so many answers, and until the page has come to rest."""
    expect(page.get_by_text(f"History: {number} answer{'s' if number > 1 else ''} released")).to_be_visible()
    expect(heading(page)).to_contain_text("The answer")
    settled(page)


def test_a_double_click_on_remove_takes_one_question(server: Server, browser_page: Page) -> None:
    """The next question moves up to where the hand is: its button hears nothing until somebody could have read it."""
    for gap in GAPS:
        browser_page.goto(server.address("queries"))
        settled(browser_page)
        buttons = browser_page.get_by_role("button", name="Remove", exact=True)
        while (count := buttons.count()) == 3:
            pressed_twice(browser_page, buttons.first, gap)
            settled(browser_page)
        assert count == 2, gap
