"""Impatient thumbs on a phone: one intent is one charge, however often it is pressed, reloaded, or slept over."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from dpengine.data import Comparison, sample_schema
from dpengine.ledger import Account
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountPeopleQuery
from dpengine.scenario import Scenario
from dpengine.workshop import SPEND, people
from tests.browser import beside
from tests.browser.explore.test_impatience import GAPS
from tests.servers.browsing import PHONE, pressed_twice, settled
from tests.servers.server import Server

OpenContext = Callable[..., BrowserContext]
EACH = 0.1
THREE_CLICKS = "button => { button.click(); button.click(); button.click(); }"
PAID = "Paid: ε 0.1"
LET_GO = 30
"""Seconds after which a browser may have given its connection up: what was pressed then may never have arrived."""


def phone_of_a_room(server: Server) -> tuple[Account, str, str]:
    """The account of a room that spends, the address of somebody in it, and that of its door."""
    stays = CountPeopleQuery(where=Comparison("hospital_stays", ">", 0))
    plan = Scenario(
        table_name="rand_hie",
        schema=sample_schema("rand_hie"),
        neighbors=Neighbors.ADD_REMOVE,
        budget=Guarantee(epsilon=1.0),
        queries=(PlannedQuery(query=stays, guarantee=Guarantee(epsilon=EACH)),),
    )
    rooms, room = beside.opened(server, plan, title="A day on privacy", steps=(SPEND,))
    rooms.go(room, room.after() or room)
    inside, door = f"room?me={people.join(rooms, room, 'Blue Heron')[1]}", f"room?code={room.code}"
    return rooms.ledger.account(room.account), server.address(inside), server.address(door)


def test_three_clicks_and_a_reload_make_one_charge(emptied_server: Server, open_context: OpenContext) -> None:
    account, address, _ = phone_of_a_room(emptied_server)
    page = open_context(viewport=PHONE).new_page()
    page.goto(address)
    button = page.get_by_role("button", name="Ask: costs ε 0.1")
    expect(button).to_be_visible()
    button.evaluate(THREE_CLICKS)
    expect(page.get_by_text(PAID)).to_be_visible()
    answer = settled(page).locator("[class*=st-key-card_ask_] h2").inner_text()
    assert account.spent == Guarantee(epsilon=EACH)
    page.reload()
    expect(page.get_by_text(PAID)).to_be_visible()
    assert settled(page).locator("[class*=st-key-card_ask_] h2").inner_text() == answer
    assert account.spent == Guarantee(epsilon=EACH)
    expect(page.get_by_text("is left for everybody")).to_have_text("ε 0.9 is left for everybody")
    button.click()
    expect(page.get_by_text(PAID)).to_have_count(2)
    assert account.spent == Guarantee(epsilon=2 * EACH)


def test_a_double_tap_asks_once_and_none_at_the_door(emptied_server: Server, open_context: OpenContext) -> None:
    """Who joins with two taps has read no question by the second of them."""
    account, address, door = phone_of_a_room(emptied_server)
    page = open_context(viewport=PHONE).new_page()
    page.goto(address)
    button = page.get_by_role("button", name="Ask: costs ε 0.1")
    for number, gap in enumerate(GAPS, 1):
        while len(account.charges()) < number:
            pressed_twice(page, button, gap)
            settled(page)
        expect(page.get_by_text(PAID)).to_have_count(number)
        settled(page)
        assert len(account.charges()) == number
    latecomer = open_context(viewport=PHONE).new_page()
    latecomer.goto(door)
    latecomer.get_by_label("A name for you here").fill("Grey Owl")
    pressed_twice(latecomer, latecomer.get_by_role("button", name="Join", exact=True), GAPS[-1])
    expect(latecomer.get_by_role("button", name="Ask: costs ε 0.1")).to_be_visible()
    settled(latecomer)
    assert len(account.charges()) == len(GAPS)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("seconds", [0, pytest.param(200, marks=pytest.mark.slow)])
def test_a_laptop_that_slept_answers_once_what_was_pressed_meanwhile(
    emptied_server: Server, open_context: OpenContext, seconds: int
) -> None:
    """So long a sleep takes so long: a browser gives its connection up by its own clock."""
    account, address, _ = phone_of_a_room(emptied_server)
    page = open_context(viewport=PHONE).new_page()
    page.goto(address)
    button = page.get_by_role("button", name="Ask: costs ε 0.1")
    expect(button).to_be_visible()
    settled(page)
    os.kill(emptied_server.pid, signal.SIGSTOP)
    try:
        button.evaluate(THREE_CLICKS)
        page.wait_for_function("() => awaited.size > 0")
        page.wait_for_timeout(1000 * seconds)
    finally:
        os.kill(emptied_server.pid, signal.SIGCONT)
    if seconds < LET_GO:
        expect(page.get_by_text(PAID)).to_have_count(1, timeout=60_000)
    else:
        page.reload()
        expect(page.get_by_text("is left for everybody")).to_be_visible(timeout=60_000)
    answered = len(account.charges())
    assert answered in ((1,) if seconds < LET_GO else (0, 1))
    expect(page.get_by_text(PAID)).to_have_count(answered)
    settled(page)
    button.click()
    expect(page.get_by_text(PAID)).to_have_count(answered + 1)
    assert account.spent == Guarantee(epsilon=(answered + 1) * EACH)
