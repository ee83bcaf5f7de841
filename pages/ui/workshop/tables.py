"""The rows of a room's table on this server: a built-in one, or the one that the host's session has lent."""

from __future__ import annotations

from functools import cache

from dpengine.data import Table
from dpengine.errors import RoomError
from dpengine.workshop import Room
from pages.ui import session

MISSING = (
    "This server does not have the table of this room at the moment: the host needs to bring it again. "
    "Nothing was charged; ask again then."
)


@cache
def _lent() -> dict[int, Table]:
    """By account, for the life of the process: what one session brought, all of the room may ask of."""
    return {}


def lend(account: int, table: Table) -> None:
    """Let everybody in the rooms of an account ask questions of a table; nobody sees a row."""
    _lent()[account] = table


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
    lent = _lent().get(room.account)
    return None if lent is None or lent.closed else lent
