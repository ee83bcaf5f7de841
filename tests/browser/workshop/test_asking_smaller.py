"""What if we had asked smaller: a thumb votes, the wall counts it at once, and then draws how many fit."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from dpengine.workshop import SMALLER, people, sayings
from pages.session.first_plan import first_plan
from tests.browser import beside
from tests.servers.browsing import PHONE, settled, sideways_scroll
from tests.servers.server import Server


def test_a_vote_is_counted_on_the_wall_and_then_the_rules_part(
    emptied_server: Server, open_context: Callable[..., BrowserContext]
) -> None:
    rooms, room = beside.opened(emptied_server, first_plan("rand_hie"), title="Smaller")
    whom, key = people.join(rooms, room, "Heron")
    beside.moved(rooms, SMALLER)
    wall = open_context().new_page()
    wall.goto(emptied_server.address(f"projector?screen={room.screen}"))
    expect(wall.get_by_text("0 of 1 have voted")).to_be_visible()
    phone = open_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    phone.goto(emptied_server.address(f"room?me={key}"))
    settled(phone).get_by_role("button", name="about 300").tap()
    expect(phone.get_by_role("button", name="✓ about 300, ten times as many")).to_be_visible()
    expect(wall.get_by_text("1 of 1 has voted")).to_be_visible()
    assert [one.value for one in sayings.said_by(rooms, whom, "vote")] == [1.0]
    assert sideways_scroll(phone) <= 0
    beside.moved(rooms, SMALLER, phase=1)
    for page in (phone, wall):
        expect(page.get_by_text("Questions that fit: naive 300, advanced 3,064")).to_be_visible()
    expect(phone.get_by_text("You said: about 300, ten times as many.")).to_be_visible()
    expect(wall.get_by_text("advanced: 3,064")).to_be_visible()
