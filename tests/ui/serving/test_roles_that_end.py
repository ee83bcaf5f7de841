"""A role that ends while a page is open: the part that runs alone shows nothing more, and the page its door."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import roles, visit
from pages.ui.roles import Role
from pages.ui.serving import proof, sign_ins, uploads
from tests.ui.reading import texts

HERE = "this browser"


def guarded_page(kind: str) -> None:
    """A page for curators with a part that runs alone."""
    import streamlit as st

    from pages.ui import roles
    from pages.ui.roles import Role

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
    monkeypatch.setattr(uploads, "_curators", {"session": HERE})
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
