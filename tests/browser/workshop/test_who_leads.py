"""A room on real rows is led by whoever has them: another curator's press moves nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from pages.serving import curator_token
from tests.browser.serving.test_sign_on import TYPED
from tests.browser.test_canaries import use
from tests.browser.workshop_stage import Host
from tests.examples import planted
from tests.servers.browsing import settled
from tests.servers.menus import followed
from tests.servers.server import SERVED, Server


def enter(page: Page) -> Page:
    door = settled(page).get_by_test_id("stMain")
    door.locator("input[type=password]").fill(TYPED)
    door.get_by_role("button", name="Enter as curator").click()
    expect(page.get_by_role("button", name="Leave, and forget my table")).to_be_visible()
    return settled(page)


def test_another_curator_leads_no_room_whose_rows_they_have_not(
    tmp_path: Path, open_context: Callable[..., BrowserContext]
) -> None:
    with Server(tmp_path, environment={**SERVED, curator_token.VARIABLE: TYPED}) as server:
        ada, eve = open_context().new_page(), open_context().new_page()
        ada.goto(f"{server.address('data')}?plan={planted.plan(1.0).to_link()}")
        file: Any = {"name": "harvest.csv", "mimeType": "text/csv", "buffer": planted.file()}
        enter(ada).locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(file)
        use(ada)
        followed(ada, "Host a room")
        host = Host(page=ada, server=server)
        room = host.open_room()
        eve.goto(server.address("host"))
        expect(enter(eve).get_by_text("Ten to fifty people with phones")).to_be_visible()
        eve.get_by_role("button", name="Other rooms (1)").click()
        eve.locator(f".st-key-host_room_{room.id} button").click()
        expect(settled(eve).get_by_role("heading", name="Somebody else leads this room")).to_be_visible()
        expect(eve.locator('[class*="st-key-host_next_"]')).to_have_count(0)
        assert host.room().version == room.version
        host.button("host_close").click()
        ada.get_by_role("button", name="Yes, close the room").click()
        expect(settled(ada).get_by_role("button", name="Open it again")).to_be_visible()
        eve.keyboard.press("r")
        expect(settled(eve).get_by_role("heading", name="Somebody else leads this room")).to_be_visible()
        expect(eve.get_by_role("button", name="Delete it now")).to_have_count(0)
        ada.get_by_role("button", name="Leave, and forget my table").click()
        expect(settled(ada).get_by_role("button", name="Enter as curator").first).to_be_visible()
        ada.goto(f"{server.address('host')}?room={room.id}")
        expect(enter(ada).get_by_role("heading", name="Somebody else leads this room")).to_be_visible()
