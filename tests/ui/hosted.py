"""A facilitator's page in AppTest: opened with a form, led by its buttons; the rooms as the ledger has them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Labels, Table
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, Query
from dpengine.scenario import Scenario
from dpengine.workshop import Room, Rooms
from pages.plan import accounts
from pages.room import state
from tests.servers.server import APP, own_ledger

HOST, OPEN = "workshop/host", "Open the room"


def rooms() -> Rooms:
    """The rooms of this test's ledger."""
    return Rooms.of(accounts.ledger())


def with_a_room(folder: Path, *, title: str = "") -> Path:
    """The folder with a ledger in which a host has opened a room by the form, to be copied for each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", sys.modules["__main__"])
        for name, value in own_ledger(folder).items():
            patch.setenv(name, value)
        form = AppTest.from_file(APP, default_timeout=60).switch_page(f"pages/{HOST}/page.py").run()
        if title:
            form.text_input(key="host_title").set_value(title).run()
        press(form, OPEN)
        accounts.ledger()._store.database.close()
    accounts._ledger.clear()
    state._rooms.clear()
    return folder


def room() -> Room:
    """The latest room."""
    return rooms().all()[0]


def press(page: AppTest, label: str) -> AppTest:
    """Click the button with this label."""
    page = next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def press_open(page: AppTest) -> AppTest:
    """Open a room on a real budget, for people whom the host knows."""
    next(box for box in page.checkbox if str(box.key).startswith("host_trusted_")).set_value(True).run()
    return press(page, OPEN)


def labels(page: AppTest) -> list[str]:
    """What the buttons of the page itself say."""
    return [button.label for button in page.main.button]


def leads_on(page: AppTest) -> str:
    """The name of the one button that leads on; empty where nothing follows."""
    return next((button.label for button in page.button if str(button.key).startswith("host_next_")), "")


def brought(
    page: AppTest,
    table: Table,
    *,
    epsilon: float = 0.5,
    delta: float = 0.0,
    to: str = HOST,
    query: Query | None = None,
    labels: Labels | None = None,
) -> AppTest:
    """A page of a session that brought a table of real people, as an upload leaves it, with one question."""
    asked = PlannedQuery(query=query or CountQuery(), guarantee=Guarantee(epsilon=epsilon))
    page.session_state["table"] = table
    page.session_state["scenario"] = Scenario(
        table_name=table.schema.name,
        schema=table.schema,
        neighbors=Neighbors.ADD_REMOVE,
        queries=(asked,),
        budget=Guarantee(epsilon=1.0, delta=delta),
        labels=labels or Labels(),
    )
    page.session_state["exact_shown"] = False
    return page.switch_page(f"pages/{to}/page.py").run()
