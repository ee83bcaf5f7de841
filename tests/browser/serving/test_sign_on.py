"""People sign in with a provider: who is named is curator, in that browser, until they sign out; nobody else is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pages.access import sign_on
from pages.serving import curator_token
from pages.serving.layers import proof
from pages.serving.layers.sign_ins import HOURS
from tests.browser.knocking import offered
from tests.servers.browsing import settled
from tests.servers.menus import has_curators_menu
from tests.servers.provider import FIRST, LYING, SECOND, Person, Provider, cookies_of
from tests.servers.server import SERVED, Server

TYPED = "a-token-that-nobody-guesses"
ADA, KIM = "ada@example.org", "kim@example.org"
PEOPLE = {
    "named by address": Person(subject="1", email="Ada@example.org"),
    "also": Person(subject="2", email=KIM),
    "named by subject": Person(subject="3", email="bob@example.org"),
    "nearly too long ago": Person(subject="4", email=ADA, hours_ago=HOURS - 0.1),
    "too long ago": Person(subject="5", email=ADA, hours_ago=HOURS + 0.1),
    "unverified": Person(subject="6", email=ADA, verified=False),
    "with a Kelvin sign": Person(subject="7", email="\u212aim@example.org"),
    "with a Cyrillic letter": Person(subject="8", email="\u0430da@example.org"),
    "with a space": Person(subject="9", email=f"{ADA} "),
    "not named": Person(subject="10", email="eve@example.org"),
}


@pytest.fixture(scope="module")
def signing_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A dashboard that is served to others, and knows two providers and three curators."""
    with Provider(tmp_path_factory.mktemp("provider"), list(PEOPLE.values())) as provider:
        subject = f"{provider.issuers[FIRST]}|{PEOPLE['named by subject'].subject}"
        named = {sign_on.CURATORS: f"{ADA}, {KIM}, {subject}", curator_token.VARIABLE: TYPED}
        environment = {**SERVED, **provider.trusted(), **named}
        with Server(tmp_path_factory.mktemp("sign_on"), environment=environment) as running:
            provider.wait()
            yield running


def signed_in(page: Page, server: Server, who: str) -> Page:
    page.goto(server.address("data"))
    settled(page).get_by_test_id("stMain").get_by_role("button", name=f"Sign in with {FIRST}").click()
    page.get_by_role("button", name=PEOPLE[who].subject, exact=True).click()
    page.wait_for_url(f"{server.url}/**")
    return settled(page)


def is_curator(page: Page) -> bool:
    return has_curators_menu(settled(page))


def test_a_named_person_is_curator_in_that_browser_until_signing_out(
    signing_in: Server, browser_page: Page, open_context: Callable[..., BrowserContext]
) -> None:
    """What was copied from the browser beforehand is worth nothing afterwards, and without its own cookie never."""
    page, behind = signed_in(browser_page, signing_in, "named by address"), browser_page.context.new_page()
    behind.goto(signing_in.address("tradeoff"))
    assert (is_curator(page), is_curator(behind)) == (True, True)
    copied: list[Any] = page.context.cookies()
    thief = open_context().new_page()
    thief.context.add_cookies([one for one in copied if one["name"] != proof.COOKIE])
    thief.goto(signing_in.address("tradeoff"))
    assert not is_curator(thief)
    expect(thief.get_by_test_id("stMain").get_by_text("Your sign-in has ended")).to_be_visible()
    thief.context.add_cookies(copied)
    thief.reload()
    assert is_curator(thief), "All of it is as good as the browser itself, until that signs out."
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()
    page.wait_for_url(f"{signing_in.url}/**")
    assert not is_curator(page)
    assert not [one["name"] for one in page.context.cookies() if one["name"].startswith("_streamlit_user")]
    for left_open in (behind, thief):
        left_open.keyboard.press("r")
        expect(settled(left_open).get_by_role("heading", name="This page is for the curator")).to_be_visible()
    thief.reload()
    assert not is_curator(thief)


def test_whoever_signs_in_again_in_another_tab_keeps_the_first(signing_in: Server, browser_page: Page) -> None:
    behind = browser_page.context.new_page()
    behind.goto(signing_in.address("data"))
    door = settled(behind).get_by_test_id("stMain").get_by_role("button", name=f"Sign in with {FIRST}")
    expect(door).to_be_visible()
    page = signed_in(browser_page, signing_in, "named by address")
    page.goto(signing_in.address("queries"))
    title = settled(page).get_by_role("heading", level=1)
    at_first = title.inner_text()
    page.get_by_role("button", name="Remove").first.click()
    expect(title).not_to_have_text(at_first)
    changed = title.inner_text()
    door.click()
    behind.get_by_role("button", name=PEOPLE["named by address"].subject, exact=True).click()
    behind.wait_for_url(f"{signing_in.url}/**")
    assert is_curator(behind)
    page.keyboard.press("r")
    assert is_curator(page)
    expect(title).to_have_text(changed)


def test_a_tab_left_open_keeps_nothing_for_the_next_curator(signing_in: Server, browser_page: Page) -> None:
    """Signed out in another tab: whoever types the token into this one finds nothing of the first one's plan."""
    left_open = signed_in(browser_page, signing_in, "named by address")
    left_open.goto(signing_in.address("queries"))
    title = settled(left_open).get_by_role("heading", level=1)
    at_first = title.inner_text()
    left_open.get_by_role("button", name="Remove").first.click()
    expect(title).not_to_have_text(at_first)
    elsewhere = browser_page.context.new_page()
    elsewhere.goto(signing_in.address("tradeoff"))
    settled(elsewhere).get_by_role("button", name="Sign out").click()
    elsewhere.get_by_role("button", name="End session").click()
    elsewhere.wait_for_url(f"{signing_in.url}/**")
    left_open.keyboard.press("r")
    door = settled(left_open).get_by_test_id("stMain")
    door.locator("input[type=password]").fill(TYPED)
    door.get_by_role("button", name="Enter as curator").click()
    expect(left_open.get_by_role("button", name="Leave, and forget my table")).to_be_visible()
    expect(title).to_have_text(at_first)


@pytest.mark.parametrize(
    ("curator", "others"),
    [
        (
            ("named by address", FIRST),
            [("unverified", FIRST), ("with a Cyrillic letter", FIRST), ("with a space", FIRST)],
        ),
        (("also", SECOND), [("with a Kelvin sign", SECOND), ("also", LYING)]),
        (
            ("named by subject", FIRST),
            [("named by subject", SECOND), ("named by subject", LYING), ("not named", FIRST)],
        ),
        (("nearly too long ago", FIRST), [("too long ago", FIRST)]),
    ],
)
def test_who_looks_alike_is_not_the_same(
    signing_in: Server, curator: tuple[str, str], others: list[tuple[str, str]]
) -> None:
    assert "tradeoff" in offered_to(signing_in, *curator)
    for one in others:
        menu = offered_to(signing_in, *one)
        assert "released" in menu or "" in menu
        assert "tradeoff" not in menu, one


def offered_to(server: Server, who: str, at: str) -> set[str]:
    """The menu of somebody who has just signed in."""
    cookies = cookies_of(server, PEOPLE[who].subject, at=at)
    assert "_streamlit_user" in cookies
    line = "; ".join(f"{name}={value}" for name, value in cookies.items())
    place = f"127.0.0.1:{server.port}"
    return offered(("127.0.0.1", server.port), claimed=place, headers={"Cookie": line}, xsrf=cookies["_streamlit_xsrf"])
