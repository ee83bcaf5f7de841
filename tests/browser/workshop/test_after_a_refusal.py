"""The first refusal in a room: a dark wall with one sentence, phones that vibrate once, and buttons that are off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from playwright.sync_api import BrowserContext, Page, expect

from dpengine.privacy import Guarantee
from dpengine.workshop import SPEND, people
from pages.room.spending_words import NOTHING_LEFT, NOTHING_MORE
from pages.session.first_plan import first_plan
from tests.browser import beside
from tests.browser.workshop_stage import press
from tests.servers.browsing import PHONE, settled
from tests.servers.server import Server

FELT = "window.felt = 0; navigator.vibrate = () => { window.felt += 1; return true; };"
DARK = "element => getComputedStyle(document.querySelector('.stApp')).backgroundColor"


def test_everybody_feels_it_once_and_nobody_need_press_again(
    emptied_server: Server, open_context: Callable[..., BrowserContext]
) -> None:
    plan = replace(first_plan("rand_hie"), budget=Guarantee(epsilon=0.1), queries=first_plan("rand_hie").queries[:1])
    rooms, room = beside.opened(emptied_server, plan, title="Refused")
    keys = [people.join(rooms, room, name)[1] for name in ("Heron", "Wren")]
    beside.moved(rooms, SPEND)
    wall = open_context(color_scheme="light").new_page()
    wall.goto(emptied_server.address(f"projector?screen={room.screen}"))
    expect(wall.get_by_text("nobody has asked yet")).to_be_visible()
    light = wall.locator("body").evaluate(DARK)
    first, second = (phone(open_context, emptied_server, key) for key in keys)
    press(first, "room_ask_")
    expect(first.get_by_text("Paid: ε 0.1")).to_be_visible()
    expect(wall.get_by_text("after 1 answer")).to_be_visible()
    press(second, "room_ask_")
    expect(second.get_by_text("Refused, for everybody.")).to_be_visible()
    for page in (first, second):
        expect(page.get_by_text(NOTHING_MORE)).to_be_visible()
        expect(page.get_by_role("button", name=NOTHING_LEFT)).to_be_disabled()
        page.wait_for_function("() => window.felt === 1")
    expect(wall.get_by_role("heading", name="Refused, for ever")).to_be_visible()
    expect(wall.get_by_text("no waiting brings budget back")).to_be_visible()
    assert wall.locator(".js-plotly-plot").count() == 0
    assert wall.locator("body").evaluate(DARK) != light
    settled(first)
    assert first.evaluate("window.felt") == 1, "Looks at the room each second do not repeat it."


def phone(open_context: Callable[..., BrowserContext], server: Server, key: str) -> Page:
    """Of somebody in the room, which says how often it vibrated."""
    page = open_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.add_init_script(FELT)
    page.goto(server.address(f"room?me={key}"))
    expect(page.get_by_role("button", name="Ask: costs ε 0.1")).to_be_visible()
    return page
