"""A role that ends while a page is open: the part that runs alone shows nothing more, and the page its door."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import roles
from pages.ui.roles import Role
from tests.ui.reading import texts


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
