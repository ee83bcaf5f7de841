"""A room about a small real table, on either database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpengine.data import Comparison, Table
from dpengine.ledger import Account
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, SumQuery
from dpengine.scenario import Scenario
from dpengine.workshop import Participant, Room, Rooms, Setting, people
from tests.contracts.ledger.conftest import KINDS, place_of
from tests.examples.ledgers import SCHEMA, opened
from tests.examples.ledgers import people as people_table
from tests.servers.databases import Databases
from tests.servers.ledger_places import Place

ILL = CountQuery(where=Comparison("ill", "=", value=True))
EACH = 0.1


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A room in its lobby, with everything that stands behind it."""

    rooms: Rooms
    room: Room
    table: Table
    account: Account
    place: Place

    def at(self, step: str, phase: int = 0) -> Room:
        """The room moved on to a step and phase."""
        now = self.rooms.room(self.room.id)
        while (now.step, now.phase) != (step, phase):
            following = now.after()
            assert following is not None, f"The room never comes to {step} {phase}."
            now = self.rooms.go(now, following)
        return now

    def join(self, name: str) -> Participant:
        """One more person."""
        return people.join(self.rooms, self.room, name)[0]


def planned(query: object = ILL, epsilon: float = EACH) -> PlannedQuery:
    """One of the room's questions."""
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))  # type: ignore[arg-type]


def setting(*, epsilon: float = 1.0, delta: float = 0.0, rule: str = "basic", **given: object) -> Setting:
    """Two questions about the small table."""
    plan = Scenario(
        table_name=SCHEMA.name,
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        budget=Guarantee(epsilon=epsilon, delta=delta),
        queries=(planned(), planned(SumQuery("age"), 0.2)),
        rule=rule,
    )
    return Setting(**({"title": "A day on privacy", "plan": plan} | given))  # type: ignore[arg-type]


OpenStage = Callable[..., Stage]


on_one_database = pytest.mark.parametrize("place", KINDS[:1], indirect=True)
"""For what the rooms decide and no database has a part in."""


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Place:
    return place_of(request.param, databases, tmp_path)


@pytest.fixture
def open_stage(place: Place) -> OpenStage:
    """Opens a room: `clock` is the ledger's, all else is set as in `setting`."""

    def build(clock: object = None, **given: object) -> Stage:
        ledger = place.open(**({} if clock is None else {"clock": clock}))
        chosen = setting(**given)  # type: ignore[arg-type]
        table, plan = people_table(), chosen.plan
        account = opened(ledger, table, epsilon=plan.budget.epsilon, delta=plan.budget.delta, rule=plan.rule)
        rooms = Rooms.of(ledger)
        return Stage(rooms=rooms, room=rooms.open(chosen, account), table=table, account=account, place=place)

    return build


@pytest.fixture
def stage(open_stage: OpenStage) -> Stage:
    return open_stage()
