"""What the hand did last counts, however slowly the server's answers arrive: a later press undoes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from playwright.sync_api import Page, WebSocketRoute
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.servers.browsing import settled
from tests.servers.server import Server


class SlowLine:
    """A line to the server on which its answers wait while they are held back; what the browser says goes through."""

    def __init__(self, page: Page) -> None:
        self.page, self.held_back = page, False
        self._waiting, self._ended_runs = list[str | bytes](), 0
        page.route_web_socket("**/_stcore/stream", self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        self._browser, server = browser, browser.connect_to_server()
        server.on_message(self._answered)

    def _answered(self, message: str | bytes) -> None:
        self._ended_runs += ends_a_run(message)
        if self.held_back:
            self._waiting.append(message)
        else:
            self._browser.send(message)

    def answered(self, action: Callable[[], object]) -> None:
        """Do something, and wait until a whole run of the page has answered it, whether or not the page knows."""
        known = self._ended_runs
        action()
        for _ in range(600):
            if self._ended_runs > known:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("The server has not answered.")

    def let_through(self) -> None:
        """Everything that waited, in its order."""
        while self._waiting:
            self._browser.send(self._waiting.pop(0))
        self.held_back = False


def ends_a_run(message: str | bytes) -> bool:
    assert isinstance(message, bytes)
    return ForwardMsg.FromString(message).WhichOneof("type") == "script_finished"


def turn_the_dial(page: Page) -> None:
    page.locator('[data-part="range"]').press("PageUp")


def type_into_the_dial(page: Page) -> None:
    box = page.locator('[data-part="box"]')
    box.fill("0.77")
    box.press("Enter")


def type_a_confidence(page: Page) -> None:
    box = page.get_by_role("spinbutton", name="Answers inside the band, %")
    box.fill("80")
    box.press("Enter")


def slide_a_share(page: Page) -> None:
    page.get_by_role("slider", name="epsilon").first.press("ArrowRight")


def type_a_share(page: Page) -> None:
    box = page.get_by_label("ε", exact=True).first
    box.fill("0.77")
    box.press("Enter")


def standing(page: Page) -> set[tuple[str, str]]:
    """Where everything stands that a hand can move: what it is called, and what it holds."""
    read = "all => all.map(one => [one.ariaLabel, one.value ?? one.ariaValueText])"
    return {(str(name), str(held)) for name, held in page.locator("input, [role=slider]").evaluate_all(read)}


CHANGES: Mapping[str, tuple[Callable[[Page], None], ...]] = {
    "tradeoff": (turn_the_dial, type_into_the_dial, type_a_confidence),
    "budget": (slide_a_share, type_a_share),
}


def test_what_the_hand_did_last_counts(server: Server, altered_page: Page) -> None:
    """Each time, another press follows before the page has heard anything."""
    line = SlowLine(altered_page)
    for address, changes in CHANGES.items():
        altered_page.goto(server.address(address))
        page = settled(altered_page)
        for change in changes:
            before, line.held_back = standing(page), True
            line.answered(partial(change, page))
            moved = standing(page) - before
            assert moved, change.__name__
            line.answered(page.get_by_text("Show exact values").click)
            line.let_through()
            assert moved <= standing(settled(page)), change.__name__
