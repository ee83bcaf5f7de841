"""A role that ends while a page is open: the part that runs alone shows nothing more, and the page its door."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpengine.data import Table
from dpengine.errors import EngineError
from pages.access import roles, sign_on, visit
from pages.access.roles import Role
from pages.serving.layers import proof, sign_ins, uploads
from tests.ui.reading import texts
from tests.ui.serving.test_roles import CHOSEN, NewApp, served, typed

HERE = "this browser"
__all__ = ["served"]


def guarded_page(kind: str) -> None:
    """A page for curators with a part that runs alone."""
    import streamlit as st

    from pages.access import roles
    from pages.access.roles import Role

    if roles.current() is not Role.CURATOR:
        st.markdown("the door")
        st.stop()

    def rows() -> None:
        st.markdown("exact rows")

    getattr(roles, kind)(rows)()


@pytest.mark.parametrize(("kind", "own_looks"), [("curators_part", 1), ("part", 2)])
@pytest.mark.parametrize("still", [True, False])
def test_a_part_that_runs_alone_draws_nothing_once_the_role_has_ended(
    monkeypatch: pytest.MonkeyPatch, kind: str, own_looks: int, *, still: bool
) -> None:
    """The page's own looks find a curator, the part's look still does or does not."""
    left = iter([Role.CURATOR] * (own_looks + still))
    monkeypatch.setattr(roles, "current", lambda: next(left, Role.ANALYST))
    page = AppTest.from_function(guarded_page, kwargs={"kind": kind}).run()
    assert not page.exception
    assert ("exact rows" in texts(page)) is still
    assert ("the door" in texts(page)) is not still


@pytest.mark.parametrize("ends", [HERE, "another browser"])
def test_a_file_that_was_offered_is_written_until_its_browser_signs_out(
    monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """It is asked for without any run, so that nobody else asks who is there."""
    monkeypatch.setattr(visit, "proof", lambda: HERE)
    monkeypatch.setattr(proof, "asking", lambda: HERE)
    monkeypatch.setattr(uploads, "_curators", {"session": uploads.Granted(HERE, math.inf)})
    sign_ins.begin(HERE, "a sign-in", 0.0)
    written = roles.until_signed_out(lambda: "the names")
    assert written() == "the names"
    sign_ins.end(ends)
    assert list(uploads._curators) == ([] if ends == HERE else ["session"])
    if ends != HERE:
        assert written() == "the names"
        return
    with pytest.raises(PermissionError, match="has ended"):
        written()


def test_a_file_that_was_offered_is_written_for_its_own_browser_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "proof", lambda: HERE)
    written = roles.until_signed_out(lambda: "the names")
    for asking, refused in ((HERE, False), ("another browser", True), ("", True)):
        with monkeypatch.context() as patch:
            patch.setattr(proof, "asking", lambda asking=asking: asking)
            if refused:
                with pytest.raises(PermissionError, match="another browser"):
                    written()
            else:
                assert written() == "the names"


@pytest.mark.parametrize(
    ("by_a_sign_in", "seconds", "ends"), [(True, 99, False), (True, 101, True), (False, 101, False)]
)
def test_after_the_last_hour_of_a_sign_in_nothing_is_written_and_nothing_taken(
    monkeypatch: pytest.MonkeyPatch, *, by_a_sign_in: bool, seconds: float, ends: bool
) -> None:
    """In a page that was left open, of which no run asks any more."""
    monkeypatch.setattr(visit, "proof", lambda: HERE)
    monkeypatch.setattr(proof, "asking", lambda: HERE)
    monkeypatch.setattr(visit, "by_a_test", lambda: False)
    monkeypatch.setattr(visit, "is_here", lambda: not by_a_sign_in)
    monkeypatch.setattr(sign_on, "ends", lambda: 100.0)
    monkeypatch.setattr(uploads, "_curators", {"session": uploads.Granted(HERE, roles._until())})
    written = roles.until_signed_out(lambda: "the names")
    for module in (roles, uploads):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: seconds))
    sent = {"type": "http", "method": "DELETE", "headers": [(proof.HEADER.encode(), HERE.encode())]}
    assert (uploads._refused("session", sent) is not None) is ends
    if ends:
        with pytest.raises(PermissionError, match="has ended"):
            written()
    else:
        assert written() == "the names"


def test_a_sign_in_ends_so_many_hours_after_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, ends in (({"iat": 1_000}, 1_000 + sign_ins.HOURS * 3600), ({}, 0)):
        monkeypatch.setattr(st, "user", said)
        assert sign_on.ends() == ends


def sitting() -> None:
    """A curator with a table of their own, and the way out."""
    import streamlit as st

    from dpengine.data import load_sample
    from pages import session
    from pages.plan import entry

    session.scenario()
    st.session_state.setdefault("table", load_sample("patients")[0])
    st.session_state.setdefault("curator", "proof")
    st.button("Leave", on_click=entry._leave)


def test_whoever_leaves_is_nobody_whatever_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another person may sit down at the same browser."""

    def fails(_table: Table) -> None:
        raise EngineError

    page = AppTest.from_function(sitting).run()
    monkeypatch.setattr(Table, "close", fails)
    before = page.session_state["table"]
    page.session_state["curator"] = "somebody's proof"
    page.button[0].click().run()
    assert page.exception, "The control: it has failed."
    assert page.run().session_state["curator"] == "proof"
    assert page.session_state["table"] is not before


@pytest.mark.parametrize("then", ["", "kim", "ada"])
def test_what_a_curator_left_open_is_gone_when_the_role_has_ended_or_is_anothers(
    served: None, new_app: NewApp, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    """As after signing out in another tab; whoever enters with the token begins with nothing. "ada": still there."""
    here = {"who": "ada"}
    monkeypatch.setattr(visit, "proof", lambda: "this browser")
    monkeypatch.setattr(sign_on, "is_curator", lambda: bool(here["who"]))
    monkeypatch.setattr(sign_on, "who", lambda: here["who"])
    page = new_app().switch_page("pages/explore/queries/page.py").run()
    page.session_state["guesses"] = {"adas": 60.0}
    here["who"] = then
    page.run()
    assert ("guesses" in page.session_state) is (then == "ada")
    if not then:
        typed(page, CHOSEN)
        assert page.title[0].value != "This page is for the curator"
        assert "guesses" not in page.session_state or "adas" not in page.session_state["guesses"]
    assert not page.exception
