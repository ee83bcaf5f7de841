"""Fifty phones on one server: everybody presses in the same moment, and each press is charged once or refused."""

from __future__ import annotations

import pytest

from benchmarks import workshop
from tests.servers.looping import finished
from tests.servers.server import Server


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_fifty_phones_press_at_once(emptied_server: Server) -> None:
    assert finished(pressed_twice(emptied_server)) == workshop.USUAL.paid


async def pressed_twice(server: Server) -> int:
    """How many answers there are, after twice as many presses as the budget holds."""
    hall, _ = await workshop.hall(server, workshop.USUAL)
    for _ in range(2):
        await workshop.all_at_once(hall)
    workshop.checked(hall)
    for one in hall.phones:
        await one.connection.close()
    return len(hall.rooms.ledger.account(hall.room.account).releases())
