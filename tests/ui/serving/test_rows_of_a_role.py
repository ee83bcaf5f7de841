"""The rows that a curator has in use are closed with the role, though no run of that session ever begins again."""

from __future__ import annotations

import gc
import math
import threading

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Table, read_table
from pages.serving.layers import sign_ins, uploads
from tests.examples.ledgers import SCHEMA

ADAS, BOBS, OURS = "adas browser", "bobs browser", "test session id"
"""The last is what the tests' pages are called by."""


class Brought(Table):
    """A table that tells when it was closed."""

    __slots__ = ("done",)
    done: threading.Event

    def close(self) -> None:
        super().close()
        self.done.set()


def brought() -> Brought:
    made = read_table(b"age,ill\n30,yes\n41,no\n", schema=SCHEMA, format="csv")
    table = Brought(made._opened, schema=SCHEMA)
    table.done = threading.Event()
    return table


def bringing() -> None:
    """A page that brings a table, or forgets it."""
    import streamlit as st

    from dpengine.data import Labels
    from dpengine.data.files.file_form import UNSAID
    from dpengine.privacy import Neighbors
    from pages import session

    if "new" in st.session_state:
        session.bring_table(st.session_state.pop("new"), Neighbors.ADD_REMOVE, UNSAID, Labels())
    elif "forgets" in st.session_state:
        session.forget_table()
    if "asks" in st.session_state:
        st.markdown("none" if session.table() is None else "in use")


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(uploads, "_in_use", {})
    monkeypatch.setattr(uploads, "_curators", {OURS: uploads.Granted(ADAS, math.inf)})
    return AppTest.from_function(bringing)


def taken(page: AppTest) -> Brought:
    table = brought()
    page.session_state["new"] = table
    page.run()
    assert not page.exception
    return table


@pytest.mark.parametrize("leaves", [ADAS, BOBS])
def test_they_are_closed_as_soon_as_somebody_leaves_in_that_browser(page: AppTest, leaves: str) -> None:
    table = taken(page)
    sign_ins.end(leaves)
    assert table.done.wait(30 if leaves == ADAS else 0) is (leaves == ADAS)


def test_it_is_the_table_that_is_in_use(page: AppTest) -> None:
    first, second = taken(page), taken(page)
    assert (first.closed, second.closed) == (True, False)
    sign_ins.end(ADAS)
    assert second.done.wait(30)


def test_what_its_tab_no_longer_has_is_closed_too(page: AppTest) -> None:
    """As where a room has it, and the tab is closed: whoever leaves says that the table is to be forgotten."""
    table = taken(page)
    uploads.forget_all_but(set())
    assert not table.closed
    sign_ins.end(ADAS)
    assert table.done.wait(30)


def test_what_is_brought_when_somebody_has_left_already_is_closed_at_once(page: AppTest) -> None:
    sign_ins.end(ADAS)
    assert taken(page).closed
    uploads.allow(OURS, ADAS, math.inf)
    assert not taken(page).closed, "The control: somebody is curator there again."


def test_what_is_closed_is_no_table_in_use(page: AppTest) -> None:
    table = taken(page)
    page.session_state["asks"] = True
    assert page.run().markdown[-1].value == "in use"
    table.close()
    assert page.run().markdown[-1].value == "none"


def test_what_nobody_has_any_more_is_not_kept(page: AppTest) -> None:
    taken(page)
    page.session_state["forgets"] = True
    page.run()
    del page.session_state["forgets"]
    gc.collect()
    taken(page)
    (in_use,) = uploads._in_use.values()
    assert len(in_use) == 1
    page.session_state["forgets"] = True
    page.run()
    gc.collect()
    uploads.forget_all_but({OURS})
    assert not uploads._in_use
