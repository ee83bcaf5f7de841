"""A room of an AppTest's own ledger, with its table lent to it, its phones and its projector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison, Labels, Table, load_sample
from dpengine.ledger import Account
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery, Query
from dpengine.scenario import Scenario
from dpengine.workshop import Participant, Room, Rooms, Setting, asking, people
from dpengine.workshop.room import Ask
from pages.room import state, tables
from tests.examples.ledgers import people as of_people
from tests.ui import hosted

ILL = CountPeopleQuery(where=Comparison("ill", "=", value=True))
EACH = 0.1
NewApp = Callable[[], AppTest]


@dataclass(frozen=True, kw_only=True)
class Gathering:
    """A room at work, and what stands behind it."""

    rooms: Rooms
    number: int
    account: Account
    table: Table

    @property
    def room(self) -> Room:
        """As it stands now."""
        return self.rooms.room(self.number)

    def join(self, name: str) -> tuple[Participant, str]:
        """One more person, with the key of their address."""
        return people.join(self.rooms, self.room, name)

    def ask(self, whom: Participant, index: int = 0) -> Ask:
        """A question of the list, asked as from a phone."""
        number = len(asking.asks_of(self.rooms, whom))
        return asking.ask(self.rooms, whom, self.room.planned(index), self.table, number=number)

    def go_on(self) -> Room:
        """One phase or step further."""
        now = self.room
        self.rooms.go(now, now.after() or now)
        return state.changed(self.number)

    @property
    def spent(self) -> float:
        """Epsilon, of the shared account."""
        return self.account.exact_spent().epsilon / 1e9


def gathered(
    *steps: str,
    budget: float = 1.0,
    queries: tuple[Query, ...] = (ILL, CountQuery()),
    prices: tuple[float, ...] = (EACH, EACH),
    sample: str = "",
    table: Table | None = None,
    lent: bool = True,
    rule: str = "basic",
    delta: float = 0.0,
    labels: Labels | None = None,
    **setting: object,
) -> Gathering:
    """A room in the first of these steps, about a small table of real people or a built-in one."""
    rooms = hosted.rooms()
    table = table or (load_sample(sample)[0] if sample else of_people())
    plan = Scenario(
        table_name=table.schema.name,
        schema=table.schema,
        neighbors=Neighbors.ADD_REMOVE,
        budget=Guarantee(epsilon=budget, delta=delta),
        rule=rule,
        labels=labels or Labels(),
        queries=tuple(
            PlannedQuery(query=query, guarantee=Guarantee(epsilon=price))
            for query, price in zip(queries, prices, strict=False)
        ),
    )
    terms = {"neighbors": plan.neighbors, "budget": plan.budget, "rule": rule}
    account = rooms.ledger.open_account(table, plan.schema, **terms)  # type: ignore[arg-type]
    room = rooms.open(Setting(title="A day on privacy", plan=plan, steps=steps, **setting), account)  # type: ignore[arg-type]
    tables._lent().clear()
    if lent and not sample:
        tables.lend(account.id, table)
    here = Gathering(rooms=rooms, number=room.id, account=account, table=table)
    here.go_on()
    return here


def phone(new_app: NewApp, key: str) -> AppTest:
    """The phone of whoever has this key."""
    return seen(new_app, "room", me=key)


def projector(new_app: NewApp, room: Room) -> AppTest:
    """What the whole room looks at."""
    return seen(new_app, "projector", screen=room.screen)


def seen(new_app: NewApp, name: str, **address: str) -> AppTest:
    """A page of the workshop, with what stands in its address."""
    page = new_app()
    for key, value in address.items():
        page.query_params[key] = value
    return looked(page.switch_page(f"pages/workshop/{name}/page.py"))


def looked(page: AppTest) -> AppTest:
    """The page as it is now; it never fails."""
    page.run()
    assert not page.exception
    return page


def pressed(page: AppTest, beginning: str) -> AppTest:
    """Click the button whose words begin so."""
    next(button for button in page.button if button.label.startswith(beginning)).click()
    return looked(page)
