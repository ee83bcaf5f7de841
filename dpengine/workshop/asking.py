"""Questions that people ask of the shared account: within their cap, one intent one charge, whatever breaks between.

Protocol: (1) the ask is written, and counts against the person's cap, in one transaction; (2) release() charges the
account under the ask's own request id, or refuses; (3) the ask is marked. Whoever finds an ask that waits may do (2)
and (3) again: the ledger charges a request id once and gives the same answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from dpengine.data import Table
from dpengine.errors import AccountMismatchError, BudgetExceededError, RefusedQueryError, ReleaseFailedError, RoomError
from dpengine.ledger import Account, Amounts
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of, granted_by
from dpengine.release import Release, release
from dpengine.scenario import from_plain, to_plain
from dpengine.workshop import codes, tables
from dpengine.workshop.people import require_in
from dpengine.workshop.room import SPEND, Ask, Participant, Room, Setting
from dpengine.workshop.rooms import Rooms, require_going

MOST_ASKS = 500
_ENDED = "This question was refused in another tab. Nothing was charged."
FAILED = "No answer: the question failed on the table's rows. It stays paid: failing may tell what they hold."
_TABLE = tables.asks
_ASKS = select(_TABLE, tables.requests.c.request).outerjoin(tables.requests, tables.requests.c.ask == _TABLE.c.id)


def ask(rooms: Rooms, whom: Participant, planned: PlannedQuery, table: Table, *, number: int) -> Ask:
    """Ask a question as the person's `number`-th; the same number again is the same ask, free.

    One that the person's cap does not hold is kept as "capped", so that the room sees it; the next such one in a row is
    only said to them. Raises RoomError before anything is charged: for that one, where the room is elsewhere, paused or
    closed, where the question is not one of the room's, where the number stands for another question.
    ReleaseFailedError after the charge, unless the rows of the table may have been the cause: asked again with the same
    number it is answered without a second one.
    """
    with rooms.store.reading() as connection:
        account_number = _account_of(connection, whom)
    account = rooms.ledger.account(account_number)
    account.require_table(table)
    found = _reserved(rooms, whom, planned, number)
    if found.state != "waiting":
        return found
    return finish(rooms, found, table, account, rooms.room(whom.room).setting)


def trusted_with(setting: Setting, account: Account) -> Amounts:
    """What the room may let its account hold: of a real one what it held as the room was opened, whoever raises it."""
    return account.balance()[0] if account.practice else granted_by(setting.plan.budget)


def finish(rooms: Rooms, waiting: Ask, table: Table, account: Account, setting: Setting) -> Ask:
    """Charge and answer an ask that waits, or refuse it; what happened to it before, happens only once.

    One that fails on the rows of its table does not wait any more: a page that asks it again by itself would take the
    table out of use as often as somebody brings it.
    """
    request, most = waiting.request_id, trusted_with(setting, account)

    def require_waiting(connection: Connection) -> None:
        if connection.scalar(select(_TABLE.c.state).where(_TABLE.c.id == waiting.id)) != "waiting":
            raise RefusedQueryError(_ENDED)

    try:
        release(waiting.planned, table, account, request_id=request, most=most, require=require_waiting)
    except (BudgetExceededError, RefusedQueryError) as refused:
        marked = _marked(rooms, waiting, "refused", str(refused), unless_charged_to=account)
        if marked.state == "waiting":  # somebody else has charged it meanwhile, and reads the rows
            raise ReleaseFailedError from None
        return marked
    except AccountMismatchError as other:
        raise RoomError(str(other)) from None
    except ReleaseFailedError as failed:
        if not (failed.reading_rows and table.failed):
            raise
        return _marked(rooms, waiting, "answered", FAILED)
    return _marked(rooms, waiting, "answered", "")


def asks(rooms: Rooms, room: Room) -> tuple[Ask, ...]:
    """Everything that was asked in a room, oldest first."""
    with rooms.store.reading() as connection:
        found = connection.execute(_ASKS.where(_TABLE.c.room == room.id).order_by(_TABLE.c.id))
        return tuple(_as_ask(row) for row in found)


def asks_of(rooms: Rooms, whom: Participant) -> tuple[Ask, ...]:
    """What one person has asked, oldest first."""
    with rooms.store.reading() as connection:
        return _asks_of(connection, whom)


def answers(rooms: Rooms, room: Room) -> dict[str, Release]:
    """The answers of a room's asks by their request ids, as they stand in the ledger."""
    found = {release.request_id: release for release in rooms.ledger.account(room.account).releases()}
    return {one.request_id: found[one.request_id] for one in asks(rooms, room) if one.request_id in found}


def answers_to(rooms: Rooms, room: Room, own: Sequence[Ask]) -> dict[str, Release]:
    """The same for some asks alone, however many others the ledger holds."""
    account = rooms.ledger.account(room.account)
    found = {one.request_id: account.released(one.request_id) for one in own if one.state == "answered"}
    return {name: release for name, release in found.items() if release is not None}


def left_after(room: Room, own: Sequence[Ask]) -> Amounts | None:
    """What somebody may still spend who has asked this; None without a cap."""
    granted = room.setting.granted_each()
    return None if granted is None else _spent(own).left_of(granted)


def _reserved(rooms: Rooms, whom: Participant, planned: PlannedQuery, number: int) -> Ask:
    """Step 1: the ask, counted against the cap."""
    with rooms.changing(whom.room) as (connection, room):
        own = _asks_of(connection, whom)
        known = next((one for one in own if one.number == number), None)
        if known is not None:
            if known.planned != planned:
                raise RoomError("You asked something else a moment ago. Look at its answer first. Nothing was charged.")
            return known
        require_going(room, steps=(SPEND,))
        require_in(connection, whom)
        if number != len(own) or number >= MOST_ASKS:
            raise RoomError("This page is behind what you asked elsewhere. Reload it. Nothing was charged.")
        amounts = _priced(room, planned)
        over = _beyond_the_cap(room, own, amounts)
        if over and own and own[-1].state == "capped":
            raise RoomError(over)
        row = {"room": room.id, "participant": whom.id, "number": number, "planned": json.dumps(to_plain(planned))}
        cost = {"epsilon": amounts.epsilon, "delta": amounts.delta, "rho": amounts.rho}
        end = {"state": "capped" if over else "waiting", "sentence": over}
        added = connection.execute(insert(_TABLE).values({**row, **cost, **end}))
        ask = int((added.inserted_primary_key or (0,))[0])
        request = f"room-{codes.new_key()}"
        connection.execute(insert(tables.requests).values(room=room.id, ask=ask, request=request))
        return _asks_of(connection, whom)[-1]


def _priced(room: Room, planned: PlannedQuery) -> Amounts:
    """What a question costs; raises RoomError unless it is one of the room's, at its price."""
    plan = room.setting.plan
    listed = [room.priced(one) for one in plan.queries if one.query == planned.query]
    if planned not in (listed or [room.own(planned.query)]) or not room.setting.allows(planned):
        raise RoomError("This question is not one of this room's, or it costs something else now. Nothing was charged.")
    return cost_of(planned, plan.schema, plan.neighbors)


def _beyond_the_cap(room: Room, own: Sequence[Ask], amounts: Amounts) -> str:
    """Why a person's cap does not hold what they ask; empty where it does, or where there is none."""
    rule, granted = room.setting.plan.rule, room.setting.granted_each()
    if granted is None or (_spent(own) + amounts).within(granted, rule):
        return ""
    left = _spent(own).left_of(granted)
    return (
        f"This question asks for {amounts.in_words(rule)}, and {left.in_words(rule)} is left of the "
        f"{granted.in_words(rule)} that each person here may spend. Nothing was charged."
    )


def _spent(own: Sequence[Ask]) -> Amounts:
    """What counts against a cap: what is answered, or still waits."""
    return sum((one.amounts for one in own if one.state in ("waiting", "answered")), Amounts())


def _marked(rooms: Rooms, one: Ask, state: str, sentence: str, *, unless_charged_to: Account | None = None) -> Ask:
    """Step 3: the ask as it ended; the first end stays, and nobody charges what has ended, nor ends what is charged."""
    with rooms.store.reading() as connection:
        room = int(connection.scalar(select(_TABLE.c.room).where(_TABLE.c.id == one.id)) or 0)
    with rooms.changing(room) as (connection, _):
        this = _TABLE.c.id == one.id
        if unless_charged_to is None or not unless_charged_to.is_charged(one.request_id, within=connection):
            connection.execute(
                update(_TABLE).where(this, _TABLE.c.state == "waiting").values(state=state, sentence=sentence)
            )
        return _as_ask(connection.execute(_ASKS.where(this)).one())


def _asks_of(connection: Connection, whom: Participant) -> tuple[Ask, ...]:
    found = connection.execute(_ASKS.where(_TABLE.c.participant == whom.id).order_by(_TABLE.c.number))
    return tuple(_as_ask(row) for row in found)


def _account_of(connection: Connection, whom: Participant) -> int:
    found = connection.scalar(select(tables.rooms.c.account).where(tables.rooms.c.id == whom.room))
    if found is None:
        raise RoomError("This room is no longer there. Nothing was charged.")
    return int(found)


def _as_ask(row: Row[Any]) -> Ask:
    return Ask(
        id=row.id,
        participant=row.participant,
        number=row.number,
        request_id=row.request or f"room-{row.room}-{row.participant}-{row.number}",
        planned=from_plain(json.loads(row.planned)),
        amounts=Amounts(epsilon=row.epsilon, delta=row.delta, rho=row.rho),
        state=row.state,
        sentence=row.sentence,
    )
