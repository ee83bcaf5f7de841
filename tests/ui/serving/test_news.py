"""A page's own look is run where it would show something new, and passed over where it would not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from starlette.types import Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from pages.serving.guard import MIDDLEWARE
from pages.serving.layers import news
from pages.serving.layers.messages import look_of
from pages.serving.layers.news import OnlyNews, ShownPart
from pages.serving.layers.runs import WorkedOutInTurn
from tests.running.cases import each
from tests.servers.looping import finished
from tests.ui.serving.hall import ASKED, HERE, LOOK, OF_A_PART, Visitor, rest

SEEN = ShownPart(page=1, part=1)


@dataclass
class Page:
    """What stands behind: it notes what it hears; its part "x" has shown what it says."""

    stands: ShownPart = SEEN
    heard: list[bytes] = field(default_factory=list)
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, _send: Send) -> None:
        self.headers = [pair for pair in scope["headers"] if pair[0] == news.HEADER.encode()]
        number = self.headers[0][1].decode()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("streamlit.context", type("Context", (), {"headers": {news.HEADER: number}}))
            patch.setattr(ThreadState, "get", lambda: type("Of", (), {"fragment_id": "x"}))
            news.shows(SEEN, lambda: self.stands)
        while (message := await receive())["type"] != "websocket.disconnect":
            self.heard.append(message["bytes"])


async def visited(page: Page, *said: bytes) -> None:
    """A connection that says this and stays."""
    visitor = Visitor(OnlyNews(page), "a", HERE)
    visit = visitor.come(*said)
    async with asyncio.timeout(30):
        while not page.heard or page.heard[-1] != said[-1]:
            await rest()
        visitor.go()
        await visit


def test_of_parts_that_are_drawn_under_ever_new_names_few_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the last ones are."""
    known = dict[str, object]()
    monkeypatch.setitem(news._connections, "1", known)
    monkeypatch.setattr("streamlit.context", type("Context", (), {"headers": {news.HEADER: "1"}}))
    for number in range(news.MOST_PARTS + 5):
        monkeypatch.setattr(ThreadState, "get", lambda name=f"{number}": type("Of", (), {"fragment_id": name}))
        news.shows(SEEN, lambda: SEEN)
    assert list(known) == [f"{number}" for number in range(5, news.MOST_PARTS + 5)]


@each(("stands", "hears"), [(SEEN, []), (ShownPart(page=1, part=2), [LOOK])])
def test_a_look_is_run_where_what_was_shown_is_another(stands: ShownPart, hears: list[bytes]) -> None:
    page = Page(stands=stands)
    finished(visited(page, LOOK, OF_A_PART))
    assert page.heard == [*hears, OF_A_PART]


def test_of_a_page_that_has_moved_on_a_look_asks_for_the_whole() -> None:
    page = Page(stands=ShownPart(page=2, part=2))
    finished(visited(page, LOOK, ASKED))
    assert page.heard == [BackMsg(rerun_script=ClientState(query_string="me=1")).SerializeToString(), ASKED]


def test_a_look_is_run_now_and_then_whatever_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "AT_LEAST_EVERY_SECONDS", -1.0)
    page = Page()
    finished(visited(page, LOOK, ASKED))
    assert page.heard == [LOOK, ASKED]


def test_what_nobody_has_said_anything_of_is_heard_and_so_is_what_no_page_does_by_itself() -> None:
    page = Page()
    another = BackMsg(rerun_script=ClientState(fragment_id="y", is_auto_rerun=True)).SerializeToString()
    finished(visited(page, another, OF_A_PART, b"no message at all", ASKED))
    assert page.heard == [another, OF_A_PART, b"no message at all", ASKED]


def test_nobody_speaks_for_another_connection_and_what_is_over_is_forgotten() -> None:
    page = Page()

    async def claims(scope: Scope, receive: Receive, send: Send) -> None:
        await OnlyNews(page)({**scope, "headers": [(news.HEADER.upper().encode(), b"forged")]}, receive, send)

    before = set(news._connections)
    finished(_come_and_gone(Visitor(claims, "a", HERE)))
    assert [value for _, value in page.headers] != [b"forged"]
    assert len(page.headers) == 1
    assert set(news._connections) == before


async def _come_and_gone(visitor: Visitor) -> None:
    visit = visitor.come()
    visitor.go()
    await visit


@each(("said", "part"), [(LOOK, "x"), (OF_A_PART, ""), (ASKED, ""), (b"\x00", ""), (None, "")])
def test_a_look_is_told_from_what_somebody_does(said: bytes | None, part: str) -> None:
    assert look_of(said) == part


def test_the_doors_have_it_before_anything_waits_for_a_turn() -> None:
    found = [one.cls for one in MIDDLEWARE]
    assert found.index(OnlyNews) < found.index(WorkedOutInTurn)  # type: ignore[arg-type]
