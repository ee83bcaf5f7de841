"""A press to leave counts once it is heard: a connection that is cut before its run has begun undoes nothing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.dataframe_source_manager import DataframeSourceError, DataframeSourceManager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.access import roles, visit
from pages.serving.guard import MIDDLEWARE
from pages.serving.layers import leaving, proof, sign_ins, uploads
from pages.serving.layers.leaving import LEAVE, SIGN_OUT, NotedLeaving
from pages.serving.layers.messages import OnlyWhatWeUse
from pages.serving.layers.proof import HEADER, SameBrowser
from pages.serving.layers.runs import WorkedOutInTurn
from pages.serving.layers.uploads import Granted
from tests.running.cases import each
from tests.servers.looping import finished
from tests.ui.serving.hall import ELSEWHERE, HERE, Hall, Visitor, rest
from tests.ui.serving.test_roles import CHOSEN, NewApp, served, typed

__all__ = ["served"]
ADAS, BOBS = "adas browser", "bobs browser"


@pytest.fixture(autouse=True)
def nobody_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_ins, "_ended", Counter())
    monkeypatch.setattr(sign_ins, "_made", {})
    monkeypatch.setattr(uploads, "_curators", {"one": Granted(ADAS, math.inf)})


def press(key: str, *, pressed: bool = True) -> bytes:
    asked = BackMsg()
    asked.rerun_script.widget_states.widgets.add(id=f"$$ID-0123-{key}", trigger_value=pressed)
    return bytes(asked.SerializeToString())


def said(browser: str, message: bytes) -> None:
    """In front of a dashboard that never comes to it: all places are held, and the connection is cut."""

    async def cut() -> None:
        hall = Hall()
        await hall.come(["a", "b"], ELSEWHERE)
        visitor = Visitor(NotedLeaving(hall.door), "x", HERE, headers=[(HEADER.encode(), browser.encode())])
        visit = visitor.come(message)
        await rest()
        visitor.go()
        await visit
        assert hall.board.begun == ["a", "b"]

    finished(cut())


def test_it_is_noted_before_anything_waits_or_is_left_out() -> None:
    order: list[object] = [one.cls for one in MIDDLEWARE]
    noted = order.index(NotedLeaving)
    assert order.index(SameBrowser) < noted < order.index(OnlyWhatWeUse) < order.index(WorkedOutInTurn)


@each(
    ("browser", "message", "times"),
    [
        (ADAS, press(LEAVE), 1),
        (ADAS, press(LEAVE, pressed=False), 0),
        (ADAS, press("leave_question"), 0),
        (BOBS, press(LEAVE), 0),
    ],
)
def test_whoever_pressed_has_left_though_no_run_began(browser: str, message: bytes, times: int) -> None:
    """Nothing is kept of whoever is no curator."""
    sign_ins._ended.clear()
    uploads._curators["one"] = Granted(ADAS, math.inf)
    said(browser, message)
    assert (sign_ins.times_left(ADAS), sign_ins.times_left(BOBS), len(sign_ins._ended)) == (times, 0, times)
    assert uploads.is_a_curators(ADAS) is not bool(times)


@pytest.mark.parametrize("key", [LEAVE, SIGN_OUT])
def test_either_press_ends_whatever_a_browser_has(key: str) -> None:
    """A token in one tab and a sign-in in another, say: who sits there next is neither."""
    for browser in (ADAS, BOBS):
        sign_ins.begin(browser, "a sign-in", 0.0)
    said(ADAS, press(key))
    assert (sign_ins.of(ADAS), sign_ins.of(BOBS)) == ("", "a sign-in")
    assert (sign_ins.times_left(ADAS), sign_ins.times_left(BOBS)) == (1, 0), "Tokens typed there count no more."
    assert not uploads.is_a_curators(ADAS)


@each(("key", "counts"), [(SIGN_OUT, False), ("sign_in_side_default", True)])
def test_whoever_pressed_to_sign_out_has_signed_out(key: str, *, counts: bool) -> None:
    for browser in (ADAS, BOBS):
        sign_ins.begin(browser, "a sign-in", 0.0)
    said(ADAS, press(key))
    assert (sign_ins.counts(ADAS, "a sign-in"), sign_ins.counts(BOBS, "a sign-in")) == (counts, True)
    assert [leaving.is_to_be_signed_out(ADAS) for _ in range(2)] == [not counts, False], "Its provider is told once."
    assert not leaving.is_to_be_signed_out(BOBS)


@pytest.mark.parametrize("left", [ADAS, BOBS])
def test_the_next_run_finds_an_analyst_and_forgets_what_was_the_curators(
    served: None, new_app: NewApp, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    """The control: somebody else has left, at another browser. Whoever enters again is the curator again."""
    monkeypatch.setattr(visit, "proof", lambda: ADAS)
    page = typed(new_app().run(), CHOSEN).switch_page("pages/explore/queries/page.py").run()
    page.session_state["guesses"] = {"adas": 60.0}
    sign_ins._ended[left] += 1
    page.run()
    assert ("guesses" in page.session_state) is (left == BOBS)
    if left == ADAS:
        assert page.title[0].value == "This page is for the curator"
        assert typed(page, CHOSEN).title[0].value != "This page is for the curator"


def test_a_file_that_was_offered_before_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "proof", lambda: ADAS)
    monkeypatch.setattr(proof, "asking", lambda: ADAS)
    written: Callable[[], str] = roles.until_signed_out(lambda: "the names")
    assert written() == "the names"
    sign_ins._ended[ADAS] += 1
    with pytest.raises(PermissionError, match="has ended"):
        written()


class Rows:
    """Of a frame, as Streamlit asks for them."""

    row_count, schema = 3, pa.schema([("who", pa.string())])

    def load_rows(self, *_: object, **__: object) -> pa.Table:
        return pa.table({"who": ["Anna", "Ben", "Cleo"]})


@pytest.mark.parametrize("leaves", [ADAS, BOBS])
def test_no_further_rows_are_read_of_a_frame_that_was_drawn_before(
    monkeypatch: pytest.MonkeyPatch, leaves: str
) -> None:
    """They are asked for without any run, so that nobody would ask who is there. The control: somebody else leaves."""
    frames = DataframeSourceManager()
    drawn: Any = frames.register_source(Rows(), "here")  # type: ignore[arg-type]
    monkeypatch.setattr("streamlit.runtime.exists", lambda: True)
    monkeypatch.setattr(
        "streamlit.runtime.get_instance",
        lambda: SimpleNamespace(dataframe_source_mgr=frames, uploaded_file_mgr=MemoryUploadedFileManager("/x")),
    )
    uploads._curators.update({drawn.session_id: Granted(ADAS, math.inf), "another's": Granted(BOBS, math.inf)})
    read = partial(frames.load_chunk, drawn.session_id, drawn.source_id, 0, 3, None)
    assert b"Cleo" in read()[0]
    said(leaves, press(LEAVE))
    if leaves == BOBS:
        assert b"Cleo" in read()[0]
        return
    with pytest.raises(DataframeSourceError, match="not found"):
        read()


@pytest.mark.parametrize("leaves", [ADAS, BOBS])
def test_whoever_leaves_as_a_run_looks_who_is_there_sends_no_file_afterwards(
    served: None, new_app: NewApp, monkeypatch: pytest.MonkeyPatch, leaves: str
) -> None:
    """The run has found a curator, and has not said so yet. The control: somebody else leaves."""
    monkeypatch.setattr(visit, "proof", lambda: ADAS)
    page, allow = typed(new_app().run(), CHOSEN), uploads.allow

    def just_then(session: str, browser: str, until: float) -> None:
        sign_ins.begin(BOBS, "a sign-in", 0.0)
        sign_ins.end(leaves)
        allow(session, browser, until)

    monkeypatch.setattr(uploads, "allow", just_then)
    page.run()
    assert ("test session id" in uploads._curators) is (leaves == BOBS)
