"""Two servers on one ledger in PostgreSQL: one room, and one budget that burns for everybody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from pages.session.first_plan import first_plan
from tests.browser.two_servers import TwoServers
from tests.browser.workshop_stage import Host, ask, join, phone, projector
from tests.servers.browsing import settled
from tests.servers.menus import followed

OpenContext = Callable[..., BrowserContext]


@pytest.mark.slow
def test_two_servers_share_a_room(two_servers: TwoServers, open_context: OpenContext) -> None:
    place, (first, second) = two_servers.place, two_servers.servers
    host = Host(page=open_context().new_page(), server=first, place=place)
    host.page.goto(f"{first.address('data')}?plan={first_plan('patients').to_link()}")
    settled(host.page)
    followed(host.page, "Host a room")
    room = host.open_room()
    phones = [phone(open_context, server) for server in (first, second)]
    for page, name in zip(phones, ("Robin", "Wren"), strict=True):
        join(page, room.code, name)
        expect(page.get_by_role("heading", name="You are in")).to_be_visible()
    wall = projector(open_context, second, room)
    host.go_to("spend")
    for page in phones:
        ask(page)
    for page in phones:
        expect(page.get_by_text("2.8").first).to_be_visible()
    expect(wall.get_by_text("2.8").first).to_be_visible()
    assert len(place.open().account(room.account).releases()) == 2
    phones[0].goto(phones[0].url.replace(str(first.port), str(second.port)))
    expect(phones[0].get_by_text("Robin").first).to_be_visible()
    expect(phones[0].locator('[class*="st-key-card_ask_"]')).to_have_count(1)
    place.open().verify()
