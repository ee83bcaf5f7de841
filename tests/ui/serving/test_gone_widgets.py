"""What is pressed is done for whom the page was drawn: nothing of a page that is gone is called by anybody."""

from __future__ import annotations

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.access import sign_on, visit
from pages.plan.table import upload_form
from pages.serving.patches import gone_widgets
from tests.ui.serving.test_roles import NewApp, served

__all__ = ["served"]


def drawn() -> None:
    """A button that goes, one that stays, and the way out."""
    import streamlit as st

    from pages import session

    def called(what: str) -> None:
        st.session_state.setdefault("called", []).append(what)

    st.button("Leave", key="leave", on_click=session.call_nothing)
    st.button("Stays", key="stays", on_click=called, args=("stays",))
    if st.session_state.get("shows", True):
        st.button("Goes", key="goes", on_click=called, args=("rows of a table",))


def names(page: AppTest) -> dict[str, str]:
    """The name of each button in a browser's messages."""
    return {str(button.key): button.proto.id for button in page.button}


def pressed(page: AppTest, *buttons: str) -> AppTest:
    """As a browser says it, of whatever page."""
    said = WidgetStates()
    for name in buttons:
        said.widgets.add(id=name, trigger_value=True)
    return page._run(said)


def called(page: AppTest) -> list[str]:
    return list(page.session_state["called"]) if "called" in page.session_state else []


@pytest.mark.parametrize("mended", [True, False])
def test_a_button_that_stands_nowhere_calls_nothing(monkeypatch: pytest.MonkeyPatch, *, mended: bool) -> None:
    """The control: as Streamlit has it, it calls what it called on the page that is gone."""
    keeps = gone_widgets._removed if mended else gone_widgets._remove
    monkeypatch.setattr(SessionState, "_remove_stale_widgets", keeps)
    page = AppTest.from_function(drawn).run()
    button = names(page)
    page.session_state["shows"] = False
    page.run()
    pressed(page, button["goes"])
    assert called(page) == ([] if mended else ["rows of a table"])
    pressed(page, button["stays"])
    assert called(page)[-1] == "stays"
    assert not page.exception


@pytest.mark.parametrize("leaves", [True, False])
def test_beside_a_press_to_leave_nothing_else_is_done(*, leaves: bool) -> None:
    page = AppTest.from_function(drawn).run()
    button = names(page)
    pressed(page, *([button["leave"]] if leaves else []), button["goes"])
    assert called(page) == ([] if leaves else ["rows of a table"])
    assert not page.exception
    pressed(page, button["stays"])
    assert called(page)[-1] == "stays", "The page that was drawn since is another one."


@pytest.mark.parametrize("still", [True, False])
def test_where_the_role_has_ended_nothing_is_done_that_was_pressed(
    served: None, new_app: NewApp, monkeypatch: pytest.MonkeyPatch, *, still: bool
) -> None:
    """As after signing out in another tab: what is pressed in this one was drawn for whoever has left."""
    here, opened = {"is": True}, list[str]()
    monkeypatch.setattr(visit, "proof", lambda: "this browser")
    monkeypatch.setattr(sign_on, "is_curator", lambda: here["is"])
    monkeypatch.setattr(sign_on, "who", lambda: "ada")
    monkeypatch.setattr(upload_form, "_open", opened.append)
    page = new_app().switch_page("pages/explore/data/page.py").run()
    (button,) = (name for key, name in names(page).items() if key.endswith("open_patients"))
    here["is"] = still
    pressed(page, button)
    assert opened == (["patients"] if still else [])
    assert (page.title[0].value == "This page is for the curator") is not still
    assert not page.exception
