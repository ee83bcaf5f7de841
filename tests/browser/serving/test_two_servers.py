"""Two servers on one ledger in PostgreSQL: one budget, one charge an intent, and a refusal on either."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.privacy import Guarantee
from tests.browser.two_servers import TwoServers
from tests.examples.ledgers import asking
from tests.servers.browsing import RELEASE, settled
from tests.servers.server import Server


def on_release_page(page: Page, server: Server) -> Page:
    page.goto(server.address("release"))
    return settled(page)


@pytest.mark.slow
def test_they_share_one_budget(two_servers: TwoServers, open_context: Callable[..., BrowserContext]) -> None:
    """Also where its account is opened on both at once."""
    pages = [open_context().new_page() for _ in two_servers.servers]
    for page, server in zip(pages, two_servers.servers, strict=True):
        on_release_page(page, server)
    for page in pages:
        page.get_by_role("button", name="Open the account").click(click_count=2, delay=5)
    for page in pages:
        expect(page.get_by_role("button", name=RELEASE)).to_be_visible()
    (account,) = [one for one in two_servers.place.open().accounts() if one.table_name == "rand_hie"]
    assert not account.charges()
    for page in pages:
        settled(page).get_by_role("button", name=RELEASE).click(click_count=2, delay=5)
        expect(page.get_by_role("heading", level=1)).to_contain_text("The answer")
    for page, server in zip(pages, two_servers.servers, strict=True):
        on_release_page(settled(page), server)
        expect(page.get_by_text("History: 2 answers released")).to_be_visible()
    left = account.remaining
    assert isinstance(left, Guarantee)
    account.charge("all that was left, on a third server", asking(left.epsilon))
    for page in pages:
        page.get_by_role("button", name=RELEASE).click()
        expect(settled(page).get_by_text("no row was read").first).to_be_visible()
    assert len(account.releases()) == 2
    for server in two_servers.servers:
        assert two_servers.place.cluster.password not in server.log()
    two_servers.place.open().verify()
