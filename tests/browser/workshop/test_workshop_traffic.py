"""What reaches a phone and the wall in a room about real people: nothing of the rows, and no other's name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from pages.ui.first_plan import first_plan
from pages.ui.workshop.state import FRESH
from tests.browser import beside
from tests.browser.test_canaries import bring, use
from tests.browser.test_canaries import seen as received
from tests.browser.two_servers import TwoServers
from tests.browser.workshop_stage import OTHERS_HOST, Host, ask, guess, join, phone, press, projector
from tests.examples import planted
from tests.servers.browsing import PHONE, PROJECTOR, followed, looked, settled
from tests.servers.server import Server
from tests.servers.wire import Wire

OpenContext = Callable[..., BrowserContext]
OTHER_NAME = "Kestrelwind"


@pytest.mark.timeout(400)
def test_phones_and_the_wall_receive_nothing_that_only_rows_can_tell(
    emptied_server: Server, open_context: OpenContext
) -> None:
    host = Host(page=open_context().new_page(), server=emptied_server)
    bring(host.page, emptied_server)
    use(host.page)
    followed(host.page, "Host a room")
    room = host.open_room()
    wires = [Wire(), Wire()]
    pages = []
    for wire, viewport in zip(wires, (PHONE, PROJECTOR), strict=True):
        context = open_context(viewport=viewport)
        wire.listen(context)
        pages.append(context.new_page())
    mine, wall = pages
    other = phone(open_context, emptied_server)
    join(other, room.code, OTHER_NAME)
    mine.goto(f"http://{OTHERS_HOST}:{emptied_server.port}/room?code={room.code}")
    settled(mine)
    join(mine, room.code, "Wren")
    expect(mine.get_by_role("heading", name="You are in")).to_be_visible()
    wall.goto(f"http://{OTHERS_HOST}:{emptied_server.port}/projector?screen={room.screen}")
    rooms = host.rooms()
    beside.moved(rooms, "guess")
    guess(mine, 1)
    beside.moved(rooms, "choose")
    press(mine, "room_choose")
    beside.moved(rooms, "spend")
    for number in range(0, len(room.setting.plan.queries), 3):
        settled(mine).get_by_role("radio").nth(number).check(force=True)
        ask(mine)
        wires[0].take_page(settled(mine))
        wires[1].take_page(settled(wall))
    for step, phases in (("attack", 4), ("check", 2)):
        for phase in range(phases):
            beside.moved(rooms, step, phase)
            looked(*pages, fresh=FRESH)
            for wire, page in zip(wires, pages, strict=True):
                wire.take_page(settled(page))
    wanted = planted.cells() | planted.exact() | {"another's name": OTHER_NAME}
    for wire in wires:
        assert received(wire.found(), wanted) == {}
    assert received(wires[0].found(), {"own name": "Wren"}).keys() == {"own name"}


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
