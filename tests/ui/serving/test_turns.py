"""What is asked for waits for its turn, whoever has had least first; who leaves, or takes long, holds nobody up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import NewSession

from pages.ui.serving import runs, turns
from pages.ui.serving.crowds import NotTooMany
from pages.ui.serving.guard import MIDDLEWARE
from pages.ui.serving.runs import WorkedOutInTurn
from pages.ui.serving.turns import OpenedInTurn, Place, Turns
from tests.running.cases import each
from tests.servers.looping import finished

ASKED = BackMsg(rerun_script=ClientState()).SerializeToString()
BEATS = BackMsg(app_heartbeat=True).SerializeToString()
OF_A_PART = BackMsg(rerun_script=ClientState(fragment_id="x")).SerializeToString()
BEGUN = ForwardMsg(new_session=NewSession()).SerializeToString()
DRAWN = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@dataclass
class Dashboard:
    """What stands behind: it notes whose page it begins to draw, and ends when it is told to."""

    begun: list[str] = field(default_factory=list)
    ends: dict[str, asyncio.Event] = field(default_factory=dict)
    third: asyncio.Event = field(default_factory=asyncio.Event)
    begins: bool = True
    has_last_words: bool = False
    """Whether a run before says that it has ended, while this one is asked for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["name"]
        self.ends[name] = asyncio.Event()
        while (message := await receive())["type"] != "websocket.disconnect":
            if message.get("bytes") not in (ASKED, OF_A_PART):
                continue
            self.begun.append(name)
            if len(self.begun) == 3:
                self.third.set()
            if self.has_last_words:
                await send({"type": "websocket.send", "bytes": DRAWN})
            if self.begins:
                await send({"type": "websocket.send", "bytes": BEGUN})
            await self.ends[name].wait()
            await send({"type": "websocket.send", "bytes": DRAWN})


@dataclass
class Visitor:
    """A browser at an address, which says what it is told to say."""

    app: ASGIApp
    name: str
    address: str
    says: asyncio.Queue[Message] = field(default_factory=asyncio.Queue)
    heard: list[Message] = field(default_factory=list)

    def come(self, *said: bytes) -> asyncio.Task[None]:
        for payload in said or (ASKED,):
            self.says.put_nowait({"type": "websocket.receive", "bytes": payload})
        scope: Scope = {"type": "websocket", "client": (self.address, 9), "name": self.name}
        return asyncio.ensure_future(self.app(scope, self.says.get, self._hear))

    def go(self) -> None:
        self.says.put_nowait({"type": "websocket.disconnect"})

    async def _hear(self, message: Message) -> None:
        self.heard.append(message)


async def rest() -> None:
    """Until everybody waits for somebody."""
    for _ in range(20):
        await asyncio.sleep(0)


@dataclass
class Hall:
    """A dashboard that draws for two at once, and who has come."""

    board: Dashboard = field(default_factory=Dashboard)
    app: ASGIApp | None = None
    visitors: dict[str, Visitor] = field(default_factory=dict)
    visits: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.door = self.app or WorkedOutInTurn(self.board, first_pages=2, runs=1)

    async def come(self, names: Sequence[str], address: str, *said: bytes) -> None:
        for name in names:
            self.visitors[name] = Visitor(self.door, name, address)
            self.visits[name] = self.visitors[name].come(*said)
            await rest()

    async def drawn(self, name: str) -> None:
        self.board.ends[name].set()
        await rest()

    async def asks(self, name: str, *said: bytes) -> None:
        """Of somebody who is here."""
        self.board.ends[name].clear()
        for payload in said or (ASKED,):
            self.visitors[name].says.put_nowait({"type": "websocket.receive", "bytes": payload})
        await rest()

    async def gone(self, name: str) -> None:
        self.visitors[name].go()
        await rest()


def test_so_many_are_drawn_at_once_and_addresses_take_turns() -> None:
    async def crowd() -> list[str]:
        hall = Hall()
        await hall.come(["a1", "a2", "a3", "a4"], HERE)
        await hall.come(["b1", "b2", "b3"], ELSEWHERE)
        assert hall.board.begun == ["a1", "a2"]
        for name in ("a1", "a2", "b1", "a3", "b2"):
            await hall.drawn(name)
        return hall.board.begun

    assert finished(crowd()) == ["a1", "a2", "b1", "a3", "b2", "a4", "b3"]


async def here(hall: Hall, names: Sequence[str], address: str) -> None:
    """Some whose first page is drawn."""
    for name in names:
        await hall.come([name], address)
        await hall.drawn(name)
    hall.board.begun.clear()


@each("asked", [ASKED, OF_A_PART])
def test_whoever_presses_as_fast_as_they_can_waits_behind_whoever_presses_once(asked: bytes) -> None:
    async def crowd() -> list[str]:
        hall = Hall()
        await here(hall, ["a1", "a2", "a3"], HERE)
        await here(hall, ["b"], ELSEWHERE)
        for name in ("a1", "a2", "a3"):
            await hall.asks(name, *[asked] * 50)
        await hall.asks("b", asked)
        assert hall.board.begun == ["a1"]
        for name in ("a1", "b"):
            await hall.drawn(name)
        return hall.board.begun[:3]

    assert finished(crowd()) == ["a1", "b", "a2"]


def test_what_is_pressed_does_not_wait_for_first_pages_nor_they_for_it() -> None:
    async def crowd() -> list[str]:
        hall = Hall()
        await here(hall, ["a", "b"], HERE)
        await hall.come(["c", "d", "e"], ELSEWHERE)
        await hall.asks("a")
        await hall.asks("b")
        return hall.board.begun

    assert finished(crowd()) == ["c", "d", "a"]


def test_a_press_during_a_run_goes_with_it() -> None:
    """Streamlit then begins anew: who turns a dial does not wait for what nobody wants to see any more."""

    async def crowd() -> bool:
        hall = Hall()
        await here(hall, ["a"], HERE)
        await hall.asks("a", ASKED, OF_A_PART)
        return hall.visitors["a"].says.empty() and hall.board.begun == ["a"]

    assert finished(crowd())


@each("leaves_early", [True, False])
def test_who_has_left_is_passed_over_and_frees_the_place(leaves_early: bool) -> None:
    async def crowd() -> list[str]:
        hall = Hall()
        await hall.come(["a", "b"], HERE)
        await hall.come(["c"], ELSEWHERE, ASKED, BEATS)
        await hall.come(["d"], ELSEWHERE)
        if leaves_early:
            await hall.gone("c")
            assert hall.visits["c"].done()
        hall.visits["a"].cancel()
        await rest()
        return hall.board.begun

    assert finished(crowd()) == ["a", "b", "d" if leaves_early else "c"]


@each(("seconds", "begun"), [(1_000.0, ["a1", "a2"]), (0.0, ["a1", "a2", "a3", "b1"])])
def test_an_opening_holds_its_place_for_a_while_however_soon_one_leaves(seconds: float, begun: list[str]) -> None:
    async def crowd() -> list[str]:
        hall = Hall(app=OpenedInTurn(board, at_once=2), board=board)
        for name in ("a1", "a2"):
            await hall.come([name], HERE)
            await hall.gone(name)
        await hall.come(["a3", "b1"], ELSEWHERE)
        return hall.board.begun

    board = Dashboard()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "OPENING_SECONDS", seconds)
        assert finished(crowd()) == begun


def test_who_waits_longest_at_one_address_keeps_no_other_out_and_knows_that_it_is_full() -> None:
    async def crowd() -> tuple[list[str], list[str]]:
        hall = Hall(app=OpenedInTurn(board, at_once=1, most_waiting=2), board=board)
        await hall.come(["a1", "a2", "a3", "a4", "a5"], HERE)
        await hall.come(["b1"], ELSEWHERE)
        told = [name for name, one in hall.visitors.items() if any(said.get("code") == 1013 for said in one.heard)]
        return told, [name for name, visit in hall.visits.items() if not visit.done()]

    board = Dashboard()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "OPENING_SECONDS", 1_000.0)
        assert finished(crowd()) == (["a4", "a5"], ["a1", "a2", "a3", "b1"])


def test_the_last_words_of_a_run_before_free_no_place() -> None:
    async def crowd() -> list[str]:
        hall = Hall(board=Dashboard(has_last_words=True))
        await hall.come(["a", "b", "c"], HERE)
        return hall.board.begun

    assert finished(crowd()) == ["a", "b"]


def test_a_page_that_never_begins_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd(*, begins: bool) -> list[str]:
        hall = Hall(board=Dashboard(begins=begins))
        await hall.come(["a", "b", "c"], HERE)
        return hall.board.begun

    monkeypatch.setattr(runs, "SOON_SECONDS", 0.0)
    assert finished(crowd(begins=False)) == ["a", "b", "c"]
    assert finished(crowd(begins=True)) == ["a", "b"]


def test_who_says_nothing_yet_holds_no_place() -> None:
    async def crowd() -> list[str]:
        hall = Hall()
        await hall.come(["a", "b", "c"], HERE, BEATS, b"no message at all")
        await hall.come(["d"], ELSEWHERE)
        return hall.board.begun

    assert finished(crowd()) == ["d"]


def test_a_page_that_takes_long_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd() -> list[str]:
        hall = Hall()
        await hall.come(["a", "b", "c"], HERE)
        async with asyncio.timeout(30):
            await hall.board.third.wait()
        return hall.board.begun

    monkeypatch.setattr(runs, "LONGEST_PAGE_SECONDS", 0.05)
    assert finished(crowd()) == ["a", "b", "c"]


def test_places_are_never_lost_however_visits_end() -> None:
    async def crowd() -> tuple[int, int]:
        hall = Hall(app=door, board=board)
        for number in range(40):
            name = f"{number}"
            await hall.come([name], (HERE, ELSEWHERE)[number % 2], *((ASKED, BEATS) if number % 4 else (ASKED,)))
            if number % 3 == 0 and name in hall.board.ends:
                await hall.drawn(name)
            if number % 5 == 0:
                await hall.gone(name)
            elif number % 3 == 0 and name in hall.board.ends:
                await hall.asks(name, OF_A_PART, ASKED)
            if number % 7 == 0:
                hall.visits[name].cancel()
        for visit in hall.visits.values():
            visit.cancel()
        await rest()
        return door.first_pages._free, door.runs._free

    board = Dashboard()
    door = WorkedOutInTurn(board, first_pages=2, runs=1)
    assert finished(crowd()) == (2, 1)


def test_nobody_saves_up_turns_and_seconds_count() -> None:
    """Who held a place for ten seconds goes behind who held it for one, and both behind whoever comes new."""

    async def crowd() -> list[str]:
        begun, waiting = list[str](), Turns(1)
        clock = iter([0.0, 10.0, 10.0, 11.0, 11.0, *[11.0] * 20])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(turns, "monotonic", lambda: next(clock))
            for address in ("long", "short"):
                waiting.give_back(await waiting.take(address))
            held = await waiting.take("first")
            tasks = [asyncio.ensure_future(take(waiting, one, begun)) for one in ("long", "long", "short", "new")]
            await rest()
            waiting.give_back(held)
            await asyncio.gather(*tasks)
        return begun

    async def take(waiting: Turns, address: str, begun: list[str]) -> None:
        place: Place = await waiting.take(address)
        begun.append(address)
        waiting.give_back(place)

    assert finished(crowd()) == ["new", "short", "long", "long"]


def test_the_doors_have_it() -> None:
    found = [one.cls for one in MIDDLEWARE]
    assert found.index(OpenedInTurn) < found.index(NotTooMany) < found.index(WorkedOutInTurn)  # type: ignore[arg-type]
