"""A place for whoever has had least; connections are opened a few at a time, however soon somebody leaves."""

from __future__ import annotations

import asyncio

import pytest

from pages.serving.guard import MIDDLEWARE
from pages.serving.layers import turns
from pages.serving.layers.admission import NotTooMany
from pages.serving.layers.runs import WorkedOutInTurn
from pages.serving.layers.turns import HeldTurn, OpenedInTurn, Turns
from tests.running.cases import each
from tests.servers.looping import finished
from tests.ui.serving.hall import ELSEWHERE, HERE, Dashboard, Hall, rest


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a busy machine would decide who has had least."""
    monkeypatch.setattr(turns, "monotonic", lambda: 0.0)


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


def test_who_waits_at_many_addresses_leaves_a_place_for_whoever_comes_alone() -> None:
    """Each holds an open file: with sixteen networks all were used up, and nobody could open the ledger."""

    async def crowd() -> list[str]:
        hall = Hall(app=OpenedInTurn(board, at_once=1, most_waiting=2, most_in_all=3), board=board)
        await hall.come(["a0", "a1", "a2"], "192.0.2.10")
        await hall.come(["b1", "b2"], "192.0.2.11")
        await hall.come(["c"], "192.0.2.12")
        await hall.come(["d"], "192.0.2.13")
        await hall.come(["e"], "192.0.2.14")
        return [name for name, one in hall.visitors.items() if any(said.get("code") == 1013 for said in one.heard)]

    board = Dashboard()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "OPENING_SECONDS", 1_000.0)
        assert finished(crowd()) == ["b2", "e"]


def test_a_place_is_kept_for_whoever_has_had_none_for_a_while() -> None:
    """However many ask without end, from wherever; else who presses once waits until one of theirs is worked out."""

    async def crowd() -> list[str]:
        begun, places, waiting = list[str](), list[HeldTurn](), Turns(3, kept=1)

        async def take(address: str) -> None:
            places.append(await waiting.take(address))
            begun.append(address)

        tasks = [asyncio.ensure_future(take(one)) for one in ("a", "a", "a", "b", "c")]
        await rest()
        assert begun == ["a", "a", "b"], "One address never has all three, ..."
        waiting.give_back(places[2])
        await rest()
        assert begun[3:] == ["c"], "... the third goes to whoever comes anew, ..."
        waiting.give_back(places[3])
        await rest()
        assert begun[4:] == [], "... and stays free while somebody waits who has just had one."
        waiting.give_back(places[0])
        await asyncio.gather(*tasks)
        return begun[4:]

    assert finished(crowd()) == ["a"]


def test_a_single_place_is_kept_from_nobody() -> None:
    async def twice() -> None:
        waiting = Turns(1, kept=1)
        waiting.give_back(await waiting.take("a"))
        waiting.give_back(await waiting.take("a"))

    finished(asyncio.wait_for(twice(), timeout=30))


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
        place: HeldTurn = await waiting.take(address)
        begun.append(address)
        waiting.give_back(place)

    assert finished(crowd()) == ["new", "short", "long", "long"]


def test_the_doors_have_it() -> None:
    found = [one.cls for one in MIDDLEWARE]
    assert found.index(OpenedInTurn) < found.index(NotTooMany) < found.index(WorkedOutInTurn)  # type: ignore[arg-type]
