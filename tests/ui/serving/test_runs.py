"""What is asked for waits for its turn; who leaves, or takes long, or presses without end, holds nobody up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from starlette.types import Message, Receive, Scope, Send

from pages.serving.layers import runs, turns
from pages.serving.layers.runs import WorkedOutInTurn
from tests.running.cases import each
from tests.servers.looping import finished
from tests.ui.serving.hall import (
    ASKED,
    BEATS,
    BEGUN,
    DRAWN,
    DRAWS,
    ELSEWHERE,
    FILE,
    HERE,
    LOOK,
    OF_A_PART,
    WRITTEN,
    Dashboard,
    Hall,
    Visitor,
    rest,
)


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a busy machine would decide who has had least."""
    monkeypatch.setattr(turns, "monotonic", lambda: 0.0)


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


def test_presses_during_a_run_go_with_it_but_not_without_end() -> None:
    """Streamlit then begins anew: who turns a dial does not wait for what nobody wants to see any more."""
    heard, says = list[Message](), dict[str, Send]()

    async def reads_on(scope: Scope, receive: Receive, send: Send) -> None:
        says[scope["name"]] = send
        while (message := await receive())["type"] != "websocket.disconnect":
            heard.append(message)
            await send({"type": "websocket.send", "bytes": BEGUN})
            await send({"type": "websocket.send", "bytes": DRAWS})

    async def crowd() -> list[int]:
        found = list[int]()
        visit = Visitor(WorkedOutInTurn(reads_on), "a", HERE).come(*[ASKED, OF_A_PART] * 10)
        for _ in range(3):
            await rest()
            found.append(len(heard))
            await says["a"]({"type": "websocket.send", "bytes": DRAWN})
        visit.cancel()
        return found

    at_once = 1 + runs.MOST_PRESSES
    assert finished(crowd()) == [at_once, 2 * at_once, 3 * at_once]


@each(("during", "heard"), [(LOOK, [ASKED, OF_A_PART]), (OF_A_PART, [ASKED, OF_A_PART, OF_A_PART])])
def test_what_a_page_looks_for_by_itself_is_not_run_behind_a_run(during: bytes, heard: list[bytes]) -> None:
    """By then it may be another page, which has no such part: nothing would begin, and a place be held for nothing."""
    found, says = list[bytes](), list[Send]()

    async def reads_on(_: Scope, receive: Receive, send: Send) -> None:
        says.append(send)
        while (message := await receive())["type"] != "websocket.disconnect":
            found.append(message["bytes"])

    async def crowd() -> list[bytes]:
        visitor = Visitor(WorkedOutInTurn(reads_on), "a", HERE)
        visit = visitor.come(ASKED, during)
        await rest()
        for told in (BEGUN, DRAWN):
            await says[0]({"type": "websocket.send", "bytes": told})
        visitor.says.put_nowait({"type": "websocket.receive", "bytes": OF_A_PART})
        await rest()
        visit.cancel()
        return found

    assert finished(crowd()) == heard


@each(("first", "ends"), [(FILE, WRITTEN), (ASKED, DRAWN)])
def test_a_file_and_a_run_wait_for_each_other(first: bytes, ends: bytes) -> None:
    """A run that begins makes Streamlit forget that the file was written: nobody would say that its place is free."""
    heard, says = list[object](), list[Send]()

    async def reads_on(_: Scope, receive: Receive, send: Send) -> None:
        says.append(send)
        while (message := await receive())["type"] != "websocket.disconnect":
            heard.append(message["bytes"])

    async def visited() -> None:
        second = ASKED if first == FILE else FILE
        visit = Visitor(WorkedOutInTurn(reads_on), "a", HERE).come(first, second)
        await rest()
        assert heard == [first]
        for told in (BEGUN, ends):
            await says[0]({"type": "websocket.send", "bytes": told})
        await rest()
        visit.cancel()
        assert heard == [first, second]

    finished(visited())


def test_a_file_is_written_in_turn_until_its_browser_is_told_where_it_lies() -> None:
    """It is asked for without a run, and takes as long as one."""
    heard, says = list[str](), dict[str, Send]()

    async def reads_on(scope: Scope, receive: Receive, send: Send) -> None:
        says[scope["name"]] = send
        while (await receive())["type"] != "websocket.disconnect":
            heard.append(scope["name"])

    async def crowd() -> list[str]:
        door = WorkedOutInTurn(reads_on, runs=1)
        visits = [Visitor(door, name, where).come(FILE) for name, where in (("a", HERE), ("b", ELSEWHERE))]
        await rest()
        assert heard == ["a"]
        for told in (BEGUN, DRAWN):
            await says["a"]({"type": "websocket.send", "bytes": told})
        await rest()
        assert heard == ["a"], "A run that ends meanwhile is another's business."
        await says["a"]({"type": "websocket.send", "bytes": WRITTEN})
        await rest()
        for visit in visits:
            visit.cancel()
        return heard

    assert finished(crowd()) == ["a", "b"]


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
