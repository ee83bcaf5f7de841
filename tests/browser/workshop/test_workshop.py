"""A workshop from the first code to the end: a host, a projector, two phones, a reload and a killed server.

Its table is planted: nothing of the rows and nobody else's name reaches a phone or the wall on the way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.queries import SumQuery
from dpengine.workshop import asking, burning
from pages.room.state import FRESH
from pages.widgets.escaping import code
from tests.browser.test_canaries import bring, use
from tests.browser.test_canaries import seen as received
from tests.browser.workshop_stage import Host, ask, guess, join, phone, press, projector
from tests.examples import planted
from tests.servers.browsing import RequestLog, looked, settled
from tests.servers.menus import followed
from tests.servers.server import SHARED, Server
from tests.servers.wire import Wire

OpenContext = Callable[..., BrowserContext]
ANSWER = "[class*=st-key-card_ask_] h2"
A_SUM = next(place for place, one in enumerate(planted.plan().queries) if isinstance(one.query, SumQuery))
NAMES = ("Blue Kestrelwind", "[x](javascript:alert(1))")


@dataclass(kw_only=True)
class Hall:
    """Everybody who is there; `wires` holds what reached the wall, and then each phone."""

    host: Host
    open_context: OpenContext
    wires: list[Wire] = field(default_factory=list)
    wall: Page = field(init=False)
    phones: list[Page] = field(init=False)

    def heard(self, **options: Any) -> BrowserContext:
        """One more browser, of which all is kept that it receives."""
        context, wire = self.open_context(**options), Wire()
        wire.listen(context)
        self.wires.append(wire)
        return context

    def bring(self) -> None:
        """The host brings the table, and goes back to the room, if there is one."""
        bring(self.host.page, self.host.server, budget=2.0)
        use(self.host.page)
        followed(self.host.page, "Host a room")

    def ask(self) -> None:
        """Each for the sum, whose noise at the room's epsilon is about never 0, as that of a count may be."""
        for page in self.phones:
            settled(page).get_by_role("radio").nth(A_SUM).check(force=True)
            ask(page)

    def take(self) -> None:
        """Keep what the wall and the phones show now."""
        pages = [self.wall, *self.phones]
        looked(*pages, fresh=FRESH)
        for wire, page in zip(self.wires, pages, strict=False):
            wire.take_page(settled(page))

    def let_in(self) -> None:
        """A wrong code, a name that is taken, and two people, in a room about planted rows."""
        self.bring()
        server, room = self.host.server, self.host.open_room()
        self.wall = projector(self.heard, server, room)
        expect(self.wall.get_by_text(room.spaced_code).first).to_be_visible()
        self.phones = [phone(self.heard, server) for _ in NAMES]
        first, second = self.phones
        join(first, "WRNG-2345", NAMES[0])
        expect(first.get_by_text("check it letter by letter")).to_be_visible()
        join(first, room.spaced_code.lower(), NAMES[0])
        expect(first.get_by_role("heading", name="You are in")).to_be_visible()
        join(second, room.code, NAMES[0].lower())
        expect(second.get_by_text("has this name already")).to_be_visible()
        join(second, room.code, NAMES[1])
        expect(second.get_by_role("heading", name="You are in")).to_be_visible()
        expect(self.wall.get_by_text(re.compile(r"\b2 people"))).to_be_visible()

    def guess(self) -> None:
        """Two rounds each, and one of them reloads."""
        self.host.go_to("guess")
        for page in self.phones:
            for number in range(2):
                guess(page, number + 1)
        expect(self.wall.get_by_text(re.compile("4 guesses by 2 people"))).to_be_visible()
        self.phones[0].reload()
        expect(self.phones[0].get_by_text("Round 3")).to_be_visible()

    def choose(self) -> None:
        """Each a dial of their own, unseen until the host shows it."""
        self.host.go_to("choose")
        for page, epsilon in zip(self.phones, ("0.25", "1"), strict=True):
            box = settled(page).locator(".live-dial.ready [data-part='box'], .live-dial.ready .box").first
            box.fill(epsilon)
            box.press("Enter")
            expect(page.get_by_role("button", name=f"This is my choice: ε {epsilon}", exact=True)).to_be_visible()
            press(page, "room_choose")
        expect(self.wall.get_by_text(re.compile("2 of 2|All 2|Both"))).to_be_visible()
        assert "0.25" not in self.wall.inner_text("body")
        self.host.go_to("choose", 1)
        expect(self.wall.get_by_role("heading", level=1).first).to_contain_text("0.5")

    def spend(self) -> None:
        """Each asks once, at the room's epsilon."""
        self.host.go_to("choose", 3)
        press(self.host.page, "choose_take")
        self.host.wait_for(lambda now: now.epsilon == 0.5)
        self.host.go_to("spend")
        self.ask()
        expect(self.wall.get_by_role("heading", level=1).first).to_contain_text("after 2 answers")

    def come_back(self) -> None:
        """The server is killed; everybody finds everything where it was, and each the answer that was paid for.

        Only the rows are gone, which no server keeps: the host brings them again, and until then nobody is charged.
        """
        answers = [page.locator(ANSWER).inner_text() for page in self.phones]
        title = self.wall.get_by_role("heading", level=1).first.inner_text()
        self.host.server.restart(kill=True)
        for page in (*self.phones, self.wall, self.host.page):
            page.reload()
            settled(page)
        expect(self.wall.get_by_role("heading", level=1).first).to_have_text(title)
        for page, name, answer in zip(self.phones, NAMES, answers, strict=True):
            expect(page.get_by_test_id("stMarkdown").filter(has_text="You are").first).to_contain_text(name)
            expect(page.locator(ANSWER)).to_have_text(answer)
        press(self.phones[0], "room_ask_")
        expect(self.phones[0].get_by_text("does not have the table of this room right now")).to_be_visible()
        self.bring()

    def spend_all(self) -> None:
        """The budget of 2 holds four questions; the fifth is refused, and then every phone says so by itself."""
        self.ask()
        first, second = self.phones
        settled(first).get_by_role("radio").nth(A_SUM).check(force=True)
        ask(first)
        expect(first.get_by_text("Refused, for everybody.").first).to_be_visible()
        expect(second.get_by_text("Nothing more can be asked")).to_be_visible()
        rooms, room = self.host.rooms(), self.host.room()
        account = rooms.ledger.account(room.account)
        burnt = burning(account, asking.asks(rooms, room), account.charges(), schema=account.schema)
        assert [one.refused for one in burnt.questions] == [False] * 4 + [True]
        rooms.ledger.verify()
        expect(self.wall.get_by_text("stays refused").first).to_be_visible()

    def end(self) -> None:
        """The attack's acts, the check, and what nobody sees on the wall."""
        for phase in range(4):
            self.host.go_to("attack", phase)
            self.take()
        self.host.go_to("check")
        for page in self.phones:
            settled(page).get_by_role("radio").first.check(force=True)
            press(page, "check_send_0")
            expect(page.get_by_text("Sent").first).to_be_visible()
        self.host.go_to("check", 1)
        self.take()
        for name in NAMES:
            assert name not in self.wall.inner_text("body")
        assert not self.wall.get_by_role("button").count()

    def see_no_row(self) -> None:
        """Neither a value of the rows nor another's name has come to any of them; everybody's own name has."""
        names = dict(zip(NAMES, NAMES, strict=True))
        written = {name: code(name).strip("`") for name in NAMES}
        for wire, own in zip(self.wires[: len(NAMES) + 1], ("", *NAMES), strict=True):
            found = wire.found()
            assert received(found, planted.cells() | planted.exact()) == {}
            assert received(found, names).keys() | received(found, written).keys() == {own} - {""}


@pytest.fixture
def shared_hall(tmp_path: Path) -> Iterator[Server]:
    """A dashboard to which others come through the network's door."""
    with Server(tmp_path, words=SHARED) as running:
        yield running


@pytest.mark.timeout(400)
def test_all_five_steps_with_a_reload_and_a_killed_server(
    shared_hall: Server, open_context: OpenContext, request_log: RequestLog
) -> None:
    hall = Hall(host=Host(page=open_context().new_page(), server=shared_hall), open_context=open_context)
    hall.let_in()
    hall.guess()
    hall.choose()
    hall.spend()
    hall.come_back()
    hall.spend_all()
    hall.end()
    hall.see_no_row()
    assert not request_log.hosts - {"127.0.0.1", "localhost"}
