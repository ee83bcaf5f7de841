"""A phone in the first two steps of a room: one thumb, one guess for each round, one dial and what was kept of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.frames import EPSILONS
from dpengine.workshop import CHOOSE, GUESS, Participant, Rooms, people, sayings
from pages.session.first_plan import first_plan
from tests.browser import beside
from tests.browser.workshop_stage import read
from tests.servers.browsing import PHONE, settled, sideways_scroll
from tests.servers.server import Server

OpenContext = Callable[..., BrowserContext]
ROUNDS = 6
AGAIN = (
    "button => button.addEventListener('click', () => setTimeout(() => button.click()), {once: true})",
    """button => new MutationObserver((_, seen) => { seen.disconnect(); button.click(); })
        .observe(button.closest('.in-or-out'), {attributeFilter: ['data-round']})""",
)
"""The second half of a double tap."""


@pytest.fixture
def rooms(emptied_server: Server) -> Rooms:
    """Of the running server, the latest of them opened for this test."""
    return beside.opened(emptied_server, first_plan("anes_1996"), title="One thumb")[0]


@pytest.fixture
def whom_and_phone(rooms: Rooms, server: Server, open_context: OpenContext) -> tuple[Participant, Page]:
    """Somebody in the guessing game, on a phone."""
    whom, key = people.join(rooms, rooms.all()[0], "Heron")
    beside.moved(rooms, GUESS)
    page = open_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(server.address(f"room?me={key}"))
    expect(page.get_by_text("The noisy count is")).to_be_visible()
    return whom, settled(page)


def test_a_tap_is_one_guess_and_the_next_round_is_there(whom_and_phone: tuple[Participant, Page], rooms: Rooms) -> None:
    """Beside the looks at the room each second, and when the finger taps twice: at once, or after the new count."""
    whom, page = whom_and_phone
    for done in range(ROUNDS):
        expect(page.get_by_text(f"Round {done + 1}.")).to_be_visible()
        read(page)
        button = page.get_by_role("button", name=("In", "Out")[done % 2], exact=True)
        if done % 3:
            button.evaluate(AGAIN[done % 3 - 1])
        button.tap()
        expect(page.get_by_text(f"of {done + 1} rounds")).to_be_visible()
    said = sayings.said_by(rooms, whom, "guess")
    assert [one.number for one in said] == list(range(ROUNDS))
    assert [one.value > 0.0 for one in said] == [done % 2 == 0 for done in range(ROUNDS)]
    assert page.get_by_role("button", name="In", exact=True).count() == 1


def test_the_dial_turns_under_a_thumb_and_the_button_stays_in_sight(
    whom_and_phone: tuple[Participant, Page], rooms: Rooms
) -> None:
    whom, page = whom_and_phone
    beside.moved(rooms, CHOOSE)
    button = page.get_by_role("button", name="This is my choice")
    expect(button).to_be_in_viewport(ratio=1.0)
    settled(page)
    dial = page.locator('[data-part="range"]')
    box = dial.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 11 + (box["width"] - 22) * 82 / (len(EPSILONS) - 1), box["y"] + box["height"] / 2)
    dial.focus()
    page.keyboard.press("ArrowRight")
    epsilon = float(page.locator('[data-part="box"]').input_value())
    expect(page.get_by_role("button", name=f"This is my choice: ε {epsilon:g}", exact=True)).to_be_in_viewport(
        ratio=1.0
    )
    assert sideways_scroll(page) <= 0
    button.tap()
    expect(page.get_by_text(f"Kept: ε {epsilon:g}.")).to_be_in_viewport(ratio=1.0)
    assert [one.value for one in sayings.said_by(rooms, whom, "choice")] == [epsilon]
    assert epsilon == pytest.approx(1.0, rel=0.2)
    beside.moved(rooms, CHOOSE, 1)
    expect(page.get_by_text("Look at the projector")).to_be_visible()
    expect(page.get_by_text(f"Your choice in round 1: ε {epsilon:g}")).to_be_visible()
