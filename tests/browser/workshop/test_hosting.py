"""One host, one wall, one phone: the wall shows nothing else, the counts follow, and who scans again is still in."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.accessibility import hard_to_read, violations
from tests.servers.browsing import LAPTOP, PHONE, PROJECTOR, RequestLog, settled, sideways_scroll
from tests.servers.server import Server

OpenContext = Callable[..., BrowserContext]
PRESSABLE = "button:visible, input:visible, a:visible:not([data-testid='stSkipToContent'])"
"""Streamlit's own way past the menu is one pixel large until a keyboard reaches it."""
THUMB = 48
"""Pixels that a button of a phone is high at the least."""


def opened(server: Server, context: BrowserContext) -> Page:
    """A host in the lobby of a new room."""
    host = context.new_page()
    host.goto(server.address("host"))
    settled(host)
    host.get_by_role("button", name="Open the room", exact=True).click()
    expect(host.get_by_role("heading", level=1)).to_have_text("Let people in")
    return settled(host)


def code(host: Page) -> str:
    return host.locator(".st-key-host_code").inner_text().strip()


def joined(server: Server, context: BrowserContext, code: str, name: str) -> Page:
    """A phone in the room."""
    phone = context.new_page()
    phone.goto(server.address(f"room?code={code}"))
    settled(phone)
    phone.get_by_role("textbox", name="A name for you here").fill(name)
    phone.get_by_role("button", name="Join", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("You are in")
    return settled(phone)


def wall(server: Server, context: BrowserContext, host: Page) -> Page:
    """The projector's own window."""
    screen = context.new_page()
    link = host.get_by_role("link", name="Open the projector view").get_attribute("href") or ""
    screen.goto(server.address(link.rpartition("/")[2]))
    return settled(screen)


def test_a_room_is_led_seen_joined_and_found_again(
    shared_server: Server, open_context: OpenContext, request_log: RequestLog
) -> None:
    host = opened(shared_server, open_context(viewport=LAPTOP))
    screen = wall(shared_server, open_context(viewport=PROJECTOR, color_scheme="dark"), host)
    expect(screen.get_by_text("Nobody is in yet.")).to_be_visible()
    expect(screen.get_by_test_id("stSidebar")).to_be_hidden()
    expect(screen.locator(PRESSABLE)).to_have_count(0)
    picture = screen.locator("img.qr").bounding_box()
    assert picture is not None
    assert picture["height"] > 0.6 * PROJECTOR[1]
    assert sideways_scroll(screen) == 0
    phone = joined(shared_server, open_context(viewport=PHONE), code(host), "[x](y) <b>")
    expect(screen.get_by_text("1 person is in.")).to_be_visible()
    expect(host.get_by_text("1 person is in.")).to_be_visible()
    expect(screen.get_by_text("[x](y)")).to_have_count(0)
    assert sideways_scroll(phone) == 0
    seen = {name: violations(page) + hard_to_read(page) for name, page in (("host", host), ("wall", screen))}
    assert seen | {"phone": violations(phone)} == {"host": [], "wall": [], "phone": []}
    scans_again(phone, shared_server.address(f"room?code={code(host)}"))
    assert "Traceback" not in shared_server.log()
    assert not request_log.foreign_hosts


def scans_again(phone: Page, door: str) -> None:
    """It goes on as it was, and whatever else it may remember is nobody's place."""
    phone.goto(door)
    back = phone.get_by_role("button", name="Go on as")
    expect(back).to_be_visible()
    for button in (back, phone.get_by_role("button", name="Join", exact=True)):
        place = button.bounding_box()
        assert place is not None
        assert place["height"] >= THUMB
    back.click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("You are in")
    planted = "<script>document.title = 'planted'</script>"
    phone.goto(door.replace("/room?", "/_stcore/health?"))  # of the same origin, and it keeps no place of its own
    phone.evaluate("text => localStorage.setItem('epsilon-explorer-place', text)", planted)
    phone.goto(door)
    settled(phone)
    expect(phone.get_by_role("button", name="Join", exact=True)).to_be_visible()
    expect(back).to_have_count(0)
