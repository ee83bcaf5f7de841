"""The workshop's tables: made once, gone on with by the next version, and left alone by the one before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dpengine.errors import LedgerError
from dpengine.workshop import Rooms
from tests.contracts.workshop.conftest import Stage
from tests.servers.ledger_places import Place


def test_servers_that_start_together_make_one_set_of_tables(place: Place) -> None:
    place.open()
    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(lambda _: Rooms.of(place.open()).all() == (), range(4)))


def test_rooms_of_another_version_are_left_alone(stage: Stage) -> None:
    assert not stage.place.tampered("UPDATE workshop_versions SET version = 9")
    with pytest.raises(LedgerError, match="version 9, this one reads 2"):
        Rooms.of(stage.rooms.ledger)


def test_rooms_of_the_version_before_are_gone_on_with_and_no_longer_its_own(stage: Stage) -> None:
    """It would finish a question that waits under another name, and charge it twice."""
    assert not stage.place.tampered("UPDATE workshop_versions SET version = 1")
    assert Rooms.of(stage.place.open()).all() == (stage.room,)
    assert stage.place.asked("SELECT version FROM workshop_versions") == [(2,)]
