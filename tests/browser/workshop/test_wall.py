"""What a room looks at: everything of a step stands above the way in, on a small projector and on a large one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.data import load_sample
from dpengine.promises.recorded import RECORDED
from dpengine.workshop import (
    CHECK,
    GUESS,
    JUDGE,
    SPEND,
    STEPS,
    Participant,
    Room,
    Rooms,
    asking,
    guessing,
    judging,
    people,
    sayings,
)
from dpengine.workshop.checks import QUESTIONS
from pages.room.state import FRESH
from pages.session.first_plan import first_plan
from tests.browser import beside
from tests.servers.browsing import LAPTOP, looked, settled
from tests.servers.server import Server

OpenContext = Callable[..., BrowserContext]
PEOPLE = 24
PROMISE = RECORDED["Google vaccine searches"].promise
LARGE = (2560, 1440)
LOWEST = """() => {
  const foot = document.querySelector(".st-key-projector_foot");
  const parts = [...document.querySelectorAll(".st-key-projector :is(h1, h2, p, .js-plotly-plot)")];
  const ends = parts.filter(part => !foot?.contains(part)).map(part => part.getBoundingClientRect().bottom);
  return Math.max(...ends) - (foot ? foot.getBoundingClientRect().top : window.innerHeight);
}"""
"""By how many pixels the lowest word or picture reaches into the way in."""


@pytest.fixture
def rooms(emptied_server: Server) -> Rooms:
    """Of the running server, the latest of them opened for this test."""
    plan = first_plan("anes_1996")
    setting = {"title": "What a wall holds", "cap": plan.budget.epsilon / 2, "promise": PROMISE}
    return beside.opened(emptied_server, plan, **setting, steps=(*STEPS, JUDGE))[0]


def moves(rooms: Rooms, everybody: list[Participant]) -> Iterator[Room]:
    """The room in every phase of every step, after everybody has done what it asks for."""
    while (following := rooms.all()[0].after()) is not None:
        now = rooms.go(rooms.all()[0], following)
        for place, whom in enumerate(everybody):
            say(rooms, now, whom, place)
        yield now
        if now.step == SPEND:
            ask(rooms, now, everybody)
            yield now


def say(rooms: Rooms, now: Room, whom: Participant, place: int) -> None:
    """What one person says in this phase, if anything."""
    if now.round is not None:
        sayings.say(rooms, whom, "choice", number=now.round, value=0.02 * 1.3**place)
    if now.step == GUESS:
        sayings.say(rooms, whom, "guess", number=now.phase * guessing.MOST_GUESSES, value=1.0)
    if now.step == CHECK and now.phase == 0:
        for number, question in enumerate(QUESTIONS):
            sayings.say(rooms, whom, "check", number=number, value=place % len(question.choices))
    if now.step == JUDGE and now.phase == 0:
        for number, judged in enumerate(judging.judged(PROMISE).questions):
            value = judged.choices[place % len(judged.choices)].value
            sayings.say(rooms, whom, "judgment", number=number, value=value)


def ask(rooms: Rooms, now: Room, everybody: list[Participant]) -> None:
    """Everybody asks twice, until the budget is gone and longer."""
    table, _ = load_sample("anes_1996")
    asked = [asking.ask(rooms, one, now.planned(0), table, number=number) for number in (0, 1) for one in everybody]
    assert "refused" in {one.state for one in asked}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("size", [LAPTOP, pytest.param(LARGE, marks=pytest.mark.slow)])
def test_every_step_stands_above_the_way_in(
    rooms: Rooms, server: Server, open_context: OpenContext, size: tuple[int, int]
) -> None:
    room = rooms.all()[0]
    wall = opened(open_context, size, server.address(f"projector?screen={room.screen}"))
    everybody = [people.join(rooms, room, f"bird {number}")[0] for number in range(PEOPLE)]
    seen = set()
    for now in moves(rooms, everybody):
        looked(wall, fresh=FRESH)
        expect(wall.get_by_text(f"{PEOPLE} in", exact=False).last).to_be_visible()
        reach = settled(wall).evaluate(LOWEST)
        assert reach <= 0, (now.step, now.phase, reach)
        if (now.step, now.phase) == (CHECK, 1):
            answers = sum(len(question.choices) for question in QUESTIONS)
            expect(wall.locator(".ytick")).to_have_count(answers)  # where rows are low, names are left out
        seen.add((now.step, wall.locator("h1").first.inner_text()))
    assert len(seen) >= 14
    wall.add_style_tag(content=".st-key-projector h1 { margin-top: 80vh; }")
    assert wall.evaluate(LOWEST) > 0


def opened(open_context: OpenContext, size: tuple[int, int], address: str) -> Page:
    """A projector's window of this size."""
    page = open_context(viewport=size).new_page()
    page.goto(address)
    return settled(page)
