"""What is pressed is done before another page is asked for, and who waits for that holds nobody up."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from pages.serving.layers import runs
from pages.serving.layers.runs import WorkedOutInTurn
from tests.servers.looping import finished
from tests.ui.serving.hall import ASKED, BEGUN, DRAWN, DRAWS, ELSEWHERE, HERE, OF_A_PART, Visitor, rest

PRESSED = BackMsg(
    rerun_script=ClientState(widget_states=WidgetStates(widgets=[WidgetState(id="x", trigger_value=True)]))
).SerializeToString()
PART_DRAWN = ForwardMsg(script_finished=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY).SerializeToString()
PRESSED_IN_A_PART = BackMsg(
    rerun_script=ClientState(
        fragment_id="x", widget_states=WidgetStates(widgets=[WidgetState(id="x", trigger_value=True)])
    )
).SerializeToString()
ANEW = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN).SerializeToString()


def test_what_was_pressed_is_done_before_another_page_is_asked_for() -> None:
    """Streamlit would stop the run of the press before it has done it: somebody leaves, and is the curator still."""
    heard, says = list[Message](), list[Send]()

    async def reads_on(_: Scope, receive: Receive, send: Send) -> None:
        says.append(send)
        while (message := await receive())["type"] != "websocket.disconnect":
            heard.append(message)

    async def visited(*told: bytes, first: bytes = ASKED) -> int:
        heard.clear()
        says.clear()
        visit = Visitor(WorkedOutInTurn(reads_on), "a", HERE).come(first, ASKED)
        await rest()
        for one in told:
            await says[0]({"type": "websocket.send", "bytes": one})
        await rest()
        visit.cancel()
        return len(heard)

    assert finished(visited()) == 1
    assert finished(visited(BEGUN)) == 1
    assert finished(visited(BEGUN, DRAWS)) == finished(visited(BEGUN, DRAWN)) == 2
    assert finished(visited(ANEW, DRAWS, DRAWN)) == 1, "Of the run before."
    assert finished(visited(BEGUN, DRAWS, first=PRESSED)) == 1, "The page above the button is drawn before it."
    assert finished(visited(BEGUN, DRAWS, DRAWN, first=PRESSED)) == 2
    assert finished(visited(BEGUN, DRAWS, PART_DRAWN, first=PRESSED)) == 1, "Of a part that stood before it."
    assert finished(visited(BEGUN, DRAWS, ANEW, first=PRESSED)) == 1
    assert finished(visited(BEGUN, DRAWS, ANEW, BEGUN, DRAWN, first=PRESSED)) == 2
    assert finished(visited(BEGUN, DRAWS, first=OF_A_PART)) == finished(visited(first=OF_A_PART)) == 2
    assert finished(visited(BEGUN, DRAWS, first=PRESSED_IN_A_PART)) == 1
    assert finished(visited(BEGUN, DRAWS, PART_DRAWN, first=PRESSED_IN_A_PART)) == 2


class BeginsPages:
    """A dashboard that begins each page at once, and ends the first two."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.third = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            if message.get("bytes") != ASKED:
                continue
            self.begun.append(scope["name"])
            await send({"type": "websocket.send", "bytes": BEGUN})
            if len(self.begun) < 3:
                await send({"type": "websocket.send", "bytes": DRAWN})
            else:
                self.third.set()


def test_a_page_that_waited_for_a_press_is_run_in_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that was held meanwhile would have been given back, so that it would run with none."""
    monkeypatch.setattr(runs, "PRESSED_IN_A_PART_SECONDS", 0.05)
    monkeypatch.setattr(runs, "SOON_SECONDS", 0.01)

    async def crowd() -> list[str]:
        board = BeginsPages()
        door = WorkedOutInTurn(board, first_pages=1, runs=1)
        pressing, other = Visitor(door, "a", HERE), Visitor(door, "b", ELSEWHERE)
        visits = [one.come() for one in (other, pressing)]
        await rest()
        for said in (PRESSED_IN_A_PART, ASKED):
            pressing.says.put_nowait({"type": "websocket.receive", "bytes": said})
        await asyncio.wait_for(board.third.wait(), timeout=30)
        other.says.put_nowait({"type": "websocket.receive", "bytes": ASKED})
        await rest()
        for visit in visits:
            visit.cancel()
        return board.begun

    assert finished(crowd()) == ["b", "a", "a"]
