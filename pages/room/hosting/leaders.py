"""Who may lead a room: whoever has its rows, whoever sits at this machine, and who signed in and had them before."""

from __future__ import annotations

from functools import cache

from dpengine.workshop import Room
from pages.access import roles, visit
from pages.room.hosting import paying

ELSEWHERE = (
    "This room is about rows that you have not brought; the person who has them leads it. Bring them on the **Data** "
    "page, declared as they are in the room, or open a room of your own."
)


@cache
def _known() -> set[tuple[int, str, str]]:
    """Accounts, and the browser and the person that led a room of theirs with the rows, while this server runs.

    Of a token nobody knows whose it is: whoever entered with it brings the rows again, after a reload too.
    """
    return set()


def may_lead(room: Room) -> bool:
    """Whether this session may: a curator without a row of it spends nobody's budget, and sets nobody's price."""
    this = room.account, visit.proof(), roles.whose()
    if roles.whose() == roles.HERE or paying.has_the_rows(room):
        _known().update({this} if visit.proof() and not roles.entered() else ())
        return True
    return this in _known()
