"""A room about a built-in table, opened beside a running server that then finds it in its ledger."""

from __future__ import annotations

from typing import Any

from dpengine.data import load_sample
from dpengine.ledger import Ledger
from dpengine.scenario import Scenario
from dpengine.workshop import Room, Rooms, Setting
from tests.server import Server


def opened(server: Server, plan: Scenario, **setting: Any) -> tuple[Rooms, Room]:
    """The room in its lobby, and all rooms read past the screens; `setting` is that of the form."""
    ledger = Ledger.open(f"sqlite:///{server.ledger_path}", marker=server.marker_path)
    table, _ = load_sample(plan.table_name)
    account = ledger.open_account(table, plan.schema, neighbors=plan.neighbors, budget=plan.budget)
    rooms = Rooms.of(ledger)
    return rooms, rooms.open(Setting(plan=plan, **setting), account)
