"""A phone in whose room nothing happens costs no run; once the room moves on, its page is drawn once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from playwright.sync_api import BrowserContext, Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks import workshop
from benchmarks.phones import Phone
from dpengine.workshop import people
from pages.room.live import EVERY
from pages.serving.layers.news import AT_LEAST_EVERY_SECONDS
from tests.servers.browsing import settled
from tests.servers.looping import finished
from tests.servers.server import Server

LOOKS = 6
assert LOOKS * EVERY < AT_LEAST_EVERY_SECONDS


def test_nothing_is_run_while_nothing_happens_and_then_one_page(emptied_server: Server) -> None:
    before, after = finished(waited_and_moved_on(emptied_server))
    assert before.count("page") == 0
    assert before.count("part") <= 1, "One may be due however little happens."
    assert (after.count("page"), after.count("part")) == (1, 0)


def test_a_page_whose_way_silently_loses_everything_says_so(
    emptied_server: Server, open_context: Callable[..., BrowserContext]
) -> None:
    """The connection stands for most of a minute, and what is pressed meanwhile would be charged later."""
    page = open_context().new_page()
    page.goto(emptied_server.address("room"))
    expect(settled(page).get_by_text("Not connected at the moment.")).to_have_count(0)
    page.route("**/_stcore/health", lambda _: None)
    expect(page.get_by_text("Not connected at the moment.")).to_be_visible(timeout=30_000)
    assert page.locator("#root").get_attribute("inert") is not None
    page.unroute("**/_stcore/health")
    expect(page.get_by_text("Not connected at the moment.")).to_have_count(0, timeout=30_000)


def test_a_phone_without_a_network_says_so_within_three_seconds(
    emptied_server: Server, open_context: Callable[..., BrowserContext]
) -> None:
    """The control: a laptop that has no network, and is its own server."""
    context = open_context()
    page = context.new_page()
    page.goto(emptied_server.address("room"))
    settled(page)
    page.evaluate("() => Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })")
    with page.expect_response("**/_stcore/health"):
        pass
    expect(page.get_by_text("Not connected at the moment.")).to_have_count(0)
    context.set_offline(True)
    expect(page.get_by_text("Not connected at the moment.")).to_be_visible(timeout=3000)
    assert page.locator("#root").get_attribute("inert") is not None, "What is pressed now is not sent later, either."
    context.set_offline(False)
    expect(page.get_by_text("Not connected at the moment.")).to_have_count(0)
    page.get_by_label("Code").fill("WRNG-2345")
    page.get_by_label("A name for you here").fill("Heron")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("check it letter by letter")).to_be_visible()


def test_a_browser_draws_a_room_that_has_moved_on_once(emptied_server: Server, browser_page: Page) -> None:
    """And is as quiet as before, whatever its own timers do."""
    rooms, room = workshop.opened(emptied_server, workshop.SMALLEST)
    _, key = people.join(rooms, room, "heron")
    heard, looks = list[tuple[float, bytes]](), list[bytes | str]()

    def take(said: bytes | str) -> None:
        assert isinstance(said, bytes)
        heard.append((0.0, said))

    def look(said: bytes | str) -> None:
        looks.append(said)

    def listen(way: WebSocket) -> None:
        way.on("framereceived", take)
        way.on("framesent", look)

    browser_page.on("websocket", listen)
    browser_page.goto(emptied_server.address(f"room?me={key}"))
    settled(browser_page)
    heard.clear()
    following = room.after()
    assert following is not None
    rooms.go(room, following)
    expect(browser_page.get_by_role("heading", name="Ask the table")).to_be_visible()
    looked = len(looks)
    while len(looks) < looked + LOOKS:
        browser_page.wait_for_timeout(100 * EVERY)
    assert runs(heard).count("page") == 1
    assert runs(heard).count("part") <= 1


async def waited_and_moved_on(server: Server) -> tuple[list[str], list[str]]:
    """What was run for a phone while it looked so often, and while the host went on."""
    hall, _ = await workshop.hall(server, workshop.SMALLEST)
    one = hall.phones[0]
    one.forget()
    looked = one.looked
    async with asyncio.timeout(60):
        while one.looked < looked + LOOKS:
            one.news.clear()
            await one.news.wait()
    before = runs(one.heard)
    one.forget()
    hall.step_on()
    await one.until(workshop.NEXT_STEP)
    await hang_up(hall.phones)
    return before, runs(one.heard)


async def hang_up(phones: Sequence[Phone]) -> None:
    """All of them."""
    for one in phones:
        await one.connection.close()


def runs(heard: Sequence[tuple[float, bytes]]) -> list[str]:
    """Of each run whether it was of the whole page or of a part of it."""
    told = [ForwardMsg.FromString(message) for _, message in heard]
    begun = [one for one in told if one.WhichOneof("type") == "new_session"]
    return ["part" if one.metadata.run.fragment_ids else "page" for one in begun]
