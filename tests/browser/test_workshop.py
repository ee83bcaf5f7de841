"""A workshop from the first code to the record: a host, a projector, three phones, a reload and a killed server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.ledger import Ledger
from dpengine.workshop import asking, burning, codes
from tests.browsing import RequestLog, settled
from tests.server import Server
from tests.workshop_stage import OTHERS_HOST, Host, ask, join, phone, press, projector

OpenContext = Callable[..., BrowserContext]
NAMES = ("Blue Heron", "Wren", "[x](javascript:alert(1))")


def guesses(page: Page, count: int) -> None:
    """Some rounds of guessing."""
    for number in range(count):
        settled(page).get_by_role("button", name="In", exact=True).click()
        expect(page.get_by_text(re.compile(rf"You were right \d+ of {number + 1} "))).to_be_visible()


def chooses(page: Page, epsilon: str) -> None:
    """Type an epsilon at the dial and keep it."""
    box = page.get_by_role("spinbutton").or_(page.locator(".live-dial input[type=text], .live-dial [data-part=box]")).first
    box.fill(epsilon)
    box.press("Enter")
    expect(page.get_by_role("button", name=f"This is my choice: ε {epsilon}", exact=True)).to_be_visible()
    press(page, "room_choose")


@pytest.fixture
def host(fresh_server: Server, open_context: OpenContext) -> Host:
    return Host(page=open_context().new_page(), server=fresh_server)


def test_all_five_steps_with_a_reload_and_a_killed_server(
    host: Host, fresh_server: Server, open_context: OpenContext, request_log: RequestLog, tmp_path: Path
) -> None:
    room = host.open_room()
    wall = projector(open_context, fresh_server, room)
    expect(wall.get_by_text(room.spaced_code).first).to_be_visible()
    phones = [phone(open_context, fresh_server) for _ in NAMES]
    join(phones[0], "WRONG234", NAMES[0])
    expect(phones[0].get_by_text("its code is wrong")).to_be_visible()
    for page, name in zip(phones, NAMES, strict=True):
        join(page, room.spaced_code.lower(), name)
        expect(page.get_by_role("heading", name="You are in")).to_be_visible()
    late = phone(open_context, fresh_server)
    join(late, room.code, "blue heron")
    expect(late.get_by_text("has this name already")).to_be_visible()
    expect(wall.get_by_text(re.compile(r"\b3 people"))).to_be_visible()

    host.go_to("guess")
    for page in phones:
        guesses(page, 3)
    expect(wall.get_by_text(re.compile(r"9 guesses by 3 people"))).to_be_visible()
    phones[0].reload()
    expect(phones[0].get_by_text("Round 4")).to_be_visible()

    host.go_to("choose")
    for page, epsilon in zip(phones, ("0.1", "0.5", "2"), strict=True):
        chooses(page, epsilon)
    expect(wall.get_by_text("3 of 3")).to_be_visible()
    assert "0.5" not in wall.inner_text("body")
    host.go_to("choose", 1)
    expect(wall.get_by_role("heading", level=1)).to_contain_text("0.5")

    fresh_server.restart(kill=True)
    for page in (*phones, wall, host.page):
        page.reload()
        settled(page)
    expect(wall.get_by_role("heading", level=1)).to_contain_text("0.5")
    for page in phones:
        expect(page.get_by_role("heading", name="Look at the projector")).to_be_visible()
    host.go_to("choose", 3)
    press(host.page, "choose_take")
    host.wait_for(lambda now: now.epsilon is not None)

    host.go_to("spend")
    for _ in range(3):
        for page in phones:
            ask(page)
    expect(phones[2].get_by_text("Refused, for everybody.").first).to_be_visible()
    ledger = Ledger.open(f"sqlite:///{fresh_server.ledger_path}", marker=fresh_server.marker_path)
    account = ledger.account(room.account)
    burnt = burning(account, asking.asks(host_rooms(host), host.room()), account.charges())
    assert burnt.refusal is not None
    expect(wall.get_by_text("stays refused").first).to_be_visible()
    ledger.verify()

    host.go_to("attack")
    expect(wall.get_by_role("heading", level=1)).to_be_visible()
    host.go_to("check")
    for page in phones:
        settled(page).get_by_role("radio").first.check(force=True)
        press(page, "check_send_")
    expect(wall.get_by_text(re.compile(r"\b3\b")).first).to_be_visible()
    host.go_to("check", 1)
    for page in phones:
        expect(page.get_by_text("1.").first).to_be_visible()
    assert not request_log.hosts - {"127.0.0.1", "localhost", OTHERS_HOST}
    for name in NAMES:
        assert name not in wall.inner_text("body")
    assert not wall.get_by_role("button").count()
    assert codes.typed(room.spaced_code) == room.code


def host_rooms(host: Host) -> object:
    from dpengine.workshop import Rooms

    return Rooms.of(Ledger.open(f"sqlite:///{host.server.ledger_path}", marker=host.server.marker_path))
