"""The rows of a room's table on this server: a built-in one, or the one that the host's session has lent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from dpengine.data import Schema, Table
from dpengine.errors import RoomError
from dpengine.workshop import Room
from pages import session

MISSING = (
    "This server does not have the table of this room right now: the host needs to bring it again. "
    "Nothing was charged; ask again then."
)


@cache
def _lent() -> dict[tuple[int, Schema], tuple[Table, ...]]:
    """By account and declaration: what sessions brought, all of a room may ask of, until the last of them is closed."""
    return {}


def lend(account: int, table: Table) -> None:
    """Let everybody in the rooms of an account that declare it so ask questions of a table; nobody sees a row."""
    key = account, table.schema
    others = (other for other in _lent().get(key, ()) if not other.closed and other is not table)
    _lent()[key] = (*others, table)


def keep_for(rooms: Sequence[Room]) -> None:
    """Let the rows go that none of these rooms may be asked about any more."""
    wanted = {_key(room) for room in rooms if room.state != "closed"}
    for key in _lent().keys() - wanted:
        _lent().pop(key, None)


def of(room: Room) -> Table:
    """The table of a room; raises RoomError where the host has to bring it again."""
    table = _lent_to(room) or public(room)
    if table is None:
        raise RoomError(MISSING)
    return table


def is_here(room: Room) -> bool:
    """Whether people can ask questions of a room's table now."""
    return room.setting.plan.built_in or _lent_to(room) is not None


def public(room: Room) -> Table | None:
    """The rows of a built-in table, which everybody may know; None for every other."""
    plan = room.setting.plan
    return session.built_in_table(plan.table_name) if plan.built_in else None


def _lent_to(room: Room) -> Table | None:
    """One that its host may have brought anew comes before one that takes no question any more."""
    here = [table for table in _lent().get(_key(room), ()) if not table.closed]
    return next((table for table in here if not table.failed), here[0] if here else None)


def _key(room: Room) -> tuple[int, Schema]:
    return room.account, room.setting.plan.schema
