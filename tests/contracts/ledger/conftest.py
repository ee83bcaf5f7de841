"""Every law of the ledger is held against both databases."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from tests.contracts.ledger.laws import the_table
from tests.examples.ledgers import APART, opened
from tests.servers.databases import Databases
from tests.servers.ledger_places import FilePlace, Place, ServerPlace

KINDS = ("sqlite", "postgresql")
Returned = TypeVar("Returned")


def apart(work: Callable[..., Returned], *arguments: object) -> Returned:
    """What a function returns in a process of its own that holds nothing of this one."""
    with ProcessPoolExecutor(1, mp_context=APART) as process:
        return process.submit(work, *arguments).result()


def place_of(kind: str, databases: Databases, folder: Path) -> Place:
    """An empty place of this kind."""
    if kind == "sqlite":
        return FilePlace(folder=folder)
    return ServerPlace(cluster=databases.cluster, folder=folder).emptied()


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Place:
    """An empty place for a ledger, one of each kind."""
    return place_of(request.param, databases, tmp_path)


@pytest.fixture
def file_place(tmp_path: Path) -> FilePlace:
    """An empty place for a file."""
    return FilePlace(folder=tmp_path)


@pytest.fixture
def begun(file_place: FilePlace) -> FilePlace:
    """A ledger with one account, which nobody has open."""
    ledger = file_place.open()
    opened(ledger, the_table(), epsilon=3.0)
    ledger.close()
    return file_place


@pytest.fixture
def server_place(databases: Databases, tmp_path: Path) -> ServerPlace:
    """An empty place in PostgreSQL."""
    return ServerPlace(cluster=databases.cluster, folder=tmp_path).emptied()
