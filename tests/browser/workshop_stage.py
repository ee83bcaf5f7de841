"""A workshop in real browsers: the host, phones of others, a projector, and what each does by its own hands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import BrowserContext, Locator, Page, expect

from dpengine.workshop import Room, Rooms
from tests.servers.browsing import PHONE, PROJECTOR, settled
from tests.servers.ledger_places import FilePlace, Place
from tests.servers.server import Server

UNREAD_MILLISECONDS = 350
"""As pages/room/in_or_out.js has it."""
OpenContext = Callable[..., BrowserContext]


@dataclass(kw_only=True)
class Host:
    """The facilitator's page on the machine that serves; `place` is the ledger's where it is not the server's own."""

    page: Page
    server: Server
    place: Place | None = None

    def open_room(self) -> Room:
        """Open a room as the form stands, about the table that is in use; a real budget is for people one knows."""
        if not self.page.url.startswith(self.server.address("host")):
            self.page.goto(self.server.address("host"))
        expect(settled(self.page).get_by_text("Ten to fifty people with phones")).to_be_visible()
        trusted = self.page.locator('[class*="st-key-host_trusted_"] label')
        if trusted.count():
            trusted.first.click()
        settled(self.page).get_by_role("button", name="Open the room").click()
        expect(self.button("host_next")).to_be_visible()
        return self.room()

    def rooms(self) -> Rooms:
        """All rooms, read past the screens."""
        return Rooms.of((self.place or FilePlace(folder=self.server.folder)).open())

    def room(self) -> Room:
        """The newest one."""
        return self.rooms().all()[0]

    def button(self, key: str) -> Locator:
        """A button by the beginning of its key."""
        return self.page.locator(f'[class*="st-key-{key}"] button').first

    def go_to(self, step: str, phase: int = 0) -> None:
        """Press next until the room is there, by the button of the room as it stands: an older one moves nothing."""
        for _ in range(20):
            before = self.room()
            if (before.step, before.phase) == (step, phase):
                return
            button = self.button(f"host_next_{before.id}_{before.version}")
            expect(button).to_be_enabled()
            button.click()
            self.wait_for(lambda now: now.version > before.version)  # noqa: B023  (called before the next turn)
        raise AssertionError(f"The room never came to {step} {phase}.")

    def wait_for(self, arrived: Callable[[Room], bool]) -> None:
        """Wait until the room is so."""
        for _ in range(300):
            if arrived(self.room()):
                settled(self.page)
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("The room did not change.")


def phone(open_context: OpenContext, server: Server) -> Page:
    """An empty page on somebody's phone."""
    page = open_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(server.for_others("room"))
    return settled(page)


def join(page: Page, code: str, name: str) -> None:
    """Type the code and a name."""
    page.get_by_role("textbox", name="Code").fill(code)
    page.get_by_role("textbox", name="A name for you here").fill(name)
    page.get_by_role("button", name="Join", exact=True).click()


def projector(open_context: OpenContext, server: Server, room: Room) -> Page:
    """The wall, by the address that the host's page opens, without the host's rights."""
    page = open_context(viewport=PROJECTOR).new_page()
    page.goto(server.for_others(f"projector?screen={room.screen}"))
    return settled(page)


def press(page: Page, key: str) -> None:
    """Press the newest button in sight whose key begins so: one that was replaced may stand hidden for a moment."""
    settled(page).locator(f'[class*="st-key-{key}"] button').locator("visible=true").last.click()


def read(page: Page) -> None:
    """Wait until a tap is heard: one is not so soon after a new count that nobody can have read it."""
    buttons = settled(page).locator(".in-or-out")
    expect(buttons).to_be_visible()
    page.wait_for_function(
        f"buttons => performance.now() - buttons.since > {UNREAD_MILLISECONDS}", arg=buttons.element_handle()
    )


def guess(page: Page, number: int) -> None:
    """Tap once more, as the `number`-th."""
    read(page)
    page.get_by_role("button", name="In", exact=True).click()
    expect(page.get_by_text(re.compile(rf"^\d+ of {number}$"))).to_be_visible()


def ask(page: Page) -> None:
    """Ask the question that is chosen, and wait until its end is told."""
    cards = page.locator('[class*="st-key-card_ask_"]')
    before = cards.count()
    press(page, "room_ask_")
    expect(cards).to_have_count(before + 1)
