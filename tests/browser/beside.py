"""A room about a built-in table, opened beside a running server that then finds it in its ledger."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from dpengine.data import Table, load_sample
from dpengine.ledger import Account, Ledger, Terms
from dpengine.scenario import Scenario
from dpengine.workshop import Room, Rooms, Setting
from pages.session.first_plan import QUESTIONS, first_plan
from tests.servers.server import Server


@cache
def built_in(name: str) -> Table:
    """A table that ships with the program, read once for all tests."""
    return load_sample(name)[0]


def ledger(server: Server) -> Ledger:
    """The server's, past its screens."""
    return Ledger.open(f"sqlite:///{server.ledger_path}", marker=server.marker_path)


def account(server: Server, plan: Scenario) -> Account:
    """The practice account of a built-in table, on the plan's terms and with nothing spent."""
    known, table = ledger(server), built_in(plan.table_name)
    before = known.account_of(table)
    if before is None:
        return known.open_account(table, plan.schema, neighbors=plan.neighbors, budget=plan.budget, rule=plan.rule)
    terms = Terms.of(plan.schema, neighbors=plan.neighbors, budget=plan.budget, rule=plan.rule, practice=True)
    return before.restart(terms)


def emptied(server: Server) -> Server:
    """The same server, with no open room, and with nothing spent from any practice account."""
    rooms = Rooms.of(ledger(server))
    for room in rooms.all():
        if room.state != "closed":
            rooms.close(room)
    for name in QUESTIONS:
        if rooms.ledger.account_of(built_in(name)) is not None:
            account(server, first_plan(name))
    return server


def moved(rooms: Rooms, step: str, phase: int = 0) -> Room:
    """The newest room, led to a phase of a step past the host's page."""
    now = rooms.all()[0]
    rooms.go(now, replace(now, place=now.setting.steps.index(step), phase=phase))
    return rooms.all()[0]


def opened(server: Server, plan: Scenario, **setting: Any) -> tuple[Rooms, Room]:
    """The room in its lobby, and all rooms read past the screens; `setting` is that of the form."""
    rooms = Rooms.of(ledger(server))
    return rooms, rooms.open(Setting(plan=plan, **setting), account(server, plan))
