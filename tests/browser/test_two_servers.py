"""Two servers on one ledger in PostgreSQL: one budget, one charge an intent, and a refusal on either."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.privacy import Guarantee
from tests.browsing import RELEASE, settled
from tests.databases import Databases
from tests.ledger_places import ServerPlace
from tests.ledgers import asking
from tests.server import LEDGER_VARIABLE, Server


@pytest.fixture
def place(databases: Databases, tmp_path: Path) -> ServerPlace:
    return ServerPlace(cluster=databases.cluster, folder=tmp_path).emptied()


def on_release_page(page: Page, server: Server) -> Page:
    page.goto(server.address("release"))
    return settled(page)


def test_they_share_one_budget(
    place: ServerPlace, tmp_path_factory: pytest.TempPathFactory, open_context: Callable[..., BrowserContext]
) -> None:
    shared = {LEDGER_VARIABLE: place.url}
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    with Server(folders[0], environment=shared) as first, Server(folders[1], environment=shared) as second:
        pages = [open_context().new_page() for _ in range(2)]
        on_release_page(pages[0], first).get_by_role("button", name="Open the account").click()
        expect(pages[0].get_by_role("button", name=RELEASE)).to_be_visible()
        on_release_page(pages[1], second)
        for page in pages:
            settled(page).get_by_role("button", name=RELEASE).click(click_count=2, delay=5)
            expect(page.get_by_role("heading", level=1)).to_contain_text("The answer")
        for page, server in zip(pages, (first, second), strict=True):
            on_release_page(settled(page), server)
            expect(page.get_by_text("History: 2 answers released")).to_be_visible()
        (account,) = place.open().accounts()
        left = account.remaining
        assert isinstance(left, Guarantee)
        account.charge("all that was left, on a third server", asking(left.epsilon))
        for page in pages:
            page.get_by_role("button", name=RELEASE).click()
            expect(settled(page).get_by_text("no row was read").first).to_be_visible()
        assert len(account.releases()) == 2
        for folder in folders:
            assert place.cluster.password not in (folder / "server.log").read_text()
        place.open().verify()
