"""A workshop of fifty phones on one server with two cores: how soon everybody sees what one of them did, and its cost.

`python -m benchmarks.workshop [phones]` opens a room on the patients that ship with the program, lets so many phones,
50 unless told otherwise, join it over Streamlit's own websocket, and then measures

- nothing: everybody waits in the step in which questions are asked, and looks each second by itself;
- one question at a time, every QUIET_SECONDS by another phone: from its press to the message with the new budget, for
  each phone (what the browser takes to paint comes on top: 10 to 20 ms, see benchmarks/dial_speed.py);
- the host's next step: from the change to the new page, for each phone;
- all phones at once: from the first press until each has its answer or its refusal; then the ledger is read to see
  that the budget was spent to the last question, and charged once for each.

Processor time is that of the server's whole process, held to two cores, as a share of these two.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.phones import Phone
from dpengine.data import load_sample
from dpengine.ledger import Ledger
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.scenario import Scenario
from dpengine.workshop import SPEND, Room, Rooms, Setting
from tests.server import Server

PHONES, QUESTIONS, QUIET_SECONDS, IDLE_SECONDS = 50, 20, 2.5, 20.0
EACH, ALLOWED_AT_ONCE = 0.1, 30
UPDATED, AT_ONCE, SHARE, MEGABYTES, CORES = 1500.0, 5000.0, 60.0, 1.0, 2


@dataclass(frozen=True, kw_only=True)
class Hall:
    """The server, the room, and everybody in it."""

    server: Server
    rooms: Rooms
    room: Room
    phones: list[Phone]

    def now(self) -> Room:
        """The room as it stands."""
        return self.rooms.room(self.room.id)

    def step_on(self) -> Room:
        """The host presses next."""
        now = self.now()
        following = now.after()
        return now if following is None else self.rooms.go(now, following)


def opened(server: Server) -> tuple[Rooms, Room]:
    """A room whose budget ends in the middle of the last measurement."""
    ledger = Ledger.open(f"sqlite:///{server.ledger_path}", marker=server.marker_path)
    table, schema = load_sample("patients")
    question = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=EACH))
    budget = Guarantee(epsilon=EACH * (QUESTIONS + ALLOWED_AT_ONCE), delta=1e-6)
    plan = Scenario(
        table_name=schema.name, schema=schema, neighbors=Neighbors.ADD_REMOVE, budget=budget, queries=(question,)
    )
    account = ledger.open_account(table, schema, neighbors=plan.neighbors, budget=budget)
    rooms = Rooms.of(ledger)
    return rooms, rooms.open(Setting(title="Fifty phones", plan=plan, steps=(SPEND, "check")), account)
