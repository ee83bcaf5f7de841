"""A role that ends while a page is open: the part that runs alone shows nothing more, and the page its door."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import roles, visit
from pages.ui.roles import Role
from pages.ui.serving import sign_ins, uploads
from tests.ui.reading import texts

HERE = "this browser"


def guarded_page() -> None:
    """A curator's page with a part that runs alone."""
    import streamlit as st

    from pages.ui import roles
    from pages.ui.roles import Role

    if roles.current() is not Role.CURATOR:
        st.markdown("the door")
        st.stop()

    def rows() -> None:
        st.markdown("exact rows")

    roles.curators_part(rows)()


@pytest.mark.parametrize("looks", [2, 1])
def test_a_part_that_runs_alone_draws_nothing_once_the_role_has_ended(
    monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    """The page's own look finds a curator, the part's look still does or does not."""
    left = iter([Role.CURATOR] * looks)
    monkeypatch.setattr(roles, "current", lambda: next(left, Role.ANALYST))
    page = AppTest.from_function(guarded_page).run()
    assert not page.exception
    assert ("exact rows" in texts(page)) is (looks == 2)
    assert ("the door" in texts(page)) is (looks == 1)


@pytest.mark.parametrize("ends", [HERE, "another browser"])
def test_a_file_that_was_offered_is_written_until_its_browser_signs_out(
    monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """It is asked for without any run, so that nobody else asks who is there."""
    monkeypatch.setattr(visit, "proof", lambda: HERE)
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
